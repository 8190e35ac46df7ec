package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.topics.Agreements;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.roaringbitmap.RoaringBitmap;

/**
 * The splits of an epoch of which not all is consumed or excluded and something was assigned, and those that are to be
 * assigned again. Changes lie in memory until {@link #save()}. Owned by the stream thread.
 */
final class OpenSplits {
    private final Rows rows;
    private final String job;
    private final int epoch;
    private final EpochSuspects suspects;
    private final RoaringBitmap returned;
    private boolean changedReturned;
    private final SortedSet<Integer> closedPages = new TreeSet<>();

    /**
     * Rows that were read since the last save, and those of them that changed. A tree, which is emptied at once: to empty a
     * table takes as long as it ever was large, and it is done at each event.
     */
    private final Map<Long, SplitRow> touched = new TreeMap<>();

    private final Set<Long> changed = new TreeSet<>();

    /** The splits of which an attempt owes something; empty until somebody asks, since all rows are read for it. */
    private Optional<Map<Integer, SortedSet<Long>>> owed = Optional.empty();

    /** What consumers have of them, while somebody asks. */
    private Optional<HeldSplits> held = Optional.empty();

    /** @param suspects of which those that are read alone are not assigned as others are */
    OpenSplits(Rows rows, String job, int epoch, EpochSuspects suspects) {
        this.suspects = suspects;
        this.rows = rows;
        this.job = job;
        this.epoch = epoch;
        byte[] back = rows.get(RowKey.of(RowKey.RETURNED, job, epoch));
        returned = back == null ? new RoaringBitmap() : new RowReader(back).bitmap();
        rows.each(RowKey.of(RowKey.CLOSED, job, epoch), (key, value) -> closedPages.add(RowKey.lastNumber(key)));
    }

    /** Who hears that an attempt owes a split that it did not owe, or the other way round. */
    interface Owing {
        void changed(int attempt, boolean owes);
    }

    interface Each {
        void take(long ordinal, SplitRow split);
    }

    /** How many are to be assigned again, but for those that are read alone. */
    int returned() {
        long alone = suspects.alone().stream()
                .filter(ordinal -> returned.contains(ordinal.intValue()))
                .count();
        return returned.getCardinality() - (int) alone;
    }

    /** The first of those to be assigned again, but for those that are read alone. */
    List<Long> returned(int most) {
        List<Long> ordinals = new ArrayList<>();
        var each = returned.getIntIterator();
        while (ordinals.size() < most && each.hasNext()) {
            long ordinal = each.next();
            if (!suspects.isAlone(ordinal)) {
                ordinals.add(ordinal);
            }
        }
        return ordinals;
    }

    boolean isReturned(long ordinal) {
        return returned.contains((int) ordinal) && !suspects.isAlone(ordinal);
    }

    /** Somebody has taken what was to be assigned again. */
    void taken(long ordinal) {
        if (returned.contains((int) ordinal)) {
            returned.remove((int) ordinal);
            changedReturned = true;
        }
    }

    /** Somebody has taken some of what was to be assigned again. */
    void takenSome(long ordinal, SplitRow split) {
        if (!split.hasUnassigned()) {
            taken(ordinal);
        }
    }

    /** Notes a split of which something is to be assigned again. */
    void noteReturned(long ordinal, SplitRow split) {
        // a part of a split can be told from the rest of it only once its records are counted
        boolean tellable = split.restWith().isEmpty() || split.records().isPresent();
        if (tellable && split.hasUnassigned() && !returned.contains((int) ordinal)) {
            returned.add((int) ordinal);
            changedReturned = true;
        }
    }

    /** The row of an open split; null where it is not open. */
    SplitRow get(long ordinal) {
        SplitRow known = touched.get(ordinal);
        if (known == null) {
            byte[] read = rows.get(key(ordinal));
            if (read != null) {
                known = SplitRow.decode(read);
                touched.put(ordinal, known);
            }
        }
        return known;
    }

    /** One that is assigned for the first time. */
    void open(long ordinal, SplitRow split) {
        touched.put(ordinal, split);
    }

    /** Its row has changed, otherwise than by {@link #change}. */
    void changed(long ordinal) {
        changed.add(ordinal);
        held.ifPresent(followed -> followed.changed(ordinal));
    }

    /** How many elements a holder has claimed, or has in doubt. What changed since this was last asked is read, at first all. */
    long held(int holder) {
        if (held.isEmpty()) {
            HeldSplits all = new HeldSplits();
            each((ordinal, split) -> all.changed(ordinal));
            held = Optional.of(all);
        }
        return held.get().of(holder, this::get);
    }

    /** Nobody asks any more who has something. */
    void forgetHeld() {
        held = Optional.empty();
    }

