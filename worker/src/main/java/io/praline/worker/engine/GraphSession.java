package io.praline.worker.engine;

import io.praline.worker.graph.caching.EntryLayout;
import io.praline.worker.graph.source.opening.SplitField;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.tensorflow.Graph;
import org.tensorflow.Operation;
import org.tensorflow.Output;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.exceptions.TFOutOfRangeException;
import org.tensorflow.proto.RunOptions;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/**
 * One attempt's graph, running. One thread, the puller, calls {@link #next} and then {@link #close}; the other methods may
 * be called by any thread meanwhile, up to {@link #close}.
 *
 * <p>Four rules keep TensorFlow from hanging or losing elements. Every run works on the caller's own thread: a waiting pull
 * would hold one of a pool that all sessions of the process share. The graph optimiser is off: it would fold constants in
 * another way than it does for the user's graph. Where a function calls another one only the folding is off, since the
 * optimiser alone puts the called body in its place, and TensorFlow cannot run such a graph without that. No run has a time
 * limit, and none is cancelled while somebody wants what comes: that ends the iterator for good, sometimes without an error.
 * One thread pulls, since several lose the order of batches.
 *
 * <p>Each method throws {@link CancellationException} once the cancellation is requested.
 */
public final class GraphSession implements RunningGraph {
    static final RunOptions ON_CALLERS_THREAD =
            RunOptions.newBuilder().setInterOpThreadPool(-1).build();

    private final TaskGraph task;
    private final Optional<CountedTickets> counted;
    private final Cancellation cancellation;
    private final Graph graph;
    private final Session session;
    private final List<Output<?>> components = new ArrayList<>();
    private final List<Long> dropped = new ArrayList<>(); // guarded by itself: tickets that entries do not hold
    private volatile boolean queueClosed;
    private volatile boolean keptClosed;
    private boolean ended;

    /**
     * Nobody cancels it.
     *
     * @throws EngineFailure if TensorFlow does not take the graph
     */
    public GraphSession(TaskGraph task) {
        this(task, new Cancellation());
    }

    /**
     * Ends when the cancellation is requested.
     *
     * @throws EngineFailure if TensorFlow does not take the graph
     */
    public GraphSession(TaskGraph task, Cancellation cancellation) {
        this.task = task;
        this.counted = task.counting().map(CountedTickets::new);
        this.cancellation = cancellation;
        this.graph = new Graph();
        Session made = null;
        try {
            FedConstants constants = FedConstants.of(task.graph());
            GraphImport.into(graph, constants.graph());
            Session opened = new Session(graph, GraphImport.config(constants.graph()));
            made = opened;
            cancellation.add(opened, () -> {
                closeQueue(opened);
                endKept(opened);
            });
            for (int i = 0; i < task.components().size(); i++) {
                Operation carried = graph.operation(TaskNodes.carried(i));
                components.add(
                        carried == null ? graph.operationOrThrow(TaskNodes.NEXT).output(i) : carried.output(0));
            }
            session = made;
            make(constants);
        } catch (RuntimeException refused) {
            if (made != null) {
                cancellation.remove(made);
                made.close();
            }
            graph.close();
            throw failure(refused);
        }
    }

    /** What happens to a cancelled session tells nothing of the pipeline or its data. */
    private RuntimeException failure(RuntimeException thrown) {
        if (!cancellation.requested()) {
            return EngineFailure.of(thrown);
        }
        CancellationException cancelled = new CancellationException("the session was cancelled");
        cancelled.initCause(thrown);
        return cancelled;
    }

    /**
     * Hands a split to the graph; never waits.
     *
     * @throws IllegalArgumentException if the graph has no such source, is to leave out records that it does not track, or
     *     {@link #counts} its elements and is not told how many there are
     */
    @Override
    public void enqueue(FeedSplit split) {
        if (split.source() >= task.sources()) {
            throw new IllegalArgumentException("source must be below " + task.sources() + ", is " + split.source());
        }
        if (task.ticket().isEmpty() && counted.isEmpty() && !split.skip().isEmpty()) {
            throw new IllegalArgumentException("records of split " + split.ordinal()
                    + " cannot be left out: the pipeline's elements are not tracked");
        }
        counted.ifPresent(tickets -> tickets.add(split));
        Map<String, String> written = task.written().get(split.source());
        feed(written.isEmpty() ? split : split.reading(written));
    }

