package io.praline.worker.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files of a folder of which others make and take away some meanwhile. */
final class FolderFiles {
    private FolderFiles() {}

    /** All files below a folder: no walk of the JDK's, which fails where one of them goes meanwhile, as marks do. */
    static List<Path> below(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.toList()) {
                if (Files.isDirectory(each)) {
                    files.addAll(below(each));
                } else if (Files.isRegularFile(each)) {
                    files.add(each);
                }
            }
        } catch (NoSuchFileException gone) {
            return List.of();
        }
        return files;
    }

    /** Whether a file is there and was written or touched since. */
    static boolean isTouched(Path file, Instant since) {
        try {
            return !Files.getLastModifiedTime(file).toInstant().isBefore(since);
        } catch (IOException none) {
            return false;
        }
    }

    /** Takes a folder away of which nothing is left, which would be looked through for ever. */
    static void deleteIfEmpty(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException holdsSome) {
            // it goes with the last of them
        }
    }

    /** Bytes of a file; 0 where it is gone. */
    static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        }
    }
}
