package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.roaringbitmap.RoaringBitmap;

/**
 * Where each element of an open split is. An element is its record's index within the split, and in exactly one place:
 *
 * <pre>
 *   unassigned | owed(attempt) | claimed(holder) | consumed | excluded
 * </pre>
 *
 * A holder is a generation of a consumer, which has claimed them; or {@link #doubtOf} one, to which they were sent and of
 * which nothing was heard since.
 *
 * Sets are kept for all places but one: the <em>rest</em>, which is with an attempt or unassigned, and is whatever no
 * set names. So a row stays small while the split is read, even before the number of its records is known. Every move
 * takes only what is where the move starts: what comes late, twice or from a stale attempt moves nothing.
 */
public final class SplitRow {
    /** A set of record indexes holds 32 bits; splits of more records are refused when they are planned. */
    public static final long MAX_RECORDS = 1L << 31;

    private static final int DOUBT = 1 << 30;

    private OptionalLong records;
    private OptionalInt restWith;
    private RoaringBitmap unassigned = new RoaringBitmap();
    private RoaringBitmap consumed = new RoaringBitmap();
    private RoaringBitmap excluded = new RoaringBitmap();
    private List<Long> digests = List.of();
    private final HeldElements owed = new HeldElements();
    private final HeldElements claimed = new HeldElements();

    private SplitRow(OptionalLong records, OptionalInt restWith) {
        this.records = records;
        this.restWith = restWith;
    }

    /** Who has what was sent to a generation and not claimed by it as far as is known. */
    public static int doubtOf(int generation) {
        return DOUBT + generation;
    }

    /** Whose holder it is, of what it claimed or of what is in doubt of it. */
    public static int generationOf(int holder) {
        return holder & (DOUBT - 1);
    }

    /** A split of which nobody has anything yet. */
    public static SplitRow unassigned(OptionalLong records) {
        return new SplitRow(records, OptionalInt.empty());
    }

    public OptionalLong records() {
        return records;
    }

    /** The attempt that has whatever no set names; empty where that is unassigned. */
    OptionalInt restWith() {
        return restWith;
    }

    /**
     * The number of its records became known.
     *
     * @return false if it is known to be another, or one that was seen already would lie behind it
     */
    public boolean count(long counted) {
        if (records.isPresent()) {
            return records.getAsLong() == counted;
        }
        RoaringBitmap named = named();
        if (!named.isEmpty() && Integer.toUnsignedLong(named.last()) >= counted) {
            return false;
        }
        records = OptionalLong.of(counted);
        return true;
    }

    /**
     * It became known what its first elements consist of, in a reading of it.
     *
     * @param seen of the first 1, 2, 4 elements and so on
     * @return false if another reading found something else, as far as both came
     */
    public boolean digest(List<Long> seen) {
        int both = Math.min(digests.size(), seen.size());
        if (!digests.subList(0, both).equals(seen.subList(0, both))) {
            return false;
        }
        if (seen.size() > both) {
            digests = List.copyOf(seen);
        }
        return true;
    }

    /** What its first elements consist of, as far as is known: of 1, 2, 4 of them and so on. */
    List<Long> digests() {
        return digests;
    }

    /** Whatever is unassigned goes to the attempt. */
    public void assign(int attempt) {
        if (restWith.isEmpty()) {
            // what it owes already becomes part of the rest
            owed.takeAll(attempt);
            restWith = OptionalInt.of(attempt);
            unassigned = new RoaringBitmap();
        } else if (restWith.getAsInt() == attempt) {
            unassigned = new RoaringBitmap();
        } else {
            owed.add(attempt, unassigned);
            unassigned = new RoaringBitmap();
        }
    }

    /** Those of these that are unassigned go to the attempt; of a split whose records are counted. */
    void assignSome(int attempt, RoaringBitmap some) {
        RoaringBitmap part = RoaringBitmap.and(unassigned(), some);
        owed.add(attempt, part);
        unassigned.andNot(part);
    }

    /** Those of these that are unassigned will not come; how many. */
    int excludeUnassigned(RoaringBitmap some) {
        RoaringBitmap part = RoaringBitmap.and(unassigned(), some);
        excluded.or(part);
        unassigned.andNot(part);
        return part.getCardinality();
    }

