package io.praline.deploy.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParser;

/**
 * The resources of Confluent's registry that clients use, for Avro without references: what is asked, looked up in or
 * written to the {@link SchemaLog}. Knows nothing of HTTP but methods, paths and status numbers. Thread safe: those who
 * write take turns.
 */
final class RegistryApi {
    private static final Set<String> MODES = Set.of("READWRITE", "READONLY", "IMPORT");

    private final JsonMapper json = new JsonMapper();
    private final SchemaLog log;
    private final String clusterId;

    RegistryApi(SchemaLog log, String clusterId) {
        this.log = log;
        this.clusterId = clusterId;
    }

    /**
     * What came over HTTP.
     *
     * @param path the path's parts, decoded
     * @param query the query's parameters, decoded; the first of each name
     * @param body the body; a missing node where there was none
     */
    record Request(String method, List<String> path, Map<String, String> query, JsonNode body) {
        boolean flag(String name) {
            return Boolean.parseBoolean(query.getOrDefault(name, "false"));
        }

        String part(int index) {
            return path.get(index);
        }
    }

    /**
     * The answer's body.
     *
     * @throws RegistryError where there is none
     */
    JsonNode answer(Request request) {
        if (request.path().isEmpty()) {
            return json.createObjectNode();
        }
        return switch (request.part(0)) {
            case "subjects" -> subjects(request);
            case "schemas" -> schemas(request);
            case "compatibility" -> compatibility(request);
            case "config" -> config(request);
            case "mode" -> mode(request);
            case "v1" -> metadata(request);
            default -> throw RegistryError.noSuchResource();
        };
    }

    private JsonNode subjects(Request request) {
        return switch (request.path().size()) {
            case 1 ->
                switch (request.method()) {
                    case "GET" -> listSubjects(request);
                    default -> throw RegistryError.methodNotAllowed();
                };
            case 2 ->
                switch (request.method()) {
                    case "POST" -> lookUp(request.part(1), request);
                    case "DELETE" -> deleteSubject(request.part(1), request.flag("permanent"));
                    default -> throw RegistryError.methodNotAllowed();
                };
            case 3 -> {
                require(request.part(2).equals("versions"));
                yield switch (request.method()) {
                    case "GET" -> listVersions(request.part(1), request.flag("deleted"));
                    case "POST" -> register(request.part(1), request.body());
                    default -> throw RegistryError.methodNotAllowed();
                };
            }
            case 4 -> {
                require(request.part(2).equals("versions"));
                yield switch (request.method()) {
                    case "GET" -> describe(version(request.part(1), request.part(3), request.flag("deleted")));
                    case "DELETE" -> deleteVersion(request.part(1), request.part(3), request.flag("permanent"));
                    default -> throw RegistryError.methodNotAllowed();
                };
            }
            case 5 -> {
                require(request.part(2).equals("versions"));
                requireGet(request);
                SchemaStore.Version version = version(request.part(1), request.part(3), request.flag("deleted"));
                yield switch (request.part(4)) {
                    case "schema" -> tree(version.schema());
                    case "referencedby" -> json.createArrayNode();
                    default -> throw RegistryError.noSuchResource();
                };
            }
            default -> throw RegistryError.noSuchResource();
        };
    }

    private JsonNode listSubjects(Request request) {
        String prefix = request.query().getOrDefault("subjectPrefix", "");
        return array(log.read(store -> store.subjects(request.flag("deleted"))).stream()
                .filter(subject -> subject.startsWith(prefix))
                .toList());
    }

    private JsonNode listVersions(String subject, boolean deleted) {
        List<SchemaStore.Version> versions = log.read(store -> store.versions(subject, deleted));
        if (versions.isEmpty()) {
            throw RegistryError.subjectNotFound(subject);
        }
        return versionNumbers(versions);
    }

    private SchemaStore.Version version(String subject, String number, boolean deleted) {
        List<SchemaStore.Version> versions = log.read(store -> store.versions(subject, deleted));
        int wanted = versionNumber(number);
        if (versions.isEmpty()) {
            throw RegistryError.subjectNotFound(subject);
        }
        if (wanted == LATEST) {
            return versions.get(versions.size() - 1);
        }
        return versions.stream()
                .filter(version -> version.version() == wanted)
                .findFirst()
                .orElseThrow(() -> RegistryError.versionNotFound(number));
    }

