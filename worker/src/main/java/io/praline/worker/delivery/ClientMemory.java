package io.praline.worker.delivery;

import io.praline.wire.memory.SharedSegment;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segment that a client of this host shares with one connection: batches are copied to it when they are sent, or made in
 * it ({@link BatchRoom}). What was sent is the client's until it frees it. The connection's, whose event loop sends, frees and
 * closes; {@link #room} and what is done with rooms may be called on any thread.
 */
final class ClientMemory {
    private static final Logger LOG = LoggerFactory.getLogger(ClientMemory.class);

    /** What is left free before a batch that is made here, for its header; a larger one has the batch copied. */
    private static final int HEADER_BYTES = 4096;

    private final SharedSegment segment;

    // all guarded by this
    private final SegmentSpace space;
    private final Map<Long, BatchRoom> rooms = new HashMap<>(); // by where tensors begin
    private final Map<Long, Optional<BatchRoom>> sent = new HashMap<>(); // by what the client knows them by
    private long everTaken;
    private boolean usedUp;
    private boolean closed;

    /** @param segment of which one reference is taken over */
    ClientMemory(SharedSegment segment) {
        this.segment = segment;
        this.space = new SegmentSpace(segment.bytes());
    }

    /** Takes a part for the tensors of a batch, of so many bytes at most; empty where there is none. */
    synchronized Optional<BatchRoom> room(int bytes) {
        if (closed || usedUp || segment.address().isEmpty() || bytes > Integer.MAX_VALUE - HEADER_BYTES) {
            return Optional.empty();
        }
        int length = HEADER_BYTES + bytes;
        OptionalLong from = space.take(length);
        if (from.isEmpty() || !hasPages(from.getAsLong(), length)) {
            from.ifPresent(space::free);
            return Optional.empty();
        }
        segment.retain();
        long at = from.getAsLong() + HEADER_BYTES;
        BatchRoom room = new BatchRoom(this, from.getAsLong(), at, segment.part(at, bytes));
        rooms.put(at, room);
        return Optional.of(room);
    }

    /**
     * Who writes to a page for which the host has no memory dies of it, if that is the kernel or TensorFlow. What was taken
     * before, as all was below the highest place, was written to.
     */
    private boolean hasPages(long from, int length) {
        long until = from + length;
        try {
            segment.populate(Math.max(from, everTaken), until);
            everTaken = Math.max(everTaken, until);
            return true;
        } catch (IOException noMemory) {
            noMemory(noMemory.getMessage());
            return false;
        }
    }

    private void noMemory(String why) {
        usedUp = true;
        LOG.warn("the memory shared with a client is used up; its batches come through the socket: {}", why);
    }

    synchronized void givenBack(BatchRoom room) {
        room.notTaken();
        freeIfUnused(room);
    }

    private void freeIfUnused(BatchRoom room) {
        if (!room.inUse()) {
            rooms.remove(room.at());
            if (!closed) { // else a client may still look at what lies here, and will not say when it is done
                space.free(room.from());
            }
            segment.release();
        }
    }

    /**
     * Has the client see a batch, where it was made or by a copy.
     *
     * @return where the payload lies; empty where there is no room
     */
    OptionalLong send(HeldBatch batch) {
        OptionalLong made = sendRoom(batch);
        return made.isPresent() ? made : copy(batch);
    }

    private synchronized OptionalLong sendRoom(HeldBatch batch) {
        OptionalLong at = batch.address();
        if (rooms.isEmpty() || at.isEmpty() || !batch.liesInOrder() || batch.headerBytes() > HEADER_BYTES) {
            return OptionalLong.empty();
        }
        BatchRoom room = rooms.get(at.getAsLong() - segment.address().orElseThrow());
        if (room == null) {
            return OptionalLong.empty();
        }
        long offset = room.at() - batch.headerBytes();
        batch.surround(segment.part(offset, (int) batch.weightBytes()));
        space.shorten(room.from(), offset);
        room.begins(offset);
        room.sent(true);
        sent.put(offset, Optional.of(room));
        return OptionalLong.of(offset);
    }

    private OptionalLong copy(HeldBatch batch) {
        int bytes = (int) batch.weightBytes();
        OptionalLong offset = place(bytes);
        if (offset.isPresent()) {
            try {
                batch.copyTo(segment.part(offset.getAsLong(), bytes));
            } catch (InternalError noPage) { // how the JVM tells that the host's memory is used up
                synchronized (this) {
                    noMemory(noPage.getMessage());
                }
                return OptionalLong.empty();
            }
        }
        return offset;
    }

    private synchronized OptionalLong place(int bytes) {
        OptionalLong offset = usedUp ? OptionalLong.empty() : space.take(bytes);
        offset.ifPresent(at -> {
            sent.put(at, Optional.empty());
            everTaken = Math.max(everTaken, at + bytes);
        });
        return offset;
    }

    /**
     * The client is done with a batch.
     *
     * @return false if it was not given one there
     */
    synchronized boolean free(long offset) {
        Optional<BatchRoom> room = sent.remove(offset);
        if (room == null) {
            return false;
        }
        room.ifPresentOrElse(
                its -> {
                    its.sent(false);
                    freeIfUnused(its);
                },
                () -> space.free(offset));
        return true;
    }

    /** The connection is no more. Rooms that somebody has stay mapped until they are given back. */
    void close() {
        synchronized (this) {
            closed = true;
            sent.values()
                    .forEach(room -> room.ifPresent(its -> {
                        its.sent(false);
                        freeIfUnused(its);
                    }));
            sent.clear();
        }
        segment.release();
    }
}
