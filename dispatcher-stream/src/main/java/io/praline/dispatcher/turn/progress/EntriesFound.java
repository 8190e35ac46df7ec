package io.praline.dispatcher.turn.progress;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * What a job's attempts found behind the point at which they read entries. Stores tell how many there are of a prefix, and not of
 * which contents: those of files that were changed since are counted, and stand in for none of the job's splits. In memory only.
 * Owned by the stream thread.
 */
public final class EntriesFound {
    /** Of an epoch's splits: with less nothing is said. */
    private static final double ENOUGH = 0.1;

    /** Where that much less is found than is there, the rest is of something else. */
    private static final double OTHERS = 0.5;

    private String prefix = "";
    private OptionalLong since = OptionalLong.empty();
    private double cached;
    private double stored;

    /** An attempt that reads entries of this prefix went on. */
    public void told(String of, LastBeat.Entries before, LastBeat.Entries now) {
        if (!of.equals(prefix)) {
            prefix = of;
            since = OptionalLong.empty();
            cached = 0;
            stored = 0;
        }
        cached += now.cachedSplits() - before.cachedSplits();
        stored += now.storedSplits() - before.storedSplits();
    }

    /**
     * The share of a job's splits that have an entry.
     *
     * @param told by how many entries there are
     * @param begun splits of the job whose reading has begun, over all epochs
     * @param splits of an epoch
     */
    public double share(String of, double told, LongSupplier begun, long splits) {
        if (!of.equals(prefix)) {
            return told;
        }
        long now = begun.getAsLong();
        if (since.isEmpty()) {
            since = OptionalLong.of(now);
        }
        double read = (double) (now - since.getAsLong());
        if (read < Math.max(1, ENOUGH * splits)) {
            return told;
        }
        double found = cached / read + stored / splits;
        return found < OTHERS * told ? found : told;
    }
}
