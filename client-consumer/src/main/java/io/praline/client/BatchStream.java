package io.praline.client;

import io.praline.client.stream.Coverage;
import io.praline.client.stream.Moment;
import io.praline.client.stream.StreamTotals;
import io.praline.client.tasks.JobWatch;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.EpochProgress;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batches of a job, as one of its consumers gets them. One thread iterates; any may close it, which ends the wait of
 * the one that iterates.
 *
 * <pre>{@code
 * try (BatchStream stream = client.submit(spec)) {
 *     while (stream.hasNext()) {
 *         try (Batch batch = stream.next()) {
 *             train(batch.component("image").floats(), batch.component("label").longs());
 *         }
 *     }
 *     JobResult result = stream.result();
 * }
 * }</pre>
 *
 * <p>{@code next()} claims a batch. The question that follows, {@code hasNext()} or {@code next()}, acknowledges it,
 * unless the job is set to {@code manualAcknowledge}. Closing a batch gives its memory back and nothing else.
 *
 * <p>A stream that its submitter closes before its end cancels the job, unless {@link #leave} was called; that of a
 * consumer that attached leaves the job, which goes on: what was not acknowledged is given to others. So a batch whose step
 * threw comes again.
 *
 * <p>After a long stop of the process nothing is handed out before the job's status has said that this is still the process
 * in its consumer's place.
 */
public final class BatchStream implements Iterator<Batch>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchStream.class);

    /** How long the ledger may take to write down the last batches before the result goes without. */
    private static final Duration LEDGER_TIMEOUT = Duration.ofSeconds(10);

    /** How long the dispatcher may take to hear that the loop has left. */
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(5);

    /** How long Kafka may take to have the word that cancels the job. */
    private static final Duration CANCEL_TIMEOUT = Duration.ofSeconds(10);

    private final Parts parts;
    private final long submittedNanos;
    // owned by the thread that iterates
    private long waitedNanos;
    private Optional<LongSupplier> loopWaits = Optional.empty();
    private boolean endKnown;

    private boolean leave;
    private boolean unsure;
    private boolean closed;

    /**
     * What a stream is made of.
     *
     * @param allConsumersHere whether this process holds all of the job's consumers
     * @param cancel asks the dispatcher to cancel the job, for the reason given, and waits so long for Kafka to have that
     */
    record Parts(
            String job,
            int consumer,
            boolean owner,
            StreamCore core,
            StreamLinks links,
            JobWatch watch,
            Coverage coverage,
            BooleanSupplier allConsumersHere,
            BiConsumer<String, Duration> cancel,
            Runnable closed) {}

    BatchStream(Parts parts, long submittedNanos) {
        this.parts = parts;
        this.submittedNanos = submittedNanos;
        this.leave = !parts.owner();
    }

    /** The dispatcher is about to be told that this process takes its consumer's place. */
    void attaching() {
        parts.core().attaching(StreamLinks.now());
    }

    /** The dispatcher was asked for that, by the last of these requests; for the job itself by those before it. */
    void asked(List<JobRequest> requests) {
        parts.links().asked(requests);
    }

    /**
     * For who asks for batches before the loop does: the loop's waiting is what this says, and not how long the questions
     * took. It is asked when a batch is claimed, and when the end is known.
     *
     * @param nanos how long the loop has waited for what comes now
     */
    public void waitingIs(LongSupplier nanos) {
        loopWaits = Optional.of(nanos);
    }

    private long waited() {
        return loopWaits.map(LongSupplier::getAsLong).orElse(waitedNanos);
    }

    /** The job's id. */
    public String job() {
        return parts.job();
    }

    /** The job's newest status; empty until the dispatcher has said something. */
    public Optional<JobStatus> status() {
        return parts.core().status();
    }

    /**
     * Whether there is another batch; waits until that is known. False says that the stream has come to its end, or that
     * this process cancelled the job.
     *
     * @throws JobFailed if the job was refused, failed or was cancelled by others, or another process took this one's place
     * @throws IllegalStateException if the stream is closed, or the thread was interrupted
     */
    @Override
    public boolean hasNext() {
        StreamCore.Turn turn = parts.core().turn(StreamLinks.now());
        if (turn == StreamCore.Turn.WAIT) {
            turn = await();
        }
        if (turn == StreamCore.Turn.READY) {
            return true;
        }
        if (!endKnown) {
            endKnown = true;
            parts.core().endWaited(waited());
        }
        return false;
    }

    private StreamCore.Turn await() {
        long from = System.nanoTime();
        try {
            return parts.core().await(StreamLinks::now);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        } finally {
            waitedNanos += System.nanoTime() - from;
        }
    }

    /**
     * The next batch, which the loop closes when it is done with it.
     *
     * @throws NoSuchElementException if there is none any more
     * @throws JobFailed as by {@link #hasNext}
     */
    @Override
    public Batch next() {
        while (hasNext()) {
            Optional<Batch> batch = parts.core().take(StreamLinks.now(), waited());
            if (batch.isPresent()) {
                waitedNanos = 0;
                return batch.get();
            }
        }
        throw new NoSuchElementException("job " + parts.job() + " has no more batches");
    }

    /**
     * For who hands batches on to a loop elsewhere: when that is not to be done any more with what {@link #next} gave, which is when
     * either clock comes there. Then {@link #awaitHandsOn} knows more.
     */
    public Moment handsOnUntil() {
        return parts.core().handsOnUntil(StreamLinks.now());
    }

    /**
     * Waits until it is heard that this process is still the one in its consumer's place, and what it was given may be handed on:
     * any thread.
     *
     * @return until when
     * @throws NoSuchElementException if the job completed without this process, and so without what was not handed on
     * @throws JobFailed as by {@link #hasNext}
     * @throws IllegalStateException if the stream is closed, or the thread was interrupted
     */
    public Moment awaitHandsOn() {
        try {
            return parts.core().awaitHandsOn(StreamLinks::now);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private IllegalStateException interrupted(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for a batch of job " + parts.job(), interrupted);
    }

    /**
     * Closing this stream leaves the job, which goes on: others get what the loop did not take, and what it neither
     * acknowledged nor asked past.
     */
    public void leave() {
        leave = true;
    }

    /**
     * The loop ran in a program that is gone without a word: it may have trained on what it took and did not acknowledge.
     * Where the job goes on that is given to others, and is on record as possibly trained twice.
     */
    public void loopDied() {
        unsure = true;
    }

    /** Cancels the job; what the loop did not take is gone. */
    public void cancel(String reason) {
        cancel(reason, CANCEL_TIMEOUT);
    }

    private void cancel(String reason, Duration within) {
        parts.core().cancelling();
        parts.cancel().accept(reason, within);
    }

    /**
     * What became of the job. At the end of the stream, all of it acknowledged, it waits up to ten seconds for the ledger's
     * last numbers; before that it gives those of the moment.
     *
     * @throws JobFailed if the job failed after its last batch, as where more records are bad than may be skipped, or
     *     was cancelled by others
     */
    public JobResult result() {
        if (parts.core().isOverAndDone()) {
            awaitLedger();
            parts.core().requireNotFailed();
        }
        StreamTotals totals = parts.core().totals();
        Optional<JobStatus> status = parts.core().status();
        List<EpochProgress> epochs = status.map(JobStatus::getProgress).orElse(List.of());
        boolean tracked = totals.taken().untrackedElements() == 0
                && status.map(known -> known.getGuarantee() == Guarantee.EXACTLY_ONCE)
                        .orElse(false);
        return new JobResult(
                parts.job(),
                status.map(JobStatus::getState).orElse(JobState.WAITING),
                status.map(JobStatus::getConsumers).orElse(1),
                status.map(BatchStream::inDoubt).orElse(0L),
                status.map(JobStatus::getGuarantee).orElse(Guarantee.AT_LEAST_ONCE),
                status.map(JobStatus::getGuaranteeReasons).orElse(List.of()),
                status.map(JobStatus::getNotes).orElse(List.of()),
                taken(totals),
                new JobResult.Workers(totals.workersLocal(), totals.workersRemote()),
                epochs,
                tracked && parts.allConsumersHere().getAsBoolean()
                        ? OptionalLong.of(parts.coverage().missing(epochs))
                        : OptionalLong.empty(),
                tracked ? OptionalLong.of(parts.coverage().duplicates()) : OptionalLong.empty(),
                status.map(JobStatus::getBadRecords).orElse(List.of()),
                status.map(JobStatus::getTransformations).orElse(List.of()),
                status.flatMap(JobStatus::getOrder),
                new JobResult.Cache(
                        status.map(JobStatus::getCacheHits).orElse(0L),
                        status.map(JobStatus::getCache).orElse("")));
    }

    private static long inDoubt(JobStatus status) {
        return status.getSlots().stream().mapToLong(ConsumerSlot::getInDoubt).sum();
    }

    private JobResult.Taken taken(StreamTotals totals) {
        StreamTotals.Taken taken = totals.taken();
        boolean some = taken.batches() > 0;
        return new JobResult.Taken(
                taken.elements(),
                taken.batches(),
                taken.bytes(),
                some ? (taken.lastNanos() - taken.firstNanos()) / 1e9 : 0,
                some ? (taken.firstNanos() - submittedNanos) / 1e6 : 0,
                totals.endWaitNanos() / 1e6);
    }

    /**
     * Tells that the loop is gone.
     *
     * @param patient whether to wait for a Kafka that is away
     */
    private void goAway(boolean patient) {
        parts.core().leave(unsure);
        boolean told = false;
        try {
            told = parts.core().awaitLeft(LEAVE_TIMEOUT.toNanos(), patient);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        // one that never heard of its job was given nothing
        if (!told && parts.core().status().isPresent()) {
            LOG.warn(
                    "Kafka was not told that consumer {} of job {} has left: what it was given will be in doubt, until"
                            + " 'praline job {} --give-up {}' says that it is gone",
                    parts.consumer(),
                    parts.job(),
                    parts.job(),
                    parts.consumer());
        }
    }

    private boolean awaitLedger() {
        try {
            return parts.core().awaitFinal(LEDGER_TIMEOUT.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Ends the stream and frees all that it holds. At its end, all of it acknowledged, waits up to ten seconds until the ledger
     * has the last batches; before that, cancels the job unless it is to be left. Leaving a job that goes on waits up to five seconds
     * until the dispatcher has heard it, and while Kafka is away as long as there is patience, since nobody would hear of it
     * otherwise; an interrupt ends that wait. A thread that comes here interrupted waits those five seconds at most, and is
     * interrupted when it leaves.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        // that ended the loop's waiting, and must not end ours, in which others hear that the loop is gone
        boolean interrupted = Thread.interrupted();
        try {
            if (parts.core().isOverAndDone()) {
                if (!interrupted) {
                    awaitLedger();
                }
                goAway(!interrupted);
            } else if (!leave && parts.core().isCancellable()) {
                cancel("its consumer closed the stream before the end", interrupted ? LEAVE_TIMEOUT : CANCEL_TIMEOUT);
            } else {
                goAway(!interrupted);
            }
        } finally {
            parts.core().close();
            parts.links().close();
            parts.watch().close();
            parts.closed().run();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
