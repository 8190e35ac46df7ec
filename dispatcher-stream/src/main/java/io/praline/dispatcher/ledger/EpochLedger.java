package io.praline.dispatcher.ledger;

import io.praline.policy.splits.SplitOrder;
import io.praline.topics.Agreements;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.roaringbitmap.RoaringBitmap;

/**
 * The accounts of one epoch of a job: which attempt owes what, and what became of it. Every move is idempotent, and takes
 * only what is where the move starts. Changes lie in memory until {@link #save()}. Owned by the stream thread.
 *
 * <p>Where elements are not tracked, a split is owed as a whole, and is closed when its attempt has ended and all of its
 * batches are acknowledged.
 */
public final class EpochLedger {
    private final Rows rows;
    private final String job;
    private final int epoch;
    private final boolean tracked;
    private final EpochRow row;
    private final SortedMap<Integer, AttemptRow> attempts = new TreeMap<>();
    private final SortedMap<Integer, Place> places = new TreeMap<>();
    private final RoaringBitmap returned;

    /** Rows that were read since the last save, and those of them that changed. */
    private final Map<Long, SplitRow> touched = new LinkedHashMap<>();

    private final Set<Long> changedSplits = new TreeSet<>();

    private final Set<Integer> changedAttempts = new TreeSet<>();
    private boolean changedRow;
    private boolean changedReturned;

    private EpochLedger(Rows rows, String job, int epoch, boolean tracked, EpochRow row, RoaringBitmap returned) {
        this.rows = rows;
        this.job = job;
        this.epoch = epoch;
        this.tracked = tracked;
        this.row = row;
        this.returned = returned;
    }

    /**
     * The epoch as its rows tell; a new one where there are none.
     *
     * @param tracked whether its elements carry tickets
     */
    public static EpochLedger open(Rows rows, String job, int epoch, boolean tracked) {
        byte[] row = rows.get(RowKey.of(RowKey.EPOCH, job, epoch));
        byte[] back = rows.get(RowKey.of(RowKey.RETURNED, job, epoch));
        EpochLedger ledger = new EpochLedger(
                rows,
                job,
                epoch,
                tracked,
                row == null ? new EpochRow() : EpochRow.decode(row),
                back == null ? new RoaringBitmap() : new RowReader(back).bitmap());
        ledger.changedRow = row == null;
        rows.each(
                RowKey.of(RowKey.ATTEMPT, job, epoch),
                (key, value) -> ledger.attempts.put(RowKey.lastNumber(key), AttemptRow.decode(value)));
        rows.each(
                RowKey.of(RowKey.PLACE, job, epoch),
                (key, value) -> ledger.places.put(RowKey.lastNumber(key), Place.decode(value)));
        return ledger;
    }

    public int epoch() {
        return epoch;
    }

    /** Its counts. */
    public EpochRow row() {
        return row;
    }

    /** Its attempts that are not closed yet, by number. */
    public SortedMap<Integer, AttemptRow> attempts() {
        return Collections.unmodifiableSortedMap(attempts);
    }

    /** Where an attempt that is not closed runs. */
    public Place place(int attempt) {
        return places.get(attempt);
    }

    /** Splits of which something is to be assigned again. */
    public int returnedSplits() {
        return returned.getCardinality();
    }

    /** The first splits of those to be assigned again. */
    public List<Long> returned(int most) {
        List<Long> ordinals = new ArrayList<>();
        var each = returned.getIntIterator();
        while (ordinals.size() < most && each.hasNext()) {
            ordinals.add((long) each.next());
        }
        return ordinals;
    }

    /** A new attempt; its number. */
    public int start(Place place) {
        int attempt = row.mintAttempt();
        changedRow = true;
        attempts.put(attempt, new AttemptRow());
        places.put(attempt, place);
        rows.put(RowKey.of(RowKey.PLACE, job, epoch, attempt), place.encode());
        changedAttempts.add(attempt);
        return attempt;
    }

    /** The ordinal at the next position of the order, which from then on was assigned once. */
    public long takeNext(SplitOrder order, LongUnaryOperator bytes) {
        changedRow = true;
        return order.at(row.assignNext(), bytes);
    }

