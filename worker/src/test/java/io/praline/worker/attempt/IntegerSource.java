package io.praline.worker.attempt;

import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.Pipelines;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Where the integers of a pipeline come from. */
sealed interface IntegerSource {
    IntegerGraph written();

    /** In the order in which one process reads them. */
    List<Long> values();

    /** Whether a task reads them in that order too. */
    default boolean ordered() {
        return true;
    }

    /** As many integers as {@code count}, from {@code from} on. */
    record Range(long from, int count, int step) implements IntegerSource {
        @Override
        public IntegerGraph written() {
            return IntegerGraph.range(from, from + (long) count * step, step);
        }

        @Override
        public List<Long> values() {
            return LongStream.range(0, count).map(i -> from + i * step).boxed().toList();
        }
    }

    /** Slices of a constant. */
    record Slices(int count) implements IntegerSource {
        @Override
        public IntegerGraph written() {
            return IntegerGraph.slices(values());
        }

        @Override
        public List<Long> values() {
            return LongStream.range(0, count).map(i -> i * i % 97).boxed().toList();
        }
    }

    /** The first files of numbers: 100, 100, 75 and 25 records, with the numbers from 0, 1000, 2000 and 3000 on. */
    record Files(int count) implements IntegerSource {
        @Override
        public IntegerGraph written() {
            return IntegerGraph.files(names(count));
        }

        @Override
        public List<Long> values() {
            return numbers(count).flatMap(List::stream).toList();
        }
    }

    /**
     * The same, with so many files open at a time, of which so many records are taken in turn.
     *
     * @param parallel whether each is read by a thread of its own
     */
    record Interleaved(int count, int cycle, int block, boolean parallel) implements IntegerSource {
        @Override
        public IntegerGraph written() {
            return parallel
                    ? IntegerGraph.readInParallel(names(count), cycle, block)
                    : IntegerGraph.interleaved(names(count), cycle, block);
        }

        @Override
        public List<Long> values() {
            Queue<List<Long>> waiting = new ArrayDeque<>(numbers(count).toList());
            List<Optional<Queue<Long>>> open = new ArrayList<>(Collections.nCopies(cycle, Optional.empty()));
            List<Long> values = new ArrayList<>();
            for (int at = 0; !waiting.isEmpty() || open.stream().anyMatch(Optional::isPresent); at = (at + 1) % cycle) {
                if (open.get(at).isEmpty() && !waiting.isEmpty()) {
                    open.set(at, Optional.of(new ArrayDeque<>(waiting.remove())));
                }
                for (int i = 0; i < block && open.get(at).isPresent(); i++) {
                    Optional<Long> value = open.get(at).map(Queue::poll);
                    value.ifPresent(values::add);
                    // a file's end is found when one more record is asked for, and the turn is over with that
                    open.set(at, open.get(at).filter(file -> value.isPresent()));
                }
            }
            return values;
        }

        @Override
        public boolean ordered() {
            return count == 1;
        }
    }

    private static List<String> names(int count) {
        return Pipelines.files("data/numbers-*.tfrecord").subList(0, count);
    }

    private static Stream<List<Long>> numbers(int count) {
        return Stream.of(numbers(0, 100), numbers(1000, 100), numbers(2000, 75), numbers(3000, 25))
                .limit(count);
    }

    private static List<Long> numbers(long from, int count) {
        return LongStream.range(from, from + count).boxed().toList();
    }
}
