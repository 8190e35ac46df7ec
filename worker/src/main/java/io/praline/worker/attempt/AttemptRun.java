package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptFailure;
import io.praline.schema.ClosedLane;
import io.praline.schema.FailureKind;
import io.praline.schema.FinishAttempt;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.SplitQueue;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.OutboxClosed;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.BusyTime;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.StoreFailed;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt from its start to its end. Its {@link AttemptLifecycle} says where it stands, and each thread has a part of
 * its own:
 *
 * <pre>
 *   commands   {@link #assign}, {@link #finish}, {@link #fence}: into the queue of splits and the lifecycle;
 *              {@link #serve}: into the outbox
 *   feed       {@link SplitFeeder}: splits from the queue into the graph
 *   attempt    the puller: {@link AttemptWork}, batches from the graph into the outbox, then {@link AttemptEnding}
 *   counting   {@link SplitCounting}: how many elements there are
 *   heartbeat  reads {@link #report}
 * </pre>
 *
 * <p>Where it is fenced or fails, all of them come to their end wherever they wait or compute, within a second of the op
 * that TensorFlow runs just then: from then on nothing is delivered, so that it does no harm to cancel the graph in mid-stream.
 */
public final class AttemptRun {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);

    /** Calls that are told of a thread that is stuck. */
    private static final int DEEPEST = 12;

    private final AttemptKey key;
    private final Surroundings around;
    private final BatchSink sink;
    private final AttemptLifecycle lifecycle;
    private final AttemptReport report;
    private final SplitQueue splits = new SplitQueue();
    private final Settlement settlement = new Settlement();
    private final BusyTime busy = new BusyTime();
    private final Cancellation cancellation = new Cancellation();
    private final DataReader reader;
    private final AttemptWork work;
    private final SplitFeeder feeder;
    private final SplitCounting counting;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Optional<Thread> pulling = Optional.empty();
    private volatile Optional<Long> stoppedAt = Optional.empty();

    AttemptRun(StartAttempt order, Surroundings around, BatchSink sink) {
        this.key = new AttemptKey(order.getJob(), order.getEpoch(), order.getAttempt());
        this.around = around;
        this.sink = sink;
        this.lifecycle = new AttemptLifecycle(key);
        this.report = new AttemptReport(key, new Numbers(), around.urgent());
        this.reader = new DataReader(around.worker(), around.staging().reading());
        AttemptCache cache = new AttemptCache(order, around, settlement);
        this.counting = new SplitCounting(order, around, reader, lifecycle, settlement, report, cache, this::fail);
        this.work = new AttemptWork(
                order,
                around,
                lifecycle,
                splits,
                counting,
                settlement,
                sink,
                report,
                busy,
                reader,
                cache,
                cancellation,
                this::fail);
        this.feeder = work.feeder();
    }

    AttemptKey key() {
        return key;
    }

    AttemptReport report() {
        return report;
    }

    /** Does its work on a thread of its own. */
    void start() {
        Thread thread = new Thread(this::run, "attempt " + key);
        thread.setDaemon(true);
        pulling = Optional.of(thread);
        thread.start();
    }

    /** Takes an assignment, once. Called by the thread of the commands. */
    void assign(AssignSplits assign) {
        if (assign.getAssignment() != splits.through() + 1 || lifecycle.fenced()) {
            return;
        }
        for (AssignedSplit split : assign.getSplits()) {
            settlement.assigned(split);
        }
        splits.offer(assign.getAssignment(), assign.getSplits());
        assign.getSplits().forEach(counting::later);
    }

    /** Nothing more will be assigned. */
    void finish(FinishAttempt how) {
        if (lifecycle.finish(how)) {
            splits.finish(how.getAssignment());
            report.draining();
        }
    }

    /** Consumers came or went. */
    void serve(Membership membership) {
        sink.serve(membership);
        around.urgent().run(); // who waits for what a closed lane had should not wait long
    }

    /** Delivers nothing more; its threads end in the background. */
    void fence() {
        lifecycle.fence();
        sink.close();
        halt();
    }

    /** Ends what its threads wait for or do. It is stopped by now: what is lost nobody wants. */
    private void halt() {
        stoppedAt = stoppedAt.or(() -> Optional.of(around.nanoTime().getAsLong()));
        splits.stop();
        settlement.abandon();
        cancellation.request();
        reader.staged().stop();
    }

    /** Whether its threads have been told to end. */
    boolean isStopped() {
        return stoppedAt.isPresent();
    }

    /** For how long its threads have been told to end; empty where they were not. */
    Optional<Duration> stoppedFor(long nowNanos) {
        return stoppedAt.map(at -> Duration.ofNanos(Math.max(0, nowNanos - at)));
    }

    /** What it looks like to whoever watches that it gets on. */
    ProgressWatch.Sight sight() {
        boolean heldBack = work.heldBack() || sink.waitsForConsumer();
        boolean due = !isOver() && !heldBack && (feeder.started() ? feeder.waited() : true);
        return new ProgressWatch.Sight(due, report.totals().batches() + feeder.elementsSeen() + reader.progress());
    }

    /** Nothing has come of it for so long: another worker is to go on with what it owes. */
    void stuck(Duration still) {
        fail(AttemptFailed.stuck(
                "it is stuck: no batch, no split and no element for " + still.toMinutes() + " min, though "
                        + (feeder.started()
                                ? "it has yet to open " + feeder.unopened() + " of its splits"
                                : "its graph is to be made")
                        + " and nobody holds it back",
                still));
    }

    /** Where its thread is just now, the innermost call first. */
    String whereItStands() {
        return Arrays.stream(pulling.map(Thread::getStackTrace).orElse(new StackTraceElement[0]))
                .limit(DEEPEST)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
    }

    long outboxBytes() {
        return sink.bytes();
    }

    /** Whether it ended and its clients have all of it, or it failed. */
    boolean delivered() {
        return isOver() && (lifecycle.stopped() || sink.delivered());
    }

    /** Whether its threads have ended and the session is closed. */
    boolean isOver() {
        return over.getCount() == 0;
    }

    /** Waits until its thread has ended and the session is closed; false where that takes longer. */
    boolean awaitOver(long millis) throws InterruptedException {
        return over.await(millis, TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            guarded(this::doAll);
        } finally {
            over();
        }
    }

    /** All of it that its threads do. */
    AttemptWork steps() {
        return work;
    }

    /** A part of what its threads do. */
    @FunctionalInterface
    interface Work {
        void run() throws InterruptedException;
    }

    /** Nothing more is done. */
    void over() {
        try {
            work.close();
            reader.staged().close();
        } finally {
            over.countDown();
        }
    }

    /** Does a part of the work; what it throws ends the attempt as it must. */
    void guarded(Work part) {
        try {
            part.run();
        } catch (AttemptFailed e) {
            fail(e);
        } catch (StoreFailed e) {
            fail(AttemptFailed.of(e));
        } catch (CancellationException e) {
            LOG.debug("attempt {} left its work: {}", key, e.getMessage());
        } catch (OutboxClosed e) {
            lifecycle.fence();
            halt();
        } catch (EngineFailure e) {
            fail(AttemptFailed.ofGraph(e));
        } catch (InterruptedException e) {
            fail(new AttemptFailed(FailureKind.FAILED, "worker " + around.worker() + " was interrupted"));
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.error("attempt {} broke", key, e);
            fail(AttemptFailed.broke("attempt " + key + " broke on worker " + around.worker(), e));
        } catch (Error e) {
            fail(AttemptFailed.broke("attempt " + key + " broke on worker " + around.worker(), e));
            throw e; // and with its thread the process ends
        }
    }

    /** The first failure is told; what follows from it is not. Any of its threads. */
    private void fail(AttemptFailed failure) {
        AttemptFailed why = failure.told(reader::told);
        if (lifecycle.fail(why)) {
            report.failed(
                    new AttemptFailure(why.kind(), why.getMessage(), why.still().toSeconds()));
            if (why.kind() == FailureKind.REFUSED) {
                sink.fail(why.getMessage());
            } else {
                sink.seal();
            }
            halt();
        }
    }

    private void doAll() throws InterruptedException {
        Optional<EngineFailure> broken;
        // the client knows of the end by the time it is closed: giving back a graph's buffers takes up to a tenth of a
        // second
        try {
            broken = work.begin() ? deliver() : Optional.empty();
        } finally {
            work.closeGraph();
        }
        // the search reads files again, and may take its time: what the attempt held is given back by now
        broken.ifPresent(failure -> fail(work.failure(failure)));
    }

    /** All that there is to deliver, and how it ends; what TensorFlow failed on, where it did. */
    private Optional<EngineFailure> deliver() throws InterruptedException {
        Thread feeding = feeder.start(work.graph());
        work.startKeeping();
        try {
            while (work.pull()) {
                // one after the other
            }
            feeder.exhausted();
            feeding.join();
        } catch (EngineFailure e) {
            return Optional.of(e);
        } catch (AttemptFailed e) {
            fail(e);
        } finally {
            work.stopFeeding();
            feeding.join();
            feeder.forgetSession();
            work.stopKeeping();
        }
        work.settle();
        return Optional.empty();
    }

    /** What the beat asks for. */
    private final class Numbers implements AttemptReport.Live {
        @Override
        public int assignedThrough() {
            return splits.through();
        }

        @Override
        public int unopened() {
            return feeder.unopened();
        }

        @Override
        public double splitSeconds() {
            return feeder.splitSeconds();
        }

        @Override
        public long outboxBytes() {
            return sink.bytes();
        }

        @Override
        public double busySeconds() {
            return busy.seconds();
        }

        @Override
        public int membership() {
            return sink.membership();
        }

        @Override
        public Optional<String> waitsFor() {
            return reader.staged().waitsFor().or(counting::waitsFor);
        }

        @Override
        public AttemptReport.Cached cached() {
            return work.cached();
        }

        @Override
        public List<ClosedLane> closedLanes() {
            return ClosedLanes.of(sink.takeClosed());
        }
    }
}
