package io.praline.wire.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.praline.wire.FrameLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Direct memory for batches, each in one piece that starts at a multiple of 64. Memory that was given back is kept for
 * the next batch of about its size: the pages of a fresh 38 MiB cost more time than the bytes that land in them.
 *
 * <pre>
 *   kept + in use &lt;= 9/8 * max(windows of the open channels, two of the largest batches seen)
 * </pre>
 *
 * Batches of at most 32 KiB come from Netty's pool instead. Any thread.
 */
public final class AlignedBuffers implements AutoCloseable {
    /** Below this, a pool that cuts small pieces from large ones wastes less than pieces of their own. */
    private static final int SMALL_BYTES = 32 * 1024;

    /** Sizes are rounded up to one of eight steps between powers of two: at most an eighth is wasted. */
    private static final int STEP_BITS = 3;

    private final TreeMap<Integer, ArrayDeque<Memory>> kept = new TreeMap<>();
    private long keptBytes;
    private long inUseBytes;
    private long windowBytes;
    private long largestBytes;
    private boolean closed;

    /** A channel was opened or closed: its window is to be kept in memory, or no longer (negative). */
    public synchronized void addWindow(long bytes) {
        windowBytes += bytes;
        dropBeyondLimit();
    }

    /** Memory for a payload of this size. Whoever takes it calls {@link Memory#free} once. */
    Memory take(int bytes) {
        if (bytes <= SMALL_BYTES) {
            ByteBuf root = PooledByteBufAllocator.DEFAULT.directBuffer(bytes + FrameLimits.ALIGNMENT);
            return new Memory(root, bytes, true).resized(bytes);
        }
        int capacity = roundedUp(bytes);
        synchronized (this) {
            largestBytes = Math.max(largestBytes, capacity);
            inUseBytes += capacity;
            ArrayDeque<Memory> same = kept.get(capacity);
            if (same != null && !same.isEmpty()) {
                keptBytes -= capacity;
                return same.pop().resized(bytes);
            }
            dropBeyondLimit(); // before the new is made, not after
        }
        try {
            ByteBuf root = UnpooledByteBufAllocator.DEFAULT.directBuffer(capacity + FrameLimits.ALIGNMENT);
            return new Memory(root, capacity, false).resized(bytes);
        } catch (Throwable noMemory) {
            synchronized (this) {
                inUseBytes -= capacity;
            }
            throw noMemory;
        }
    }

    private synchronized void giveBack(Memory memory) {
        inUseBytes -= memory.capacity;
        if (closed) {
            memory.root.release();
            return;
        }
        kept.computeIfAbsent(memory.capacity, size -> new ArrayDeque<>()).push(memory);
        keptBytes += memory.capacity;
        dropBeyondLimit();
    }

    private void dropBeyondLimit() {
        if (windowBytes == 0 && inUseBytes == 0) { // nobody is left that a large batch could come to
            largestBytes = 0;
        }
        long limit = Math.max(windowBytes, 2 * largestBytes);
        limit += limit / 8;
        Iterator<Map.Entry<Integer, ArrayDeque<Memory>>> sizes = kept.entrySet().iterator();
        while (keptBytes > 0 && keptBytes + inUseBytes > limit && sizes.hasNext()) {
            ArrayDeque<Memory> same = sizes.next().getValue();
            while (!same.isEmpty() && keptBytes + inUseBytes > limit) {
                Memory dropped = same.pollLast();
                keptBytes -= dropped.capacity;
                dropped.root.release();
            }
            if (same.isEmpty()) {
                sizes.remove();
            }
        }
    }

    /** Bytes that are allocated for batches over 32 KiB, in use or kept. */
    public synchronized long bytes() {
        return keptBytes + inUseBytes;
    }

    /** Frees what is kept; what is in use is freed when it is given back. */
    @Override
    public synchronized void close() {
        closed = true;
        for (ArrayDeque<Memory> same : kept.values()) {
            same.forEach(memory -> memory.root.release());
        }
        kept.clear();
        keptBytes = 0;
    }

    private static int roundedUp(int bytes) {
        int step = Integer.highestOneBit(bytes) >> STEP_BITS;
        return (bytes + step - 1) & -step;
    }

    /** One piece of memory. */
    public final class Memory implements BatchMemory {
        private final ByteBuf root;
        private final int offset;
        private final int capacity;
        private final boolean small;
        private int length;

        private Memory(ByteBuf root, int capacity, boolean small) {
            this.root = root;
            this.capacity = capacity;
            this.small = small;
            this.offset = alignmentOffset(root);
        }

        private static int alignmentOffset(ByteBuf root) {
            int beyond = root.nioBuffer(0, root.capacity()).alignmentOffset(0, FrameLimits.ALIGNMENT);
            return (FrameLimits.ALIGNMENT - beyond) % FrameLimits.ALIGNMENT;
        }

        private Memory resized(int bytes) {
            length = bytes;
            return this;
        }

        /** Bytes of the payload it was taken for. */
        @Override
        public int length() {
            return length;
        }

        /** The payload, readable; not counted as a reference. */
        ByteBuf payload() {
            return root.slice(offset, length);
        }

        /** What lies behind {@code from}, to be written to; a reference, which the caller releases. */
        ByteBuf lend(int from) {
            return root.slice(offset + from, length - from).writerIndex(0).retain();
        }

        @Override
        public ByteBuffer slice(long from, long bytes) {
            return root.nioBuffer(Math.toIntExact(offset + from), Math.toIntExact(bytes))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public void free() {
            if (small) {
                root.release();
            } else {
                giveBack(this);
            }
        }
    }
}
