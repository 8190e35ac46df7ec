package io.praline.client;

import io.praline.schema.FailureKind;
import io.praline.topics.Agreements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * Where graphs go that are too large for a record: a folder that workers see under the same path.
 *
 * @param shared the folder; empty: there is none, and such graphs are refused
 */
record GraphFolder(Optional<Path> shared) {
    /**
     * Puts the graph where workers find it, under the name of its digest, and gives its address.
     *
     * @param bytes how large it was as it was given
     * @param graph as it is sent
     * @throws JobFailed if there is no folder, or the graph is too large for any
     * @throws UncheckedIOException if it cannot be written
     */
    String put(String job, int bytes, byte[] graph) {
        if (graph.length > Agreements.LARGEST_GRAPH_BYTES) {
            throw new JobFailed(
                    job,
                    FailureKind.REFUSED,
                    "its graph has " + bytes + " bytes, more than the " + Agreements.LARGEST_GRAPH_BYTES
                            + " that workers take: write its arrays to files, such as TFRecord ones, and read these");
        }
        Path folder = shared.orElseThrow(() -> new JobFailed(
                job,
                FailureKind.REFUSED,
                "its graph has " + bytes + " bytes, more than " + Agreements.INLINE_GRAPH_BYTES
                        + " go by a file: name a folder that workers see under the same path"
                        + " (--graph-dir, graph_dir= in Python, withSharedDir in Java)"));
        try {
            Path file = folder.resolve(Agreements.graphFile(digest(graph))).toAbsolutePath();
            Files.createDirectories(folder);
            Path made = Files.createTempFile(folder, "." + Agreements.GRAPH_FILE, "");
            Files.write(made, graph);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return file.toString();
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "cannot write its graph into " + folder + ": " + failed.getMessage(), failed);
        }
    }

    private static byte[] digest(byte[] graph) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(graph);
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("this Java has no SHA-256", absent);
        }
    }
}
