package io.praline.worker.attempt;

import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.attempt.entry.CacheUse;
import io.praline.worker.metrics.AttemptReport;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an attempt has to do with its worker's store, found out once, by whoever asks first: the pipeline may have to be read
 * from its topic. Any thread.
 */
final class AttemptCache implements Supplier<Optional<CacheUse>>, AutoCloseable {
    private final StartAttempt order;
    private final Surroundings around;
    private final Settlement settlement;
    private Optional<Optional<CacheUse>> found = Optional.empty(); // guarded by this

    // what was found, for those who must not wait until it is
    private volatile Optional<CacheUse> known = Optional.empty();

    AttemptCache(StartAttempt order, Surroundings around, Settlement settlement) {
        this.order = order;
        this.around = around;
        this.settlement = settlement;
    }

    /** @throws AttemptFailed if the pipeline cannot be had */
    @Override
    public synchronized Optional<CacheUse> get() {
        if (found.isEmpty()) {
            found = Optional.of(
                    order.getCache().isEmpty() || around.store().isEmpty()
                            ? Optional.empty()
                            : CacheUse.of(
                                    order,
                                    around.pipelines().apply(order.getPipelineDigest()),
                                    around.store(),
                                    settlement));
            known = found.get();
        }
        return found.get();
    }

    /** What came of it so far. Never waits: who reads a pipeline may take longer than a worker may be silent. */
    AttemptReport.Cached totals() {
        return known.map(CacheUse::totals).orElse(AttemptReport.Cached.NOTHING);
    }

    /** Gives back what it has of the store. */
    @Override
    public synchronized void close() {
        found.orElse(Optional.empty()).ifPresent(CacheUse::close);
    }
}
