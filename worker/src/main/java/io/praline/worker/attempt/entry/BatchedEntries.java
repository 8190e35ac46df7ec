package io.praline.worker.attempt.entry;

import io.praline.worker.engine.BatchMemory;
import io.praline.worker.engine.Cancellation;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.NodeMetrics;
import io.praline.worker.engine.ReadMark;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.engine.ToldTickets;
import io.praline.worker.graph.caching.EntryLayout;
import io.praline.worker.graph.caching.PlainBatches;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * An attempt without a session of TensorFlow's, as long as each of its splits has an entry, where all that follows behind the
 * cache point is batches: these are put together from what entries hold. The first split that must be computed has the
 * session made, which takes over all that did not come out by then, and from then on all that comes.
 *
 * <p>{@link #next} and {@link #close} are the puller's; any thread calls the others.
 */
final class BatchedEntries implements RunningGraph {
    private final PlainBatches batches;
    private final boolean keeps;
    private final Supplier<RunningGraph> sessions;
    private final Cancellation cancellation;
    private final BatchMemory memory;
    private final BatchMaker maker; // the puller's

    // all guarded by this
    private final Deque<FeedSplit> entries = new ArrayDeque<>();
    private final Deque<FeedSplit> splits = new ArrayDeque<>();
    private final List<Long> dropped = new ArrayList<>();
    private final List<Long> unbatched = new ArrayList<>();
    private Optional<RunningGraph> session = Optional.empty();
    private boolean tailAllowed;
    private boolean queueClosed;
    private boolean keptEnded;

    /**
     * @param keeps whether what a session computes is to be kept
     * @param sessions makes the session
     * @param memory where batches are put together
     */
    BatchedEntries(
            PlainBatches batches,
            boolean keeps,
            Supplier<RunningGraph> sessions,
            Cancellation cancellation,
            BatchMemory memory) {
        this.batches = batches;
        this.keeps = keeps;
        this.sessions = sessions;
        this.cancellation = cancellation;
        this.memory = memory;
        this.maker = new BatchMaker(batches, memory);
        cancellation.whenRequested(this::wake);
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized Optional<RunningGraph> session() {
        return session;
    }

    @Override
    public synchronized void enqueue(FeedSplit split) {
        if (session.isPresent()) {
            session.get().enqueue(split);
        } else {
            splits.add(split);
            notifyAll();
        }
    }

    @Override
    public synchronized void enqueueEntry(FeedSplit entry, long[] notHeld) {
        if (session.isPresent()) {
            session.get().enqueueEntry(entry, notHeld);
        } else {
            LongStream.of(notHeld).forEach(dropped::add);
            entries.add(entry);
            notifyAll();
        }
    }

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public Optional<EngineBatch> next() {
        try {
            Optional<EngineBatch> made = maker.next();
            while (made.isEmpty() && session().isEmpty()) {
                Optional<FeedSplit> entry = awaitEntry();
                if (entry.isPresent()) {
                    maker.read(entry.get());
                    made = maker.next();
                } else if (computes()) {
                    makeSession();
                } else {
                    return ended();
                }
            }
            return made.isPresent() ? made : session().orElseThrow().next();
        } catch (IOException unread) {
            throw EngineFailure.ofEntry(unread);
        }
    }

    /** Waits for what is to be done next; empty where that is no entry: a split is to be computed, or nothing more comes. */
    private synchronized Optional<FeedSplit> awaitEntry() {
        await(() -> !entries.isEmpty() || !splits.isEmpty() || queueClosed);
        return splits.isEmpty() ? Optional.ofNullable(entries.poll()) : Optional.empty();
    }

    private synchronized boolean computes() {
        return !splits.isEmpty();
    }

    private synchronized void await(BooleanSupplier there) {
        cancellation.check();
        while (!there.getAsBoolean()) {
            try {
                wait();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new CancellationException("the attempt's thread was interrupted");
            }
            cancellation.check();
        }
    }

    private void makeSession() {
        RunningGraph made = sessions.get();
        synchronized (this) {
            session = Optional.of(made);
            for (FeedSplit entry : maker.unfinished()) {
                made.enqueueEntry(entry, new long[0]);
            }
            while (!entries.isEmpty()) {
                made.enqueueEntry(entries.remove(), new long[0]);
            }
            while (!splits.isEmpty()) {
                made.enqueue(splits.remove());
            }
            if (tailAllowed) {
                made.allowTail();
            }
            if (queueClosed) {
                made.closeQueue();
            }
            notifyAll();
        }
        maker.close();
    }

    private Optional<EngineBatch> ended() {
        if (!batches.dropsRemainder()) {
            return maker.rest();
        }
        synchronized (this) {
            LongStream.of(maker.tickets()).forEach(unbatched::add);
        }
        maker.close();
        return Optional.empty();
    }

    @Override
    public synchronized void closeQueue() {
        queueClosed = true;
        session.ifPresent(RunningGraph::closeQueue);
        notifyAll();
    }

    @Override
    public synchronized void allowTail() {
        tailAllowed = true;
        session.ifPresent(RunningGraph::allowTail);
    }

    @Override
    public long entryQueueSize() {
        Optional<RunningGraph> its = session();
        synchronized (this) {
            if (its.isEmpty()) {
                return entries.size();
            }
        }
        return its.get().entryQueueSize();
    }

    @Override
    public long queueSize() {
        Optional<RunningGraph> its = session();
        synchronized (this) {
            if (its.isEmpty()) {
                return splits.size();
            }
        }
        return its.get().queueSize();
    }

    @Override
    public int readers() {
        return session().map(RunningGraph::readers).orElse(1);
    }

    @Override
    public List<NodeMetrics> metrics() {
        return session().map(RunningGraph::metrics).orElse(List.of());
    }

    @Override
    public List<ReadMark> read() {
        return session().map(RunningGraph::read).orElse(List.of());
    }

    @Override
    public ToldTickets told() {
        ToldTickets told = session().map(RunningGraph::told).orElse(ToldTickets.NOTHING);
        synchronized (this) {
            List<Long> allDropped = new ArrayList<>(told.dropped());
            allDropped.addAll(dropped);
            dropped.clear();
            List<Long> allUnbatched = new ArrayList<>(told.unbatched());
            allUnbatched.addAll(unbatched);
            unbatched.clear();
            return new ToldTickets(allDropped, told.before(), allUnbatched);
        }
    }

    @Override
    public Optional<EntryLayout> keeps() {
        return keeps ? Optional.of(batches.layout()) : Optional.empty();
    }

    @Override
    public Optional<EngineBatch> kept() {
        return awaitKept().flatMap(RunningGraph::kept);
    }

    private synchronized Optional<RunningGraph> awaitKept() {
        await(() -> session.isPresent() || keptEnded);
        return session;
    }

    @Override
    public synchronized void endKept() {
        keptEnded = true;
        session.ifPresent(RunningGraph::endKept);
        notifyAll();
    }

    @Override
    public void close() {
        endKept();
        maker.close();
        memory.close();
        session().ifPresent(RunningGraph::close);
    }
}
