package io.praline.client.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is written in a YAML file, each value with the line that it begins in, so that a complaint can name it. */
sealed interface YamlNode {

    int line();

    /** How a complaint calls it. */
    String kind();

    /**
     * One value, or nothing.
     *
     * @param written whether there is a value, be it an empty text
     */
    record Scalar(int line, String text, boolean written) implements YamlNode {
        @Override
        public String kind() {
            return written ? "'" + text + "'" : "nothing";
        }
    }

    record Sequence(int line, List<YamlNode> items) implements YamlNode {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Keys in the order they are written in. */
    record Mapping(int line, Map<String, YamlNode> entries, Map<String, Integer> keyLines) implements YamlNode {
        @Override
        public String kind() {
            return "keys and values";
        }
    }

    static YamlNode parse(String file, String text) {
        try (YAMLParser parser = new YAMLFactory().createParser(text)) {
            if (parser.nextToken() == null) {
                throw new RefusedPipelineFile(file, 1, "nothing in it");
            }
            YamlNode root = value(file, parser);
            if (parser.nextToken() != null) {
                throw new RefusedPipelineFile(file, line(parser), "a second document; a file holds one pipeline");
            }
            return root;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            // what was read and what was wrong with it stand at the margin, places and excerpts are indented
            String reason = e.getOriginalMessage()
                    .lines()
                    .filter(said -> !said.isBlank() && !said.startsWith(" "))
                    .limit(2)
                    .collect(Collectors.joining(", "));
            throw new RefusedPipelineFile(file, line, "no YAML: " + reason, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static YamlNode value(String file, YAMLParser parser) throws IOException {
        int line = line(parser);
        if (parser.isCurrentAlias()) {
            throw new RefusedPipelineFile(file, line, "an alias (*" + parser.getText() + "); write the value out");
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<YamlNode> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(value(file, parser));
            }
            return new Sequence(line, items);
        }
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            Map<String, YamlNode> entries = new LinkedHashMap<>();
            Map<String, Integer> lines = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String key = parser.currentName();
                int keyLine = line(parser);
                if (lines.put(key, keyLine) != null) {
                    throw new RefusedPipelineFile(file, keyLine, "'" + key + "' is written a second time");
                }
                parser.nextToken();
                entries.put(key, value(file, parser));
            }
            return new Mapping(line, entries, lines);
        }
        boolean written = parser.currentToken() != JsonToken.VALUE_NULL;
        return new Scalar(line, written ? parser.getText() : "", written);
    }

    private static int line(YAMLParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }
}
