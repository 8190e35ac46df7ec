package io.praline.tests.simulation;

import io.praline.schema.AttemptFailure;
import io.praline.schema.FailureKind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** What a schedule takes place in: time, Kafka, and what there is to train on. */
record Setting(
        World world,
        Kafka kafka,
        Data data,
        PretendedGraph.Shape shape,
        ToLongFunction<Host> pacing,
        Consumer<String> broken,
        Mendings.Seeing seeing,
        boolean looking,
        Schedule.Scene scene,
        Stores stores,
        Reading reading) {
    static final String POOL = "default";

    Schedule.Manner manner() {
        return scene.manner();
    }

    /** Where stores of entries lie, if there are some, and how they are read. */
    record Stores(Optional<Path> folder, long budget, boolean skipped) {}

    /** Whether an attempt may fail with this: the data has bad records, or an entry was spoilt. */
    boolean expects(AttemptFailure why) {
        return why.getKind() == FailureKind.CACHE
                ? stores.folder().isPresent()
                : why.getKind() == FailureKind.REFUSED && !shape.bad().isEmpty();
    }

    /** The store of a worker's process; empty where there is none. */
    Optional<Entries> entries(String pool, String worker, String process) {
        boolean shared = scene.extent().entries() == Schedule.Entries.SHARED;
        return stores.folder()
                .map(folder -> Entries.open(world, folder, shared ? pool : worker, shared, process, stores.budget()));
    }

    /** Who hears what is read. */
    @FunctionalInterface
    interface Reading {
        void reads(WorkerProcess worker, long ticket);
    }

    static byte[] secret() {
        return "a secret of sixteen bytes".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    /** Microseconds until the worker's next step. */
    long pace(Host worker) {
        return pacing.applyAsLong(worker);
    }

    /**
     * What a job reads.
     *
     * @param splits how many
     * @param least records of the smallest one
     * @param most records of the largest one
     */
    record Data(int splits, int least, int most, int epochs) {
        static Data random(Random random) {
            return new Data(
                    4 + random.nextInt(12), 3 + random.nextInt(6), 10 + random.nextInt(16), 1 + random.nextInt(2));
        }

        /** With so many times as many splits. */
        Data times(int factor) {
            return new Data(splits * factor, least, most, epochs);
        }

        /** Few of them, so often. */
        Data inEpochs(int times) {
            return new Data(2 + splits % 3, least, least + 4, times);
        }

        Data inOneEpoch() {
            return new Data(splits, least, most, 1);
        }

        int records(int split) {
            return least + (split * 7 + 3) % (most - least + 1);
        }

        int elements() {
            int all = 0;
            for (int split = 0; split < splits; split++) {
                all += records(split);
            }
            return all;
        }
    }
}
