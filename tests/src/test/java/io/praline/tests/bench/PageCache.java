package io.praline.tests.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the system has of files in its memory. */
final class PageCache {
    private PageCache() {}

    /** Files below a folder are read from the disk next: what waits to be written is written, and nothing is kept of them. */
    static void drop(Path folder) throws IOException, InterruptedException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            // no bytes are copied: what is told of a whole file is told of its pages too (posix_fadvise)
            Process told = new ProcessBuilder(
                            "dd",
                            "if=/dev/null",
                            "of=" + file,
                            "oflag=nocache",
                            "conv=notrunc,fdatasync",
                            "count=0",
                            "status=none")
                    .inheritIO()
                    .start();
            if (told.waitFor() != 0) {
                throw new IOException("dd cannot drop what the page cache has of " + file);
            }
        }
    }
}
