package io.praline.deploy.embedded;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The pieces that the registry's answers are made of. */
final class RegistryAnswers {
    private static final JsonMapper JSON = new JsonMapper();

    private RegistryAnswers() {}

    /** A schema's version, as the registry tells it. */
    static ObjectNode describe(SchemaStore.Version version) {
        return JSON.createObjectNode()
                .put("subject", version.subject())
                .put("version", version.version())
                .put("id", version.id())
                .put("schema", version.schema());
    }

    static ArrayNode versionNumbers(List<SchemaStore.Version> versions) {
        ArrayNode numbers = JSON.createArrayNode();
        versions.forEach(version -> numbers.add(version.version()));
        return numbers;
    }

    static ArrayNode array(Iterable<String> texts) {
        ArrayNode array = JSON.createArrayNode();
        texts.forEach(array::add);
        return array;
    }

    /**
     * A schema as JSON rather than text.
     *
     * @throws RegistryError if it is not JSON
     */
    static JsonNode tree(String schema) {
        try {
            return JSON.readTree(schema);
        } catch (JsonProcessingException malformed) {
            throw RegistryError.storeFailed(EmbeddedBroker.rootMessage(malformed));
        }
    }
}
