package io.praline.deploy.feed;

import io.praline.wire.memory.Mapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The memory that Python gave for a feed's batches, mapped here too. Parts of it are taken from the lowest gap that is large
 * enough, so that pages are used again that are there already. Any thread.
 *
 * <p>At most half of it is held, or two batches where they are larger: the other half is for batches under way. What finds no
 * room has to go another way.
 */
final class Arena implements AutoCloseable {
    /** Of each part: what processors and TensorFlow ask of memory for numbers. */
    static final int ALIGNMENT = 64;

    private static final int ALWAYS = 2;

    private final ByteBuffer memory;
    private final Runnable unmap;
    private final TreeMap<Long, Long> gaps = new TreeMap<>();
    private final Map<Long, Long> taken = new TreeMap<>();
    private long heldBytes;

    /** @param unmap gives all of it back */
    Arena(ByteBuffer memory, Runnable unmap) {
        this.memory = memory.order(ByteOrder.LITTLE_ENDIAN);
        this.unmap = unmap;
        gaps.put(0L, (long) memory.capacity());
    }

    /** @param file as {@code /proc/PID/fd/N}: only a memory without a name has one to be mapped */
    static Arena map(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (channel.size() != bytes) {
                throw new IOException("the memory has " + channel.size() + " bytes in place of " + bytes);
            }
            Mapping mapping = new Mapping(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes));
            return new Arena(mapping.bytes(), mapping::close);
        }
    }

    /** Room for a batch: where it begins; empty where too much is held, or no gap is large enough. */
    synchronized OptionalLong take(long bytes) {
        long size = aligned(Math.max(1, bytes));
        if (taken.size() >= ALWAYS && heldBytes + size > memory.capacity() / 2) {
            return OptionalLong.empty();
        }
        Optional<Map.Entry<Long, Long>> gap =
                gaps.entrySet().stream().filter(each -> each.getValue() >= size).findFirst();
        if (gap.isEmpty()) {
            return OptionalLong.empty();
        }
        long offset = gap.get().getKey();
        long rest = gap.get().getValue() - size;
        gaps.remove(offset);
        if (rest > 0) {
            gaps.put(offset + size, rest);
        }
        taken.put(offset, size);
        heldBytes += size;
        return OptionalLong.of(offset);
    }

    /** Nobody looks at what begins here any more. */
    synchronized void free(long offset) {
        Long size = taken.remove(offset);
        if (size == null) {
            throw new IllegalArgumentException("nothing is taken at " + offset);
        }
        heldBytes -= size;
        long from = offset;
        long until = offset + size;
        Map.Entry<Long, Long> before = gaps.floorEntry(offset);
        if (before != null && before.getKey() + before.getValue() == from) {
            from = before.getKey();
        }
        Long behind = gaps.remove(until);
        if (behind != null) {
            until += behind;
        }
        gaps.put(from, until - from);
    }

    /** A part that is taken, to be written to. */
    ByteBuffer part(long offset, long bytes) {
        return memory.slice(Math.toIntExact(offset), Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** All of it. */
    long bytes() {
        return memory.capacity();
    }

    synchronized long heldBytes() {
        return heldBytes;
    }

    /**
     * Gives the memory back, so that it goes with the last of Python's arrays: the collector might leave the mapping for hours.
     * Nobody may write to a part of it from then on.
     */
    @Override
    public void close() {
        unmap.run();
    }

    static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
