package io.praline.worker.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files that were read to their end and found whole, and what they hold: each once, unless it changed. Safe for several threads. */
final class VerifiedEntries {
    private static final int REMEMBERED = 100_000;

    private final Map<Object, EntryInfo> verified = new LinkedHashMap<>(16, 0.75f, true) { // guarded by this
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Object, EntryInfo> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /**
     * What a file holds.
     *
     * @throws BrokenEntry if it is not whole
     */
    EntryInfo of(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Object version =
                List.of(String.valueOf(attributes.fileKey()), attributes.lastModifiedTime(), attributes.size());
        synchronized (this) {
            EntryInfo known = verified.get(version);
            if (known != null) {
                return known;
            }
        }
        EntryInfo info = EntryFile.verified(file);
        synchronized (this) {
            verified.put(version, info);
        }
        return info;
    }

    /** Each is looked through again before it is read. */
    synchronized void doubt() {
        verified.clear();
    }
}
