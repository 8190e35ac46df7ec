package io.praline.tests.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What Python yielded of a program, from its file of values. */
public record Recorded(Said said, List<Row> rows) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public Recorded {
        rows = List.copyOf(rows);
        if (rows.isEmpty() && !said.refused() && !said.empty()) {
            throw new IllegalArgumentException(
                    "a program that is not refused, and not said to be empty, must have rows");
        }
    }

    public static Recorded read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            List<Row> rows = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                List<Cell> cells = new ArrayList<>();
                for (JsonNode cell : JSON.readTree(line)) {
                    cells.add(Cell.recorded(cell));
                }
                rows.add(new Row(cells));
            }
            return new Recorded(Said.of(JSON.readTree(lines.get(0)), rows.size()), rows);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
