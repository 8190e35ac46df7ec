package io.praline.tests.simulation;

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
        Schedule.Scene scene,
        Reading reading) {
    static final String POOL = "default";

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
