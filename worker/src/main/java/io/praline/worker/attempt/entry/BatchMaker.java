package io.praline.worker.attempt.entry;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.worker.cache.EntryReader;
import io.praline.worker.engine.BatchMemory;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.EngineTensor;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.graph.caching.EntryLayout;
import io.praline.worker.graph.caching.PlainBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.roaringbitmap.RoaringBitmap;

/**
 * Batches of elements as they lie in entries: one entry is read behind the other, and what is left of one begins the next
 * batch. One thread.
 */
final class BatchMaker implements AutoCloseable {
    private final PlainBatches batches;
    private final List<Integer> places;
    private final BatchMemory memory;
    private Optional<Reading> reading = Optional.empty();

    // of the batch that is being made: its elements, and of which entries they are
    private Optional<BatchMemory.Block> block = Optional.empty();
    private long[] tickets;
    private int elements;
    private final List<Part> parts = new ArrayList<>();

    /** Some elements of one entry in a batch. */
    private record Part(Begun entry, int from) {}

    /** An entry of which elements were read. */
    private static final class Begun {
        private final FeedSplit entry;
        private final RoaringBitmap batched = new RoaringBitmap();

        Begun(FeedSplit entry) {
            this.entry = entry;
        }

        /** The same without what came out. */
        FeedSplit rest() {
            return entry.skipping(RoaringBitmap.or(entry.skip(), batched));
        }
    }

    /** The entry that is being read. */
    private static final class Reading {
        private final Begun entry;
        private final EntryReader reader;
        private long left;

        Reading(FeedSplit entry) throws IOException {
            this.entry = new Begun(entry);
            this.reader = new EntryReader(Path.of(entry.paths().get(0)));
            this.left = entry.records()
                    .orElseThrow(() -> new IllegalArgumentException("an entry must say how many elements it holds"));
        }
    }

    BatchMaker(PlainBatches batches, BatchMemory memory) {
        this.batches = batches;
        this.places = batches.places();
        this.memory = memory;
        this.tickets = new long[batches.size()];
    }

    /** Goes on with this entry; only where none is being read. */
    void read(FeedSplit entry) throws IOException {
        reading = Optional.of(new Reading(entry));
    }

    /**
     * The next whole batch; empty where another entry is needed for it.
     *
     * @throws IOException if an entry cannot be read, or an element is not what was written
     */
    Optional<EngineBatch> next() throws IOException {
        while (reading.isPresent()) {
            Reading from = reading.get();
            if (from.left == 0) {
                from.reader.close();
                reading = Optional.empty();
            } else {
                from.left--;
                if (add(from) && elements == batches.size()) {
                    return Optional.of(taken());
                }
            }
        }
        return Optional.empty();
    }

    /** Whether the element is wanted, and is in the batch by now. */
    private boolean add(Reading from) throws IOException {
        EntryLayout layout = batches.layout();
        EntryReader reader = from.reader;
        reader.next(layout.headEnd());
        BatchMemory.Block into = block.orElseGet(memory::take);
        block = Optional.of(into);
        ByteBuffer bytes = into.memory();
        int at = 0;
        for (int i = 0; i < places.size(); i++) {
            EntryLayout.Field field = layout.fields().get(i);
            reader.pass(field.at() - at);
            int place = places.get(i) + elements * field.bytes();
            reader.take(bytes.limit(place + field.bytes()).position(place));
            at = field.at() + field.bytes();
        }
        reader.pass(layout.headAt() - at);
        long record = reader.takeLong();
        reader.end();
        if (from.entry.entry.skip().contains(Math.toIntExact(record))) {
            return false; // the next one takes its place
        }
        if (parts.isEmpty() || parts.get(parts.size() - 1).entry() != from.entry) {
            parts.add(new Part(from.entry, elements));
        }
        tickets[elements++] = Ticket.of(from.entry.entry.ordinal(), record);
        return true;
    }

    /** What is left of all entries that were read, less than a whole batch; empty where nothing is. */
    Optional<EngineBatch> rest() {
        return elements == 0 ? Optional.empty() : Optional.of(taken());
    }

    private EngineBatch taken() {
        BatchMemory.Block full = block.orElseThrow();
        int count = elements;
        long[] its = Arrays.copyOf(tickets, count);
        List<EngineTensor> tensors = new ArrayList<>();
        ByteBuffer bytes = full.memory();
        for (int i = 0; i < places.size(); i++) {
            EntryLayout.Field field = batches.layout().fields().get(i);
            tensors.add(EngineTensor.of(
                    field.component().dtype().getNumber(),
                    PlainBatches.shape(field.component(), count),
                    bytes.slice(places.get(i), count * field.bytes())));
        }
        for (int i = 0; i < parts.size(); i++) {
            int end = i + 1 < parts.size() ? parts.get(i + 1).from() : count;
            note(its, parts.get(i), end);
        }
        forget();
        return new EngineBatch(its, 0, tensors, full::giveBack);
    }

    private static void note(long[] tickets, Part part, int end) {
        int at = part.from();
        while (at < end) {
            int next = TicketRuns.endOfRun(tickets, at, end);
            long first = Ticket.record(tickets[at]);
            part.entry().batched.add(first, first + (next - at));
            at = next;
        }
    }

    private void forget() {
        block = Optional.empty();
        elements = 0;
        parts.clear();
    }

    /** Elements of the batch that is not whole. */
    long[] tickets() {
        return Arrays.copyOf(tickets, elements);
    }

    /** Entries of which elements were read or are still to be read that came out in no batch, without those that did. */
    List<FeedSplit> unfinished() {
        Set<Begun> begun = new LinkedHashSet<>();
        parts.forEach(part -> begun.add(part.entry()));
        reading.filter(from -> from.left > 0).ifPresent(from -> begun.add(from.entry));
        return begun.stream().map(Begun::rest).toList();
    }

    /** Drops what is not whole. */
    @Override
    public void close() {
        block.ifPresent(BatchMemory.Block::giveBack);
        forget();
        try {
            if (reading.isPresent()) {
                reading.get().reader.close();
            }
        } catch (IOException read) {
            // what was read of it is all that was wanted
        }
        reading = Optional.empty();
    }
}
