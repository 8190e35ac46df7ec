package io.praline.deploy.local;

import io.praline.topics.Agreements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** Graphs that were too large for a record, which lie in a folder of the cluster's. */
public final class OldGraphs {
    /** The longest that a topic keeps what tells of a job. */
    private static final Duration KEPT = Duration.ofDays(30);

    private OldGraphs() {}

    /** Deletes those that no job was submitted with for so long that none can be known any more. */
    public static void delete(Path folder, Instant now) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        Instant oldest = now.minus(KEPT);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files.filter(OldGraphs::isGraph)::iterator) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot tidy up " + folder + ": " + failed.getMessage(), failed);
        }
    }

    private static boolean isGraph(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(Agreements.GRAPH_FILE + "-") || name.startsWith("." + Agreements.GRAPH_FILE);
    }
}
