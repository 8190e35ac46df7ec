package io.praline.tests.simulation;

import io.praline.identity.Ticket;
import io.praline.worker.cache.EntryReader;
import io.praline.worker.engine.BrokenElements;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineFailure;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.NodeMetrics;
import io.praline.worker.engine.NumberBatches;
import io.praline.worker.engine.ReadMark;
import io.praline.worker.engine.RunningGraph;
import io.praline.worker.engine.ToldTickets;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.caching.EntryLayout;
import io.praline.worker.graph.task.TaskSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.tensorflow.proto.DataType;

/**
 * What TensorFlow would do: the numbers of split ranges by their tickets, shuffled in a buffer, filtered, batched. Where it has
 * to do with entries the filter comes first, and behind it is what is kept.
 */
final class PretendedGraph implements RunningGraph {
    private static final EntryLayout LAYOUT =
            EntryLayout.of(List.of(new ElementComponent(DataType.DT_INT64, true, List.of())));

    /** Behind so many elements of a split it is told of the others that they came only where bad ones are passed over. */
    private static final int FIRST = 64;

    private final Shape shape;
    private final Setting.Data data;
    private final Schedule.Manner manner;
    private final TaskSettings settings;
    private final boolean skipped;
    private final Random random;
    private final LongConsumer reads;
    private final IntConsumer unfreed;
    private final Deque<FeedSplit> queue = new ArrayDeque<>();
    private final Deque<Entry> entries = new ArrayDeque<>();
    private final Deque<Read> reading = new ArrayDeque<>();
    private final List<Long> buffer = new ArrayList<>();
    private final List<Long> batch = new ArrayList<>();
    private final List<Long> kept = new ArrayList<>();
    private List<Long> dropped = new ArrayList<>();
    private List<ReadMark> marks = new ArrayList<>();
    private long leftOut = -1;
    private Optional<EngineFailure> failure = Optional.empty();
    private boolean closed;
    private boolean stuck;
    private boolean deaf;
    private boolean over;

    /**
     * What the pipeline does.
     *
     * @param shuffle elements of its buffer; 1: none
     * @param filter one of so many elements is dropped; 0: none
     * @param tracked whether elements carry tickets
     * @param bad tickets of elements that fail
     */
    record Shape(int batch, int shuffle, int filter, boolean tracked, Set<Long> bad) {
        Shape {
            bad = Set.copyOf(bad);
        }

