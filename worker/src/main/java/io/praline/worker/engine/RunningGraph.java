package io.praline.worker.engine;

import io.praline.worker.graph.caching.EntryLayout;
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

    /**
     * Hands an entry to the graph in the place of a split; never waits. Only to one that {@link #reads} entries.
     *
     * @param entry its file, how many elements it holds, and which are not wanted
     * @param dropped tickets of the split that its entry does not hold, since a filter dropped them; they are {@link #told}
     */
    default void enqueueEntry(FeedSplit entry, long[] dropped) {
        throw new IllegalArgumentException("this graph reads no entries");
    }

    /** Whether entries can stand in for splits. */
    default boolean reads() {
        return false;
    }

    /** How many entries are not opened yet. */
    default long entryQueueSize() {
        return 0;
    }

    /** How elements that are to be kept lie in entries; empty where none are to be kept. */
    default Optional<EntryLayout> keeps() {
        return Optional.empty();
    }

    /**
     * Elements that are to be kept, as they were computed, a tensor for each component: of a fixed size the bytes of all of
     * them one behind the other, else strings, each a serialised {@code TensorProto}; waits for some. Empty behind {@link #endKept}, when all were taken.
     * One thread, until then.
     */
    default Optional<EngineBatch> kept() {
        return Optional.empty();
    }

    /** No more elements are computed that are to be kept, or nobody wants them. */
    default void endKept() {
        // there are none
    }

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
