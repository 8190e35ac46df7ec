package io.praline.dispatcher.turn.progress.course;

import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.policy.caching.FoundEntries;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** What a job's attempts found behind the point at which they read entries. In memory only. Owned by the stream thread. */
public final class EntriesFound {
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
        return new FoundEntries(cached, stored, now - since.getAsLong()).share(told, splits);
    }
}
