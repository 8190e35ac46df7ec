package io.praline.deploy.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParser;

/**
 * The resources of Confluent's registry that clients use, for Avro without references: what is asked, looked up in or
 * written to the {@link SchemaLog}. Knows nothing of HTTP but methods, paths and status numbers. Thread safe: those who
 * write take turns.
 */
final class RegistryApi {
    private final JsonMapper json = new JsonMapper();
    private final SchemaLog log;
    private final RegistrySchemas schemas;
    private final RegistrySettings settings;
    private final String clusterId;

    RegistryApi(SchemaLog log, String clusterId) {
        this.log = log;
        this.schemas = new RegistrySchemas(log);
        this.settings = new RegistrySettings(log);
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

        /** @throws RegistryError where something else than to read is asked */
        void requireGet() {
            if (!method.equals("GET")) {
                throw RegistryError.methodNotAllowed();
            }
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
            case "schemas" -> schemas.answer(request);
            case "compatibility" -> compatibility(request);
            case "config", "mode" -> settings(request);
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
                RegistryError.require(request.part(2).equals("versions"));
                yield switch (request.method()) {
                    case "GET" -> listVersions(request.part(1), request.flag("deleted"));
                    case "POST" -> register(request.part(1), request.body());
                    default -> throw RegistryError.methodNotAllowed();
                };
            }
            case 4 -> {
                RegistryError.require(request.part(2).equals("versions"));
                yield switch (request.method()) {
                    case "GET" ->
                        RegistryAnswers.describe(version(request.part(1), request.part(3), request.flag("deleted")));
                    case "DELETE" -> deleteVersion(request.part(1), request.part(3), request.flag("permanent"));
                    default -> throw RegistryError.methodNotAllowed();
                };
            }
            case 5 -> {
                RegistryError.require(request.part(2).equals("versions"));
                request.requireGet();
                SchemaStore.Version version = version(request.part(1), request.part(3), request.flag("deleted"));
                yield switch (request.part(4)) {
                    case "schema" -> RegistryAnswers.tree(version.schema());
                    case "referencedby" -> json.createArrayNode();
                    default -> throw RegistryError.noSuchResource();
                };
            }
            default -> throw RegistryError.noSuchResource();
        };
    }

    private JsonNode listSubjects(Request request) {
        String prefix = request.query().getOrDefault("subjectPrefix", "");
        return RegistryAnswers.array(log.read(store -> store.subjects(request.flag("deleted"))).stream()
                .filter(subject -> subject.startsWith(prefix))
                .toList());
    }

    private JsonNode listVersions(String subject, boolean deleted) {
        List<SchemaStore.Version> versions = log.read(store -> store.versions(subject, deleted));
        if (versions.isEmpty()) {
            throw RegistryError.subjectNotFound(subject);
        }
        return RegistryAnswers.versionNumbers(versions);
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
        return RegistryAnswers.describe(same(versions, canonical).orElseThrow(RegistryError::schemaNotFound));
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
            return RegistryAnswers.versionNumbers(all);
        }
        if (live.isEmpty()) {
            throw RegistryError.subjectSoftDeleted(subject);
        }
        log.write(
                log.key("DELETE_SUBJECT", 0, Optional.of(subject)),
                Optional.of(json.createObjectNode()
                        .put("subject", subject)
                        .put("version", live.get(live.size() - 1).version())));
        return RegistryAnswers.versionNumbers(live);
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

    private JsonNode compatibility(Request request) {
        List<String> path = request.path();
        RegistryError.require(path.size() > 3
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
            answer.set("messages", RegistryAnswers.array(against));
        }
        return answer;
    }

    private JsonNode settings(Request request) {
        if (request.method().equals("GET")) {
            return settings.answer(request);
        }
        synchronized (this) {
            return settings.answer(request);
        }
    }

    private JsonNode metadata(Request request) {
        request.requireGet();
        RegistryError.require(request.path().equals(List.of("v1", "metadata", "id")));
        ObjectNode answer = json.createObjectNode().put("id", "");
        ObjectNode scope = answer.putObject("scope");
        scope.putArray("path");
        scope.putObject("clusters").put("kafka-cluster", clusterId).put("schema-registry-cluster", "praline");
        return answer;
    }

    private void write(SchemaStore.Version version) {
        log.write(
                schemaKey(version.subject(), version.version()),
                Optional.of(RegistryAnswers.describe(version).put("deleted", version.deleted())));
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
}