    /** The records that the attempt must not read: all but what it owes. */
    public RoaringBitmap skip(int attempt) {
        if (restWith(attempt)) {
            return named();
        }
        if (records.isEmpty()) {
            throw new IllegalStateException("a split was cut in parts before its records were counted");
        }
        RoaringBitmap skip = new RoaringBitmap();
        skip.add(0L, records.getAsLong());
        skip.andNot(owed.of(attempt));
        return skip;
    }

    /** The records of a counted split that somebody has or had: all but those to be assigned. */
    RoaringBitmap skipAllButUnassigned() {
        RoaringBitmap skip = new RoaringBitmap();
        skip.add(0L, records.orElseThrow(() -> new IllegalStateException("its records are not counted yet")));
        skip.andNot(unassigned());
        return skip;
    }

    /** Bytes that it takes to say what the attempt would have to skip if it got all that is unassigned. */
    int skipBytes(int attempt) {
        boolean rest = restWith.isEmpty() && !owed.has(attempt);
        RoaringBitmap skip = rest || records.isEmpty() ? named() : skipAllButUnassigned();
        skip.runOptimize();
        return skip.serializedSizeInBytes();
    }

    /** Elements that a generation took of what the attempt owes, or that were in doubt of it; how many that were. */
    public int claim(int attempt, int generation, RoaringBitmap elements) {
        RoaringBitmap moved = takeOwed(attempt, elements);
        moved.or(claimed.take(doubtOf(generation), elements));
        claimed.add(generation, moved);
        return moved.getCardinality();
    }

    /** Elements that a generation claimed before and is done with; how many that were. */
    public int acknowledge(int generation, RoaringBitmap elements) {
        RoaringBitmap moved = claimed.take(generation, elements);
        consumed.or(moved);
        return moved.getCardinality();
    }

    /** Elements that the attempt sent to a generation of which nothing is heard; how many that were. */
    public int doubt(int attempt, int generation, RoaringBitmap elements) {
        RoaringBitmap moved = takeOwed(attempt, elements);
        claimed.add(doubtOf(generation), moved);
        return moved.getCardinality();
    }

    /** Elements that will not come of what the attempt owes; how many that were. */
    public int exclude(int attempt, RoaringBitmap elements) {
        RoaringBitmap moved = takeOwed(attempt, elements);
        excluded.or(moved);
        return moved.getCardinality();
    }

    /** Elements that the attempt read and did not deliver: they are to be assigned again; how many that were. */
    public int giveBack(int attempt, RoaringBitmap elements) {
        RoaringBitmap moved = takeOwed(attempt, elements);
        if (restWith.isPresent()) {
            unassigned.or(moved);
        }
        return moved.getCardinality();
    }

    /** All that the attempt still owes is to be assigned again; whether there was any, as far as is known. */
    public boolean giveBackAll(int attempt) {
        boolean any = owes(attempt);
        if (restWith(attempt)) {
            restWith = OptionalInt.empty();
            unassigned = new RoaringBitmap();
        }
        RoaringBitmap part = owed.takeAll(attempt);
        if (restWith.isPresent()) {
            unassigned.or(part);
        }
        return any;
    }

    /** What the holder has is to be assigned again; how many elements that were. */
    public int unclaim(int holder) {
        RoaringBitmap held = claimed.takeAll(holder);
        if (restWith.isPresent()) {
            unassigned.or(held);
        }
        return held.getCardinality();
    }

    /** Whether something of it is to be assigned, as far as is known. */
    public boolean hasUnassigned() {
        return restWith.isEmpty() ? hasRest() : !unassigned.isEmpty();
    }

    /** Whether the attempt owes something of it, as far as is known. */
    public boolean owes(int attempt) {
        return restWith(attempt) ? hasRest() : owed.has(attempt);
    }

    /** The first attempt that owes something of it, as far as is known; empty where none does. */
    public OptionalInt owing() {
        if (restWith.isPresent() && hasRest()) {
            return restWith;
        }
        return owed.first();
    }

