package io.praline.client.local;

import io.praline.schema.ActuatorReport;
import io.praline.schema.ScalingTarget;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one job on its trainer's host: follows the dispatcher's targets until it is closed, and leaves no process
 * behind. One thread of its own.
 */
public final class LocalWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalWorkers.class);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Targets targets;
    private final WorkerSet workers;
    private final TargetReports reports;
    private final Consumer<ActuatorReport> dispatcher;
    private final Consumer<RuntimeException> failed;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    // owned by the thread
    private int wanted;

    /** Where targets come from. Belongs to one thread. */
    public interface Targets extends AutoCloseable {
        /** Whose they are. */
        String subject();

        /** The newest one that came; waits so long for one. */
        Optional<ScalingTarget> poll(Duration wait);

        @Override
        void close();
    }

    /**
     * Begins.
     *
     * @param targets taken over
     * @param workers taken over
     * @param dispatcher gets what came of the targets; on the thread of the workers
     * @param failed hears why no target can be learned any more; on the thread of the workers
     */
    public LocalWorkers(
            Targets targets,
            WorkerSet workers,
            TargetReports reports,
            Consumer<ActuatorReport> dispatcher,
            Consumer<RuntimeException> failed) {
        this.targets = targets;
        this.workers = workers;
        this.reports = reports;
        this.dispatcher = dispatcher;
        this.failed = failed;
        this.thread = new Thread(this::follow, "praline-local-workers");
        thread.setDaemon(true);
        thread.start();
    }

    private void follow() {
        try {
            while (stopping.getCount() > 0) {
                Optional<ScalingTarget> newest = targets.poll(LOOK);
                newest.ifPresent(target -> {
                    LOG.info(
                            "workers that {} should have: {}; {}",
                            targets.subject(),
                            target.getWorkers(),
                            target.getReason());
                    wanted = target.getWorkers();
                    workers.target(wanted);
                });
                workers.look(System.nanoTime()).forEach(this::log);
                reports.due(wanted, workers.present(), workers.hindrance(), System.nanoTime())
                        .ifPresent(dispatcher);
            }
            targets.close();
            workers.end(System::nanoTime, this::log);
        } catch (RuntimeException cause) {
            failed.accept(cause);
        } catch (Error cause) {
            // the loop would wait for workers that nobody starts
            failed.accept(new IllegalStateException("local workers cannot be looked after any more: " + cause, cause));
            throw cause;
        } finally {
            workers.killAll();
        }
    }

    private void log(String change) {
        LOG.info("{}: {}", targets.subject(), change);
    }

    /** Asks all workers to leave, and ends after five seconds what has not left. */
    @Override
    public void close() {
        stopping.countDown();
        try {
            thread.join(WorkerSet.GOODBYE.multipliedBy(2).toMillis());
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
