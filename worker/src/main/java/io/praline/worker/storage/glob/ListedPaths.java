package io.praline.worker.storage.glob;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The paths of the files of a list, by which its names can be told again: of two ways to write the name of one file each has a path
 * of its own.
 */
public final class ListedPaths {
    private static final String FILE = "file://";

    private ListedPaths() {}

    /**
     * By names; without those that are addresses.
     *
     * @param directory within which relative names are read
     */
    public static Map<String, String> of(Collection<String> names, Path directory) {
        Map<String, String> paths = new LinkedHashMap<>();
        names.stream().filter(name -> name.startsWith("/")).forEach(name -> paths.put(name, name));
        Set<String> taken = new HashSet<>(paths.keySet());
        for (String name : names) {
            if (!paths.containsKey(name) && (name.startsWith(FILE) || !name.contains("://"))) {
                String path = FileGlob.absolute(name, directory);
                while (!taken.add(path)) {
                    path = "/." + path;
                }
                paths.put(name, path);
            }
        }
        return paths;
    }
}
