package io.praline.deploy.actuator;

import io.praline.client.local.LaunchedWorker;
import io.praline.client.local.WorkerSet;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Workers as processes of this machine, which end with it. */
public final class LocalPool implements WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPool.class);

    /** The command that holds the pool has eight seconds to end in order. */
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private final WorkerSet workers;
    private final LongSupplier nanoTime;

    /**
     * Without any worker yet.
     *
     * @param most processes at any time
     * @param starter starts the worker of a number, counted from 1
     * @param nanoTime {@code System::nanoTime}
     */
    public LocalPool(int most, IntFunction<LaunchedWorker> starter, LongSupplier nanoTime) {
        this.workers = new WorkerSet(most, starter);
        this.nanoTime = nanoTime;
    }

    @Override
    public void target(int wanted) {
        workers.target(wanted);
    }

    @Override
    public State look() {
        workers.look(nanoTime.getAsLong()).forEach(LOG::info);
        return new State(workers.present(), workers.hindrance());
    }

    /** Asks all workers to leave, and ends after five seconds what has not left. */
    @Override
    public void close() {
        target(0);
        long until = nanoTime.getAsLong() + GOODBYE.toNanos();
        try {
            look();
            while (workers.present() > 0 && nanoTime.getAsLong() - until < 0) {
                TimeUnit.MILLISECONDS.sleep(20);
                look();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            workers.killAll();
        }
    }
}
