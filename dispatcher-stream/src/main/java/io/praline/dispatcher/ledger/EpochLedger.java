package io.praline.dispatcher.ledger;

import io.praline.policy.splits.SplitOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
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
    /** Records of a split that can be counted without reading one of them, where that is told as what is to be skipped. */
    private static final long MOST_COUNTED = 1L << 22;

    private final Rows rows;
    private final String job;
    private final int epoch;
    private final boolean tracked;
    private final EpochRow row;
    private final EpochAttempts attempts;
    private final EpochSuspects suspects;
    private final OpenSplits splits;
    private boolean changedRow;

    private EpochLedger(Rows rows, String job, int epoch, boolean tracked, EpochRow row) {
        this.rows = rows;
        this.job = job;
        this.epoch = epoch;
        this.tracked = tracked;
        this.row = row;
        this.attempts = new EpochAttempts(rows, job, epoch);
        this.suspects = new EpochSuspects(rows, job, epoch);
        this.splits = new OpenSplits(rows, job, epoch, suspects);
    }

    /**
     * The epoch as its rows tell; a new one where there are none.
     *
     * @param tracked whether its elements carry tickets
     */
    public static EpochLedger open(Rows rows, String job, int epoch, boolean tracked) {
        byte[] row = rows.get(RowKey.of(RowKey.EPOCH, job, epoch));
        EpochLedger ledger =
                new EpochLedger(rows, job, epoch, tracked, row == null ? new EpochRow() : EpochRow.decode(row));
        ledger.changedRow = row == null;
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
        return attempts.all();
    }

    /** The numbers of those of them that are in this state. */
    public SortedSet<Integer> attemptsIn(AttemptRow.State state) {
        return attempts.in(state);
    }

    /** The numbers of those of them that this very process runs. */
    public SortedSet<Integer> attemptsAt(Place place) {
        return attempts.at(place);
    }

    /** Whether elements may yet come back from another attempt than this one. */
    public boolean unsettledBeside(int attempt) {
        int unsettled =
                attempts.all().size() - attempts.in(AttemptRow.State.ENDED).size();
        return unsettled > 1 || (unsettled == 1 && !isUnsettled(attempt));
    }

    /** Whether elements may yet come back from an attempt. */
    public boolean unsettled() {
        return attempts.all().size() > attempts.in(AttemptRow.State.ENDED).size();
    }

    private boolean isUnsettled(int attempt) {
        AttemptRow known = attempts.get(attempt);
        return known != null && known.state() != AttemptRow.State.ENDED;
    }

    /** Attempts of which something changed since this was last asked; all of them at first. */
    public List<Integer> takeStirred() {
        return attempts.takeStirred();
    }

    /** Where an attempt that is not closed runs. */
    public Place place(int attempt) {
        return attempts.place(attempt);
    }

    /** Splits of which something is to be assigned again. */
    public int returnedSplits() {
        return splits.returned();
    }

    /** The first splits of those to be assigned again. */
    public List<Long> returned(int most) {
        return splits.returned(most);
    }

    /** A new attempt in the user's order; its number. */
    public int start(Place place) {
        return start(place, "");
    }

    /**
     * A new attempt; its number.
     *
     * @param variant the digest of the graph that it runs; empty: the user's own
     */
    public int start(Place place, String variant) {
        int attempt = row.mintAttempt();
        changedRow = true;
        attempts.add(attempt, place, variant);
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
            SplitRow known = splits.get(ordinal);
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
            splits.taken(ordinal);
        }
        attempts.changed(attempt);
        return attempts.get(attempt).assign(ordinals, skips);
    }

    /** A split that is assigned for the first time. */
    private SplitRow opened(long ordinal, OptionalLong records) {
        SplitRow split = SplitRow.unassigned(records);
        row.addElements(records.orElse(0));
        changedRow = true;
        splits.open(ordinal, split);
        return split;
    }

    /** Bytes of what the attempt would be told to skip of a split, were it assigned to it now. */
    public int skipBytes(int attempt, long ordinal) {
        SplitRow known = splits.get(ordinal);
        return known == null ? 0 : known.skipBytes(attempt);
    }

    /** Whether something of a split is to be assigned again. */
    public boolean isReturned(long ordinal) {
        return splits.isReturned(ordinal);
    }

    /** What the attempt must not read of a split that came with an assignment which its worker was not seen to have. */
    public RoaringBitmap skip(int attempt, int assignment, long ordinal) {
        return attempts.get(attempt).untakenSkip(assignment, ordinal).orElseGet(() -> {
            SplitRow split = splits.get(ordinal);
            return split == null ? new RoaringBitmap() : split.skip(attempt);
        });
    }

    /** The worker has every assignment up to and with this one. */
    public void taken(int attempt, int through) {
        if (attempts.get(attempt).taken(through)) {
            attempts.changed(attempt);
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
        attempts.changed(attempt);
        return true;
    }

    /**
     * The attempt counted a split's records.
     *
     * @return false if another count is known of it: the data have changed meanwhile
     */
    public boolean count(int attempt, long ordinal, long records) {
        SplitRow split = splits.get(ordinal);
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
            splits.noteReturned(ordinal, split);
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
        SplitRow split = splits.get(ordinal);
        if (split == null) {
            return true;
        }
        List<Long> before = split.digests();
        boolean agrees = split.digest(digests);
        if (!split.digests().equals(before)) {
            splits.changed(ordinal);
        }
        return agrees;
    }

    /** As {@link #digest}, of a reading whose own order may be why it differs: nothing of it is kept. */
    public boolean agrees(long ordinal, List<Long> digests) {
        SplitRow split = splits.get(ordinal);
        List<Long> known = split == null ? List.of() : split.digests();
        int both = Math.min(known.size(), digests.size());
        return known.subList(0, both).equals(digests.subList(0, both));
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
            attempts.changed(attempt);
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
            attempts.changed(attempt);
        }
        return again;
    }

    /** A generation is done with a batch whose elements carry no tickets. */
    public void consumeUntracked(int attempt, int generation, long sequence, long elements) {
        AttemptRow known = attempts.get(attempt);
        if (known != null) {
            known.acked(generation, sequence, elements);
            attempts.changed(attempt);
            row.addConsumed(elements);
            changedRow = true;
        }
    }

    /** A generation has handed all of an attempt to its loop. */
    public void handOver(int attempt, int generation) {
        AttemptRow known = attempts.get(attempt);
        if (known != null && !known.handedOver().contains(generation)) {
            known.handOver(generation);
            attempts.changed(attempt);
        }
    }

    public void finish(int attempt, AttemptRow.Finish told) {
        attempts.get(attempt).finish(told);
        attempts.changed(attempt);
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
        attempts.changed(attempt);
        suspects.readBy(attempt).ifPresent(ordinal -> suspects.change(ordinal).passed());
        if (!tracked || attempts.get(attempt).openSplits() == 0) {
            return true;
        }
        return splits.owedBy(attempt).stream()
                .allMatch(ordinal -> splits.get(ordinal).records().isPresent());
    }

    public void fence(int attempt, String reason, Instant at) {
        attempts.get(attempt).fence(new AttemptRow.Fence(reason, at));
        attempts.changed(attempt);
    }

    /** A generation has discarded what it did not claim of a fenced attempt. */
    public void answer(int attempt, int generation) {
        AttemptRow known = attempts.get(attempt);
        if (known != null && known.fence().isPresent() && !known.answered().contains(generation)) {
            known.answer(generation);
            attempts.changed(attempt);
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
        List<Long> owedStill = attempts.get(attempt).openSplits() > 0 ? splits.owedBy(attempt) : List.of();
        if (!tracked) {
            owedStill.forEach(this::closeSplit);
            owedStill = List.of();
        }
        return remove(attempt, owedStill);
    }

    /**
     * Takes back all that a fenced attempt still owes.
     *
     * @return splits of which something went back
     */
    public int settle(int attempt) {
        return remove(attempt, splits.owedBy(attempt));
    }

    private int remove(int attempt, List<Long> owed) {
        suspects.readBy(attempt).ifPresent(ordinal -> suspects.change(ordinal).stopped());
        splits.giveBackAll(attempt, owed);
        attempts.remove(attempt);
        return owed.size();
    }

    /** Splits that its worker may have open: it owes something of them, and may have begun with what it was told last. */
    public List<Long> openWith(int attempt) {
        return splits.owedBy(attempt);
    }

    /**
     * A worker crashed that had the split open.
     *
     * @param readAlone whether it had nothing else of the job
     * @param mayBeAlone whether it can be read alone
     * @return how many did so far; 0 where the split is not open any more
     */
    public int crashed(long ordinal, boolean readAlone, boolean mayBeAlone) {
        if (splits.get(ordinal) == null) {
            return 0;
        }
        return suspects.crashed(ordinal, readAlone, mayBeAlone).crashes();
    }

    /** Splits that are read alone, since workers crashed that had them open. */
    public SortedSet<Long> alone() {
        return suspects.alone();
    }

    /** Whether the attempt is one that reads a split alone. */
    public boolean readsAlone(int attempt) {
        return suspects.readBy(attempt).isPresent();
    }

    /** The attempt that reads one of them now; empty where none does. */
    public OptionalInt lonely() {
        return suspects.alone().stream()
                .map(ordinal -> suspects.of(ordinal).orElseThrow().reader())
                .filter(OptionalInt::isPresent)
                .mapToInt(OptionalInt::getAsInt)
                .findFirst();
    }

    /** Whether the records of an open split are counted. */
    public boolean counted(long ordinal) {
        SplitRow split = splits.get(ordinal);
        return split == null || split.records().isPresent();
    }

    /** The one element of it that crashed whoever read it, and nothing else; empty where it is not found yet. */
    public OptionalLong condemned(long ordinal) {
        return suspects.of(ordinal).map(SuspectRow::condemned).orElse(OptionalLong.empty());
    }

    /** The element of the split will not come, unless somebody has it after all; whether nobody had. */
    public boolean leaveOut(long ordinal, long element, String reason) {
        SplitRow split = splits.get(ordinal);
        suspects.change(ordinal).leftOut();
        int moved = split.excludeUnassigned(RoaringBitmap.bitmapOf((int) element));
        row.addExcluded(reason, moved);
        changedRow = true;
        splits.changed(ordinal);
        splits.takenSome(ordinal, split);
        if (split.closed()) {
            closeSplit(ordinal);
        }
        return moved > 0;
    }

    /** Whether something of a split that is read alone is to be read so. */
    public boolean hasMoreAlone(long ordinal) {
        SplitRow split = splits.get(ordinal);
        return split.records().isEmpty()
                ? split.hasUnassigned()
                : !suspects.of(ordinal).orElseThrow().next(split.unassigned()).isEmpty();
    }

    /** Nothing of the split crashed anybody any more, and nobody reads it: what is left of it is assigned as others are. */
    public void release(long ordinal) {
        SplitRow split = splits.get(ordinal);
        suspects.remove(ordinal);
        splits.noteReturned(ordinal, split);
    }

    /** Whether an attempt has something of the split. */
    public boolean isRead(long ordinal) {
        return !splits.get(ordinal).owers().isEmpty();
    }

    /** Attempts that have something of a split that is read alone, and were given it before it was. */
    public List<Integer> readBeside(long ordinal) {
        OptionalInt reader = suspects.of(ordinal).orElseThrow().reader();
        return splits.get(ordinal).owers().stream()
                .filter(attempt -> !reader.equals(OptionalInt.of(attempt)))
                .toList();
    }

    /**
     * The attempt, which has nothing else, reads some of the split, or nothing but how many records it has; the number of the
     * assignment.
     */
    public int assignAlone(int attempt, long ordinal) {
        SplitRow split = splits.get(ordinal);
        SuspectRow suspect = suspects.change(ordinal);
        boolean counted = split.records().isPresent();
        RoaringBitmap some = counted ? suspect.next(split.unassigned()) : new RoaringBitmap();
        change(ordinal, split, attempt, it -> {
            if (counted) {
                it.assignSome(attempt, some);
            } else {
                it.assign(attempt);
            }
            return true;
        });
        splits.takenSome(ordinal, split);
        suspect.reads(attempt, some);
        attempts.changed(attempt);
        return attempts.get(attempt).assign(List.of(ordinal), counted ? Map.of() : Map.of(ordinal, unread()));
    }

    /** As many records as are passed over where they are only counted. */
    private static RoaringBitmap unread() {
        RoaringBitmap all = new RoaringBitmap();
        all.add(0L, MOST_COUNTED);
        return all;
    }

    /** What a generation claimed and did not acknowledge is assigned again; how many elements. */
    public long unclaim(int generation) {
        return splits.unclaim(generation);
    }

    /** What was sent to a generation and not claimed is assigned again; how many elements. */
    public long clearDoubt(int generation) {
        return splits.unclaim(SplitRow.doubtOf(generation));
    }

    /**
     * Elements of which nobody knows whether somebody has them: claimed by these generations or sent to them, or owed by
     * these attempts. Reads every open split; one whose records are not counted has none that are known.
     */
    public long inDoubt(Collection<Integer> generations, Collection<Integer> fenced) {
        long[] elements = new long[1];
        if (!generations.isEmpty()) {
            splits.each((ordinal, split) -> generations.forEach(generation -> elements[0] += split.held(generation)));
        }
        fenced.forEach(attempt -> elements[0] += owedElements(attempt));
        return elements[0];
    }

    /** Elements that the attempt owes, of splits whose records are counted. */
    public long owedElements(int attempt) {
        return splits.owedBy(attempt).stream()
                .map(splits::get)
                .filter(split -> split.records().isPresent())
                .mapToLong(split -> split.owed(attempt).getLongCardinality())
                .sum();
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
        return splits.closed(ordinal);
    }

    /** Writes what changed. */
    public void save() {
        splits.save();
        suspects.save();
        attempts.save();
        if (changedRow) {
            rows.put(RowKey.of(RowKey.EPOCH, job, epoch), row.encode());
            changedRow = false;
        }
    }

    /** The row of an open split; null where it is not open. */
    SplitRow split(long ordinal) {
        return splits.get(ordinal);
    }

    private interface Move {
        int of(SplitRow split, RoaringBitmap elements);
    }

    private long move(int attempt, Elements elements, Move move) {
        long moved = 0;
        for (Map.Entry<Long, RoaringBitmap> part : elements.bySplit().entrySet()) {
            long ordinal = part.getKey();
            SplitRow split = splits.get(ordinal);
            if (split != null) {
                int[] count = new int[1];
                change(ordinal, split, attempt, it -> {
                    count[0] = move.of(it, part.getValue());
                    return count[0] > 0;
                });
                moved += count[0];
                if (count[0] > 0) {
                    splits.noteReturned(ordinal, split);
                    changedRow = true;
                }
            }
        }
        return moved;
    }

    /** Changes a row, which tells whether it did change, and keeps count of who owes something of it. */
    private void change(long ordinal, SplitRow split, int attempt, Predicate<SplitRow> change) {
        boolean closed = splits.change(ordinal, split, attempt, change, (holder, owes) -> {
            AttemptRow known = attempts.get(holder);
            if (known != null) {
                known.addOpenSplits(owes ? 1 : -1);
                attempts.changed(holder);
            }
        });
        if (closed) {
            closeSplit(ordinal);
        }
    }

    private void closeSplit(long ordinal) {
        splits.close(ordinal);
        suspects.remove(ordinal);
        row.addClosedSplit();
        changedRow = true;
    }

    /** The first split that is open, and where its elements are; empty where none is. */
    public Optional<Map.Entry<Long, SplitRow>> firstOpen() {
        List<Map.Entry<Long, SplitRow>> open = new ArrayList<>();
        splits.each((ordinal, split) -> open.add(Map.entry(ordinal, split)));
        return open.stream().findFirst();
    }
}