    /**
     * What nobody has of these splits goes to the attempt.
     *
     * @param records of a split by its ordinal, where the plan tells; asked for splits that were never assigned before
     * @return the number of the assignment
     */
    public int assign(int attempt, List<Long> ordinals, LongFunction<OptionalLong> records) {
        Map<Long, RoaringBitmap> skips = new TreeMap<>();
        for (long ordinal : ordinals) {
            SplitRow known = split(ordinal);
            SplitRow split = known == null ? opened(ordinal, records.apply(ordinal)) : known;
            if (split.owes(attempt)) {
                // the row cannot tell later which part of what it owes came with this assignment
                attempts.get(attempt).pinSkip(ordinal, () -> split.skip(attempt));
                skips.put(ordinal, split.skipAllButUnassigned());
            }
            change(ordinal, split, attempt, it -> {
                it.assign(attempt);
                return true;
            });
            if (returned.contains((int) ordinal)) {
                returned.remove((int) ordinal);
                changedReturned = true;
            }
        }
        changedAttempts.add(attempt);
        return attempts.get(attempt).assign(ordinals, skips);
    }

    /** A split that is assigned for the first time. */
    private SplitRow opened(long ordinal, OptionalLong records) {
        SplitRow split = SplitRow.unassigned(records);
        row.addElements(records.orElse(0));
        changedRow = true;
        touched.put(ordinal, split);
        return split;
    }

    /** Bytes of what the attempt would be told to skip of a split, were it assigned to it now. */
    public int skipBytes(int attempt, long ordinal) {
        SplitRow known = split(ordinal);
        return known == null ? 0 : known.skipBytes(attempt);
    }

    /** Whether something of a split is to be assigned again. */
    public boolean isReturned(long ordinal) {
        return returned.contains((int) ordinal);
    }

    /** What the attempt must not read of a split that came with an assignment which its worker was not seen to have. */
    public RoaringBitmap skip(int attempt, int assignment, long ordinal) {
        return attempts.get(attempt).untakenSkip(assignment, ordinal).orElseGet(() -> {
            SplitRow split = split(ordinal);
            return split == null ? new RoaringBitmap() : split.skip(attempt);
        });
    }

    /** The worker has every assignment up to and with this one. */
    public void taken(int attempt, int through) {
        if (attempts.get(attempt).taken(through)) {
            changedAttempts.add(attempt);
        }
    }

    /**
     * The fact of this number follows.
     *
     * @return false if it is in the accounts already, or one before it is not: then it must not be applied
     */
    public boolean fact(int attempt, int number) {
        AttemptRow known = attempts.get(attempt);
        if (number != known.facts() + 1) {
            return false;
        }
        known.facts(number);
        changedAttempts.add(attempt);
        return true;
    }

    /**
     * The attempt counted a split's records.
     *
     * @return false if another count is known of it: the data have changed meanwhile
     */
    public boolean count(int attempt, long ordinal, long records) {
        SplitRow split = split(ordinal);
        if (split == null) {
            return true;
        }
        boolean news = split.records().isEmpty();
        boolean[] agrees = new boolean[1];
        change(ordinal, split, attempt, it -> {
            agrees[0] = it.count(records);
            return news;
        });
        if (news && agrees[0]) {
            row.addElements(records);
            changedRow = true;
            noteReturned(ordinal, split);
        }
        return agrees[0];
    }

    /**
     * A reading of a split told what its first elements consist of.
     *
     * @param digests of the first 1, 2, 4 elements and so on
     * @return false if another reading found something else
     */
    public boolean digest(long ordinal, List<Long> digests) {
        SplitRow split = split(ordinal);
        if (split == null) {
            return true;
        }
        List<Long> before = split.digests();
        boolean agrees = split.digest(digests);
        if (!split.digests().equals(before)) {
            changedSplits.add(ordinal);
        }
        return agrees;
    }

    /** Elements of the attempt that will not come; how many of them moved. */
    public long exclude(int attempt, String reason, Elements elements) {
        long moved = move(attempt, elements, (split, some) -> split.exclude(attempt, some));
        row.addExcluded(reason, moved);
        return moved;
    }

    /** Elements that cannot be named will not come: only their number is kept. */
    public void excludeUntracked(String reason, long elements) {
        row.addExcluded(reason, elements);
        changedRow = true;
    }

