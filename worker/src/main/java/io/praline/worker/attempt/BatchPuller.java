package io.praline.worker.attempt;

import io.praline.identity.ExclusionReason;
import io.praline.schema.FailureKind;
import io.praline.schema.TransformationMetrics;
import io.praline.wire.trace.BatchTraces;
import io.praline.wire.trace.SentBatch;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.delivery.OutboxClosed;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.OutgoingTensor;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.ReadMark;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.engine.ToldTickets;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.BusyTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches out of an attempt's graph into its outbox, but for a short last one where that is left to another attempt. Owns
 * each batch from the graph to the outbox, and frees what it still has when it is closed. The puller's thread only.
 */
final class BatchPuller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchPuller.class);

    private static final long METRICS_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final long batchLimitBytes;
    private final AttemptLifecycle lifecycle;
    private final BatchSink sink;
    private final Settlement settlement;
    private final AttemptReport report;
    private final BusyTime busy;
    private final AttemptCache cache;
    private final LongSupplier nanoTime;
    private final Optional<BatchTraces> traces;
    private final TailHold<Pulled> tail =
            new TailHold<>(pulled -> pulled.batch().tickets().length, Pulled::close);

    private final FirstReadings first = new FirstReadings();
    private volatile boolean heldBack;
    private TicketSet unbatched = TicketSet.NONE;
    private long metricsAt;

    /** @param batchLimitBytes a larger batch fails the attempt; 0: any goes that the channel takes */
    BatchPuller(
            long batchLimitBytes,
            AttemptLifecycle lifecycle,
            BatchSink sink,
            Settlement settlement,
            AttemptReport report,
            BusyTime busy,
            AttemptCache cache,
            LongSupplier nanoTime,
            Optional<BatchTraces> traces) {
        this.batchLimitBytes = batchLimitBytes;
        this.lifecycle = lifecycle;
        this.sink = sink;
        this.settlement = settlement;
        this.report = report;
        this.busy = busy;
        this.cache = cache;
        this.nanoTime = nanoTime;
        this.traces = traces;
    }

    /** @param way is told how it goes; empty where nobody traces it */
    private record Pulled(EngineBatch batch, Optional<SentBatch> way) {
        void close() {
            batch.close();
        }
    }

    /** The graph is about to be asked for its first batch. */
    void start() {
        metricsAt = nanoTime.getAsLong();
        busy.start(metricsAt);
    }

    /**
     * Delivers a batch that is ready, or pulls the next one. False where the graph has come to its end, or the attempt is
     * stopped.
     *
     * @param mayHoldTail whether a short last batch can be left to another attempt at all
     * @throws AttemptFailed if a batch cannot be delivered
     * @throws EngineFailure if an element could not be made
     * @throws CancellationException if the attempt was stopped while the graph worked
     * @throws OutboxClosed if it was stopped while its outbox was full
     */
    boolean pullNext(RunningGraph from, SplitFeeder feeder, boolean mayHoldTail) throws InterruptedException {
        Optional<Pulled> ready = tail.next();
        if (ready.isPresent()) {
            tellFirst(ready.get().batch().tickets(), from);
            deliver(ready.get());
            return true;
        }
        if (nanoTime.getAsLong() - metricsAt > METRICS_EVERY_NANOS) {
            reportMetrics(from);
            reportTold(from);
            metricsAt = nanoTime.getAsLong();
        }
        long askedAt = nanoTime.getAsLong();
        Optional<EngineBatch> next = from.next();
        if (next.isEmpty()) {
            return false;
        }
        long cameAt = nanoTime.getAsLong();
        busy.pulled(cameAt);
        EngineBatch batch = next.get();
        if (lifecycle.stopped()) {
            batch.close();
            return false;
        }
        boolean mayBeTail = mayHoldTail && batch.packed() == 0 && feeder.queueClosing() && !lifecycle.deliverTail();
        tail.offer(
                new Pulled(batch, traces.map(to -> to.made(report.key(), cameAt - askedAt, batch.bytes()))), mayBeTail);
        return true;
    }

    /** What the first elements of a split consist of is told before any of them can be taken. */
    private void tellFirst(long[] tickets, RunningGraph from) {
        if (first.wanting(tickets)) {
            reportTold(from);
            first.asked(tickets);
        }
    }

    private void deliver(Pulled pulled) throws InterruptedException {
        EngineBatch batch = pulled.batch();
        long[] tickets = batch.tickets();
        int batches = Math.max(1, batch.packed());
        long bytes = batch.bytes();
        if (batchLimitBytes > 0 && bytes / batches > batchLimitBytes) {
            batch.close();
            throw new AttemptFailed(
                    FailureKind.REFUSED,
                    "a batch of " + bytes / batches + " bytes is larger than the limit of " + batchLimitBytes
                            + " bytes; make batches smaller or raise --max-batch-bytes");
        }
        List<OutgoingTensor> tensors = batch.tensors().stream()
                .map(tensor -> new OutgoingTensor(
                        tensor.dtype(),
                        tensor.shape().stream().mapToLong(Long::longValue).toArray(),
                        tensor.body()))
                .toList();
        long since = nanoTime.getAsLong();
        heldBack = true;
        try {
            sink.put(new OutgoingBatch(tickets, batch.packed(), tensors, batch::close, pulled.way()));
            busy.put(since, nanoTime.getAsLong());
        } catch (IllegalArgumentException e) {
            throw new AttemptFailed(FailureKind.REFUSED, e.getMessage());
        } finally {
            heldBack = false;
        }
        cache.get().ifPresent(use -> use.delivered(tickets));
        settlement.delivered(tickets);
        report.batch(tickets.length > 0 ? tickets.length : batches, batches, bytes);
    }

    /** Whether a batch waits for room in the outbox. Any thread. */
    boolean heldBack() {
        return heldBack;
    }

    /** The elements of what was held back to the end; frees their memory. */
    TicketSet withheld() {
        TicketSet tickets = TicketSet.NONE;
        for (Pulled pulled : tail.withheld()) {
            tickets = tickets.plus(TicketSet.of(pulled.batch().tickets()));
            pulled.close();
        }
        return tickets;
    }

    /** Elements of batches that came short and were left out. */
    TicketSet unbatched() {
        return unbatched;
    }

    /** What the graph told beside its elements: what filters dropped is excluded at once. */
    void reportTold(RunningGraph by) {
        ToldTickets told = by.told();
        List<ReadMark> all = by.read();
        all.stream().filter(ReadMark::isOther).forEach(mark -> settlement.came(mark.other()));
        List<ReadMark> marks = all.stream().filter(mark -> !mark.isOther()).toList();
        marks.stream().filter(ReadMark::isEnd).forEach(end -> settlement.ended(end.ordinal(), end.atLeast()));
        report.digests(first.add(marks));
        cache.get().ifPresent(use -> use.dropped(TicketSet.of(told.before())));
        TicketSet dropped = settlement.dropped(TicketSet.of(told.dropped()));
        report.excluded(AttemptEnding.exclusions(ExclusionReason.FILTER, dropped));
        unbatched = unbatched.plus(TicketSet.of(told.unbatched()));
    }

    /** Totals so far; nothing is told where TensorFlow has no model of the iterator, as before the first element. */
    void reportMetrics(RunningGraph of) {
        try {
            List<TransformationMetrics> totals = of.metrics().stream()
                    .map(node -> new TransformationMetrics(
                            node.name(), node.kind(), node.elements(), node.bytes(), node.nanos()))
                    .toList();
            if (!totals.isEmpty()) {
                report.metrics(totals);
            }
        } catch (EngineFailure e) {
            LOG.debug("no metrics: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        tail.close();
    }
}
