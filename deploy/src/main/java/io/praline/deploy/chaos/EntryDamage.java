package io.praline.deploy.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Deletes files of a store of entries, cuts them short and changes bytes of them, as a disk that fails and people with shells
 * do: entries, what is written of others, and marks of who makes them. Which ones and how follows from chance and what there is.
 * One thread.
 */
final class EntryDamage {
    /** Files at a time, at most. */
    private static final int MOST = 4;

    /** Bytes of a file that are changed, at most. */
    private static final int MOST_BYTES = 8;

    /** One of so many is aimed at what is being written, where something is. */
    private static final int UNFINISHED = 3;

    /** One of so many that are changed keeps its times, as bits that fall over on a disk do. */
    private static final int SILENT = 4;

    /** Length, its checksum, and the checksum of the bytes, of a record in a file. */
    private static final int FRAME_BYTES = Long.BYTES + 2 * Integer.BYTES;

    private static final Pattern ENTRY = Pattern.compile("[0-9a-f]{64}(\\.made)?");

    private final Path entries;
    private final SplittableRandom random;

    /** What was done to a file. */
    enum Way {
        DELETED,
        CUT,
        CHANGED
    }

    /** @param store the workers' folder */
    EntryDamage(Path store, SplittableRandom random) {
        this.entries = store.resolve("entries");
        this.random = random;
    }

    /** Harms some; gives how many, none where there are none. */
    int harm() {
        int harmed = 0;
        for (int left = 1 + random.nextInt(MOST); left > 0; left--) {
            List<Path> all = files();
            if (all.isEmpty()) {
                return harmed;
            }
            List<Path> unfinished = all.stream()
                    .filter(file ->
                            !ENTRY.matcher(file.getFileName().toString()).matches())
                    .toList();
            List<Path> among = !unfinished.isEmpty() && random.nextInt(UNFINISHED) == 0 ? unfinished : all;
            Path file = among.get(random.nextInt(among.size()));
            harmed += harm(file, Way.values()[random.nextInt(Way.values().length)]) ? 1 : 0;
        }
        return harmed;
    }

    private List<Path> files() {
        List<Path> files = new ArrayList<>();
        collect(entries, files);
        return files;
    }

    /** What comes and goes meanwhile is passed over. */
    private static void collect(Path folder, List<Path> into) {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path each : all.sorted().toList()) {
                if (Files.isDirectory(each)) {
                    collect(each, into);
                } else {
                    into.add(each);
                }
            }
        } catch (IOException | UncheckedIOException gone) {
            // there are none
        }
    }

    /** False where it has gone, or has nothing that could be taken. */
    boolean harm(Path file, Way way) {
        try {
            return switch (way) {
                case DELETED -> Files.deleteIfExists(file);
                case CUT -> cut(file);
                case CHANGED -> change(file);
            };
        } catch (IOException gone) {
            return false;
        }
    }

    /** Somewhere, or between two records, where a reader sees nothing wrong. */
    private boolean cut(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = channel.size();
            if (size == 0) {
                return false;
            }
            long anywhere = random.nextLong(size);
            channel.truncate(random.nextBoolean() ? anywhere : endOfRecord(channel, anywhere));
            return true;
        }
    }

    /** The last end of a record before there. */
    private static long endOfRecord(FileChannel channel, long before) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long end = 0;
        while (channel.read(length.clear(), end) == Long.BYTES) {
            long next = end + FRAME_BYTES + length.getLong(0);
            if (next <= end || next > before) {
                break;
            }
            end = next;
        }
        return end;
    }

    private boolean change(Path file) throws IOException {
        FileTime time = Files.getLastModifiedTime(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = channel.size();
            if (size == 0) {
                return false;
            }
            ByteBuffer one = ByteBuffer.allocate(1);
            for (int bytes = 1 + random.nextInt(MOST_BYTES); bytes > 0; bytes--) {
                long at = random.nextLong(size);
                if (channel.read(one.clear(), at) == 1) {
                    one.put(0, (byte) (one.get(0) ^ 1 + random.nextInt(255)));
                    channel.write(one.flip(), at);
                }
            }
        }
        if (random.nextInt(SILENT) == 0) {
            Files.setLastModifiedTime(file, time);
        }
        return true;
    }
}
