package io.praline.tests.corpus;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program of the corpus, which {@code make_corpus.py} wrote down. */
record Program(String name, String family) {
    private static final Path FOLDER = Path.of("..", "worker", "src", "test", "resources", "corpus")
            .toAbsolutePath()
            .normalize();

    /** All of them, in order of their names. */
    static List<Program> all() {
        try {
            return Files.readAllLines(FOLDER.resolve("list.tsv")).stream()
                    .skip(1)
                    .map(line -> line.split("\t", -1))
                    .map(cells -> new Program(cells[0], cells[1]))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    byte[] graph() {
        try {
            return Files.readAllBytes(FOLDER.resolve(name + ".pb"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    Recorded recorded() {
        return Recorded.read(FOLDER.resolve("values").resolve(name + ".jsonl"));
    }
}
