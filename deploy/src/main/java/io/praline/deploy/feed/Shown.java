package io.praline.deploy.feed;

import io.praline.wire.memory.SharedSegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The batches that Python has arrays of, each where it lies until Python says that nobody looks at it:
 *
 * <pre>
 *   from a worker of this host, large, and held so are at most half of what is shared with that worker,
 *   and half of the feed's memory:         where the worker put it; closed when it is freed
 *   room in the feed's own memory:         copied to there, and closed
 *   else                                   behind its message, and closed
 * </pre>
 *
 * The other half is for batches under way: a worker gets credit for a batch when it is closed. Any thread.
 */
final class Shown implements AutoCloseable {
    /** A smaller one is copied faster than it is told where it lies, and its components are copied out by Python anyway. */
    private static final long LEAST_BYTES = 256 << 10;

    private final Arena arena;
    private final Pipe pipe;

    // owned by the thread that shows
    private final Map<SharedSegment, Share> shares = new LinkedHashMap<>();
    private long segments;

    // under this object's lock
    private final Map<Long, Runnable> frees = new HashMap<>();
    private long heldBytes;
    private boolean laying;
    private boolean closed;

    /** What Python has mapped of what is shared with a worker. */
    private static final class Share {
        private final long id;
        private long heldBytes; // under the lock of what is shown

        Share(long id) {
            this.id = id;
        }
    }

    Shown(Arena arena, Pipe pipe) {
        this.arena = arena;
        this.pipe = pipe;
    }

    /** Shows a batch, which is taken over. */
    void show(Offer offer) {
        forgetDiscarded();
        Optional<Offer.InSegment> inSegment = offer.bytes() < LEAST_BYTES ? Optional.empty() : offer.inSegment();
        if (inSegment.isPresent() && share(offer, inSegment.get())) {
            return;
        }
        Offer.Held batch = offer.batch();
        try (batch) {
            OptionalLong place = take(offer.number(), offer.bytes());
            if (place.isPresent()) {
                lay(offer, place.getAsLong());
                pipe.write(Event.OFFERED, offer.head(place));
            } else {
                pipe.write(Event.OFFERED, offer.pieces());
            }
        }
    }

    private void lay(Offer offer, long place) {
        try {
            offer.layInto(arena.part(place, offer.bytes()));
        } finally {
            laid();
        }
    }

    /**
     * Room in the feed's own memory, into which a batch is laid until that is said; none once that was given back, where
     * Python's arrays may lie wherever they did.
     */
    private synchronized OptionalLong take(long number, long bytes) {
        OptionalLong place = closed ? OptionalLong.empty() : arena.take(bytes);
        place.ifPresent(from -> {
            frees.put(number, () -> arena.free(from));
            laying = true;
        });
        return place;
    }

    private synchronized void laid() {
        laying = false;
        if (closed) {
            arena.close();
        }
    }

    /** Shows it where the worker put it; false where it cannot be shown there. */
    private boolean share(Offer offer, Offer.InSegment at) {
        SharedSegment segment = at.segment();
        Share known = shares.get(segment);
        Share share = known == null ? new Share(segments) : known;
        if (!isRoomFor(offer, share, segment)) {
            return false;
        }
        // told with a batch that lies in it and keeps it: without one it may be gone before Python comes to open it
        Optional<Path> path = known == null && !segment.isDiscarded() ? segment.descriptor() : Optional.empty();
        if ((known == null && path.isEmpty()) || !hold(offer, share)) {
            return false;
        }
        path.ifPresent(file -> {
            segments++;
            shares.put(segment, share);
            pipe.write(Event.SEGMENT, segment(share.id, segment.bytes(), file.toString()));
        });
        pipe.write(Event.OFFERED, offer.head(at, share.id));
        return true;
    }

    private synchronized boolean isRoomFor(Offer offer, Share share, SharedSegment segment) {
        long bytes = offer.batch().bytes();
        return share.heldBytes + bytes <= segment.bytes() / 2 && heldBytes + bytes <= arena.bytes() / 2;
    }

    /** Takes the batch over until it is freed; false where that would be never. */
    private synchronized boolean hold(Offer offer, Share share) {
        if (closed) {
            return false;
        }
        long bytes = offer.batch().bytes();
        share.heldBytes += bytes;
        heldBytes += bytes;
        frees.put(offer.number(), () -> {
            share.heldBytes -= bytes;
            heldBytes -= bytes;
            offer.batch().close();
        });
        return true;
    }

    /** Python needs not keep what nothing more comes in; arrays that lie there keep it. */
    private void forgetDiscarded() {
        Iterator<Map.Entry<SharedSegment, Share>> known = shares.entrySet().iterator();
        while (known.hasNext()) {
            Map.Entry<SharedSegment, Share> each = known.next();
            if (each.getKey().isDiscarded()) {
                known.remove();
                pipe.write(Event.SEGMENT, segment(each.getValue().id, 0, ""));
            }
        }
    }

    private static ByteBuffer segment(long id, long bytes, String path) {
        byte[] text = path.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + text.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(id)
                .putLong(bytes)
                .put(text)
                .flip();
    }

    /** Nobody looks at the batch's memory any more. */
    synchronized void freed(long number) {
        Runnable free = frees.remove(number);
        if (free == null) {
            throw new IllegalArgumentException("batch " + number + " has no memory to be freed");
        }
        free.run();
    }

    /**
     * Gives back what is left, and the feed's own memory. For when the stream is closed: before that a worker would get credit,
     * and write over what Python's arrays show, which are good behind the feed's end too.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        frees.values().forEach(Runnable::run);
        frees.clear();
        if (!laying) { // else a batch comes to lie there now, after which it is closed
            arena.close();
        }
    }
}