    private static final int LATEST = -1;

    private static int versionNumber(String number) {
        if (number.equals("latest") || number.equals("-1")) {
            return LATEST;
        }
        try {
            int version = Integer.parseInt(number);
            if (version > 0) {
                return version;
            }
        } catch (NumberFormatException notOne) {
            throw RegistryError.invalidVersion(number);
        }
        throw RegistryError.invalidVersion(number);
    }

    private JsonNode lookUp(String subject, Request request) {
        String canonical = schemaOf(request.body()).toString();
        List<SchemaStore.Version> versions = log.read(store -> store.versions(subject, request.flag("deleted")));
        if (versions.isEmpty()) {
            throw RegistryError.subjectNotFound(subject);
        }
        return describe(same(versions, canonical).orElseThrow(RegistryError::schemaNotFound));
    }

    private synchronized JsonNode register(String subject, JsonNode body) {
        Schema schema = schemaOf(body);
        String canonical = schema.toString();
        String mode = log.read(store -> store.mode(subject).orElse(store.globalMode()));
        int givenId = body.path("id").asInt(-1);
        boolean given = givenId > 0;
        if (mode.equals("READONLY")) {
            throw RegistryError.notPermitted("Subject " + subject + " is in read-only mode");
        }
        if (given != mode.equals("IMPORT")) {
            throw RegistryError.notPermitted("Subject " + subject
                    + (given
                            ? " is not in import mode"
                            : " is in import mode. Registering schema without providing id is not permitted"));
        }
        List<SchemaStore.Version> versions = log.read(store -> store.versions(subject, false));
        Optional<SchemaStore.Version> existing = same(versions, canonical);
        if (existing.isPresent() && (!given || existing.get().id() == givenId)) {
            return json.createObjectNode().put("id", existing.get().id());
        }
        if (given) {
            requireIdFor(givenId, canonical);
        } else {
            requireCompatible(subject, schema, versions);
        }
        int id = given ? givenId : log.read(store -> store.idOf(canonical).orElse(store.maxId() + 1));
        int next = log.read(store -> store.lastVersion(subject)) + 1;
        int version =
                given && body.path("version").asInt() > 0 ? body.path("version").asInt() : next;
        write(new SchemaStore.Version(subject, version, id, canonical, false));
        return json.createObjectNode().put("id", id);
    }

    private void requireIdFor(int id, String canonical) {
        boolean other = log.read(store -> store.withId(id)).stream()
                .anyMatch(version -> !version.schema().equals(canonical));
        if (other) {
            throw RegistryError.notPermitted("Overwrite new schema with id " + id + " is not permitted.");
        }
    }

    private void requireCompatible(String subject, Schema schema, List<SchemaStore.Version> versions) {
        Compatibility level = level(subject);
        List<String> against = level.against(schema, parsed(versions));
        if (!against.isEmpty()) {
            throw RegistryError.incompatible(subject, against + ", compatibility " + level);
        }
    }

    private synchronized JsonNode deleteSubject(String subject, boolean permanent) {
        requireWritable(subject);
        List<SchemaStore.Version> all = log.read(store -> store.versions(subject, true));
        List<SchemaStore.Version> live = log.read(store -> store.versions(subject, false));
        if (all.isEmpty()) {
            throw RegistryError.subjectNotFound(subject);
        }
        if (permanent) {
            if (!live.isEmpty()) {
                throw RegistryError.subjectNotSoftDeleted(subject);
            }
            all.forEach(version -> log.write(schemaKey(subject, version.version()), Optional.empty()));
            log.write(log.key("DELETE_SUBJECT", 0, Optional.of(subject)), Optional.empty());
            return versionNumbers(all);
        }
        if (live.isEmpty()) {
            throw RegistryError.subjectSoftDeleted(subject);
        }
        log.write(
                log.key("DELETE_SUBJECT", 0, Optional.of(subject)),
                Optional.of(json.createObjectNode()
                        .put("subject", subject)
                        .put("version", live.get(live.size() - 1).version())));
        return versionNumbers(live);
    }

