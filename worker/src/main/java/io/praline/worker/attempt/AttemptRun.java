package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.ConsumerSequence;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.StartAttempt;
import io.praline.schema.TransformationMetrics;
import io.praline.wire.EndOf;
import io.praline.worker.assignment.OpeningPace;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.SplitQueue;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.delivery.OutboxClosed;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.graph.PipelineAnalysis;
import io.praline.worker.graph.TaskGraph;
import io.praline.worker.graph.TaskGraphs;
import io.praline.worker.graph.TaskSettings;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.BusyTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt from its start to its end: a thread feeds splits into the graph, another pulls batches out and puts them
 * into the outbox, and at the end every element that was assigned is delivered, excluded, or told as the remainder.
 *
 * <p>It never cancels the graph. To stop, the queue is closed and what is in flight is drained and dropped; only then is
 * the session closed.
 */
public final class AttemptRun {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);

    /** So many splits lie in the graph's own queue, where they cannot be called back; the others wait outside. */
    private static final int FED_AHEAD = 2;

    /** While the graph holds so many that it has not opened: each look is a run of the graph. */
    private static final long LONGEST_PAUSE_MS = 100;

    /** Where an element fails, its split was fed lately: a shuffle buffer rarely spans more. */
    private static final int FED_REMEMBERED = 256;

    private static final long METRICS_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** An iterator that fails this often in a row while it is drained will not come to its end. */
    private static final int DRAIN_FAILURES = 10_000;

    /** Tickets in one exclusion: a beat must stay below the size of a record. */
    private static final int TICKETS_PER_EXCLUSION = 20_000;

    private final StartAttempt order;
    private final AttemptKey key;
    private final Surroundings around;
    private final BatchSink sink;
    private final AttemptReport report;
    private final SplitQueue splits = new SplitQueue();
    private final Settlement settlement = new Settlement();
    private final OpeningPace pace = new OpeningPace();
    private final BusyTime busy = new BusyTime();
    private final Deque<AssignedSplit> fedLast = new ArrayDeque<>();
    // the puller's; frees what it still has however the attempt ends
    private final TailHold<EngineBatch> tail = new TailHold<>(batch -> batch.tickets().length, EngineBatch::close);

    private final CountDownLatch over = new CountDownLatch(1);
    private final Object sessionGuard = new Object();

    // guarded by sessionGuard: other threads ask the session for numbers only while it is there
    private Optional<GraphSession> session = Optional.empty();
    private long fed;

    private volatile Optional<FinishAttempt> finish = Optional.empty();
    private volatile Optional<AttemptFailed> failure = Optional.empty();
    private volatile boolean queueClosing;
    private volatile boolean exhausted;
    private volatile boolean fenced;
    private volatile boolean holding;

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
        this.report = new AttemptReport(key, new Numbers(), around.urgent());
    }

    AttemptKey key() {
        return key;
    }

    AttemptReport report() {
        return report;
    }

    void start() {
        Thread puller = new Thread(this::run, "attempt " + key);
        puller.setDaemon(true);
        puller.start();
    }

    /** Takes an assignment, once. Called by the thread of the commands. */
    void assign(AssignSplits assign) {
        if (assign.getAssignment() != splits.through() + 1 || fenced) {
            return;
        }
        for (AssignedSplit split : assign.getSplits()) {
            settlement.assigned(split);
        }
        splits.offer(assign.getAssignment(), assign.getSplits());
        for (AssignedSplit split : assign.getSplits()) {
            around.counting().execute(() -> count(split));
        }
    }

    /** Nothing more will be assigned. */
    void finish(FinishAttempt how) {
        if (finish.isEmpty()) {
            finish = Optional.of(how);
            splits.finish(how.getAssignment());
            report.draining();
        }
    }

    /** Delivers nothing more; what is in flight is drained in the background. */
    void fence() {
        fenced = true;
        splits.stop();
        sink.close();
    }

    long outboxBytes() {
        return sink.bytes();
    }

    /** Whether its thread has ended: the session is closed. */
    boolean over() {
        return over.getCount() == 0;
    }

    /** Whether it ended and its clients have all of it, or it failed. */
    boolean delivered() {
        return over() && (fenced || failure.isPresent() || sink.delivered());
    }

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
            tail.close();
            over.countDown();
        }
    }

    /** The first failure is told; what follows from it is not. */
    private synchronized void fail(AttemptFailed why) {
        if (!fenced && failure.isEmpty()) {
            failure = Optional.of(why);
            report.failed(new AttemptFailure(why.kind(), why.getMessage()));
            if (why.kind() == FailureKind.REFUSED) {
                sink.fail(why.getMessage());
            }
        }
    }

    private void work() throws InterruptedException {
        KnownPipeline pipeline = around.pipelines().apply(order.getPipelineDigest());
        PipelineAnalysis analysis = pipeline.analysis();
        boolean tracked = tracked(analysis);
        TaskShare share = around.share().orElse(order.getThreads(), order.getRamBytes());
        TaskSettings settings = TaskSettings.of(share.threads())
                .withTracked(tracked)
                .withSeed(order.getSeed())
                .withEpoch(order.getEpoch())
                .withRamBytes(share.ramBytes())
                .withPack(true)
                .withSkipBad(order.getSkipBad() > 0);
        if (fenced) {
            return;
        }
        TaskGraph graph = TaskGraphs.build(pipeline.graph(), analysis, settings);
        GraphSession made = new GraphSession(graph);
        synchronized (sessionGuard) {
            session = Optional.of(made);
        }
        Thread feeder = new Thread(() -> feed(made), "feed " + key);
        feeder.setDaemon(true);
        feeder.start();
        report.ready();
        boolean mayHoldTail = tracked && analysis.batched();
        try {
            pull(made, mayHoldTail);
            exhausted = true;
            feeder.join();
        } catch (AttemptFailed e) {
            fail(e);
            drain(made, feeder);
            return;
        } catch (EngineFailure e) {
            // the diagnosis reads files again: first nothing more is started
            splits.stop();
            fail(new BadRecordSearch(around.worker(), pipeline, settings).of(e, candidates(tracked)));
            drain(made, feeder);
            return;
        } catch (OutboxClosed e) {
            fenced |= failure.isEmpty();
            drain(made, feeder);
            return;
        }
        if (fenced || failure.isPresent()) {
            close(made);
            return;
        }
        try {
            TicketSet withheld = withheld();
            metrics(made).ifPresent(report::metrics);
            TicketSet dropped = TicketSet.of(made.drainDropped());
            end(new Ending(pipeline, settings, graph.reportsDrops(), withheld, dropped));
        } finally {
            // the client knows of the end by now: giving back a graph's buffers takes up to a tenth of a second
            close(made);
        }
    }

    // ---- feeding

    private void feed(GraphSession into) {
        try {
            boolean dry = splits.size() == 0;
            for (Optional<AssignedSplit> next = splits.take(); next.isPresent(); next = splits.take()) {
                holding = true;
                dry = dry && into.queueSize() == 0;
                long pause = 1;
                while (!exhausted && !fenced && failure.isEmpty() && into.queueSize() >= FED_AHEAD) {
                    Thread.sleep(pause);
                    pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
                }
                if (!exhausted && !fenced && failure.isEmpty()) {
                    into.enqueue(Feed.split(next.get()));
                    if (dry) {
                        busy.fed(System.nanoTime());
                    }
                    synchronized (sessionGuard) {
                        fed++;
                        holding = false;
                        fedLast.addLast(next.get());
                        if (fedLast.size() > FED_REMEMBERED) {
                            fedLast.removeFirst();
                        }
                    }
                }
                holding = false;
                dry = splits.size() == 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            broken(new AttemptFailed(FailureKind.FAILED, "splits cannot be fed: " + e));
        } finally {
            queueClosing = true;
            if (!exhausted) {
                into.closeQueue();
            }
        }
    }

    // ---- counting

    private void count(AssignedSplit split) {
        if (fenced || failure.isPresent()) {
            return;
        }
        long ordinal = split.getOrdinal();
        try {
            PipelineAnalysis analysis =
                    around.pipelines().apply(order.getPipelineDigest()).analysis();
            OptionalLong records = SplitRecords.count(around.worker(), split.getSplit(), analysis, order.getSkipBad());
            records.ifPresent(counted -> report.opened(ordinal, counted));
            if (!tracked(analysis)) {
                settlement.forget(ordinal);
            } else if (records.isPresent()) {
                settlement.counted(ordinal, records.getAsLong());
            } else {
                settlement.openEnded(ordinal);
            }
        } catch (AttemptFailed e) {
            broken(e);
            settlement.forget(ordinal);
        }
    }

    private boolean tracked(PipelineAnalysis analysis) {
        return order.getGuarantee() == Guarantee.EXACTLY_ONCE && analysis.exactlyOnce();
    }

    /** Found out beside the puller: it is told at once, and the graph is drained. */
    private void broken(AttemptFailed why) {
        fail(why);
        splits.stop();
    }

    /** Splits in which an element may be that failed, the likeliest first. */
    private List<AssignedSplit> candidates(boolean tracked) {
        List<AssignedSplit> last;
        synchronized (sessionGuard) {
            last = new ArrayList<>(fedLast);
        }
        if (tracked) {
            NavigableMap<Long, AssignedSplit> open = settlement.open();
            last.removeIf(split -> !open.containsKey(split.getOrdinal()));
        }
        return last;
    }

    // ---- pulling

    private void pull(GraphSession from, boolean mayHoldTail) throws InterruptedException {
        long metricsAt = System.nanoTime();
        busy.start(metricsAt);
        for (Optional<EngineBatch> next = from.next(); next.isPresent(); next = from.next()) {
            busy.pulled(System.nanoTime());
            EngineBatch batch = next.get();
            if (fenced || failure.isPresent()) {
                batch.close();
                continue;
            }
            boolean mayBeTail = mayHoldTail && batch.packed() == 0 && queueClosing && !deliverTail();
            tail.offer(batch, mayBeTail);
            for (Optional<EngineBatch> ready = tail.next(); ready.isPresent(); ready = tail.next()) {
                deliver(ready.get());
            }
            if (System.nanoTime() - metricsAt > METRICS_EVERY_NANOS) {
                metrics(from).ifPresent(report::metrics);
                metricsAt = System.nanoTime();
            }
        }
    }

    /** The elements of what was held back to the end; frees their memory. */
    private TicketSet withheld() {
        TicketSet tickets = TicketSet.NONE;
        for (EngineBatch batch : tail.withheld()) {
            tickets = tickets.plus(TicketSet.of(batch.tickets()));
            batch.close();
        }
        return tickets;
    }

    private boolean deliverTail() {
        return finish.map(FinishAttempt::getDeliverTail).orElse(false);
    }

    private void deliver(EngineBatch batch) throws InterruptedException {
        long[] tickets = batch.tickets();
        int batches = Math.max(1, batch.packed());
        long bytes = batch.bytes();
        long limit = order.getBatchLimitBytes();
        if (limit > 0 && bytes / batches > limit) {
            batch.close();
            throw new AttemptFailed(
                    FailureKind.REFUSED,
                    "a batch of " + bytes / batches + " bytes is larger than the limit of " + limit
                            + " bytes; make batches smaller or raise the limit");
        }
        List<OutgoingTensor> tensors = batch.tensors().stream()
                .map(tensor -> new OutgoingTensor(
                        tensor.dtype(),
                        tensor.shape().stream().mapToLong(Long::longValue).toArray(),
                        tensor.body()))
                .toList();
        long since = System.nanoTime();
        try {
            sink.put(new OutgoingBatch(tickets, batch.packed(), tensors, batch::close));
            busy.put(since, System.nanoTime());
        } catch (IllegalArgumentException e) {
            throw new AttemptFailed(FailureKind.REFUSED, e.getMessage());
        }
        settlement.delivered(tickets);
        report.batch(tickets.length > 0 ? tickets.length : batches, batches, bytes);
    }

    /** Totals so far; empty where TensorFlow has no model of the iterator, as before the first element. */
    private static Optional<List<TransformationMetrics>> metrics(GraphSession of) {
        try {
            List<TransformationMetrics> totals = of.metrics().stream()
                    .map(node -> new TransformationMetrics(
                            node.name(), node.kind(), node.elements(), node.bytes(), node.nanos()))
                    .toList();
            return totals.isEmpty() ? Optional.empty() : Optional.of(totals);
        } catch (EngineFailure e) {
            LOG.debug("no metrics: {}", e.getMessage());
            return Optional.empty();
        }
    }

    // ---- ending

    private void drain(GraphSession from, Thread feeder) throws InterruptedException {
        splits.stop();
        feeder.join();
        int failures = 0;
        while (failures < DRAIN_FAILURES) {
            try {
                Optional<EngineBatch> next = from.next();
                if (next.isEmpty()) {
                    close(from);
                    return;
                }
                next.get().close();
            } catch (EngineFailure e) {
                failures++;
            }
        }
        LOG.warn("the graph of attempt {} does not come to its end; its memory is given up", key);
        synchronized (sessionGuard) {
            session = Optional.empty();
        }
    }

    private void close(GraphSession ended) {
        synchronized (sessionGuard) {
            session = Optional.empty();
        }
        ended.close();
    }

    private record Ending(
            KnownPipeline pipeline, TaskSettings settings, boolean dropsTold, TicketSet withheld, TicketSet dropped) {

        Settlement.Leaks leaks() {
            return new Settlement.Leaks(
                    pipeline.analysis().filters(),
                    pipeline.analysis().filters() && dropsTold,
                    pipeline.analysis().dropRemainder());
        }
    }

    private void end(Ending ending) throws InterruptedException {
        TicketSet remainder = TicketSet.NONE;
        if (ending.settings().tracked()) {
            settlement.awaitCounted();
            if (fenced || failure.isPresent()) {
                return;
            }
            settlement.countOpenEnded(ending.withheld().plus(ending.dropped())).forEach(report::opened);
            remainder = settle(ending);
        }
        sink.end(endOf(ending.settings().tracked()));
        List<ConsumerSequence> last = new ArrayList<>();
        for (long sequence : sink.lastSequences()) {
            last.add(new ConsumerSequence(last.size(), sequence));
        }
        report.ended(new AttemptEnd(last, remainder.runs()));
    }

    /** Of a tracked epoch only the last attempt delivers its tail; of others each does, so that none knows that it is the last. */
    private EndOf endOf(boolean tracked) {
        if (finish.map(FinishAttempt::getLast).orElse(false)) {
            return EndOf.JOB;
        }
        return tracked && deliverTail() ? EndOf.EPOCH : EndOf.ATTEMPT;
    }

    /** Tells what is excluded; gives what is still owed. */
    private TicketSet settle(Ending ending) {
        BadRecords bad = BadRecords.NONE;
        if (ending.settings().skipBad()) {
            TicketSet missing =
                    settlement.undelivered().minus(ending.withheld()).minus(ending.dropped());
            bad = new BadRecordSearch(around.worker(), ending.pipeline(), ending.settings())
                    .bad(missing, settlement.open(), ending.leaks());
        }
        Settlement.Outcome outcome =
                settlement.settle(ending.withheld(), ending.dropped(), bad.tickets(), ending.leaks(), deliverTail());
        if (!outcome.lost().isEmpty() && deliverTail()) {
            throw new AttemptFailed(
                    FailureKind.FAILED,
                    outcome.lost().count() + " elements of attempt " + key
                            + " did not come out of the graph, and nothing in the pipeline drops any");
        }
        report.excluded(exclusions("filter", outcome.filtered()));
        report.excluded(exclusions("drop_remainder", outcome.tail()));
        report.excluded(bad.exclusions());
        return outcome.remainder().plus(outcome.lost());
    }

    private static List<Exclusion> exclusions(String reason, TicketSet tickets) {
        return tickets.parts(TICKETS_PER_EXCLUSION).stream()
                .map(part -> new Exclusion(reason, part.count(), part.runs(), List.of()))
                .toList();
    }

    /** What the beat asks for. */
    private final class Numbers implements AttemptReport.Live {
        @Override
        public int assignedThrough() {
            return splits.through();
        }

        @Override
        public int unopened() {
            synchronized (sessionGuard) {
                if (exhausted) {
                    return 0;
                }
                int waiting = splits.size() + (holding ? 1 : 0);
                long within = session.map(GraphSession::queueSize).orElse(0L);
                pace.seen(fed - within, waiting + within == 0, System.nanoTime());
                return waiting + (int) within;
            }
        }

        @Override
        public double splitSeconds() {
            synchronized (sessionGuard) {
                return pace.seconds();
            }
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
