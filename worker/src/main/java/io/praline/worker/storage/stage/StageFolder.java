package io.praline.worker.storage.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A place on disk for one worker, held by a lock as long as it lives:
 *
 * <pre>
 *   FOLDER/indexes/KEY     where contents may be cut, of all workers that share it
 *   FOLDER/N/lock          the first N that nobody holds: who starts again finds what was there
 *   FOLDER/N/objects/KEY   contents, whole, or a range of one (-FROM-UNTIL); those on their way end in .part
 *   FOLDER/N/reads/R/...   links to them, under the names that a reader's graph uses
 * </pre>
 */
final class StageFolder implements AutoCloseable {
    private static final String PART = ".part";
    private static final int MOST = 1_000;

    private final FileChannel lock;
    private final Path place;
    private final AtomicLong parts = new AtomicLong();

    private StageFolder(FileChannel lock, Path place) {
        this.lock = lock;
        this.place = place;
    }

    static StageFolder take(Path folder) throws IOException {
        for (int number = 0; number < MOST; number++) {
            Path place = folder.toAbsolutePath().resolve(Integer.toString(number));
            Files.createDirectories(place.resolve("objects"));
            FileChannel channel =
                    FileChannel.open(place.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (locked(channel)) {
                StageFolder taken = new StageFolder(channel, place);
                taken.tidy();
                return taken;
            }
            channel.close();
        }
        throw new IOException("all of its " + MOST + " places are taken");
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException byThisProcess) {
            return false;
        }
    }

    private void tidy() throws IOException {
        delete(place.resolve("reads"));
        Files.createDirectories(place.resolve("reads"));
        try (Stream<Path> objects = Files.list(place.resolve("objects"))) {
            for (Path each : objects.toList()) {
                String name = each.getFileName().toString();
                if (name.endsWith(PART) || name.contains(Staged.PASSING)) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }

    /** A content that is there. */
    record Kept(String key, long bytes) {}

    /** Contents that were left behind, the oldest first. */
    List<Kept> kept() throws IOException {
        record Dated(Kept kept, long at) {}
        try (Stream<Path> objects = Files.list(place.resolve("objects"))) {
            return objects.map(path -> {
                        try {
                            String name = path.getFileName().toString();
                            Kept kept = new Kept(name, Extent.bytes(name, Files.size(path)));
                            return new Dated(
                                    kept, Files.getLastModifiedTime(path).toMillis());
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .sorted(Comparator.comparingLong(Dated::at))
                    .map(Dated::kept)
                    .toList();
        }
    }

    Path indexes() {
        return place.resolveSibling("indexes");
    }

    Path object(String key) {
        return place.resolve("objects").resolve(key);
    }

    /** Where a content is put together; another place each time, as one may begin while another is given up. */
    Path part(String key) {
        return place.resolve("objects").resolve(key + "." + parts.incrementAndGet() + PART);
    }

    Path reads(long number) {
        return place.resolve("reads").resolve(Long.toString(number));
    }

    /** Deletes a folder with all that is in it; nothing where there is none. */
    static void delete(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    /** Bytes that its file system has left. */
    long free() throws IOException {
        return Files.getFileStore(place).getUsableSpace();
    }

    @Override
    public void close() {
        try {
            delete(place.resolve("reads"));
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
