package io.praline.deploy.actuator;

import io.praline.client.local.TargetReports;
import io.praline.policy.Counted;
import io.praline.schema.ActuatorReport;
import io.praline.schema.ScalingTarget;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a pool's targets out: asks for as many workers as the newest one says, within bounds, and tells the dispatcher what
 * came of it. A target is never a step, so one that was missed or comes twice changes nothing. Owned by one thread.
 */
public final class ScalingActuator {
    private static final Logger LOG = LoggerFactory.getLogger(ScalingActuator.class);

    private final Targets targets;
    private final WorkerPool pool;
    private final Bounds bounds;
    private final TargetReports reports;
    private final Consumer<ActuatorReport> told;
    private final LongSupplier nanoTime;
    private int wanted;

    /** Where targets come from. */
    @FunctionalInterface
    public interface Targets {
        /** The newest target that came; waits so long for one. */
        Optional<ScalingTarget> poll(Duration wait);
    }

    /**
     * How far a target is followed.
     *
     * @param least workers that run also where none is wanted
     * @param most workers at any time
     */
    public record Bounds(int least, int most) {
        public Bounds {
            if (least < 0) {
                throw new IllegalArgumentException("the least number of workers must not be negative, is " + least);
            }
            if (most < Math.max(1, least)) {
                throw new IllegalArgumentException(
                        "the most workers must be at least 1 and no fewer than the least, " + least + ", is " + most);
            }
        }

        int within(int workers) {
            return Math.max(least, Math.min(most, workers));
        }
    }

    /**
     * Asks for the least number of workers.
     *
     * @param pool stays the caller's
     * @param told gets what the dispatcher is to hear
     * @param nanoTime {@code System::nanoTime}
     */
    public ScalingActuator(
            Targets targets,
            WorkerPool pool,
            Bounds bounds,
            TargetReports reports,
            Consumer<ActuatorReport> told,
            LongSupplier nanoTime) {
        this.targets = targets;
        this.pool = pool;
        this.bounds = bounds;
        this.reports = reports;
        this.told = told;
        this.nanoTime = nanoTime;
        this.wanted = bounds.least();
        pool.target(bounds.least());
    }

    /** Follows the newest target and sees how the pool stands. Called several times a second; waits so long for a target. */
    public void step(Duration wait) {
        targets.poll(wait).ifPresent(target -> {
            wanted = target.getWorkers();
            int within = bounds.within(wanted);
            LOG.info(
                    "{} should have {}{}: {}",
                    target.getSubject(),
                    Counted.of(wanted, "worker"),
                    bounded(within),
                    target.getReason());
            pool.target(within);
        });
        WorkerPool.State state = pool.look();
        reports.due(wanted, state.running(), hindrance(state), nanoTime.getAsLong())
                .ifPresent(told);
    }

    private String bounded(int within) {
        return within == wanted ? "" : " (" + within + " within its bounds)";
    }

    private Optional<String> hindrance(WorkerPool.State state) {
        if (state.trouble().isPresent() || wanted <= bounds.most()) {
            return state.trouble();
        }
        return Optional.of(Counted.of(wanted, "worker is", "workers are")
                + " wanted and the actuator may start at most " + bounds.most() + "; start it with a higher --max");
    }
}
