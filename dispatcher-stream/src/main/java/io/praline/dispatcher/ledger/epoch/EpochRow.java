package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.dispatcher.ledger.row.Sums;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** How far one epoch of a job is. Owned by the stream thread. */
public final class EpochRow {
    /** Reasons are words that workers choose; of more than anybody knows, the rest is counted together. */
    private static final int MOST_REASONS = 16;

    private static final String OTHER = "other";

    private long assigned;
    private int attempts;
    private long elements;
    private long consumed;
    private long closedSplits;
    private boolean complete;
    private long possiblyTwice;
    private final SortedMap<String, Long> excluded = new TreeMap<>();

    /** By ordinal: splits that were given again before their records were counted. */
    private final SortedMap<Long, GivenAgain> uncounted = new TreeMap<>();

    /**
     * What was left of a split was given again, though somebody may have trained on it.
     *
     * @param times how often that was
     * @param known how many of its elements were elsewhere then, all times together
     */
    private record GivenAgain(int times, long known) {
        GivenAgain plus(GivenAgain other) {
            return new GivenAgain(times + other.times, known + other.known);
        }
    }

    /** Positions of the split order that were assigned once. */
    public long assigned() {
        return assigned;
    }

    /** The next position of the split order. */
    public long assignNext() {
        return assigned++;
    }

    /** How many attempts were minted. */
    public int attempts() {
        return attempts;
    }

    /** The number of a new attempt. */
    public int mintAttempt() {
        return attempts++;
    }

    /** Elements in splits that were counted. */
    public long elements() {
        return elements;
    }

    public void addElements(long counted) {
        elements = Sums.plus(elements, counted);
    }

    public long consumed() {
        return consumed;
    }

    public void addConsumed(long elements) {
        consumed = Sums.plus(consumed, elements);
    }

    /** Elements that will not come, by reason. */
    public SortedMap<String, Long> excluded() {
        return Collections.unmodifiableSortedMap(excluded);
    }

    public void addExcluded(String reason, long elements) {
        if (elements > 0) {
            boolean room = excluded.containsKey(reason) || excluded.size() < MOST_REASONS;
            excluded.merge(room ? reason : OTHER, elements, Sums::plus);
        }
    }

    public long closedSplits() {
        return closedSplits;
    }

    public void addClosedSplit() {
        closedSplits++;
    }

    /** How far it has come: more by each element that is consumed or excluded, and each split that is closed. */
    public long moved() {
        return excluded.values().stream().reduce(Sums.plus(consumed, closedSplits), Sums::plus);
    }

    public boolean complete() {
        return complete;
    }

    public void setComplete() {
        complete = true;
    }

    /** Elements that were given again though a process that is gone may have trained on them. */
    public long possiblyTwice() {
        return possiblyTwice;
    }

    public void addPossiblyTwice(long elements) {
        possiblyTwice += elements;
    }

    /** Splits of which more was given again so than {@link #possiblyTwice} tells: nobody has counted their records yet. */
    public long possiblyTwiceSplits() {
        return uncounted.size();
    }

    /**
     * All of a split but these was given again so, which can be added once its records are counted.
     *
     * @param known elements of it that are elsewhere
     */
    void addPossiblyTwiceOnceCounted(long ordinal, long known) {
        uncounted.merge(ordinal, new GivenAgain(1, known), GivenAgain::plus);
    }

    /** A split's records were counted. */
    void counted(long ordinal, long records) {
        GivenAgain again = uncounted.remove(ordinal);
        if (again != null) {
            possiblyTwice += again.times * records - again.known;
        }
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .number(assigned)
                .number(attempts)
                .number(elements)
                .number(consumed)
                .number(closedSplits)
                .flag(complete)
                .number(excluded.size());
        excluded.forEach((reason, count) -> out.text(reason).number(count));
        out.number(possiblyTwice);
        if (!uncounted.isEmpty()) {
            out.number(uncounted.size());
            uncounted.forEach(
                    (ordinal, again) -> out.number(ordinal).number(again.times).number(again.known));
        }
        return out.bytes();
    }

    public static EpochRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        EpochRow epoch = new EpochRow();
        epoch.assigned = in.number();
        epoch.attempts = in.small();
        epoch.elements = in.number();
        epoch.consumed = in.number();
        epoch.closedSplits = in.number();
        epoch.complete = in.flag();
        int reasons = in.small();
        for (int i = 0; i < reasons; i++) {
            epoch.excluded.put(in.text(), in.number());
        }
        // rows of older dispatchers end here
        epoch.possiblyTwice = in.hasMore() ? in.number() : 0;
        for (int left = in.hasMore() ? in.small() : 0; left > 0; left--) {
            epoch.uncounted.put(in.number(), new GivenAgain(in.small(), in.number()));
        }
        return epoch;
    }
}
