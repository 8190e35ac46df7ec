package io.praline.deploy.cluster;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Within;
import io.praline.worker.CacheSettings;
import io.praline.worker.storage.ObjectFolder;
import io.praline.worker.storage.StageSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Option;

/** Where workers keep elements that are to be read again: options of whatever starts them. */
public final class CacheOptions {
    /** Of the disk, with what lies there already. */
    private static final int SHARE = 10;

    private static final long OBJECT_BYTES = 100L << 30;

    @Option(
            names = "--cache-dir",
            paramLabel = "URL",
            description =
                    "Where elements are kept to be read again: a folder that workers share, or s3://bucket/prefix,"
                            + " reached as --s3-endpoint and its like say; without it a folder of their own, where there is one"
                            + " for each to find again.")
    private String dir;

    @Option(
            names = "--cache-bytes",
            paramLabel = "N",
            description = "How much lies there at most; 0: nothing is kept; without it a tenth of what is free, and"
                    + " of objects 100 GiB.")
    @Within(least = 0)
    private Long bytes;

    @Option(
            names = "--cache-near",
            paramLabel = "DIR",
            description =
                    "Where copies of objects lie that --cache-dir s3://... names, on the worker's own disk; several"
                            + " workers may name the same. Without it the folder 'near' below the data directory, or one for"
                            + " temporary files.")
    private Path near;

    @Option(
            names = "--cache-near-bytes",
            paramLabel = "N",
            description = "How much lies there at most, of each worker's; without it a tenth of what is free, at most"
                    + " 64 GiB.")
    @Within(least = 1)
    private Long nearBytes;

    /**
     * What they say.
     *
     * @param usual where they name no folder
     * @param shared whether several workers are to use that one
     * @param usualNear where copies of objects lie, where they name no folder for that
     * @return empty where nothing is to be kept
     */
    public Optional<CacheSettings> settings(Path usual, boolean shared, Path usualNear) {
        if (bytes != null && bytes == 0) {
            return Optional.empty();
        }
        if (dir != null && ObjectFolder.isOne(dir)) {
            return Optional.of(new CacheSettings(
                    new CacheSettings.Objects(
                            checked(dir),
                            new StageSettings(
                                    (near == null ? usualNear : near).toAbsolutePath(),
                                    nearBytes == null ? OptionalLong.empty() : OptionalLong.of(nearBytes))),
                    bytes == null ? OBJECT_BYTES : bytes));
        }
        if (near != null || nearBytes != null) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "--cache-near and --cache-near-bytes are for copies of objects: they need --cache-dir"
                            + " s3://bucket/prefix");
        }
        Path folder = (dir == null ? usual : folder(dir)).toAbsolutePath().normalize();
        long most = bytes == null ? Math.max(1, free(folder) / SHARE) : bytes;
        return Optional.of(CacheSettings.folder(folder, shared || dir != null, most));
    }

    /** Whether they name a folder. */
    public boolean named() {
        return dir != null;
    }

    /**
     * An address of a bucket as it is meant.
     *
     * @throws CommandFailed if it is none
     */
    public static String checked(String url) {
        try {
            return ObjectFolder.checked(url);
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(ExitCode.WRONG_USE, "--cache-dir: " + wrong.getMessage());
        }
    }

    /**
     * A folder as it is meant.
     *
     * @param url a path, or {@code file:///path}
     * @throws CommandFailed if it is of another kind
     */
    public static Path folder(String url) {
        if (!url.contains("://")) {
            return Path.of(url);
        }
        if (!url.startsWith("file://")) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "--cache-dir must be a folder that workers see, as /path or file:///path, or s3://bucket/prefix, is '"
                            + url + "'");
        }
        try {
            return Path.of(URI.create(url));
        } catch (IllegalArgumentException wrong) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    "--cache-dir: '" + url + "' is no address of a folder (" + wrong.getMessage()
                            + "); say file:///path, or /path");
        }
    }

    /** Bytes that are free where the folder is or will be, and those that it has already. */
    private static long free(Path folder) {
        Path there = folder;
        while (there.getParent() != null && !Files.exists(there)) {
            there = there.getParent();
        }
        try {
            long own = Files.isDirectory(folder) ? bytes(folder) : 0;
            return Files.getFileStore(there).getUsableSpace() + own;
        } catch (IOException unreadable) {
            return 0; // whoever opens it says what is wrong with it
        }
    }

    /** Of all files in a folder, but for those that others take away meanwhile, and what nobody may look into. */
    private static long bytes(Path folder) throws IOException {
        AtomicLong all = new AtomicLong();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                all.addAndGet(attributes.isRegularFile() ? attributes.size() : 0);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException why) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path each, IOException why) {
                return FileVisitResult.CONTINUE;
            }
        });
        return all.get();
    }

    /** The same as options of a worker's process. */
    public static List<String> arguments(Optional<CacheSettings> settings) {
        List<String> arguments = new ArrayList<>();
        settings.ifPresent(cache -> {
            arguments.addAll(List.of("--cache-dir", cache.place().toString()));
            arguments.addAll(cache.place()
                    .match(
                            folder -> List.of("--cache-shared", Boolean.toString(folder.shared())),
                            objects -> copies(objects.near())));
            arguments.addAll(List.of("--cache-bytes", Long.toString(cache.bytes())));
        });
        return arguments;
    }

    private static List<String> copies(StageSettings near) {
        List<String> arguments =
                new ArrayList<>(List.of("--cache-near", near.folder().toString()));
        near.bytes().ifPresent(each -> arguments.addAll(List.of("--cache-near-bytes", Long.toString(each))));
        return arguments;
    }
}
