package io.praline.deploy.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that the user named, read whole. One that is larger than any of its kind (data in place of a pipeline, a device)
 * is refused before it fills the memory.
 */
public final class NamedFile {

    /** More than people write, or tables of windows have. */
    private static final int MOST_TEXT_BYTES = 64 << 20;

    private NamedFile() {}

    /**
     * Its bytes.
     *
     * @throws IOException if it cannot be read, or has more of them
     */
    public static byte[] bytes(Path file, int most) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            // a device has no size, and no end
            byte[] all = Files.size(file) > most ? new byte[0] : in.readNBytes(most);
            if (in.read() >= 0) {
                throw new IOException("it has more than " + (most >> 20) + " MiB, which no such file has");
            }
            return all;
        }
    }

    /**
     * Its text.
     *
     * @throws IOException if it cannot be read, is too large, or no text in UTF-8
     */
    public static String text(Path file) throws IOException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes(file, MOST_TEXT_BYTES)))
                .toString();
    }
}
