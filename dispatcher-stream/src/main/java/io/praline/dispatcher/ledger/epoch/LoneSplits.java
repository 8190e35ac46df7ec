package io.praline.dispatcher.ledger.epoch;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import org.roaringbitmap.RoaringBitmap;

/**
 * The splits of an epoch that workers had open when they crashed: who reads them alone, and what of them is left out. Owned
 * by the stream thread.
 */
public final class LoneSplits {
    /** Records of a split that can be counted without reading one of them, where that is told as what is to be skipped. */
    private static final long MOST_COUNTED = 1L << 22;

    private final EpochAccounts accounts;
    private final EpochRow row;
    private final EpochAttempts attempts;
    private final EpochSuspects suspects;
    private final OpenSplits splits;

    LoneSplits(EpochAccounts accounts) {
        this.accounts = accounts;
        this.row = accounts.row();
        this.attempts = accounts.attempts();
        this.suspects = accounts.suspects();
        this.splits = accounts.splits();
    }

    /**
     * A worker crashed that had the split open.
     *
     * @return how many did of late; empty where the split is not open any more, so that nothing of it crashed anybody
     */
    public OptionalInt crashed(long ordinal, SuspectRow.Crash crash) {
        return splits.get(ordinal) == null
                ? OptionalInt.empty()
                : OptionalInt.of(suspects.crashed(ordinal, crash).crashes());
    }

    /** Splits that are read alone, since workers crashed that had them open. */
    public SortedSet<Long> alone() {
        return suspects.alone();
    }

    /** Whether there are such splits. */
    public boolean any() {
        return !suspects.alone().isEmpty();
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
        return splits.get(ordinal).records().isPresent();
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
        accounts.changedRow();
        splits.changed(ordinal);
        splits.takenSome(ordinal, split);
        if (split.closed()) {
            accounts.closeSplit(ordinal);
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
        accounts.change(ordinal, split, attempt, it -> {
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
}
