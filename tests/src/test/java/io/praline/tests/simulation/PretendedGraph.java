package io.praline.tests.simulation;

import io.praline.identity.Ticket;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.NodeMetrics;
import io.praline.worker.engine.NumberBatches;
import io.praline.worker.engine.ReadMark;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.engine.ToldTickets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongConsumer;

/** What TensorFlow would do: the numbers of split ranges by their tickets, shuffled in a buffer, filtered, batched. */
final class PretendedGraph implements RunningGraph {
    private final Shape shape;
    private final Random random;
    private final LongConsumer reads;
    private final Deque<FeedSplit> queue = new ArrayDeque<>();
    private final Deque<Long> reading = new ArrayDeque<>();
    private final List<Long> buffer = new ArrayList<>();
    private final List<Long> batch = new ArrayList<>();
    private List<Long> dropped = new ArrayList<>();
    private boolean closed;

    /**
     * What the pipeline does.
     *
     * @param shuffle elements of its buffer; 1: none
     * @param filter one of so many elements is dropped; 0: none
     * @param tracked whether elements carry tickets
     */
    record Shape(int batch, int shuffle, int filter, boolean tracked) {
        boolean keeps(long ticket) {
            return filter == 0 || Math.floorMod((ticket * 0x9E3779B97F4A7C15L) >>> 20, filter) != 0;
        }
    }

    /** @param reads told of each element that is read */
    PretendedGraph(Shape shape, long seed, LongConsumer reads) {
        this.shape = shape;
        this.random = new Random(seed);
        this.reads = reads;
    }

    /** Whether {@link #next} waits for nothing. */
    boolean ready() {
        fill();
        return batch.size() == shape.batch() || atEnd();
    }

    private boolean atEnd() {
        return closed && queue.isEmpty() && reading.isEmpty() && buffer.isEmpty();
    }

    private void fill() {
        while (batch.size() < shape.batch()) {
            while (buffer.size() < shape.shuffle() && open()) {
                long ticket = reading.remove();
                reads.accept(ticket);
                buffer.add(ticket);
            }
            boolean full = buffer.size() >= shape.shuffle();
            boolean ending = closed && queue.isEmpty() && reading.isEmpty();
            if (buffer.isEmpty() || !(full || ending)) {
                return;
            }
            long ticket = buffer.remove(random.nextInt(buffer.size()));
            if (shape.keeps(ticket)) {
                batch.add(ticket);
            } else if (shape.tracked()) {
                dropped.add(ticket);
            }
        }
    }

    /** Whether an element can be read. */
    private boolean open() {
        while (reading.isEmpty() && !queue.isEmpty()) {
            FeedSplit split = queue.remove();
            for (int record = 0; record < split.until() - split.from(); record++) {
                if (!split.skip().contains(record)) {
                    reading.add(Ticket.of(split.ordinal(), record));
                }
            }
        }
        return !reading.isEmpty();
    }

    @Override
    public void enqueue(FeedSplit split) {
        queue.add(split);
    }

    @Override
    public void closeQueue() {
        closed = true;
    }

    @Override
    public Optional<EngineBatch> next() {
        fill();
        if (batch.isEmpty()) {
            return Optional.empty();
        }
        long[] numbers = batch.stream().mapToLong(Long::longValue).toArray();
        EngineBatch next = NumberBatches.of(numbers, shape.tracked() ? numbers : new long[0]);
        batch.clear();
        return Optional.of(next);
    }

    @Override
    public List<NodeMetrics> metrics() {
        return List.of();
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public int readers() {
        return 1;
    }

    @Override
    public long queueSize() {
        return queue.size();
    }

    @Override
    public ToldTickets told() {
        ToldTickets told = new ToldTickets(dropped, List.of(), List.of());
        dropped = new ArrayList<>();
        return told;
    }

    @Override
    public List<ReadMark> read() {
        return List.of();
    }

    @Override
    public void allowTail() {}

    @Override
    public void close() {
        queue.clear();
    }
}