    @Override
    public void enqueueEntry(FeedSplit entry, long[] notHeld) {
        if (task.roads().isEmpty() || entry.source() != task.sources()) {
            throw new IllegalArgumentException("source must be that of entries, is " + entry.source());
        }
        synchronized (dropped) {
            LongStream.of(notHeld).forEach(dropped::add);
        }
        feed(entry);
    }

    private void feed(FeedSplit split) {
        List<Tensor> tensors = new ArrayList<>();
        try {
            SplitFeed feed = new SplitFeed(split);
            Session.Runner runner = session.runner().setOptions(ON_CALLERS_THREAD);
            for (SplitField field : SplitField.values()) {
                Tensor tensor = feed.tensor(field);
                tensors.add(tensor);
                runner.feed(TaskNodes.feed(split.source(), field), tensor);
            }
            runner.addTarget(TaskNodes.enqueue(split.source())).run().close();
        } catch (RuntimeException failed) {
            throw failure(failed);
        } finally {
            tensors.forEach(Tensor::close);
        }
    }

    @Override
    public void closeQueue() {
        closeQueue(session);
    }

    private synchronized void closeQueue(Session of) {
        if (!queueClosed) {
            queueClosed = true;
            int queues = task.sources() + (reads() ? 1 : 0);
            for (int source = 0; source < queues; source++) {
                run(of, TaskNodes.close(source));
            }
        }
    }

    @Override
    public Optional<EngineBatch> next() {
        if (ended) {
            return Optional.empty();
        }
        Session.Runner runner = session.runner().setOptions(ON_CALLERS_THREAD);
        components.forEach(runner::fetch);
        Result result;
        try {
            result = runner.run();
        } catch (TFOutOfRangeException end) {
            // a cancelled iterator may say so too, with elements still in it
            cancellation.check();
            ended = true;
            return Optional.empty();
        } catch (RuntimeException failed) {
            throw failure(failed);
        }
        return Optional.of(batch(result));
    }

    private EngineBatch batch(Result result) {
        try {
            long[] tickets = {};
            List<EngineTensor> tensors = new ArrayList<>(result.size());
            for (int i = 0; i < result.size(); i++) {
                Tensor tensor = result.get(i);
                if (task.ticket().isPresent() && task.ticket().getAsInt() == i) {
                    tickets = withoutPadding(NativeTensors.longs((TInt64) tensor));
                } else {
                    tensors.add(
                            NativeTensors.of(tensor, task.components().get(i).dtype()));
                }
            }
            int packed = task.packed() ? Math.toIntExact(result.get(0).shape().get(0)) : 0;
            return new EngineBatch(
                    counted.isPresent() ? counted.get().next(packed) : tickets, packed, tensors, result::close);
        } catch (RuntimeException broken) {
            result.close();
            throw broken;
        }
    }

    /** A short batch within a padded one is filled up with what is no ticket. */
    private static long[] withoutPadding(long[] tickets) {
        return LongStream.of(tickets).anyMatch(ticket -> ticket < 0)
                ? LongStream.of(tickets).filter(ticket -> ticket >= 0).toArray()
                : tickets;
    }

    @Override
    public boolean reads() {
        return task.roads().isPresent();
    }

    @Override
    public long entryQueueSize() {
        return reads() ? number(TaskNodes.size(task.sources())) : 0;
    }

    @Override
    public Optional<EntryLayout> keeps() {
        return task.roads().filter(TaskGraph.Roads::keeps).map(TaskGraph.Roads::layout);
    }

    @Override
    public Optional<EngineBatch> kept() {
        EntryLayout layout = keeps().orElseThrow();
        try {
            return KeptQueue.taken(session, layout, number(TaskNodes.KEPT.size()));
        } catch (RuntimeException failed) {
            throw failure(failed);
        }
    }

    @Override
    public void endKept() {
        endKept(session);
    }

    private synchronized void endKept(Session of) {
        if (!keptClosed && keeps().isPresent()) {
            keptClosed = true;
            run(of, TaskNodes.CLOSE_KEPT);
        }
    }

