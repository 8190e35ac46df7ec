package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptFailure;
import io.praline.schema.FailureKind;
import io.praline.schema.FinishAttempt;
import io.praline.schema.StartAttempt;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.SplitQueue;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.delivery.OutboxClosed;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.graph.TaskGraph;
import io.praline.worker.graph.TaskGraphs;
import io.praline.worker.graph.TaskSettings;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.BusyTime;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt from its start to its end. Its {@link AttemptLifecycle} says where it stands, and each thread has a part of
 * its own:
 *
 * <pre>
 *   commands   {@link #assign}, {@link #finish}, {@link #fence}: into the queue of splits and the lifecycle
 *   feed       {@link SplitFeeder}: splits from the queue into the graph
 *   attempt    the puller: {@link BatchPuller} from the graph into the outbox, then {@link AttemptEnding}
 *   counting   {@link SplitCounting}: how many elements there are
 *   heartbeat  reads {@link #report}
 * </pre>
 *
 * <p>It never cancels the graph. To stop, the queue is closed and what is in flight is drained and dropped; only then is
 * the session closed.
 */
public final class AttemptRun {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);

    private final StartAttempt order;
    private final AttemptKey key;
    private final Surroundings around;
    private final BatchSink sink;
    private final AttemptLifecycle lifecycle;
    private final AttemptReport report;
    private final SplitQueue splits = new SplitQueue();
    private final Settlement settlement = new Settlement();
    private final BusyTime busy = new BusyTime();
    private final SplitFeeder feeder;
    private final SplitCounting counting;
    private final BatchPuller puller;
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * What an attempt needs of its worker.
     *
     * @param worker its id, for messages
     * @param share what the attempt may use where the order does not say
     * @param pipelines gives a pipeline by its digest
     * @param counting where records of splits are counted
     * @param urgent asks for a beat at once
     */
    public record Surroundings(
            String worker,
            TaskShare share,
            Function<String, KnownPipeline> pipelines,
            Executor counting,
            Runnable urgent) {}

    AttemptRun(StartAttempt order, Surroundings around, BatchSink sink) {
        this.order = order;
        this.key = new AttemptKey(order.getJob(), order.getEpoch(), order.getAttempt());
        this.around = around;
        this.sink = sink;
        this.lifecycle = new AttemptLifecycle(key);
        this.feeder = new SplitFeeder(key, splits, lifecycle, busy, this::broken);
        this.report = new AttemptReport(key, new Numbers(), around.urgent());
        this.counting = new SplitCounting(order, around, lifecycle, settlement, report, this::broken);
        this.puller = new BatchPuller(order.getBatchLimitBytes(), lifecycle, sink, settlement, report, busy);
    }

    AttemptKey key() {
        return key;
    }

    AttemptReport report() {
        return report;
    }

    void start() {
        Thread pulling = new Thread(this::run, "attempt " + key);
        pulling.setDaemon(true);
        pulling.start();
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

    /** Delivers nothing more; what is in flight is drained in the background. */
    void fence() {
        lifecycle.fence();
        splits.stop();
        sink.close();
    }

    long outboxBytes() {
        return sink.bytes();
    }

    /** Whether it ended and its clients have all of it, or it failed. */
    boolean delivered() {
        return over.getCount() == 0 && (lifecycle.stopped() || sink.delivered());
    }

    /** Waits until its thread has ended and the session is closed; false where that takes longer. */
    boolean awaitOver(long millis) throws InterruptedException {
        return over.await(millis, TimeUnit.MILLISECONDS);
    }

    private void run() {
        try {
            work();
        } catch (AttemptFailed e) {
            fail(e);
        } catch (EngineFailure e) {
            fail(new AttemptFailed(
                    e.dataAtFault() ? FailureKind.REFUSED : FailureKind.FAILED,
                    "TensorFlow does not run the pipeline: " + e.getMessage()));
        } catch (InterruptedException e) {
            fail(new AttemptFailed(FailureKind.FAILED, "worker " + around.worker() + " was interrupted"));
        } catch (RuntimeException | LinkageError e) {
            LOG.error("attempt {} broke", key, e);
            fail(new AttemptFailed(
                    FailureKind.FAILED, "attempt " + key + " broke on worker " + around.worker() + ": " + e));
        } finally {
            puller.close();
            over.countDown();
        }
    }

    /** The first failure is told; what follows from it is not. */
    private void fail(AttemptFailed why) {
        if (lifecycle.fail(why)) {
            report.failed(new AttemptFailure(why.kind(), why.getMessage()));
            if (why.kind() == FailureKind.REFUSED) {
                sink.fail(why.getMessage());
            }
        }
    }

    /** Found out beside the puller: it is told at once, and the graph is drained. */
    private void broken(AttemptFailed why) {
        fail(why);
        splits.stop();
    }

    private void work() throws InterruptedException {
        KnownPipeline pipeline = around.pipelines().apply(order.getPipelineDigest());
        TaskSettings settings = settings(pipeline);
        if (lifecycle.fenced()) {
            return;
        }
        TaskGraph graph = TaskGraphs.build(pipeline.graph(), pipeline.analysis(), settings);
        GraphSession made = new GraphSession(graph);
        if (!lifecycle.running()) {
            made.close();
            return;
        }
        BadRecordSearch search = new BadRecordSearch(around.worker(), pipeline, settings);
        Thread feeding = feeder.start(made);
        report.ready();
        try {
            puller.pull(made, feeder, settings.tracked() && pipeline.analysis().batched());
            feeder.exhausted();
            feeding.join();
        } catch (AttemptFailed e) {
            fail(e);
            drain(made, feeding);
            return;
        } catch (EngineFailure e) {
            // the search reads files again: first nothing more is started
            splits.stop();
            fail(search.of(e, candidates(settings.tracked())));
            drain(made, feeding);
            return;
        } catch (OutboxClosed e) {
            lifecycle.fence();
            drain(made, feeding);
            return;
        }
        if (!lifecycle.settling()) {
            close(made);
            return;
        }
        try {
            TicketSet withheld = puller.withheld();
            puller.reportMetrics(made);
            TicketSet dropped = TicketSet.of(made.drainDropped());
            new AttemptEnding(lifecycle, search, settlement, sink, report)
                    .tell(new AttemptEnding.Undelivered(withheld, dropped, graph.reportsDrops()));
        } finally {
            // the client knows of the end by now: giving back a graph's buffers takes up to a tenth of a second
            close(made);
        }
    }

    private TaskSettings settings(KnownPipeline pipeline) {
        TaskShare share = around.share().orElse(order.getThreads(), order.getRamBytes());
        return TaskSettings.of(share.threads())
                .withTracked(pipeline.tracked(order.getGuarantee()))
                .withSeed(order.getSeed())
                .withEpoch(order.getEpoch())
                .withAttempt(order.getAttempt())
                .withRamBytes(share.ramBytes())
                .withPack(true)
                .withSkipBad(order.getSkipBad() > 0);
    }

    /** Splits in which an element may be that failed, the likeliest first. */
    private List<AssignedSplit> candidates(boolean tracked) {
        List<AssignedSplit> last = feeder.fedLast();
        if (tracked) {
            NavigableMap<Long, AssignedSplit> open = settlement.open();
            last.removeIf(split -> !open.containsKey(split.getOrdinal()));
        }
        return last;
    }

    private void drain(GraphSession from, Thread feeding) throws InterruptedException {
        splits.stop();
        feeding.join();
        if (puller.drain(from)) {
            close(from);
        } else {
            LOG.warn("the graph of attempt {} does not come to its end; its memory is given up", key);
            feeder.forgetSession();
        }
    }

    private void close(GraphSession ended) {
        feeder.forgetSession();
        ended.close();
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
    }
}
