package io.praline.dispatcher;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What a job of a million splits costs beside one of ten: bytes of rows a split, and the time of a heartbeat through the
 * topology, records read and written included, without a broker. To run: {@code main}, from the class path of the tests.
 */
public final class MillionSplitsBenchmark {
    private static final int WARM_UP_BEATS = 3_000;
    private static final int BEATS = 1_000;
    private static final int ROUNDS = 5;

    private MillionSplitsBenchmark() {}

    /** Prints a line for each size of job. */
    public static void main(String[] args) {
        for (int splits : new int[] {10, 1_000_000}) {
            try (Rig rig = new Rig()) {
                long from = System.nanoTime();
                MillionSplitsTest.plan(rig, splits);
                double planSeconds = (System.nanoTime() - from) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "%d splits: planned in %.1f s, %d rows of %.1f bytes a split, a beat takes %.0f us%n",
                        splits,
                        planSeconds,
                        rig.rows().size(),
                        (double) rig.rows().bytes() / splits,
                        beatMicros(rig));
            }
        }
    }

    /** Median of some rounds' means. */
    private static double beatMicros(Rig rig) {
        beats(rig, WARM_UP_BEATS);
        double[] rounds = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long from = System.nanoTime();
            beats(rig, BEATS);
            rounds[round] = (System.nanoTime() - from) / 1e3 / BEATS;
        }
        Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    private static void beats(Rig rig, int count) {
        for (int beat = 0; beat < count; beat++) {
            MillionSplitsTest.beat(rig, List.of());
        }
    }
}
