package io.praline.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchemaDocsTest {
    private static final Path SCHEMAS = Path.of("src", "main", "avro");
    private static final Set<String> NAMED = Set.of("record", "enum", "fixed");
    private static final JsonMapper JSON = new JsonMapper();

    @Test
    void everyRecordEnumAndFieldSaysWhatItIs() throws IOException {
        List<String> undocumented = new ArrayList<>();
        try (Stream<Path> files = Files.list(SCHEMAS)) {
            for (Path file : files.sorted().toList()) {
                undocumented.addAll(undocumented(JSON.readTree(file.toFile()), ""));
            }
        }

        assertThat(undocumented).isEmpty();
    }

    @Test
    void whatHasNoDocIsFoundHoweverDeepItLies() throws IOException {
        JsonNode schema = JSON.readTree("""
                {"type": "record", "name": "Outer", "doc": "Said.", "fields": [
                  {"name": "plain", "type": "int"},
                  {"name": "blank", "type": "int", "doc": " "},
                  {"name": "list", "doc": "Said.", "type": ["null", {"type": "array", "items":
                    {"type": "record", "name": "Inner", "fields": [{"name": "deep", "type": "int"}]}}]},
                  {"name": "kind", "doc": "Said.", "type": {"type": "enum", "name": "Kind", "symbols": ["A"]}}
                ]}
                """);

        assertThat(undocumented(schema, ""))
                .containsExactly("Outer.plain", "Outer.blank", "Inner", "Inner.deep", "Kind");
    }

    /** The names of what lies in this part of a schema without a doc; {@code owner} is the record it is a field of. */
    private static List<String> undocumented(JsonNode part, String owner) {
        List<String> found = new ArrayList<>();
        if (!part.isContainerNode()) {
            return found;
        }
        boolean named = NAMED.contains(part.path("type").asText());
        String name = part.path("name").asText();
        boolean field = !owner.isEmpty() && part.has("name");
        if ((named || field) && part.path("doc").asText().isBlank()) {
            found.add(named ? name : owner + "." + name);
        }
        part.path("fields").forEach(inner -> found.addAll(undocumented(inner, name)));
        for (String nested : List.of("type", "items", "values")) {
            found.addAll(undocumented(part.path(nested), ""));
        }
        if (part.isArray()) {
            part.forEach(branch -> found.addAll(undocumented(branch, "")));
        }
        return found;
    }
}