    @Override
    public List<NodeMetrics> metrics() {
        try (Result result = session.runner()
                .setOptions(ON_CALLERS_THREAD)
                .fetch(TaskNodes.MODEL)
                .run()) {
            return ModelMetrics.of(((TString) result.get(0)).asBytes().getObject(), task.root());
        } catch (RuntimeException failed) {
            throw failure(failed);
        }
    }

    @Override
    public boolean counts() {
        return counted.isPresent();
    }

    @Override
    public int readers() {
        return task.readers();
    }

    @Override
    public long queueSize() {
        long fewest = Long.MAX_VALUE;
        for (int source = 0; source < task.sources(); source++) {
            fewest = Math.min(fewest, number(TaskNodes.size(source)));
        }
        return fewest;
    }

    @Override
    public ToldTickets told() {
        if (counted.isPresent()) {
            return ended ? new ToldTickets(List.of(), List.of(), counted.get().unbatched()) : ToldTickets.NOTHING;
        }
        ToldTickets told = taken(TaskNodes.TOLD, 1)
                .map(each -> ToldTickets.of(each.get(0)))
                .orElse(ToldTickets.NOTHING);
        List<Long> before = keeps().isEmpty()
                ? List.of()
                : taken(TaskNodes.TOLD_BEFORE, 1)
                        .map(each -> ToldTickets.of(each.get(0)).dropped())
                        .orElse(List.of());
        synchronized (dropped) {
            List<Long> all = new ArrayList<>(told.dropped());
            all.addAll(before);
            all.addAll(dropped);
            dropped.clear();
            return new ToldTickets(all, before, told.unbatched());
        }
    }

    @Override
    public List<ReadMark> read() {
        return taken(TaskNodes.READ, 2)
                .map(marks -> IntStream.range(0, marks.get(0).length)
                        .mapToObj(i -> new ReadMark(marks.get(0)[i], marks.get(1)[i]))
                        .toList())
                .orElse(List.of());
    }

    /** What waits in a queue of so many numbers, number by number; empty where nothing does. */
    private Optional<List<long[]>> taken(TaskNodes.Taken from, int numbers) {
        int waiting = task.ticket().isPresent() ? number(from.size()) : 0;
        if (waiting == 0) {
            return Optional.empty();
        }
        Session.Runner runner = session.runner().setOptions(ON_CALLERS_THREAD);
        for (int i = 0; i < numbers; i++) {
            runner.fetch(from.take(), i);
        }
        try (TInt32 count = TInt32.scalarOf(waiting);
                Result result = runner.feed(from.count(), count).run()) {
            List<long[]> taken = new ArrayList<>();
            for (int i = 0; i < numbers; i++) {
                taken.add(NativeTensors.longs((TInt64) result.get(i)));
            }
            return Optional.of(taken);
        } catch (RuntimeException failed) {
            throw failure(failed);
        }
    }

    @Override
    public void allowTail() {
        if (task.ticket().isPresent()) {
            run(TaskNodes.ALLOW_TAIL);
        }
    }

    private int number(String node) {
        try (Result result =
                session.runner().setOptions(ON_CALLERS_THREAD).fetch(node).run()) {
            return ((TInt32) result.get(0)).getInt();
        } catch (RuntimeException failed) {
            throw failure(failed);
        }
    }

    private void make(FedConstants constants) {
        Session.Runner runner = session.runner().setOptions(ON_CALLERS_THREAD).addTarget(TaskNodes.MAKE);
        List<Tensor> fed = constants.feed(runner);
        try {
            runner.run().close();
        } finally {
            fed.forEach(Tensor::close);
        }
    }

    private void run(String node) {
        run(session, node);
    }

    private void run(Session of, String node) {
        try {
            of.runner().setOptions(ON_CALLERS_THREAD).addTarget(node).run().close();
        } catch (RuntimeException failed) {
            throw failure(failed);
        }
    }

    /**
     * Frees all that TensorFlow holds for the attempt, in mid-stream too: what is open or waits is left where it stands. Waits
     * for the ops that run just now. Batches that were taken stay valid until they are released. By the puller only: a pull
     * that waits elsewhere would make this wait for ever, unless it was cancelled.
     */
    @Override
    public void close() {
        if (cancellation.remove(session)) {
            closeQueue();
            endKept();
        }
        session.close();
        graph.close();
    }
}
