package io.praline.deploy.sample;

import io.praline.deploy.cluster.Home;
import io.praline.deploy.terminal.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds or makes the images of the demo and the benchmarks. */
public final class SampleFiles {

    private SampleFiles() {}

    /** The folder with the images: the user's if it holds any TFRecords, else made there or under the home. */
    public static Path prepare(Home home, Path wanted, int images) throws InterruptedException {
        SampleImages sample = SampleImages.of(images);
        Path folder = wanted == null ? home.demo().resolve("images-" + images) : wanted.toAbsolutePath();
        if (wanted != null && holdsOthers(folder)) {
            return folder;
        }
        long missing = sample.missing(folder);
        if (missing > 0) {
            try (Progress progress = Progress.of("making images", "images", missing)) {
                sample.write(folder, progress::by);
            }
        }
        return folder;
    }

    private static boolean holdsOthers(Path folder) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .anyMatch(name -> name.endsWith(".tfrecord") && !SampleImages.isOne(name));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }
}
