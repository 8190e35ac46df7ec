package io.praline.worker.planning;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A graph that lies in a file of its own. */
public final class GraphFile {
    /** TensorFlow takes 2 GiB; a graph of so many bytes holds data that should be in files. */
    private static final int MOST_BYTES = 512 << 20;

    private GraphFile() {}

    /**
     * All of the file.
     *
     * @throws IOException if it cannot be read, is no file (a device never ends, a pipe may never begin), or is too large,
     *     with one line
     */
    public static byte[] read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(Files.exists(file) ? "it is no file" : "it is not there");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES);
            if (in.read() >= 0) {
                throw new IOException("it has more than " + MOST_BYTES + " bytes");
            }
            return bytes;
        }
    }
}