        boolean keeps(long ticket) {
            return !bad.contains(ticket)
                    && (filter == 0 || Math.floorMod((ticket * 0x9E3779B97F4A7C15L) >>> 20, filter) != 0);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
    private record Entry(FeedSplit split, long[] dropped) {}

    private record Read(long ticket, boolean ofEntry, boolean owed) {}

    /**
     * The graph of an attempt.
     *
     * @param data that it reads
     * @param manner how
     * @param skipped whether of an entry what is not owed is left out
     * @param reads told of each element that is read
     * @param unfreed told by how many the batches change that it made and nobody has freed
     */
    PretendedGraph(
            Shape shape,
            Setting.Data data,
            Schedule.Manner manner,
            TaskSettings settings,
            boolean skipped,
            LongConsumer reads,
            IntConsumer unfreed) {
        this.unfreed = unfreed;
        this.shape = shape;
        this.data = data;
        this.manner = manner;
        this.settings = settings;
        this.skipped = skipped;
        this.random = new Random(settings.keys().seed() ^ settings.keys().attempt());
        this.reads = reads;
    }

    /**
     * What it does just now comes to no end.
     *
     * @param alsoCancelled whether it does not end where it is told to either
     */
    void stick(boolean alsoCancelled) {
        stuck = true;
        deaf = alsoCancelled;
    }

    /** Whether what it does just now does not end where it is told to. */
    boolean deaf() {
        return deaf;
    }

    /** Whether it is closed. */
    boolean isOver() {
        return over;
    }

    /** Whether {@link #next} waits for nothing. */
    boolean ready() {
        if (stuck) {
            return false;
        }
        fill();
        return batch.size() == shape.batch() || atEnd() || failure.isPresent();
    }

    private boolean atEnd() {
        return closed && drained() && buffer.isEmpty();
    }

    private boolean drained() {
        return queue.isEmpty() && entries.isEmpty() && reading.isEmpty();
    }

    private void fill() {
        while (failure.isEmpty() && batch.size() < shape.batch()) {
            while (buffer.size() < shape.shuffle() && open()) {
                read(reading.remove());
            }
            boolean full = buffer.size() >= shape.shuffle();
            boolean ending = closed && drained();
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

    private void read(Read element) {
        long ticket = element.ticket();
        if (numbers()) {
            mark(element);
            if (!element.owed()) {
                return;
            }
        }
        if (!element.ofEntry()) {
            reads.accept(ticket);
            if (shape.bad().contains(ticket)) {
                if (!settings.skipBad()) {
                    failure = Optional.of(BrokenElements.of(ticket));
                }
                return;
            }
            if (reads() && !shape.keeps(ticket)) {
                dropped.add(ticket);
                return;
            }
            if (keeps().isPresent()) {
                kept.add(ticket);
            }
        }
        buffer.add(ticket);
    }

    private boolean numbers() {
        return manner.counts() == Schedule.Counts.AT_THE_END && settings.tracked();
    }

    /** Tells that an element came out of the reading of its split, or that this was the end. */
    private void mark(Read element) {
        long ticket = element.ticket();
        if (Ticket.isEnd(ticket)) {
            marks.add(new ReadMark(ticket, leftOut));
            leftOut = -1;
            return;
        }
        if (!element.owed()) {
            leftOut = ticket;
        }
        if (Ticket.record(ticket) < FIRST) {
            marks.add(new ReadMark(ticket, ticket * 31 + 1));
        } else if (settings.skipBad()) {
            marks.add(new ReadMark(~ticket, 0));
        }
    }

    /** Whether an element can be read. */
    private boolean open() {
        while (failure.isEmpty() && reading.isEmpty() && !(queue.isEmpty() && entries.isEmpty())) {
            if (!entries.isEmpty() && (queue.isEmpty() || random.nextBoolean())) {
                open(entries.remove());
            } else {
                open(queue.remove());
            }
        }
        return failure.isEmpty() && !reading.isEmpty();
    }

    private void open(FeedSplit split) {
        long records =
                Math.min(data.records((int) split.ordinal()), split.records().orElse(Long.MAX_VALUE));
        for (int record = 0; record < records; record++) {
            boolean owed = !split.skip().contains(record);
            if (owed || numbers()) {
                reading.add(new Read(Ticket.of(split.ordinal(), record), false, owed));
            }
        }
        if (numbers()) {
            reading.add(new Read(Ticket.endOf(split.ordinal()), false, false));
        }
    }

    /** Reads the file as {@link EntryLayout} has it. */
    private void open(Entry entry) {
        FeedSplit split = entry.split();
        ByteBuffer value = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (EntryReader in = new EntryReader(Path.of(split.paths().get(0)))) {
            for (long element = 0; element < split.records().orElseThrow(); element++) {
                in.next(LAYOUT.headEnd());
                in.take(value.clear());
                in.pass(LAYOUT.headAt() - Long.BYTES);
                int record = Math.toIntExact(in.takeLong());
                in.end();
                long ticket = Ticket.of(split.ordinal(), record);
                if (value.getLong(0) != ticket) {
                    throw new IllegalStateException("an entry has " + value.getLong(0) + " in place of " + ticket);
                }
                if (!skipped || !split.skip().contains(record)) {
                    reading.add(new Read(ticket, true, true));
                }
            }
        } catch (IOException broken) {
            failure = Optional.of(BrokenElements.of(broken));
        }
        for (long ticket : entry.dropped()) {
            dropped.add(ticket);
        }
    }

    @Override
    public void enqueue(FeedSplit split) {
        queue.add(split);
    }

    @Override
    public void enqueueEntry(FeedSplit entry, long[] dropped) {
        entries.add(new Entry(entry, dropped));
    }

    @Override
    public boolean reads() {
        return settings.cache().isPresent();
    }

    @Override
    public long entryQueueSize() {
        return entries.size();
    }

    @Override
    public Optional<EntryLayout> keeps() {
        return settings.cache().filter(TaskSettings.CacheAt::keeps).map(at -> LAYOUT);
    }

    /** Those that wait, and empty where none does. */
    @Override
    public Optional<EngineBatch> kept() {
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        long[] numbers = kept.stream().mapToLong(Long::longValue).toArray();
        kept.clear();
        unfreed.accept(1);
        return Optional.of(NumberBatches.of(numbers, numbers, () -> unfreed.accept(-1)));
    }

    @Override
    public void closeQueue() {
        closed = true;
    }

    @Override
    public Optional<EngineBatch> next() {
        fill();
        if (failure.isPresent()) {
            throw failure.get();
        }
        if (batch.isEmpty()) {
            return Optional.empty();
        }
        long[] numbers = batch.stream().mapToLong(Long::longValue).toArray();
        long[] tickets = shape.tracked() ? numbers : new long[0];
        batch.clear();
        unfreed.accept(1);
        Runnable freed = () -> unfreed.accept(-1);
        return Optional.of(
                manner.packed()
                        ? NumberBatches.packed(numbers, tickets, freed)
                        : NumberBatches.of(numbers, tickets, freed));
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
        List<ReadMark> read = marks;
        marks = new ArrayList<>();
        return read;
    }

    @Override
    public void allowTail() {}

    @Override
    public void close() {
        over = true;
        queue.clear();
        entries.clear();
    }
}
