package io.praline.deploy.actuator;

import io.praline.client.local.LaunchedWorker;
import io.praline.client.local.WorkerSet;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Workers as processes of this machine, which end with it. */
public final class LocalPool implements WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPool.class);

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
        workers.end(nanoTime, LOG::info);
    }
}