    /** The attempts that owe something of it, as far as is known. */
    SortedSet<Integer> owers() {
        SortedSet<Integer> all = new TreeSet<>(owed.holders());
        if (hasRest()) {
            restWith.ifPresent(attempt -> all.add(attempt));
        }
        return all;
    }

    /** The first consumer that claimed something of it and did not acknowledge it; empty where none did. */
    public OptionalInt claiming() {
        return claimed.first();
    }

    /** Whether every element is consumed or excluded. */
    public boolean closed() {
        return records.isPresent()
                && consumed.getLongCardinality() + excluded.getLongCardinality() == records.getAsLong();
    }

    /** The elements that are consumed. Not to be changed. */
    public RoaringBitmap consumed() {
        return consumed;
    }

    /** The elements that are excluded. Not to be changed. */
    public RoaringBitmap excluded() {
        return excluded;
    }

    /** How many elements each holder claimed, or has in doubt. */
    SortedMap<Integer, Integer> held() {
        return claimed.counts();
    }

    /** How many of its elements are named: elsewhere than with whoever has the rest. */
    long namedElements() {
        return named().getLongCardinality();
    }

    /** The elements that the holder has. */
    public RoaringBitmap claimed(int holder) {
        return claimed.of(holder);
    }

    /** The elements that the attempt owes, of a split whose records are counted. */
    public RoaringBitmap owed(int attempt) {
        return restWith(attempt) ? rest() : owed.of(attempt);
    }

    /** The elements that nobody has, of a split whose records are counted. */
    public RoaringBitmap unassigned() {
        return restWith.isEmpty() ? rest() : unassigned.clone();
    }

    /** Takes from what the attempt owes; gives what was taken, which is then nowhere or part of the unassigned rest. */
    private RoaringBitmap takeOwed(int attempt, RoaringBitmap elements) {
        if (restWith(attempt)) {
            RoaringBitmap taken = elements.clone();
            taken.andNot(named());
            records.ifPresent(all -> taken.remove(all, 1L << 32));
            return taken;
        }
        return owed.take(attempt, elements);
    }

    private boolean restWith(int attempt) {
        return restWith.isPresent() && restWith.getAsInt() == attempt;
    }

    private boolean hasRest() {
        return records.isEmpty() || named().getLongCardinality() < records.getAsLong();
    }

    private RoaringBitmap rest() {
        RoaringBitmap rest = new RoaringBitmap();
        rest.add(0L, records.orElseThrow(() -> new IllegalStateException("its records are not counted yet")));
        rest.andNot(named());
        return rest;
    }

    /** All that is not the rest. */
    private RoaringBitmap named() {
        RoaringBitmap named = RoaringBitmap.or(consumed, excluded);
        named.or(unassigned);
        owed.addAllTo(named);
        claimed.addAllTo(named);
        return named;
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .number(records.isPresent() ? records.getAsLong() + 1 : 0)
                .number(restWith.isPresent() ? restWith.getAsInt() + 1L : 0)
                .bitmap(consumed);
        // most rows end here
        if (!excluded.isEmpty()
                || !unassigned.isEmpty()
                || !owed.isEmpty()
                || !claimed.isEmpty()
                || !digests.isEmpty()) {
            out.bitmap(excluded).bitmap(unassigned);
            claimed.write(out);
            owed.write(out);
        }
        digests.forEach(out::number);
        return out.bytes();
    }

    public static SplitRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        long records = in.number();
        int restWith = in.small();
        SplitRow split = new SplitRow(
                records == 0 ? OptionalLong.empty() : OptionalLong.of(records - 1),
                restWith == 0 ? OptionalInt.empty() : OptionalInt.of(restWith - 1));
        split.consumed = in.bitmap();
        if (in.hasMore()) {
            split.excluded = in.bitmap();
            split.unassigned = in.bitmap();
            split.claimed.read(in);
            split.owed.read(in);
        }
        List<Long> digests = new ArrayList<>();
        while (in.hasMore()) {
            digests.add(in.number());
        }
        split.digests = List.copyOf(digests);
        return split;
    }
}
