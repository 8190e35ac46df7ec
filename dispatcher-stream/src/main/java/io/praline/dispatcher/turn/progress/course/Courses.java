package io.praline.dispatcher.turn.progress.course;

import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptGraph;
import io.praline.policy.ordering.course.OrderState;
import java.util.Optional;

/**
 * What becomes of what a job's attempts run, while it goes on. Owned by the stream thread.
 *
 * @param order of its steps
 * @param cache which elements are kept
 */
public record Courses(JobOrder order, JobCache cache) {
    /** Of a job of which nothing is known yet. */
    public static Courses fresh() {
        return new Courses(new JobOrder(Optional.empty()), new JobCache(Optional.empty()));
    }

    /** As its rows tell. */
    public static Courses of(Ledger ledger, String job) {
        return new Courses(new JobOrder(ledger.order(job)), new JobCache(ledger.cache(job)));
    }

    /** What new attempts of this epoch run. */
    public AttemptGraph graph(int epoch) {
        return new AttemptGraph(order.variant(epoch), cache.use());
    }

    /** Whether attempts may be there that run something else than they should. */
    public boolean mixed() {
        return order.mixed() || cache.mixed();
    }

    /** Each attempt was looked at, and runs what it should. */
    public void settled() {
        order.settled();
        cache.settled();
    }

    /** Whether it runs an order of which a worker is to say what of it may be kept by the job's own seed. */
    public boolean doubted() {
        return cache.doubted()
                && order.state()
                        .filter(state -> state.phase() == OrderState.Phase.CHANGED)
                        .isPresent();
    }

    /** Writes what changed. */
    public void save(Ledger ledger, String job) {
        order.unsaved().ifPresent(its -> ledger.saveOrder(job, its));
        cache.unsaved().ifPresent(its -> ledger.saveCache(job, its));
    }
}