    private synchronized JsonNode deleteVersion(String subject, String number, boolean permanent) {
        requireWritable(subject);
        SchemaStore.Version version = version(subject, number, !number.equals("latest"));
        if (permanent) {
            if (!version.deleted()) {
                throw RegistryError.versionNotSoftDeleted(subject, version.version());
            }
            log.write(schemaKey(subject, version.version()), Optional.empty());
        } else {
            if (version.deleted()) {
                throw RegistryError.versionSoftDeleted(subject, version.version());
            }
            write(version.asDeleted());
        }
        return json.getNodeFactory().numberNode(version.version());
    }

    private JsonNode schemas(Request request) {
        requireGet(request);
        List<String> path = request.path();
        if (path.size() == 1) {
            return listSchemas(request);
        }
        if (path.size() == 2 && path.get(1).equals("types")) {
            return array(List.of("AVRO"));
        }
        require(path.get(1).equals("ids") && path.size() > 2 && path.size() < 5);
        int id = schemaId(path.get(2));
        List<SchemaStore.Version> versions = log.read(store -> store.withId(id));
        if (versions.isEmpty()) {
            throw RegistryError.schemaNotFound(id);
        }
        if (path.size() == 3) {
            ObjectNode answer =
                    json.createObjectNode().put("schema", versions.get(0).schema());
            if (request.flag("fetchMaxId")) {
                answer.put("maxId", log.read(SchemaStore::maxId));
            }
            return answer;
        }
        List<SchemaStore.Version> shown = versions.stream()
                .filter(version -> !version.deleted() || request.flag("deleted"))
                .toList();
        return switch (path.get(3)) {
            case "schema" -> tree(versions.get(0).schema());
            case "subjects" ->
                array(new TreeSet<>(
                        shown.stream().map(SchemaStore.Version::subject).toList()));
            case "versions" -> {
                ArrayNode answer = json.createArrayNode();
                shown.forEach(version ->
                        answer.addObject().put("subject", version.subject()).put("version", version.version()));
                yield answer;
            }
            default -> throw RegistryError.noSuchResource();
        };
    }

    private JsonNode listSchemas(Request request) {
        String prefix = request.query().getOrDefault("subjectPrefix", "");
        boolean latestOnly = request.flag("latestOnly");
        ArrayNode answer = json.createArrayNode();
        for (String subject : log.read(store -> store.subjects(request.flag("deleted")))) {
            if (subject.startsWith(prefix)) {
                List<SchemaStore.Version> versions =
                        log.read(store -> store.versions(subject, request.flag("deleted")));
                versions.subList(latestOnly ? versions.size() - 1 : 0, versions.size())
                        .forEach(version -> answer.add(describe(version)));
            }
        }
        return answer;
    }

