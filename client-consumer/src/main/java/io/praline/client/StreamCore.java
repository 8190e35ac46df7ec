package io.praline.client;

import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.stream.Attempts;
import io.praline.client.stream.Coverage;
import io.praline.client.stream.EpochGate;
import io.praline.client.stream.Frame;
import io.praline.client.stream.Lease;
import io.praline.client.stream.LoopHandover;
import io.praline.client.stream.ServingTasks;
import io.praline.client.stream.StreamEffects;
import io.praline.client.stream.StreamTotals;
import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptPlace;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.JobStatus;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A stream of batches without Kafka, sockets, threads or clocks: what came, what was handed out, what the loop gets next,
 * what must be reported. Batches, ends and losses come from channels, the job's status from its watch; one training loop
 * takes. All under one lock, which is never held while something outside is waited for. This class has the lock and wakes
 * who waits; its parts do the work, each under that lock and none with one of its own:
 *
 * <pre>
 *   {@link LoopSide}      what the loop's question finds, what it takes
 *     {@link Lease}         whether it may be given any
 *     {@link LoopHandover}  from what lies ready to what it has had
 *   {@link JobFate}       how the job stands, and whether the stream goes on
 *   {@link Attempts}      what the status lists: dials, checks what comes, answers fences
 *     {@link EpochGate}     when the next epoch's batches may go, and when nothing follows
 *     {@link ServingTasks}  how many tasks serve the loop
 * </pre>
 *
 * <p><b>Order.</b> Within an epoch as batches arrive, but those of local workers before those of remote ones. A batch of a
 * later epoch waits at the gate. What a failure brings late of an older epoch goes before all else, whatever was handed out
 * in the meantime.
 *
 * <p><b>End.</b> The gate says that nothing follows, and all that came is handed out; or the job completed.
 *
 * <p>Times are {@code System.nanoTime} of whoever calls.
 */
final class StreamCore {
    /** What the loop's question finds. */
    enum Turn {
        /** A batch is set aside for the loop. */
        READY,
        /** Nothing yet. */
        WAIT,
        /** Nothing any more. */
        OVER
    }

    /** What is to be sent now, in this order. */
    record Outgoing(List<ConsumptionReport> reports, Optional<ClientHeartbeat> beat) {}

    private final StreamSettings settings;
    private final ConsumptionReporter reporter;
    private final DemandReporter demand;
    private final Coverage coverage;
    private final JobFate fate;
    private final Lease lease;
    private final LoopHandover handover;
    private final Attempts attempts;
    private final ServingTasks tasks;
    private final LoopSide loop;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int waiters;

    StreamCore(
            String job,
            StreamSettings settings,
            ConsumptionReporter reporter,
            DemandReporter demand,
            Coverage coverage,
            StreamEffects effects) {
        this.settings = settings;
        this.reporter = reporter;
        this.demand = demand;
        this.coverage = coverage;
        this.fate = new JobFate(job, settings);
        this.lease = new Lease(settings.consumer(), settings.incarnation(), reporter);
        this.handover = new LoopHandover(reporter, demand, coverage);
        this.tasks = new ServingTasks(demand);
        this.attempts = new Attempts(job, settings.memoryBytes(), reporter, effects, new EpochGate(), handover, tasks);
        this.loop = new LoopSide(settings, fate, lease, handover, attempts, reporter, effects);
    }

    // ---- what the loop asks

