package io.praline.worker;

import java.nio.file.Path;

/**
 * Where a worker keeps elements that are to be read again.
 *
 * @param folder of the entries; made where it is not there
 * @param shared whether other workers use it too, at the same time; false: nobody else does
 * @param bytes the most that entries in it may take
 */
public record CacheSettings(Path folder, boolean shared, long bytes) {
    public CacheSettings {
        if (bytes < 1) {
            throw new IllegalArgumentException("cache-bytes must be at least 1, is " + bytes);
        }
    }
}
