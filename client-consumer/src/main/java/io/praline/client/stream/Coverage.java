package io.praline.client.stream;

import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which elements of a job this process was handed, over all of its consumers here, counted from their tickets.
 *
 * <pre>
 *   missing    = sum over epochs of (elements - excluded - distinct elements handed out)
 *   duplicates = elements handed out - distinct ones
 * </pre>
 *
 * <p>Any thread.
 */
public final class Coverage {
    private final Map<Integer, Epoch> epochs = new TreeMap<>();

    /** The tickets from {@code from} (inclusive) to {@code until} (exclusive) were handed to a loop. */
    public synchronized void add(int epoch, long[] tickets, int from, int until) {
        if (from < until) {
            epochs.computeIfAbsent(epoch, number -> new Epoch()).add(tickets, from, until);
        }
    }

    /** Every element of the epoch is accounted for: whatever else comes of it came before. */
    public synchronized void complete(int epoch) {
        Epoch known = epochs.get(epoch);
        if (known != null) {
            known.complete();
        }
    }

    public synchronized long distinct(int epoch) {
        Epoch known = epochs.get(epoch);
        return known == null ? 0 : known.distinct();
    }

    public synchronized long duplicates() {
        return epochs.values().stream().mapToLong(Epoch::duplicates).sum();
    }

    /** How many elements of these epochs were neither handed out here nor excluded. */
    public synchronized long missing(List<EpochProgress> progress) {
        long missing = 0;
        for (EpochProgress epoch : progress) {
            missing += epoch.getElements() - excluded(epoch) - distinct(epoch.getEpoch());
        }
        return missing;
    }

    private static long excluded(EpochProgress epoch) {
        return epoch.getExcluded().stream().mapToLong(Exclusion::getElements).sum();
    }

    private static final class Epoch {
        private SeenTickets tickets = new SeenTickets();
        private boolean complete;
        private long distinct;
        private long duplicates;

        private void add(long[] added, int from, int until) {
            if (complete) {
                duplicates += until - from;
            } else {
                tickets.add(added, from, until);
            }
        }

        private void complete() {
            if (!complete) {
                complete = true;
                distinct = tickets.distinct();
                duplicates = tickets.duplicates();
                tickets = new SeenTickets();
            }
        }

        private long distinct() {
            return complete ? distinct : tickets.distinct();
        }

        private long duplicates() {
            return complete ? duplicates : tickets.duplicates();
        }
    }
}
