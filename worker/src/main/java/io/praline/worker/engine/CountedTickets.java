package io.praline.worker.engine;

import io.praline.identity.Ticket;
import io.praline.worker.graph.ticket.Counting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/**
 * Which elements come out of a graph that keeps their order and carries no tickets: those that are wanted of the splits that
 * went in, one after the other. The graph itself sees to it that a split has as many as were counted. The feeder's thread
 * adds, the puller's takes.
 */
final class CountedTickets {
    private final Counting counting;
    private final Deque<Run> ahead = new ArrayDeque<>();
    private long open;

    /** Neighbours of one split. */
    private record Run(long first, long length) {}

    CountedTickets(Counting counting) {
        this.counting = counting;
    }

    /**
     * A split is about to go in.
     *
     * @throws IllegalArgumentException if it does not say how many elements it has
     */
    synchronized void add(FeedSplit split) {
        long count = split.counted()
                .orElseThrow(() -> new IllegalArgumentException(
                        "split " + split.ordinal() + " must say how many elements it has, since they are counted"));
        if (split.skip().isEmpty()) {
            add(split.ordinal(), 0, count);
            return;
        }
        RoaringBitmap wanted = RoaringBitmap.bitmapOfRange(0, count);
        wanted.andNot(split.skip());
        long done = 0;
        while (done < count) {
            long first = wanted.nextValue((int) done);
            if (first < 0) {
                break;
            }
            long gap = wanted.nextAbsentValue((int) first);
            long end = gap < 0 ? count : Math.min(count, gap);
            add(split.ordinal(), first, end);
            done = end;
        }
    }

    private void add(long ordinal, long first, long end) {
        if (first < end) {
            open += end - first;
            ahead.add(new Run(Ticket.of(ordinal, first), end - first));
        }
    }

    /**
     * Those of the next batch, which is a whole one unless it is the last.
     *
     * @param packed how many elements came stacked; 0 where they did not
     */
    synchronized long[] next(int packed) {
        long[] tickets = taken(packed > 0 ? packed : counting.batch());
        if (tickets.length == 0 || tickets.length < packed) {
            throw new IllegalStateException("more elements came out of the graph than went in");
        }
        return tickets;
    }

    /** Those of a short last batch that was left out as the user wanted; empty where there is none. */
    synchronized List<Long> unbatched() {
        if (!counting.dropsRemainder() || open >= counting.batch()) {
            return List.of();
        }
        List<Long> unbatched = new ArrayList<>();
        for (long ticket : taken(open)) {
            unbatched.add(ticket);
        }
        return unbatched;
    }

    private long[] taken(long most) {
        long[] tickets = new long[(int) Math.min(most, open)];
        int size = 0;
        while (size < tickets.length) {
            Run run = ahead.removeFirst();
            int length = (int) Math.min(run.length(), tickets.length - size);
            for (int i = 0; i < length; i++) {
                tickets[size++] = run.first() + i;
            }
            if (length < run.length()) {
                ahead.addFirst(new Run(run.first() + length, run.length() - length));
            }
        }
        open -= size;
        return tickets;
    }
}
