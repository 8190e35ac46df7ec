package io.praline.dispatcher.ledger.epoch;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.dispatcher.ledger.row.Sums;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.roaringbitmap.RoaringBitmap;

/** One attempt: what it was told, what it told, and what its consumers have of it. Owned by the stream thread. */
public final class AttemptRow {
    private AttemptGraph graph;
    private int assignment;
    private int openSplits;
    private int facts;
    private Optional<Finish> finish = Optional.empty();
    private Optional<Fence> fence = Optional.empty();
    private Optional<End> end = Optional.empty();
    private long ackedElements;
    private long taken;
    private final SortedMap<Integer, List<Long>> untaken = new TreeMap<>();
    private final SortedMap<Integer, SortedMap<Long, RoaringBitmap>> untakenSkips = new TreeMap<>();
    private final SortedSet<Integer> lanes = new TreeSet<>();
    private boolean lanesAreTold = true;
    private final SortedSet<Integer> closed = new TreeSet<>();
    private final SortedSet<Integer> answered = new TreeSet<>();
    private final SortedSet<Integer> handedOver = new TreeSet<>();
    private final SortedMap<Integer, Long> acked = new TreeMap<>();

    /**
     * That it was told to drain.
     *
     * @param deliverTail whether its short last batch is delivered
     * @param last whether the job's stream ends with it
     */
    public record Finish(boolean deliverTail, boolean last) {}

    /**
     * That it is fenced.
     *
     * @param reason why, for people
     * @param at when
     */
    public record Fence(String reason, Instant at) {}

    /**
     * That it ended by itself.
     *
     * @param lastSequences by generation; -1 where none was made for it
     * @param elements that it delivered
     */
    public record End(SortedMap<Integer, Long> lastSequences, long elements) {
        public End {
            lastSequences = Collections.unmodifiableSortedMap(new TreeMap<>(lastSequences));
        }
    }

    /** What it does. */
    public enum State {
        /** Splits may be assigned to it. */
        TAKING,
        /** It was told to drain, and did not end yet. */
        DRAINING,
        /** It ended by itself, and its consumers may have some of it. */
        ENDED,
        /** It is fenced, and what its consumers took is not all told. */
        FENCED
    }

    /** One that runs a graph. */
    public AttemptRow(AttemptGraph graph) {
        this.graph = graph;
    }

    /** What it runs. */
    public AttemptGraph graph() {
        return graph;
    }

    public State state() {
        if (fence.isPresent()) {
            return State.FENCED;
        }
        if (end.isPresent()) {
            return State.ENDED;
        }
        return finish.isPresent() ? State.DRAINING : State.TAKING;
    }

    /** The number of its last assignment; 0 where none was made. */
    public int assignment() {
        return assignment;
    }

    /**
     * A new assignment of these splits; its number.
     *
     * @param skips what it must not read of those splits of which it owes something already
     */
    int assign(List<Long> ordinals, Map<Long, RoaringBitmap> skips) {
        untaken.put(++assignment, List.copyOf(ordinals));
        if (!skips.isEmpty()) {
            untakenSkips.put(assignment, new TreeMap<>(skips));
        }
        return assignment;
    }

    /** Keeps what earlier assignments of a split said to skip, before another one of it makes that untellable. */
    void pinSkip(long ordinal, Supplier<RoaringBitmap> skip) {
        untaken.forEach((number, ordinals) -> {
            if (ordinals.contains(ordinal) && untakenSkip(number, ordinal).isEmpty()) {
                untakenSkips.computeIfAbsent(number, none -> new TreeMap<>()).put(ordinal, skip.get());
            }
        });
    }

    /** What an assignment said to skip of a split of which the attempt owed something before; empty for all others. */
    Optional<RoaringBitmap> untakenSkip(int number, long ordinal) {
        return Optional.ofNullable(untakenSkips.get(number)).map(skips -> skips.get(ordinal));
    }

    /** The worker has every assignment up to and with this one; whether that was news. */
    public boolean taken(int through) {
        SortedMap<Integer, List<Long>> taken = untaken.headMap(through + 1);
        boolean news = !taken.isEmpty();
        taken.clear();
        untakenSkips.headMap(through + 1).clear();
        return news;
    }

