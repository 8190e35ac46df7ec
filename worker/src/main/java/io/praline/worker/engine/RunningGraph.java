package io.praline.worker.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * The graph of one attempt as it runs: splits go in, batches come out. The edge to TensorFlow, which is a {@link GraphSession}.
 * Each method throws {@link CancellationException} once nobody waits for the attempt any more.
 */
public interface RunningGraph extends AutoCloseable {
    /**
     * Hands a split to the graph; never waits.
     *
     * @throws IllegalArgumentException if it {@link #counts} its elements and is not told how many there are
     */
    void enqueue(FeedSplit split);

    /** Whether splits must say how many records they have. */
    boolean counts();

    /** No more splits will come: what is in flight comes out, and then {@link #next} is empty. */
    void closeQueue();

    /**
     * The next batch; waits while the queue is open and holds no split. Empty at the end.
     *
     * @throws EngineFailure if an element could not be made
     */
    Optional<EngineBatch> next();

    /** What each transformation did so far, from the source on; empty before the first element. */
    List<NodeMetrics> metrics();

    /** How many splits of one source are read at a time. */
    int readers();

    /** How many splits are not opened yet; of several sources, the one that has fewest. */
    long queueSize();

    /** What was told beside the elements since the last call: see {@link ToldTickets}. */
    ToldTickets told();

    /** How far splits were read since the last call, in the order of reading. */
    List<ReadMark> read();

    /** From now on short batches go on to the batches behind them, since nothing will complete them. */
    void allowTail();

    /** Frees all that is held for the attempt. By the puller only. */
    @Override
    void close();
}