    /**
     * Changes a row in a way that may concern what an attempt owes.
     *
     * @param change tells whether it did change
     * @return whether all of it is consumed or excluded now
     */
    boolean change(long ordinal, SplitRow split, int attempt, Predicate<SplitRow> change, Owing owing) {
        Set<Integer> holders = new HashSet<>();
        holders.add(attempt);
        OptionalInt rest = split.restWith();
        rest.ifPresent(holders::add);
        Map<Integer, Boolean> before = new TreeMap<>();
        holders.forEach(holder -> before.put(holder, split.owes(holder)));
        if (!change.test(split)) {
            return false;
        }
        changed(ordinal);
        before.forEach((holder, was) -> {
            boolean owes = split.owes(holder);
            if (owes != was) {
                index(holder, ordinal, owes);
                owing.changed(holder, owes);
            }
        });
        return split.closed();
    }

    private void index(int attempt, long ordinal, boolean owes) {
        owed.ifPresent(known -> {
            SortedSet<Long> its = known.computeIfAbsent(attempt, none -> new TreeSet<>());
            if (owes) {
                its.add(ordinal);
            } else {
                its.remove(ordinal);
            }
        });
    }

    /** The splits of which the attempt owes something. */
    List<Long> owedBy(int attempt) {
        if (owed.isEmpty()) {
            Map<Integer, SortedSet<Long>> all = new TreeMap<>();
            each((ordinal, split) -> split.owers()
                    .forEach(holder ->
                            all.computeIfAbsent(holder, none -> new TreeSet<>()).add(ordinal)));
            owed = Optional.of(all);
        }
        return List.copyOf(owed.get().getOrDefault(attempt, new TreeSet<>()));
    }

    /** All that the attempt owes of these is to be assigned again. */
    void giveBackAll(int attempt, List<Long> ordinals) {
        for (long ordinal : ordinals) {
            SplitRow split = get(ordinal);
            split.giveBackAll(attempt);
            changed(ordinal);
            noteReturned(ordinal, split);
        }
        owed.ifPresent(known -> known.remove(attempt));
    }

    /** What a holder has is to be assigned again; how many elements. */
    long unclaim(int holder) {
        long[] elements = new long[1];
        each((ordinal, split) -> {
            int some = split.unclaim(holder);
            if (some > 0) {
                changed(ordinal);
                noteReturned(ordinal, split);
                elements[0] += some;
            }
        });
        return elements[0];
    }

    /** All of it is consumed or excluded. */
    void close(long ordinal) {
        changed(ordinal);
        touched.remove(ordinal);
        changed.remove(ordinal);
        rows.delete(key(ordinal));
        int page = page(ordinal);
        RoaringBitmap closed = closedBits(page);
        closed.add((int) (ordinal % Agreements.SPLITS_A_PAGE));
        rows.put(closedKey(page), new RowWriter().bitmap(closed).bytes());
        closedPages.add(page);
    }

    /** Pages of which a split was closed since this was last asked; at first all that have closed ones. */
    List<Integer> takeClosedPages() {
        List<Integer> pages = List.copyOf(closedPages);
        closedPages.clear();
        return pages;
    }

    /** Which splits of a page are closed, by their places on it. */
    BitSet closedOn(int page) {
        BitSet closed = new BitSet();
        closedBits(page).forEach((int split) -> closed.set(split));
        return closed;
    }

    private RoaringBitmap closedBits(int page) {
        byte[] row = rows.get(closedKey(page));
        return row == null ? new RoaringBitmap() : new RowReader(row).bitmap();
    }

    /** Whether all that is known of a split is that it is closed. */
    boolean closed(long ordinal) {
        return closedBits(page(ordinal)).contains((int) (ordinal % Agreements.SPLITS_A_PAGE));
    }

    /** Every open split, those that were changed meanwhile as they are now. */
    void each(Each each) {
        all().forEach(ordinal -> each.take(ordinal, get(ordinal)));
    }

    /** The first split that is open; empty where none is. */
    Optional<Long> first() {
        return all().stream().findFirst();
    }

    private SortedSet<Long> all() {
        SortedSet<Long> all = new TreeSet<>(touched.keySet());
        rows.each(RowKey.of(RowKey.SPLIT, job, epoch), (key, value) -> all.add((long) RowKey.lastNumber(key)));
        return all;
    }

    /** Writes what changed. */
    void save() {
        changed.forEach(ordinal -> rows.put(key(ordinal), touched.get(ordinal).encode()));
        changed.clear();
        touched.clear();
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
    }

    private byte[] key(long ordinal) {
        return RowKey.of(RowKey.SPLIT, job, epoch, (int) ordinal);
    }

    private static int page(long ordinal) {
        return (int) (ordinal / Agreements.SPLITS_A_PAGE);
    }

    private byte[] closedKey(int page) {
        return RowKey.of(RowKey.CLOSED, job, epoch, page);
    }
}
