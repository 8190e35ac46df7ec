package io.praline.worker.attempt;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the attempts of this worker, on a thread of its own: one that is stuck fails, so that another worker goes on
 * with what it owes; where TensorFlow does not come back within a minute of being cancelled, nothing but the end of the
 * process gives back what it holds.
 */
public final class Watchdog implements AutoCloseable {
    /** How long an attempt may bring nothing forth, where nobody says otherwise. */
    public static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Ops look for their cancellation often, but not between two of them; one that takes a minute is in no pipeline of ours. */
    static final Duration COMES_BACK_WITHIN = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final Attempts attempts;
    private final Duration patience;
    private final Consumer<String> lost;
    private final Map<AttemptRun, ProgressWatch> watches = new HashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "watchdog");

    /** @param lost told when this process must end, and why */
    public Watchdog(Attempts attempts, Duration patience, Consumer<String> lost) {
        this.attempts = attempts;
        this.patience = patience;
        this.lost = lost;
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    private void watch() {
        try {
            while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                look(System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks once. */
    void look(long nowNanos) {
        List<AttemptRun> unended = attempts.unended();
        watches.keySet().retainAll(unended);
        for (AttemptRun run : unended) {
            Optional<Duration> stopped = run.stoppedFor(nowNanos);
            if (stopped.isEmpty()) {
                watches.computeIfAbsent(run, none -> new ProgressWatch(patience))
                        .look(run.sight(), nowNanos)
                        .ifPresent(still -> stuck(run, still));
            } else if (!run.isOver() && stopped.get().compareTo(COMES_BACK_WITHIN) >= 0) {
                lost.accept("TensorFlow has not come back from attempt " + run.key() + ", which was stopped "
                        + stopped.get().toSeconds() + " s ago: " + run.whereItStands());
            }
        }
    }

    private static void stuck(AttemptRun run, Duration still) {
        LOG.warn("attempt {} is stuck: {}", run.key(), run.whereItStands());
        run.stuck(still);
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
