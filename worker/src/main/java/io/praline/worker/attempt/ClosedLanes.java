package io.praline.worker.attempt;

import io.praline.identity.TicketRuns;
import io.praline.schema.ClosedLane;
import io.praline.worker.delivery.LaneClosed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.longlong.LongIterator;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

/** Lanes that closed, as they are told: in pieces, of which a beat takes some. */
final class ClosedLanes {
    /** Tickets in one piece: the longest runs they make fit in a beat, with room to spare. */
    private static final int TICKETS_PER_PIECE = 20_000;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private ClosedLanes() {}

    /** What is told of these. */
    static List<ClosedLane> of(List<LaneClosed> lanes) {
        return lanes.stream().flatMap(lane -> pieces(lane).stream()).toList();
    }

    /** What is told of one lane: at least one piece, and the last one says that it is that. */
    static List<ClosedLane> pieces(LaneClosed lane) {
        List<ClosedLane> pieces = new ArrayList<>();
        for (ByteBuffer runs : runs(lane.sent())) {
            pieces.add(new ClosedLane(lane.consumer(), lane.generation(), runs, NONE, false));
        }
        for (ByteBuffer runs : runs(lane.unsent())) {
            pieces.add(new ClosedLane(lane.consumer(), lane.generation(), NONE, runs, false));
        }
        ClosedLane last = pieces.isEmpty()
                ? new ClosedLane(lane.consumer(), lane.generation(), NONE, NONE, true)
                : pieces.remove(pieces.size() - 1);
        pieces.add(new ClosedLane(last.getConsumer(), last.getGeneration(), last.getSent(), last.getUnsent(), true));
        return pieces;
    }

    private static List<ByteBuffer> runs(Roaring64NavigableMap tickets) {
        List<ByteBuffer> parts = new ArrayList<>();
        long[] part = new long[(int) Math.min(TICKETS_PER_PIECE, tickets.getLongCardinality())];
        int size = 0;
        for (LongIterator each = tickets.getLongIterator(); each.hasNext(); ) {
            part[size++] = each.next();
            if (size == part.length || !each.hasNext()) {
                parts.add(ByteBuffer.wrap(TicketRuns.encode(part, 0, size)));
                size = 0;
            }
        }
        return parts;
    }
}
