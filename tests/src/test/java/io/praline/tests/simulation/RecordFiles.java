package io.praline.tests.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Files of so many records of a byte each, for workers that count them. What they read of them is pretended. */
final class RecordFiles {
    private static final Map<Integer, Path> FILES = new TreeMap<>();

    private RecordFiles() {}

    /** The path of one of so many records. */
    static synchronized String of(int records) {
        return FILES.computeIfAbsent(records, RecordFiles::made).toString();
    }

    private static Path made(int records) {
        try {
            Path file = Files.createTempFile("records-", ".bin");
            file.toFile().deleteOnExit();
            return Files.write(file, new byte[records]);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
