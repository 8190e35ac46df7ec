package io.praline.deploy.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that goes with whoever made it, and all that is in it.
 *
 * @param path absolute
 */
public record TemporaryFolder(Path path) implements AutoCloseable {

    public static TemporaryFolder make() {
        try {
            return new TemporaryFolder(Files.createTempDirectory("praline-").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path one : deepestFirst) {
                Files.deleteIfExists(one);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path + ": " + e.getMessage(), e);
        }
    }
}
