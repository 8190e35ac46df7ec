package io.praline.worker.planning;

import java.nio.file.Path;

/**
 * A file that can be opened here.
 *
 * @param name what it is called in messages: as the plan calls it
 * @param path where it lies
 */
public record DataFile(String name, Path path) {
    /** One that lies where its name says. */
    public static DataFile of(String path) {
        return new DataFile(path, Path.of(path));
    }
}
