package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.policy.splits.SplitOrder;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.roaringbitmap.RoaringBitmap;

/**
 * The accounts of one epoch of a job: which attempt owes what, and what became of it. Every move is idempotent, and takes
 * only what is where the move starts. Changes lie in memory until {@link #save()}. Owned by the stream thread.
 *
 * <p>Where elements are not tracked, a split is owed as a whole, and is closed when its attempt has ended and all of its
 * batches are acknowledged.
 */
public final class EpochLedger {
    private final int epoch;
    private final boolean tracked;
    private final EpochAccounts accounts;
    private final EpochRow row;
    private final EpochAttempts attempts;
    private final EpochSuspects suspects;
    private final OpenSplits splits;
    private final LoneSplits loneSplits;
    private final Claims claims;

    private EpochLedger(EpochAccounts accounts, int epoch, boolean tracked) {
        this.epoch = epoch;
        this.tracked = tracked;
        this.accounts = accounts;
        this.row = accounts.row();
        this.attempts = accounts.attempts();
        this.suspects = accounts.suspects();
        this.splits = accounts.splits();
        this.loneSplits = new LoneSplits(accounts);
        this.claims = new Claims(accounts);
    }

    /**
     * The epoch as its rows tell; a new one where there are none.
     *
     * @param tracked whether its elements carry tickets
     */
    public static EpochLedger open(Rows rows, String job, int epoch, boolean tracked) {
        return new EpochLedger(new EpochAccounts(rows, job, epoch), epoch, tracked);
    }

    public int epoch() {
        return epoch;
    }

    /** Its counts. */
    public EpochRow row() {
        return row;
    }

    /** Its splits that workers had open when they crashed. */
    public LoneSplits loneSplits() {
        return loneSplits;
    }

    /** What was sent to generations of consumers, and what they told of it. */
    public Claims claims() {
        return claims;
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
        return start(place, AttemptGraph.AS_WRITTEN);
    }

    /** A new attempt; its number. */
    public int start(Place place, AttemptGraph graph) {
        int attempt = row.mintAttempt();
        accounts.changedRow();
        attempts.add(attempt, place, graph);
        return attempt;
    }

    /** The ordinal at the next position of the order, which from then on was assigned once. */
    public long takeNext(SplitOrder order, LongUnaryOperator bytes) {
        accounts.changedRow();
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
            accounts.change(ordinal, split, attempt, it -> {
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
        accounts.changedRow();
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
        accounts.change(ordinal, split, attempt, it -> {
            agrees[0] = it.count(records);
            return news;
        });
        if (news && agrees[0]) {
            row.addElements(records);
            row.counted(ordinal, records);
            accounts.changedRow();
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
        long moved = accounts.move(attempt, elements, (split, some) -> split.exclude(attempt, some));
        row.addExcluded(reason, moved);
        return moved;
    }

    /** Elements that cannot be named will not come: only their number is kept. */
    public void excludeUntracked(String reason, long elements) {
        row.addExcluded(reason, elements);
        accounts.changedRow();
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
        accounts.move(attempt, remainder, (split, some) -> split.giveBack(attempt, some));
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
            owedStill.forEach(accounts::closeSplit);
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

    public void setComplete() {
        row.setComplete();
        accounts.changedRow();
    }

    /** Whether all that was known of a split is that it is closed. */
    public boolean closed(long ordinal) {
        return splits.closed(ordinal);
    }

    /** Pages of the plan of which a split was closed since this was last asked; at first all that have closed ones. */
    public List<Integer> takeClosedPages() {
        return splits.takeClosedPages();
    }

    /** Which splits of a page are closed, by their places on it. */
    public BitSet closedOn(int page) {
        return splits.closedOn(page);
    }

    /** Writes what changed. */
    public void save() {
        accounts.save();
    }

    /** The row of an open split; null where it is not open. */
    SplitRow split(long ordinal) {
        return splits.get(ordinal);
    }

    /** The first split that is open, and where its elements are; empty where none is. */
    public Optional<Map.Entry<Long, SplitRow>> firstOpen() {
        return splits.first().map(ordinal -> Map.entry(ordinal, splits.get(ordinal)));
    }
}
