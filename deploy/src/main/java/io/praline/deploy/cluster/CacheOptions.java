package io.praline.deploy.cluster;

import io.praline.deploy.console.CommandFailed;
import io.praline.deploy.console.ExitCode;
import io.praline.worker.CacheSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Where workers keep elements that are to be read again: options of whatever starts them. */
public final class CacheOptions {
    /** Of the disk, with what lies there already. */
    private static final int SHARE = 10;

    @Option(
            names = "--cache-dir",
            paramLabel = "URL",
            description = "A folder that workers share, in which elements are kept to be read again; without it one of"
                    + " their own, where there is one for each to find again.")
    private String dir;

    @Option(
            names = "--cache-bytes",
            paramLabel = "N",
            description = "How much lies there at most; 0: nothing is kept; without it a tenth of what is free.")
    private Long bytes;

    /**
     * What they say.
     *
     * @param usual where they name no folder
     * @param shared whether several workers are to use that one
     * @return empty where nothing is to be kept
     */
    public Optional<CacheSettings> settings(Path usual, boolean shared) {
        if (bytes != null && bytes < 0) {
            throw new CommandFailed(ExitCode.WRONG_USE, "--cache-bytes must not be negative, is " + bytes);
        }
        if (bytes != null && bytes == 0) {
            return Optional.empty();
        }
        Path folder = (dir == null ? usual : folder(dir)).toAbsolutePath().normalize();
        long most = bytes == null ? Math.max(1, free(folder) / SHARE) : bytes;
        return Optional.of(new CacheSettings(folder, shared || dir != null, most));
    }

    /** Whether they name a folder. */
    public boolean named() {
        return dir != null;
    }

    private static Path folder(String url) {
        if (!url.contains("://")) {
            return Path.of(url);
        }
        if (!url.startsWith("file://")) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "--cache-dir must be a folder that workers see, as /path or file:///path, is '" + url + "'");
        }
        return Path.of(URI.create(url));
    }

    /** Bytes that are free where the folder is or will be, and those that it has already. */
    private static long free(Path folder) {
        Path there = folder;
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try (Stream<Path> files = Files.isDirectory(folder) ? Files.walk(folder) : Stream.empty()) {
            long own = files.mapToLong(CacheOptions::size).sum();
            return Files.getFileStore(there).getUsableSpace() + own;
        } catch (IOException | UncheckedIOException unreadable) {
            return 0; // whoever opens it says what is wrong with it
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    /** The same as options of a worker's process. */
    public static List<String> arguments(Optional<CacheSettings> settings) {
        return settings.map(cache -> List.of(
                        "--cache-dir",
                        cache.folder().toString(),
                        "--cache-shared",
                        Boolean.toString(cache.shared()),
                        "--cache-bytes",
                        Long.toString(cache.bytes())))
                .orElse(List.of());
    }
}
