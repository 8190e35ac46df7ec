package io.praline.worker.delivery;

import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

/** The elements of batches as they come, at about a bit for each; untracked ones leave none. Guarded by the outbox's lock. */
final class TicketTrail {
    // the other 64-bit bitmap of the library takes milliseconds for a run of two, here on an event loop
    private final Roaring64NavigableMap tickets = new Roaring64NavigableMap();

    // the newest run, which most often goes on with the next batch: it costs nothing then
    private long first;
    private long end;

    /** @param runs as {@link TicketRuns} */
    void add(ByteBuffer runs) {
        TicketRuns.forEachRun(runs, (from, length) -> {
            if (from != end) {
                flush();
                first = from;
            }
            end = from + length;
        });
    }

    private void flush() {
        if (end - first == 1) {
            tickets.addLong(first);
        } else if (end > first) {
            tickets.addRange(first, end);
        }
    }

    /** Bytes that they take, about. */
    long bytes() {
        return tickets.getLongSizeInBytes();
    }

    /** All of them; nothing is added any more. */
    Roaring64NavigableMap all() {
        flush();
        return tickets;
    }
}
