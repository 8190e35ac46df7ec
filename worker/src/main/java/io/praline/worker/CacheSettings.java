package io.praline.worker;

import io.praline.worker.storage.StageSettings;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Where a worker keeps elements that are to be read again.
 *
 * @param bytes the most that entries in it may take
 */
public record CacheSettings(Place place, long bytes) {
    public CacheSettings {
        if (bytes < 1) {
            throw new IllegalArgumentException("cache-bytes must be at least 1, is " + bytes);
        }
    }

    /** What entries lie in. */
    public sealed interface Place {
        <T> T match(Function<Folder, T> folder, Function<Objects, T> objects);
    }

    /**
     * A folder.
     *
     * @param path made where it is not there
     * @param shared whether other workers use it too, at the same time; false: nobody else does
     */
    public record Folder(Path path, boolean shared) implements Place {
        @Override
        public <T> T match(Function<Folder, T> folder, Function<Objects, T> objects) {
            return folder.apply(this);
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /**
     * A store of objects, which other workers may use too.
     *
     * @param url as {@code s3://bucket/prefix}
     * @param near where copies of them lie on this worker's disk, and how much of them; several workers may share it
     */
    public record Objects(String url, StageSettings near) implements Place {
        /** In the folder for temporary files, for this user. */
        public static Path usualNear() {
            return Path.of(System.getProperty("java.io.tmpdir"), "praline-near-" + System.getProperty("user.name"));
        }

        @Override
        public <T> T match(Function<Folder, T> folder, Function<Objects, T> objects) {
            return objects.apply(this);
        }

        @Override
        public String toString() {
            return url;
        }
    }

    /** In a folder. */
    public static CacheSettings folder(Path path, boolean shared, long bytes) {
        return new CacheSettings(new Folder(path, shared), bytes);
    }
}