    /** The attempt makes batches for these generations of consumers from now on, among others. */
    public void serve(int attempt, Collection<Integer> generations) {
        if (attempts.get(attempt).serve(generations)) {
            changedAttempts.add(attempt);
        }
    }

    /** A generation took elements of the attempt; how many of them moved. */
    public long claim(int attempt, int generation, Elements elements) {
        return move(attempt, elements, (split, some) -> split.claim(attempt, generation, some));
    }

    /** A generation is done with elements of the attempt, closed or not; how many of them moved. */
    public long consume(int attempt, int generation, Elements elements) {
        long moved = move(attempt, elements, (split, some) -> split.consume(attempt, generation, some));
        row.addConsumed(moved);
        return moved;
    }

    /** A generation that claims nothing any more is done with elements that it had claimed; how many of them moved. */
    public long acknowledge(int attempt, int generation, Elements elements) {
        long moved = move(attempt, elements, (split, some) -> split.acknowledge(generation, some));
        row.addConsumed(moved);
        return moved;
    }

    /**
     * A lane of the attempt was closed.
     *
     * @param sent what was sent on it, as far as it is told now
     * @param unsent what was made for it and goes to nobody
     * @param settled whether the generation takes nothing any more, so that what it did not claim is assigned again
     * @param all whether nothing more of it is told
     * @return how many elements that were sent on it are assigned again
     */
    public long laneClosed(int attempt, int generation, Elements sent, Elements unsent, boolean settled, boolean all) {
        long again = 0;
        if (settled) {
            again = move(attempt, sent, (split, some) -> split.giveBack(attempt, some));
        } else {
            move(attempt, sent, (split, some) -> split.doubt(attempt, generation, some));
        }
        move(attempt, unsent, (split, some) -> split.giveBack(attempt, some));
        if (all) {
            attempts.get(attempt).close(generation);
            changedAttempts.add(attempt);
        }
        return again;
    }

    /** A generation is done with a batch whose elements carry no tickets. */
    public void consumeUntracked(int attempt, int generation, long sequence, long elements) {
        AttemptRow known = attempts.get(attempt);
        if (known != null) {
            known.acked(generation, sequence, elements);
            changedAttempts.add(attempt);
            row.addConsumed(elements);
            changedRow = true;
        }
    }

    /** A generation has handed all of an attempt to its loop. */
    public void handOver(int attempt, int generation) {
        AttemptRow known = attempts.get(attempt);
        if (known != null && !known.handedOver().contains(generation)) {
            known.handOver(generation);
            changedAttempts.add(attempt);
        }
    }

    public void finish(int attempt, AttemptRow.Finish told) {
        attempts.get(attempt).finish(told);
        changedAttempts.add(attempt);
    }

    /**
     * The attempt ended by itself.
     *
     * @param remainder what it read and did not deliver
     * @return false if it owes something of a split whose records it never counted, so that nobody can tell what
     */
    public boolean end(int attempt, AttemptRow.End told, Elements remainder) {
        move(attempt, remainder, (split, some) -> split.giveBack(attempt, some));
        attempts.get(attempt).end(told);
        changedAttempts.add(attempt);
        if (!tracked || attempts.get(attempt).openSplits() == 0) {
            return true;
        }
        boolean[] counted = {true};
        eachOpen((ordinal, split) -> {
            if (split.owes(attempt) && split.records().isEmpty()) {
                counted[0] = false;
            }
        });
        return counted[0];
    }

    public void fence(int attempt, String reason, Instant at) {
        attempts.get(attempt).fence(new AttemptRow.Fence(reason, at));
        changedAttempts.add(attempt);
    }

    /** A generation has discarded what it did not claim of a fenced attempt. */
    public void answer(int attempt, int generation) {
        AttemptRow known = attempts.get(attempt);
        if (known != null && known.fence().isPresent() && !known.answered().contains(generation)) {
            known.answer(generation);
            changedAttempts.add(attempt);
        }
    }

    /** Whether an attempt ended and nothing of it is under way any more. */
    public boolean done(int attempt) {
        AttemptRow known = attempts.get(attempt);
        if (known.end().isEmpty()) {
            return false;
        }
        return tracked ? known.openSplits() == 0 || known.allHandedOver() : known.allAcked();
    }

