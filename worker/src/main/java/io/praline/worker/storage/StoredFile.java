package io.praline.worker.storage;

import java.util.Optional;

/**
 * A file that a job may read.
 *
 * @param name an absolute path, or an address
 * @param version what its content is; empty where it is a path, which is read as it is
 */
public record StoredFile(String name, Optional<FileVersion> version) {
    /** A file of this worker's file system. */
    public static StoredFile local(String path) {
        return new StoredFile(path, Optional.empty());
    }

    /** A file of a store. */
    public static StoredFile of(String address, FileVersion version) {
        return new StoredFile(address, Optional.of(version));
    }
}