    /** Assignments that the worker was not seen to have, by number. */
    public SortedMap<Integer, List<Long>> untaken() {
        return Collections.unmodifiableSortedMap(untaken);
    }

    /** Bytes of what those assignments say to skip and the splits' own rows cannot tell. */
    public int untakenSkipBytes() {
        return untakenSkips.values().stream()
                .flatMap(skips -> skips.values().stream())
                .mapToInt(RoaringBitmap::serializedSizeInBytes)
                .sum();
    }

    public int untakenSplits() {
        return untaken.values().stream().mapToInt(List::size).sum();
    }

    /** Facts of it that are in the accounts: all up to and with this number; 0 before the first. */
    public int facts() {
        return facts;
    }

    void facts(int through) {
        facts = through;
    }

    /** Open splits of which it owes something. */
    public int openSplits() {
        return openSplits;
    }

    public void addOpenSplits(int difference) {
        openSplits += difference;
        if (openSplits < 0) {
            throw new IllegalStateException("an attempt must not owe less than no split");
        }
    }

    public Optional<Finish> finish() {
        return finish;
    }

    public void finish(Finish told) {
        finish = Optional.of(told);
    }

    public Optional<Fence> fence() {
        return fence;
    }

    public void fence(Fence told) {
        fence = Optional.of(told);
    }

    public Optional<End> end() {
        return end;
    }

    public void end(End told) {
        end = Optional.of(told);
    }

    /** Whether splits may still be assigned to it. */
    public boolean takesWork() {
        return finish.isEmpty() && fence.isEmpty() && end.isEmpty();
    }

    /** Whether it was told to drain and did not end yet. */
    public boolean draining() {
        return finish.isPresent() && fence.isEmpty() && end.isEmpty();
    }

    /** Generations of consumers that it served since it began. */
    public SortedSet<Integer> lanes() {
        return Collections.unmodifiableSortedSet(lanes);
    }

    /** Whether an older dispatcher began it, which did not say whom it serves. */
    public boolean servesUntold() {
        return lanes.isEmpty() && !lanesAreTold;
    }

    /** It serves these generations from now on; whether that is news. */
    boolean serve(Collection<Integer> generations) {
        return lanes.addAll(generations);
    }

    /** Generations whose lanes are closed, all that was sent on them being told. */
    public SortedSet<Integer> closed() {
        return Collections.unmodifiableSortedSet(closed);
    }

    void close(int generation) {
        closed.add(generation);
    }

    /** Generations that answered its fence. */
    public SortedSet<Integer> answered() {
        return Collections.unmodifiableSortedSet(answered);
    }

    public void answer(int generation) {
        answered.add(generation);
    }

    /** Generations all of whose batches of it were handed to their loops. */
    public SortedSet<Integer> handedOver() {
        return Collections.unmodifiableSortedSet(handedOver);
    }

    public void handOver(int generation) {
        handedOver.add(generation);
    }

    /** A batch of it was acknowledged. */
    public void acked(int generation, long sequence, long elements) {
        acked.merge(generation, sequence, Math::max);
        ackedElements = Sums.plus(ackedElements, elements);
    }

    /** Elements of it that loops took: claimed, or are done with. Counted where it reads entries. */
    public long taken() {
        return taken;
    }

    /** Loops took so many more; whether that is counted. */
    boolean took(long elements) {
        boolean counts = elements > 0 && graph.cache().isPresent();
        taken = counts ? Sums.plus(taken, elements) : taken;
        return counts;
    }

    /** Whether the batches of an ended attempt are all acknowledged, judged by sequences and counts alone. */
    public boolean allAcked() {
        return end.filter(told -> told.lastSequences().entrySet().stream()
                                .allMatch(last -> acked.getOrDefault(last.getKey(), -1L) >= last.getValue())
                        && (ackedElements >= told.elements()
                                || handedOver.containsAll(told.lastSequences().keySet())))
                .isPresent();
    }