    /**
     * Closes an attempt that is done: its untracked splits are closed with it. What it should have accounted for and did
     * not is assigned again.
     *
     * @return splits of which something went back
     */
    public int close(int attempt) {
        List<Long> owedStill = new ArrayList<>();
        if (attempts.get(attempt).openSplits() > 0) {
            eachOpen((ordinal, split) -> {
                if (split.owes(attempt)) {
                    owedStill.add(ordinal);
                }
            });
        }
        if (!tracked) {
            owedStill.forEach(this::closeSplit);
            owedStill.clear();
        }
        return remove(attempt, owedStill);
    }

    /**
     * Takes back all that a fenced attempt still owes.
     *
     * @return splits of which something went back
     */
    public int settle(int attempt) {
        return remove(attempt, owed(attempt));
    }

    private List<Long> owed(int attempt) {
        List<Long> owed = new ArrayList<>();
        eachOpen((ordinal, split) -> {
            if (split.owes(attempt)) {
                owed.add(ordinal);
            }
        });
        return owed;
    }

    private int remove(int attempt, List<Long> owed) {
        for (long ordinal : owed) {
            SplitRow split = split(ordinal);
            split.giveBackAll(attempt);
            changedSplits.add(ordinal);
            noteReturned(ordinal, split);
        }
        attempts.remove(attempt);
        places.remove(attempt);
        changedAttempts.remove(attempt);
        rows.delete(RowKey.of(RowKey.ATTEMPT, job, epoch, attempt));
        rows.delete(RowKey.of(RowKey.PLACE, job, epoch, attempt));
        return owed.size();
    }

    /** What a generation claimed and did not acknowledge is assigned again; how many elements. */
    public long unclaim(int generation) {
        return takeFrom(generation);
    }

    /** What was sent to a generation and not claimed is assigned again; how many elements. */
    public long clearDoubt(int generation) {
        return takeFrom(SplitRow.doubtOf(generation));
    }

    private long takeFrom(int holder) {
        long[] elements = new long[1];
        eachOpen((ordinal, split) -> {
            int some = split.unclaim(holder);
            if (some > 0) {
                changedSplits.add(ordinal);
                noteReturned(ordinal, split);
                elements[0] += some;
            }
        });
        return elements[0];
    }

    /**
     * Elements of which nobody knows whether somebody has them: claimed by these generations or sent to them, or owed by
     * these attempts. Reads every open split; one whose records are not counted has none that are known.
     */
    public long inDoubt(Collection<Integer> generations, Collection<Integer> fenced) {
        long[] elements = new long[1];
        eachOpen((ordinal, split) -> {
            generations.forEach(generation -> elements[0] += split.held(generation));
            if (split.records().isPresent()) {
                fenced.forEach(attempt -> elements[0] += split.owed(attempt).getCardinality());
            }
        });
        return elements[0];
    }

    /** Elements that were given again though a process that is gone may have trained on them. */
    public void addPossiblyTwice(long elements) {
        row.addPossiblyTwice(elements);
        changedRow = true;
    }

    public void setComplete() {
        row.setComplete();
        changedRow = true;
    }

    /** Whether all that was known of a split is that it is closed. */
    public boolean closed(long ordinal) {
        byte[] page = rows.get(closedKey(ordinal));
        return page != null && new RowReader(page).bitmap().contains((int) (ordinal % Agreements.SPLITS_A_PAGE));
    }

    /** Writes what changed. */
    public void save() {
        changedSplits.forEach(
                ordinal -> rows.put(splitKey(ordinal), touched.get(ordinal).encode()));
        changedSplits.clear();
        touched.clear();
        for (int attempt : changedAttempts) {
            rows.put(
                    RowKey.of(RowKey.ATTEMPT, job, epoch, attempt),
                    attempts.get(attempt).encode());
        }
        changedAttempts.clear();
        if (changedReturned) {
            if (returned.isEmpty()) {
                rows.delete(RowKey.of(RowKey.RETURNED, job, epoch));
            } else {
                rows.put(
                        RowKey.of(RowKey.RETURNED, job, epoch),
                        new RowWriter().bitmap(returned).bytes());
            }
            changedReturned = false;
        }
        if (changedRow) {
            rows.put(RowKey.of(RowKey.EPOCH, job, epoch), row.encode());
            changedRow = false;
        }
    }