    private JsonNode compatibility(Request request) {
        List<String> path = request.path();
        require(path.size() > 3
                && path.size() < 6
                && path.get(1).equals("subjects")
                && path.get(3).equals("versions"));
        if (!request.method().equals("POST")) {
            throw RegistryError.methodNotAllowed();
        }
        String subject = path.get(2);
        Schema schema = schemaOf(request.body());
        List<SchemaStore.Version> versions = log.read(store -> store.versions(subject, false));
        if (path.size() == 5) {
            boolean nothingYet = versionNumber(path.get(4)) == LATEST && versions.isEmpty();
            versions = nothingYet ? List.of() : List.of(version(subject, path.get(4), false));
        }
        List<String> against = level(subject).against(schema, parsed(versions));
        ObjectNode answer = json.createObjectNode().put("is_compatible", against.isEmpty());
        if (request.flag("verbose")) {
            answer.set("messages", array(against));
        }
        return answer;
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

    private JsonNode metadata(Request request) {
        requireGet(request);
        require(request.path().equals(List.of("v1", "metadata", "id")));
        ObjectNode answer = json.createObjectNode().put("id", "");
        ObjectNode scope = answer.putObject("scope");
        scope.putArray("path");
        scope.putObject("clusters").put("kafka-cluster", clusterId).put("schema-registry-cluster", "praline");
        return answer;
    }

    private static Optional<String> optionalSubject(Request request) {
        require(request.path().size() < 3);
        return request.path().size() == 2 ? Optional.of(request.part(1)) : Optional.empty();
    }

    private synchronized void writeSetting(
            String type, Optional<String> subject, Optional<Map.Entry<String, String>> setting) {
        log.write(log.key(type, 0, subject), setting.map(value -> json.createObjectNode()
                .put("subject", subject.orElse(null))
                .put(value.getKey(), value.getValue())));
    }

    private void write(SchemaStore.Version version) {
        log.write(
                schemaKey(version.subject(), version.version()),
                Optional.of(describe(version).put("deleted", version.deleted())));
    }

    private ObjectNode schemaKey(String subject, int version) {
        return log.key("SCHEMA", 1, Optional.of(subject)).put("version", version);
    }

    private void requireWritable(String subject) {
        if (log.read(store -> store.mode(subject).orElse(store.globalMode())).equals("READONLY")) {
            throw RegistryError.notPermitted("Subject " + subject + " is in read-only mode");
        }
    }

    private Compatibility level(String subject) {
        return log.read(store -> store.level(subject).orElse(store.globalLevel()));
    }

    private static Optional<SchemaStore.Version> same(List<SchemaStore.Version> versions, String canonical) {
        return versions.stream()
                .filter(version -> version.schema().equals(canonical))
                .reduce((older, newer) -> newer);
    }

    private static List<Schema> parsed(List<SchemaStore.Version> versions) {
        return versions.stream().map(SchemaStore.Version::parsed).toList();
    }

    private static Schema schemaOf(JsonNode body) {
        if (!body.isObject()) {
            throw RegistryError.malformed("The body must be a JSON object");
        }
        String type = body.path("schemaType").asText("AVRO");
        if (!type.equals("AVRO")) {
            throw RegistryError.invalidSchema("its type is " + type + ", only AVRO is taken here");
        }
        if (!body.path("references").isEmpty()) {
            throw RegistryError.invalidSchema("references to other schemas are not taken here, inline them");
        }
        String text = body.path("schema").asText("");
        if (text.isBlank()) {
            throw RegistryError.invalidSchema("it is empty");
        }
        try {
            return new SchemaParser().parse(text).mainSchema();
        } catch (AvroRuntimeException unreadable) {
            throw RegistryError.invalidSchema(EmbeddedBroker.rootMessage(unreadable));
        } catch (RuntimeException unknownType) {
            // Avro's way to say that it does not know a type at the top
            throw RegistryError.invalidSchema("it names a type that it does not define");
        }
    }

    private static int schemaId(String id) {
        try {
            return Integer.parseInt(id);
        } catch (NumberFormatException notOne) {
            throw RegistryError.noSuchResource();
        }
    }

    private ObjectNode describe(SchemaStore.Version version) {
        return json.createObjectNode()
                .put("subject", version.subject())
                .put("version", version.version())
                .put("id", version.id())
                .put("schema", version.schema());
    }

    private ArrayNode versionNumbers(List<SchemaStore.Version> versions) {
        ArrayNode numbers = json.createArrayNode();
        versions.forEach(version -> numbers.add(version.version()));
        return numbers;
    }

    private ArrayNode array(Iterable<String> texts) {
        ArrayNode array = json.createArrayNode();
        texts.forEach(array::add);
        return array;
    }

    private JsonNode tree(String schema) {
        try {
            return json.readTree(schema);
        } catch (JsonProcessingException malformed) {
            throw RegistryError.storeFailed(EmbeddedBroker.rootMessage(malformed));
        }
    }

    private static void requireGet(Request request) {
        if (!request.method().equals("GET")) {
            throw RegistryError.methodNotAllowed();
        }
    }

    private static void require(boolean exists) {
        if (!exists) {
            throw RegistryError.noSuchResource();
        }
    }
}