    /** Whether every generation that is served to the end has handed all of an ended attempt to its loop. */
    public boolean allHandedOver() {
        return end.filter(told -> told.lastSequences().entrySet().stream()
                        .allMatch(last -> last.getValue() < 0
                                || handedOver.contains(last.getKey())
                                || closed.contains(last.getKey())))
                .isPresent();
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .number(assignment)
                .number(openSplits)
                .number((finish.isPresent() ? 1 : 0)
                        + (finish.filter(Finish::deliverTail).isPresent() ? 2 : 0)
                        + (finish.filter(Finish::last).isPresent() ? 4 : 0)
                        + (fence.isPresent() ? 8 : 0)
                        + (end.isPresent() ? 16 : 0)
                        + (lanesAreTold ? 32 : 0));
        fence.ifPresent(told -> out.text(told.reason()).number(told.at().toEpochMilli()));
        end.ifPresent(told -> {
            sequences(out, told.lastSequences());
            out.number(told.elements());
        });
        out.number(untaken.size());
        untaken.forEach((number, ordinals) -> {
            out.number(number).number(ordinals.size());
            ordinals.forEach(out::number);
            SortedMap<Long, RoaringBitmap> skips = untakenSkips.getOrDefault(number, Collections.emptySortedMap());
            out.number(skips.size());
            skips.forEach((ordinal, skip) -> out.number(ordinal).bitmap(skip));
        });
        generations(out, answered);
        generations(out, handedOver);
        sequences(out, acked);
        out.number(ackedElements).number(facts);
        generations(out, lanes);
        generations(out, closed);
        graph.write(out);
        if (taken > 0) {
            out.number(taken);
        }
        return out.bytes();
    }

    public static AttemptRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        AttemptRow attempt = new AttemptRow(AttemptGraph.AS_WRITTEN);
        attempt.assignment = in.small();
        attempt.openSplits = in.small();
        int flags = in.small();
        if ((flags & 1) != 0) {
            attempt.finish = Optional.of(new Finish((flags & 2) != 0, (flags & 4) != 0));
        }
        if ((flags & 8) != 0) {
            attempt.fence = Optional.of(new Fence(in.text(), Instant.ofEpochMilli(in.number())));
        }
        if ((flags & 16) != 0) {
            attempt.end = Optional.of(new End(sequences(in), in.number()));
        }
        attempt.lanesAreTold = (flags & 32) != 0;
        int assignments = in.small();
        for (int i = 0; i < assignments; i++) {
            int number = in.small();
            int size = in.length();
            attempt.untaken.put(
                    number, IntStream.range(0, size).mapToObj(k -> in.number()).toList());
            int skips = in.small();
            for (int k = 0; k < skips; k++) {
                long ordinal = in.number();
                attempt.untakenSkips
                        .computeIfAbsent(number, none -> new TreeMap<>())
                        .put(ordinal, in.bitmap());
            }
        }
        generations(in, attempt.answered);
        generations(in, attempt.handedOver);
        attempt.acked.putAll(sequences(in));
        attempt.ackedElements = in.number();
        // rows of older dispatchers end here
        if (in.hasMore()) {
            attempt.facts = in.small();
            generations(in, attempt.lanes);
            generations(in, attempt.closed);
        }
        attempt.graph = AttemptGraph.read(in);
        attempt.taken = in.hasMore() ? in.number() : 0;
        return attempt;
    }

    private static void generations(RowWriter out, SortedSet<Integer> generations) {
        out.number(generations.size());
        generations.forEach(out::number);
    }

    private static void generations(RowReader in, SortedSet<Integer> generations) {
        int size = in.small();
        for (int i = 0; i < size; i++) {
            generations.add(in.small());
        }
    }

    private static void sequences(RowWriter out, SortedMap<Integer, Long> sequences) {
        out.number(sequences.size());
        sequences.forEach((generation, sequence) -> out.number(generation).number(sequence + 1));
    }

    private static SortedMap<Integer, Long> sequences(RowReader in) {
        SortedMap<Integer, Long> sequences = new TreeMap<>();
        int size = in.small();
        for (int i = 0; i < size; i++) {
            int generation = in.small();
            sequences.put(generation, in.number() - 1);
        }
        return sequences;
    }
}