    /** The row of an open split; null where it is not open. */
    SplitRow split(long ordinal) {
        SplitRow known = touched.get(ordinal);
        if (known == null) {
            byte[] read = rows.get(splitKey(ordinal));
            if (read != null) {
                known = SplitRow.decode(read);
                touched.put(ordinal, known);
            }
        }
        return known;
    }

    private interface Move {
        int of(SplitRow split, RoaringBitmap elements);
    }

    private long move(int attempt, Elements elements, Move move) {
        long moved = 0;
        for (Map.Entry<Long, RoaringBitmap> part : elements.bySplit().entrySet()) {
            long ordinal = part.getKey();
            SplitRow split = split(ordinal);
            if (split != null) {
                int[] count = new int[1];
                change(ordinal, split, attempt, it -> {
                    count[0] = move.of(it, part.getValue());
                    return count[0] > 0;
                });
                moved += count[0];
                if (count[0] > 0) {
                    noteReturned(ordinal, split);
                    changedRow = true;
                }
            }
        }
        return moved;
    }

    /** Changes a row, which tells whether it did change, and keeps count of who owes something of it. */
    private void change(long ordinal, SplitRow split, int attempt, Predicate<SplitRow> change) {
        Set<Integer> holders = new HashSet<>();
        holders.add(attempt);
        OptionalInt rest = split.restWith();
        rest.ifPresent(holders::add);
        Map<Integer, Boolean> before = new TreeMap<>();
        holders.forEach(holder -> before.put(holder, split.owes(holder)));
        if (!change.test(split)) {
            return;
        }
        changedSplits.add(ordinal);
        before.forEach((holder, owed) -> {
            AttemptRow known = attempts.get(holder);
            if (known != null && split.owes(holder) != owed) {
                known.addOpenSplits(owed ? -1 : 1);
                changedAttempts.add(holder);
            }
        });
        if (split.closed()) {
            closeSplit(ordinal);
        }
    }

    private void closeSplit(long ordinal) {
        touched.remove(ordinal);
        changedSplits.remove(ordinal);
        rows.delete(splitKey(ordinal));
        byte[] key = closedKey(ordinal);
        byte[] page = rows.get(key);
        RoaringBitmap closed = page == null ? new RoaringBitmap() : new RowReader(page).bitmap();
        closed.add((int) (ordinal % Agreements.SPLITS_A_PAGE));
        rows.put(key, new RowWriter().bitmap(closed).bytes());
        row.addClosedSplit();
        changedRow = true;
    }

    private void noteReturned(long ordinal, SplitRow split) {
        // a part of a split can be told from the rest of it only once its records are counted
        boolean tellable = split.restWith().isEmpty() || split.records().isPresent();
        if (tellable && split.hasUnassigned() && !returned.contains((int) ordinal)) {
            returned.add((int) ordinal);
            changedReturned = true;
        }
    }

    private interface EachSplit {
        void take(long ordinal, SplitRow split);
    }

    /** Every open split, those that were changed meanwhile as they are now. */
    private void eachOpen(EachSplit each) {
        List<Long> ordinals = new ArrayList<>();
        rows.each(RowKey.of(RowKey.SPLIT, job, epoch), (key, value) -> ordinals.add((long) RowKey.lastNumber(key)));
        Set<Long> all = new TreeSet<>(ordinals);
        all.addAll(touched.keySet());
        all.forEach(ordinal -> each.take(ordinal, split(ordinal)));
    }

    /** The first split that is open, and where its elements are; empty where none is. */
    public Optional<Map.Entry<Long, SplitRow>> firstOpen() {
        List<Map.Entry<Long, SplitRow>> open = new ArrayList<>();
        eachOpen((ordinal, split) -> open.add(Map.entry(ordinal, split)));
        return open.stream().findFirst();
    }

    private byte[] splitKey(long ordinal) {
        return RowKey.of(RowKey.SPLIT, job, epoch, (int) ordinal);
    }

    private byte[] closedKey(long ordinal) {
        return RowKey.of(RowKey.CLOSED, job, epoch, (int) (ordinal / Agreements.SPLITS_A_PAGE));
    }
}
