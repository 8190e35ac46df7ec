package io.praline.dispatcher.ledger.epoch;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The epochs of a job that began, and which of them are open: of those something is still to come, or has just come. Owned by
 * the stream thread.
 */
public final class JobEpochs {
    private final SortedMap<Integer, EpochLedger> all;
    private final SortedMap<Integer, EpochLedger> seen;
    private final SortedMap<Integer, EpochLedger> open;

    /** As many of these as there are now, for whoever goes through them while they change. */
    private List<EpochLedger> openNow;

    /** @param began all of them, by number; they are open */
    public JobEpochs(SortedMap<Integer, EpochLedger> began) {
        all = began;
        seen = Collections.unmodifiableSortedMap(began);
        open = new TreeMap<>(began);
        openNow = List.copyOf(open.values());
    }

    /** All of them, by number. */
    public SortedMap<Integer, EpochLedger> all() {
        return seen;
    }

    /** Those of them that are not complete, or have attempts that are not closed. */
    public List<EpochLedger> open() {
        return openNow;
    }

    /** Another one begins. */
    public void begin(EpochLedger epoch) {
        all.put(epoch.epoch(), epoch);
        open.put(epoch.epoch(), epoch);
        openNow = List.copyOf(open.values());
    }

    /** None is open any more: of each only the counts are left. */
    public void end(IntFunction<EpochLedger> counts) {
        open.clear();
        openNow = List.of();
        all.replaceAll((number, epoch) -> counts.apply(number));
    }

    /** Writes what changed. */
    public void save() {
        openNow.forEach(EpochLedger::save);
        if (open.values()
                .removeIf(epoch -> epoch.row().complete() && epoch.attempts().isEmpty())) {
            openNow = List.copyOf(open.values());
        }
    }
}
