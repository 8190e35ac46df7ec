package io.praline.worker.cache;

/**
 * What entry it is.
 *
 * @param group whose elements, and of which prefix
 * @param split SHA-256, in hex, of what is read and of its version
 */
public record EntryKey(EntryGroup group, String split) {
    public EntryKey {
        if (!split.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("split must be a SHA-256 in hex, is " + split);
        }
    }
}
