package io.praline.worker.attempt;

import io.praline.worker.attempt.ExpectedRows.Reading;
import io.praline.worker.graph.IntegerGraph;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** A step of a pipeline over integers: how TensorFlow writes it, and what it does to what comes to it. */
sealed interface IntegerStep {
    /** What short ones are filled up with: a value that no step makes. */
    long PADDING = Long.MIN_VALUE;

    /** Whether it can follow what comes here, and what it makes of it is certain. */
    boolean fits(ExpectedRows here);

    ExpectedRows after(ExpectedRows here, Reading reading);

    void write(IntegerGraph graph);

    /** Whether it looks at places in the whole dataset, so that all up to it is read as in one process. */
    default boolean looksAtPlaces() {
        return false;
    }

    /** Whether it makes one element of each, in their order. */
    default boolean isOneByOne() {
        return false;
    }

    /** How many numbers it zips with elements; 0 where it zips none. */
    default long numbers() {
        return 0;
    }

    /** Whether elements behind it are batches that it makes. */
    default boolean makesBatches() {
        return false;
    }

    /** Whether it makes batches and leaves out a short one. */
    default boolean dropsShortOnes() {
        return false;
    }

    private static boolean single(ExpectedRows here) {
        return here.rank() == 0;
    }

    /** Whether elements can be told apart by their places. */
    private static boolean countable(ExpectedRows here) {
        return here.ordered() || single(here);
    }

    record Affine(int factor, int addend, boolean parallel) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return !here.padded();
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.map(value -> factor * value + addend);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.affine(factor, addend, parallel);
        }

        @Override
        public boolean isOneByOne() {
            return true;
        }
    }

    record Without(int modulus, int remainder) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.filter(value -> Math.floorMod(value, modulus) != remainder);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.without(modulus, remainder);
        }
    }

    record Batch(int size, boolean dropRemainder) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return here.rank() < 2 && here.each() > 0;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.batch(size, dropRemainder, false, reading);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.batch(size, dropRemainder);
        }

        @Override
        public boolean makesBatches() {
            return true;
        }

        @Override
        public boolean dropsShortOnes() {
            return dropRemainder;
        }
    }

    record PaddedBatch(int size, boolean dropRemainder) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return here.rank() < 2 && (here.each() > 0 || !dropRemainder);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.batch(size, dropRemainder, true, reading);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.paddedBatch(size, PADDING, dropRemainder);
        }

        @Override
        public boolean makesBatches() {
            return true;
        }

        @Override
        public boolean dropsShortOnes() {
            return dropRemainder;
        }
    }

    record Unbatch() implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return here.rank() == 1;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.unbatch();
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.unbatch();
        }
    }

    /** A function that makes a dataset of each batch's rows. */
    record Rows() implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return here.rank() == 1;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.unbatch();
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.rows();
        }
    }

    record BatchesWithout(int modulus, int remainder) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            // what is asked of batches of one is asked of each element
            boolean several = here.elements().stream().anyMatch(batch -> batch.size() > 1);
            return here.ordered() && here.rank() == 1 && !here.padded() && several;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.batches(
                    batch -> Math.floorMod(batch.get(0), modulus) == remainder ? Optional.empty() : Optional.of(batch));
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.batchesWithout(modulus, remainder);
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record LessTheLargest() implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            // what is made of batches of one is made of each element
            boolean several = here.elements().stream().anyMatch(batch -> batch.size() > 1);
            return here.ordered() && here.rank() == 1 && !here.padded() && several;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.batches(batch -> Optional.of(
                    batch.stream().map(value -> value - Collections.max(batch)).toList()));
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.lessTheLargest();
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Copies(int modulus) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.copies(modulus);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.copies(modulus);
        }
    }

    /** Mixes elements; with a seed of 0, without one. */
    record Shuffle(int buffer, int seed) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return true;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.shuffled();
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.shuffle(buffer, seed);
        }
    }

    record Take(int count) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return countable(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.take(count);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.take(count);
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Skip(int count) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return countable(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.skip(count);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.skip(count);
        }

        @Override
        public boolean looksAtPlaces() {
            return count > 0;
        }
    }

    record Shard(int count, int index) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return countable(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.shard(count, index % count);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.shard(count, index % count);
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Repeat(int times) implements IntegerStep {
        private static final int MOST = 600;

        @Override
        public boolean fits(ExpectedRows here) {
            return here.values().size() * times <= MOST;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.repeat(times);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.repeat(times);
        }
    }

    record Prefetch(int buffer) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return true;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here;
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.prefetch(buffer);
        }

        @Override
        public boolean isOneByOne() {
            return true;
        }
    }

    /** Options that leave the order to chance: where it matters for what comes, it is kept nevertheless. */
    record InAnyOrder() implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return true;
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here;
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.inAnyOrder();
        }
    }

    record Concatenate(int count) implements IntegerStep {
        private static final long FROM = 50_000;

        @Override
        public boolean fits(ExpectedRows here) {
            return single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.concatenate(LongStream.range(FROM, FROM + count).boxed().toList());
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.concatenate(FROM, FROM + count);
        }
    }

    record Enumerate() implements IntegerStep {
        private static final long FACTOR = 100_000;

        @Override
        public boolean fits(ExpectedRows here) {
            return here.ordered() && !here.padded();
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.zip(LongStream.range(0, here.elements().size())
                    .map(place -> FACTOR * place)
                    .boxed()
                    .toList());
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.enumerate(FACTOR);
        }

        @Override
        public long numbers() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Zip(int from, int count) implements IntegerStep {
        private static final long FACTOR = 7;

        @Override
        public boolean fits(ExpectedRows here) {
            return here.ordered() && !here.padded();
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            List<Long> addends = LongStream.range(from, from + count)
                    .map(number -> FACTOR * number)
                    .boxed()
                    .toList();
            return here.zip(addends);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.zip(from, from + count, FACTOR);
        }

        @Override
        public long numbers() {
            return count;
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Sums() implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return here.ordered() && single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.sums();
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.sums();
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Unique() implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.unique();
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.unique();
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record WhileBelow(int bound) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return here.ordered() && single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.whileBelow(bound);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.whileBelow(bound);
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Windows(int size, int shift, boolean dropRemainder) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return here.ordered() && single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.windows(size, shift, dropRemainder);
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.windows(size, shift, dropRemainder);
        }

        @Override
        public boolean makesBatches() {
            return true;
        }

        @Override
        public boolean looksAtPlaces() {
            return true;
        }
    }

    record Groups(int modulus, int size) implements IntegerStep {
        @Override
        public boolean fits(ExpectedRows here) {
            return single(here);
        }

        @Override
        public ExpectedRows after(ExpectedRows here, Reading reading) {
            return here.groups();
        }

        @Override
        public void write(IntegerGraph graph) {
            graph.groups(modulus, size);
        }

        @Override
        public boolean makesBatches() {
            return true;
        }
    }
}
