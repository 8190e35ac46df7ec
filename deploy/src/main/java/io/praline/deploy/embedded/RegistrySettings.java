package io.praline.deploy.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.praline.deploy.embedded.RegistryApi.Request;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The registry's settings, of all subjects or of one: how far schemas may differ, and whether they are registered at all. */
final class RegistrySettings {
    private static final Set<String> MODES = Set.of("READWRITE", "READONLY", "IMPORT");

    private final JsonMapper json = new JsonMapper();
    private final SchemaLog log;

    RegistrySettings(SchemaLog log) {
        this.log = log;
    }

    /**
     * The answer to what is asked of {@code config} or {@code mode}. Those that write are to come one after the other.
     *
     * @throws RegistryError where there is none
     */
    JsonNode answer(Request request) {
        return request.part(0).equals("config") ? config(request) : mode(request);
    }

    private JsonNode config(Request request) {
        Optional<String> subject = optionalSubject(request);
        return switch (request.method()) {
            case "GET" -> {
                Compatibility level = subject.isEmpty()
                        ? log.read(SchemaStore::globalLevel)
                        : log.read(store -> store.level(subject.get()))
                                .or(() -> request.flag("defaultToGlobal")
                                        ? Optional.of(log.read(SchemaStore::globalLevel))
                                        : Optional.empty())
                                .orElseThrow(() -> RegistryError.noCompatibilityOf(subject.get()));
                yield json.createObjectNode().put("compatibilityLevel", level.name());
            }
            case "PUT" -> {
                String name = request.body().path("compatibility").asText();
                Compatibility level =
                        Compatibility.of(name).orElseThrow(() -> RegistryError.invalidCompatibility(name));
                writeSetting("CONFIG", subject, Optional.of(Map.entry("compatibilityLevel", level.name())));
                yield json.createObjectNode().put("compatibility", level.name());
            }
            case "DELETE" -> {
                Compatibility was = subject.isEmpty()
                        ? log.read(SchemaStore::globalLevel)
                        : log.read(store -> store.level(subject.get()))
                                .orElseThrow(() -> RegistryError.noCompatibilityOf(subject.get()));
                writeSetting("CONFIG", subject, Optional.empty());
                yield json.createObjectNode().put("compatibilityLevel", was.name());
            }
            default -> throw RegistryError.methodNotAllowed();
        };
    }

    private JsonNode mode(Request request) {
        Optional<String> subject = optionalSubject(request);
        return switch (request.method()) {
            case "GET" -> {
                String mode = subject.isEmpty()
                        ? log.read(SchemaStore::globalMode)
                        : log.read(store -> store.mode(subject.get()))
                                .or(() -> request.flag("defaultToGlobal")
                                        ? Optional.of(log.read(SchemaStore::globalMode))
                                        : Optional.empty())
                                .orElseThrow(() -> RegistryError.noModeOf(subject.get()));
                yield json.createObjectNode().put("mode", mode);
            }
            case "PUT" -> {
                String mode = request.body().path("mode").asText().toUpperCase(Locale.ROOT);
                if (!MODES.contains(mode)) {
                    throw RegistryError.invalidMode(mode);
                }
                boolean occupied = !log.read(
                                store -> subject.isEmpty() ? store.all(false) : store.versions(subject.get(), false))
                        .isEmpty();
                if (mode.equals("IMPORT") && occupied && !request.flag("force")) {
                    throw RegistryError.notPermitted("Cannot import since found existing subjects");
                }
                writeSetting("MODE", subject, Optional.of(Map.entry("mode", mode)));
                yield json.createObjectNode().put("mode", mode);
            }
            case "DELETE" -> {
                String was = subject.isEmpty()
                        ? log.read(SchemaStore::globalMode)
                        : log.read(store -> store.mode(subject.get()))
                                .orElseThrow(() -> RegistryError.noModeOf(subject.get()));
                writeSetting("MODE", subject, Optional.empty());
                yield json.createObjectNode().put("mode", was);
            }
            default -> throw RegistryError.methodNotAllowed();
        };
    }

    private static Optional<String> optionalSubject(Request request) {
        RegistryError.require(request.path().size() < 3);
        return request.path().size() == 2 ? Optional.of(request.part(1)) : Optional.empty();
    }

    private void writeSetting(String type, Optional<String> subject, Optional<Map.Entry<String, String>> setting) {
        log.write(log.key(type, 0, subject), setting.map(value -> json.createObjectNode()
                .put("subject", subject.orElse(null))
                .put(value.getKey(), value.getValue())));
    }
}
