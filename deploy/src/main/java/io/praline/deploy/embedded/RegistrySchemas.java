package io.praline.deploy.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.praline.deploy.embedded.RegistryApi.Request;
import java.util.List;
import java.util.TreeSet;

/** What is asked of schemas by their ids, whatever subjects they belong to. */
final class RegistrySchemas {
    private final JsonMapper json = new JsonMapper();
    private final SchemaLog log;

    RegistrySchemas(SchemaLog log) {
        this.log = log;
    }

    JsonNode answer(Request request) {
        request.requireGet();
        List<String> path = request.path();
        if (path.size() == 1) {
            return listSchemas(request);
        }
        if (path.size() == 2 && path.get(1).equals("types")) {
            return RegistryAnswers.array(List.of("AVRO"));
        }
        RegistryError.require(path.get(1).equals("ids") && path.size() > 2 && path.size() < 5);
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
            case "schema" -> RegistryAnswers.tree(versions.get(0).schema());
            case "subjects" ->
                RegistryAnswers.array(new TreeSet<>(
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
                        .forEach(version -> answer.add(RegistryAnswers.describe(version)));
            }
        }
        return answer;
    }

    private static int schemaId(String id) {
        try {
            return Integer.parseInt(id);
        } catch (NumberFormatException notOne) {
            throw RegistryError.noSuchResource();
        }
    }
}
