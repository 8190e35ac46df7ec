package io.praline.worker.attempt;

import io.praline.worker.assignment.WorkerOrders;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.Outboxes;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.metrics.WorkerReporter;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The attempts of a worker whose work is done step by step, by whoever moves time, in place of threads. */
public final class SteppedAttempts {
    /** No batch of the simulation takes more. */
    private static final long LARGEST_BYTES = 2_048;

    private final Outboxes delivery;
    private final Predicate<RunningGraph> ready;
    private final BooleanSupplier counted;
    private final Attempts attempts;
    private final Map<AttemptRun, ProgressWatch> watches = new HashMap<>();
    private final Set<AttemptRun> held = new HashSet<>();
    private final Predicate<RunningGraph> deaf;

    /**
     * A worker's.
     *
     * @param ready whether a graph's next batch, or its end, is there
     * @param deaf whether what a graph does just now does not end where it is cancelled
     * @param outboxBytes what a full outbox holds at least
     * @param counted whether all splits are counted that are to be
     * @param started told of each attempt, whose steps are then to be done
     */
    public SteppedAttempts(
            Outboxes delivery,
            Surroundings around,
            WorkerReporter reporter,
            Attempts.Aside aside,
            Predicate<RunningGraph> ready,
            Predicate<RunningGraph> deaf,
            Consumer<Stepped> started,
            long outboxBytes,
            BooleanSupplier counted) {
        this.counted = counted;
        this.delivery = delivery;
        this.ready = ready;
        this.deaf = deaf;
        this.attempts =
                new Attempts(delivery, around, reporter, aside, run -> started.accept(new Stepped(run)), outboxBytes);
    }

    public WorkerOrders orders() {
        return attempts;
    }

    /** Attempts that are listed, and those that were fenced and whose work has not ended yet. */
    public int unended() {
        return attempts.unended().size();
    }

    /** Whether every attempt has ended, and clients have what it made. */
    public boolean delivered() {
        return attempts.delivered();
    }

    /** Attempts that were fenced and of which it is remembered what they sent. */
    public int remembered() {
        return attempts.remembered();
    }

    /**
     * Looks once after those that are stuck, as {@link Watchdog} does, which sees threads wait for room in an outbox.
     *
     * @param patience how long an attempt may bring nothing forth
     * @param lost told when this process must end
     */
    public void look(long nowNanos, Duration patience, Runnable lost) {
        List<AttemptRun> unended = attempts.unended();
        watches.keySet().retainAll(unended);
        held.retainAll(unended);
        for (AttemptRun run : unended) {
            Optional<Duration> stopped = run.stoppedFor(nowNanos);
            if (stopped.isEmpty()) {
                ProgressWatch.Sight seen = run.sight();
                watches.computeIfAbsent(run, none -> new ProgressWatch(patience))
                        .look(new ProgressWatch.Sight(seen.due() && !held.contains(run), seen.made()), nowNanos)
                        .ifPresent(run::stuck);
            } else if (!run.isOver() && stopped.get().compareTo(Watchdog.COMES_BACK_WITHIN) >= 0) {
                lost.run();
            }
        }
    }

    /** What became of a step. */
    public enum Step {
        WORKED,
        /** There is nothing to do just now. */
        WAITS,
        OVER
    }

    /** One attempt's work. */
    public final class Stepped {
        private final AttemptRun run;
        private final AttemptWork work;
        private boolean begun;
        private boolean made;
        private boolean feeding = true;
        private boolean pulling = true;

        private Stepped(AttemptRun run) {
            this.run = run;
            this.work = run.steps();
        }

        /** Does the next step, if it waits for nothing. */
        public Step step() {
            if (run.isOver()) {
                return Step.OVER;
            }
            if (run.isStopped()) {
                return made && deaf.test(work.graph()) ? Step.WAITS : end();
            }
            if (!begun) {
                begun = true;
                run.guarded(() -> {
                    pulling = work.begin();
                    made = pulling;
                });
                return Step.WORKED;
            }
            if (pulling) {
                return pull();
            }
            if (feeding) {
                return feed();
            }
            if (!outbox().mayEnd() || !counted.getAsBoolean()) {
                return Step.WAITS;
            }
            run.guarded(work::settle);
            return end();
        }

        private Step pull() {
            RunningGraph graph = work.graph();
            if (feeding && work.feeder().mayFeed(graph)) {
                run.guarded(() -> feeding = work.feeder().feedNext(graph));
                return Step.WORKED;
            }
            boolean full = ready.test(graph) && !outbox().hasRoom(LARGEST_BYTES);
            if (full) {
                held.add(run);
            } else {
                held.remove(run);
            }
            if (full || !ready.test(graph)) {
                return Step.WAITS;
            }
            run.guarded(this::pullOrFail);
            keep();
            if (!pulling) {
                work.feeder().exhausted();
            }
            return Step.WORKED;
        }

        private void pullOrFail() throws InterruptedException {
            try {
                pulling = work.pull();
            } catch (EngineFailure broken) {
                throw work.failure(broken);
            }
        }

        /** Takes what is to be kept and waits. */
        private void keep() {
            work.kept().ifPresent(kept -> {
                while (kept.keepNext(work.graph()).isPresent()) {
                    // one after the other
                }
            });
        }

        /** The graph has come to its end; what is assigned until the finish is told is left to others. */
        private Step feed() {
            if (!work.feeder().mayFeed(work.graph())) {
                return Step.WAITS;
            }
            run.guarded(() -> feeding = work.feeder().feedNext(work.graph()));
            return Step.WORKED;
        }

        private Step end() {
            work.stopFeeding();
            work.feeder().forgetSession();
            work.closeGraph();
            made = false;
            run.over();
            return Step.OVER;
        }

        private Outbox outbox() {
            return delivery.find(run.key()).orElseThrow();
        }
    }
}
