package io.praline.worker.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Other names of a folder's entries, by which they last while they are read, whatever becomes of them: those of one process in
 * a folder of its own, which is touched while it lives. Safe for several threads.
 */
final class FolderLeases {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    private final Path all;
    private final Path own;
    private final AtomicLong leased = new AtomicLong();

    /** @param process that no other process has, a name for a file */
    FolderLeases(Path root, String process) {
        this.all = root.resolve("leases");
        this.own = all.resolve(process);
    }

    /** Makes room for them, and shows others that this process lives. */
    void touch(Instant now) throws IOException {
        Files.createDirectories(own);
        Files.setLastModifiedTime(own, FileTime.from(now));
    }

    /**
     * Gives a file another name.
     *
     * @param writable whether a folder for it may be made
     * @return empty where the file system has no such names, or may not be written
     * @throws NoSuchFileException if there is no such file
     */
    Optional<Path> lease(Path file, boolean writable) throws IOException {
        Path name = own.resolve(Long.toString(leased.incrementAndGet()));
        try {
            Files.createLink(name, file);
            return Optional.of(name);
        } catch (NoSuchFileException gone) {
            if (Files.exists(own) || !Files.exists(file)) {
                throw gone;
            }
            if (!writable) {
                return Optional.empty();
            }
            Files.createDirectories(own);
            return lease(file, false);
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            return Optional.empty();
        }
    }

    static void giveBack(Path lease) {
        try {
            Files.deleteIfExists(lease);
        } catch (IOException stays) {
            CacheStore.LOG.debug("a lease stays until this process ends: {}", stays.getMessage());
        }
    }

    /** Takes those away of processes that did not touch theirs since. */
    void clear(Instant since) throws IOException {
        try (Stream<Path> processes = Files.list(all)) {
            for (Path each : processes.toList()) {
                if (!each.equals(own) && !FolderFiles.isTouched(each, since)) {
                    takeAway(each);
                }
            }
        }
    }

    private static void takeAway(Path process) {
        try (Stream<Path> leases = Files.list(process)) {
            List<Path> its = leases.filter(each ->
                            NUMBER.matcher(each.getFileName().toString()).matches())
                    .toList();
            for (Path each : its) {
                Files.deleteIfExists(each);
            }
            Files.deleteIfExists(process);
        } catch (IOException | UncheckedIOException stays) {
            // who opens the folder next clears it away
        }
    }

    /** Takes away those of this process. */
    void close() {
        takeAway(own);
    }
}