    /**
     * What there is for the loop; what it had before is acknowledged by the question, unless it does that itself.
     *
     * @throws JobFailed if the job will not complete
     * @throws IllegalStateException if the stream is closed
     */
    Turn turn() {
        lock.lock();
        try {
            return loop.turn();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #turn}, but waits until there is a batch or there will be none. */
    Turn await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Turn turn = loop.turn();
            while (turn == Turn.WAIT) {
                waiters++;
                try {
                    changed.await();
                } finally {
                    waiters--;
                }
                turn = loop.turn();
            }
            return turn;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Hands the batch that is set aside to the loop, which claims it.
     *
     * @param waitedNanos how long the loop waited for it
     * @throws JobFailed if the job failed since the batch was set aside
     */
    Batch take(long nowNanos, long waitedNanos) {
        lock.lock();
        try {
            return loop.take(this, nowNanos, waitedNanos);
        } finally {
            lock.unlock();
        }
    }

    /** The loop is done with a batch. */
    void acknowledge(Batch batch) {
        lock.lock();
        try {
            loop.acknowledge(batch);
        } finally {
            lock.unlock();
        }
    }

    long elements(Batch batch) {
        lock.lock();
        try {
            return batch.frame().claims().elements(batch.part());
        } finally {
            lock.unlock();
        }
    }

    long[] tickets(Batch batch) {
        return answer(() -> batch.frame().tickets(batch.part()));
    }

    /** How long the loop waited to hear that the stream is over. */
    void endWaited(long nanos) {
        underLock(() -> handover.endWaited(nanos));
    }

    // ---- what comes from channels

    /** A batch came; it is taken over. */
    void batch(Frame frame) {
        lock.lock();
        try {
            if (!fate.goesOn()) {
                frame.close(frame.parts());
            } else if (attempts.received(frame)) {
                signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** No batch of this attempt follows. */
    void end(AttemptKey attempt, long lastSequence, EndOf of) {
        underLock(() -> {
            if (fate.goesOn() && attempts.ended(attempt, lastSequence, of)) {
                signal();
            }
        });
    }

    /** The attempt's worker cannot be reached any more. */
    void down(AttemptKey attempt, String reason) {
        underLock(() -> {
            if (fate.goesOn()) {
                attempts.lost(attempt, reason);
            }
        });
    }

    /** The attempt's worker does not want the channel. */
    void refused(AttemptKey attempt, RefusalCode code, String reason) {
        underLock(() -> {
            Optional<AttemptPlace> place = attempts.delivering(attempt);
            if (place.isEmpty() || !fate.goesOn()) {
                return;
            }
            String said = "worker " + place.get().getWorker() + ": " + reason;
            switch (code) {
                case TOKEN, VERSION, UNKNOWN_CONSUMER -> fail(FailureKind.REFUSED, said);
                case REPLACED, STALE ->
                    fail(
                            FailureKind.FAILED,
                            "another process reads as its consumer " + settings.consumer() + ", " + said);
                // the dispatcher knows by the worker's own beat, and says what follows
                case FAILED, CLOSED -> attempts.silenced(attempt);
                case UNKNOWN_ATTEMPT, INCARNATION, OUT_OF_STEP, BUSY -> attempts.lost(attempt, said);
            }
        });
    }

    // ---- what comes from the watch

    /** The job's newest status. */
    void status(JobStatus newest, long nowNanos) {
        underLock(() -> {
            if (!fate.accepts(newest)) {
                stop();
                return;
            }
            lease.confirmed(newest.getConfirmed(), nowNanos);
            for (EpochProgress epoch : newest.getProgress()) {
                if (epoch.getComplete()) {
                    coverage.complete(epoch.getEpoch());
                }
            }
            if (fate.goesOn()) {
                fate.follow(newest);
                if (fate.goesOn()) {
                    attempts.follow(newest, lease.isOver());
                } else {
                    stop();
                }
            }
            changed.signalAll();
        });
    }

    /** The job's status cannot be learned any more. */
    void failed(RuntimeException cause) {
        underLock(() -> {
            if (!fate.isFailed()) {
                fate.lose(cause);
                discardAll();
            }
            changed.signalAll();
        });
    }

    // ---- what its links ask

    /** Time has passed: what is to be sent. */
    Outgoing tick(long nowNanos) {
        lock.lock();
        try {
            if (lease.passed(nowNanos)) {
                changed.signalAll();
            }
            return new Outgoing(reporter.due(nowNanos), demand.due(nowNanos));
        } finally {
            lock.unlock();
        }
    }

    /** Kafka did not take a report. */
    void reportFailed(long reportSequence) {
        underLock(() -> reporter.failed(reportSequence));
    }

    ClientHeartbeat farewell(long nowNanos) {
        return answer(() -> demand.farewell(nowNanos));
    }

    /** From here on CANCELLED is what was asked for. */
    void cancelling() {
        underLock(fate::cancelling);
    }

    Optional<JobStatus> status() {
        return answer(fate::status);
    }

    /** Whether the loop was told that nothing follows. */
    boolean isOver() {
        return answer(loop::isOver);
    }

    /** Whether the job may still be running, and is this process's own. */
    boolean isCancellable() {
        return answer(fate::isCancellable);
    }

    /** Waits until the job has ended and so its ledger is final; false if that takes longer. */
    boolean awaitFinal(long timeoutNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long rest = timeoutNanos;
            while (rest > 0 && !fate.isFailed() && !fate.isFinal()) {
                rest = changed.awaitNanos(rest);
            }
            return fate.isFinal();
        } finally {
            lock.unlock();
        }
    }

    /** @throws JobFailed if the job did, also where the loop has had all of its batches */
    void requireNotFailed() {
        underLock(fate::requireNotFailed);
    }

    StreamTotals totals() {
        return answer(() -> handover.totals(tasks));
    }

    /** The loop wants nothing more: all that it did not take is given back. */
    void close() {
        underLock(() -> {
            fate.close();
            handover.breakPromise();
            discardAll();
            changed.signalAll();
        });
    }

    // ---- under the lock

    private void discardAll() {
        handover.discardAll();
        attempts.closeAll();
    }

    private void fail(FailureKind kind, String reason) {
        fate.fail(kind, reason);
        stop();
    }

    /** The stream goes on no more: what is promised still comes where the job completed. */
    private void stop() {
        if (fate.isFailed()) {
            handover.breakPromise();
        }
        discardAll();
        changed.signalAll();
    }

    private void signal() {
        if (waiters > 0) {
            changed.signalAll();
        }
    }

    private void underLock(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T answer(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }
}
