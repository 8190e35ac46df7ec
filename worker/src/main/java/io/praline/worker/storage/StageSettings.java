package io.praline.worker.storage;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Where contents of objects lie that are read soon.
 *
 * @param folder on disk or in memory (tmpfs); several workers may share it
 * @param bytes how much lies there at most, unless what attempts read just now is more; empty: a tenth of what is free there,
 *     but at most 64 GiB
 */
public record StageSettings(Path folder, OptionalLong bytes) {
    private static final long MOST_BYTES = 64L << 30;
    private static final int SHARE_OF_FREE = 10;

    public StageSettings {
        if (bytes.isPresent() && bytes.getAsLong() < 1) {
            throw new IllegalArgumentException("stage-bytes must be at least 1, is " + bytes.getAsLong());
        }
    }

    /** In the folder for temporary files, for this user. */
    public static Path usualFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"), "praline-stage-" + System.getProperty("user.name"));
    }

    /** The bound, where so much is free. */
    public long bound(long free) {
        return bytes.orElse(Math.max(1, Math.min(MOST_BYTES, free / SHARE_OF_FREE)));
    }
}
