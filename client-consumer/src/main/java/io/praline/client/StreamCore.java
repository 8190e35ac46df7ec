package io.praline.client;

import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.stream.Attempts;
import io.praline.client.stream.ConsumerPlace;
import io.praline.client.stream.Coverage;
import io.praline.client.stream.EpochGate;
import io.praline.client.stream.Frame;
import io.praline.client.stream.Lease;
import io.praline.client.stream.LoopHandover;
import io.praline.client.stream.Moment;
import io.praline.client.stream.ServingTasks;
import io.praline.client.stream.StreamEffects;
import io.praline.client.stream.StreamSettings;
import io.praline.client.stream.StreamTotals;
import io.praline.identity.LaneKey;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumptionReport;
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
 *   {@link StreamCourse}  what each status changes, and the ways in which the stream stops
 *     {@link JobFate}       how the job stands, and whether the stream goes on
 *     ConsumerPlace      whether this process holds its consumer's place, and in which generation
 *   {@link Attempts}      what the status lists: dials, checks what comes, answers fences
 *     {@link EpochGate}     when the next epoch's batches may go, and when nothing follows
 *     {@link ServingTasks}  how many tasks serve the loop
 * </pre>
 *
 * <p><b>Order.</b> Within an epoch as batches arrive, but those of local workers before those of remote ones. A batch of a
 * later epoch waits at the gate. What a failure brings late of an older epoch goes before all else, whatever was handed out
 * in the meantime.
 *
 * <p><b>End.</b> The gate says that nothing follows, and all that came is handed out; or the job completed; or the loop left.
 * Whatever else ends a stream is an exception with the reason.
 *
 * <p>Times are those of whoever calls.
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

    private final ConsumptionReporter reporter;
    private final DemandReporter demand;
    private final JobFate fate;
    private final Lease lease;
    private final LoopHandover handover;
    private final Attempts attempts;
    private final ServingTasks tasks;
    private final StreamCourse course;
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
        this.reporter = reporter;
        this.demand = demand;
        this.fate = new JobFate(job, settings);
        this.lease = new Lease(reporter, settings.lease());
        this.handover = new LoopHandover(reporter, demand, coverage);
        this.tasks = new ServingTasks(demand);
        this.attempts = new Attempts(job, settings.memoryBytes(), reporter, effects, new EpochGate(), handover, tasks);
        ConsumerPlace place = new ConsumerPlace(settings.consumer(), settings.incarnation());
        this.course = new StreamCourse(settings, place, fate, lease, handover, attempts, reporter, coverage, effects);
        this.loop = new LoopSide(settings, place, fate, lease, handover, attempts, reporter, effects);
    }

    // ---- what the loop asks

    /**
     * What there is for the loop; what it had before is acknowledged by the question, unless it does that itself.
     *
     * @throws JobFailed if the job will not complete, or another process has this one's place
     * @throws IllegalStateException if the stream is closed
     */
    Turn turn(Moment now) {
        return answer(() -> loop.turn(now));
    }

    /** As {@link #turn}, but waits until there is a batch or there will be none; asks for the time at each look. */
    Turn await(Supplier<Moment> clock) throws InterruptedException {
        return awaitAnswer(() -> Optional.of(loop.turn(clock.get())).filter(turn -> turn != Turn.WAIT));
    }

    /**
     * Hands the batch that is set aside to the loop, which claims it; empty where that is not to be just now, or is gone:
     * then the loop asks again.
     *
     * @param waitedNanos how long the loop waited for it
     * @throws JobFailed if the job failed since the batch was set aside, or another process took this one's place
     */
    Optional<Batch> take(Moment now, long waitedNanos) {
        return answer(() -> loop.take(this, now, waitedNanos));
    }

    /** From when on what was handed out is not to go on to a loop elsewhere, unless {@link #awaitHandsOn} says that it may. */
    Moment handsOnUntil(Moment now) {
        return answer(() -> loop.handsOnUntil(now));
    }

    /** Waits until this process is known to be still the one in its place; asks for the time at each look. */
    Moment awaitHandsOn(Supplier<Moment> clock) throws InterruptedException {
        return awaitAnswer(() -> loop.mayHandOnUntil(clock.get()));
    }

    /** The loop is done with a batch. */
    void acknowledge(Batch batch) {
        underLock(() -> loop.acknowledge(batch));
    }

    long elements(Batch batch) {
        return answer(() -> batch.frame().claims().elements(batch.part()));
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
    void end(LaneKey lane, long lastSequence, EndOf of) {
        underLock(() -> {
            if (fate.goesOn() && attempts.ended(lane, lastSequence, of)) {
                signal();
            }
        });
    }

    /** The attempt's worker cannot be reached any more. */
    void down(LaneKey lane, String reason) {
        underLock(() -> {
            if (fate.goesOn()) {
                attempts.lost(lane, reason);
            }
        });
    }

    /** The attempt's worker does not want the channel. */
    void refused(LaneKey lane, RefusalCode code, String reason) {
        underLock(() -> {
            course.refused(lane, code, reason);
            changed.signalAll();
        });
    }

    // ---- what comes from the watch

    /** The job's newest status. */
    void status(JobStatus newest, Moment now) {
        underLock(() -> {
            course.follow(newest, now);
            changed.signalAll();
        });
    }

    /** The job's status cannot be learned any more. */
    void failed(RuntimeException cause) {
        underLock(() -> {
            course.lose(cause);
            changed.signalAll();
        });
    }

    // ---- what its links ask

    /** Time has passed: what is to be sent. */
    Outgoing tick(Moment now) {
        return answer(() -> {
            List<ConsumptionReport> reports = reporter.due(now.nanos());
            Optional<ClientHeartbeat> beat = fate.isGone() ? Optional.empty() : demand.due(now.nanos());
            beat.ifPresent(due -> lease.sent(due.getBeat(), now));
            return new Outgoing(reports, beat);
        });
    }

    /** The dispatcher is about to be told that this process takes its consumer's place. */
    void attaching(Moment now) {
        underLock(() -> lease.sent(0, now));
    }

    /** Whether nothing was told of the job, and nobody knows whether there is one. */
    boolean isUntold() {
        return answer(() -> fate.goesOn() && fate.status().isEmpty());
    }

    /** Whether the job goes on and has not heard that this process came. */
    boolean isOutside() {
        return answer(course::isOutside);
    }

    /** Kafka did not take a report. */
    void reportFailed(long reportSequence) {
        underLock(() -> reporter.failed(reportSequence));
    }

    /** Kafka has a report. */
    void reportWritten(long reportSequence) {
        underLock(() -> {
            reporter.written(reportSequence);
            signal();
        });
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

    /** Whether the loop was told that nothing follows, and is done with all that it had. */
    boolean isOverAndDone() {
        return answer(() -> fate.isOver() && !handover.hasUnacknowledged());
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

    /**
     * The loop asks no more: what it did not acknowledge or ask past is given back.
     *
     * @param unsure whether it may have trained on that
     */
    void leave(boolean unsure) {
        underLock(() -> {
            course.leave(unsure);
            changed.signalAll();
        });
    }

    /**
     * Waits until the dispatcher has heard that this process has left. When the time is over it waits on only until Kafka
     * has what there is to tell: the dispatcher reads it there, whenever it comes back.
     *
     * @param patient whether to wait on at all
     * @return false if it goes without a word, as far as it knows: what it was given will be in doubt
     */
    boolean awaitLeft(long timeoutNanos, boolean patient) throws InterruptedException {
        lock.lockInterruptibly();
        waiters++;
        try {
            long rest = timeoutNanos;
            while (fate.awaitsConfirmation() && !reporter.settled() && (rest > 0 || (patient && !reporter.written()))) {
                rest = changed.awaitNanos(rest > 0 ? rest : timeoutNanos);
            }
            return !fate.isGone() || fate.isFinal() || reporter.written();
        } finally {
            waiters--;
            lock.unlock();
        }
    }

    /** Nothing more is wanted. */
    void close() {
        underLock(() -> {
            course.close();
            changed.signalAll();
        });
    }

    // ---- under the lock

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

    private <T> T awaitAnswer(Supplier<Optional<T>> question) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Optional<T> found = question.get();
            while (found.isEmpty()) {
                waiters++;
                try {
                    changed.await();
                } finally {
                    waiters--;
                }
                found = question.get();
            }
            return found.get();
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
