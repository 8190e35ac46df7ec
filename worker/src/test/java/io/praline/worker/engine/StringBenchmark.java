package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TString;

/**
 * What it costs that a batch of strings leaves TensorFlow's memory, against the same through TensorFlow's Java objects, in
 * turns. To run: {@code main}, from the class path of the tests.
 */
public final class StringBenchmark {
    private static final int ROUNDS = 11;
    private static final int BYTES_A_ROUND = 50 << 20;
    private static final int MOST_BATCHES = 5_000;

    private StringBenchmark() {}

    /** Prints a line for each kind of batch. */
    public static void main(String[] args) {
        for (int[] kind : new int[][] {{1_024, 100}, {1_024, 10}, {1_024, 1_000}, {32, 100_000}, {1, 100}}) {
            try (TString batch = batch(kind[0], kind[1])) {
                System.out.println(line(kind[0], kind[1], batch));
            }
        }
    }

    private static String line(int count, int length, TString batch) {
        int times = Math.min(MOST_BATCHES, BYTES_A_ROUND / (count * length));
        Function<TString, ByteBuf> memory =
                tensor -> NativeTensors.of(tensor, DataType.DT_STRING).body();
        double[] asMemory = new double[ROUNDS];
        double[] asObjects = new double[ROUNDS];
        micros(memory, batch, times);
        micros(ObjectStrings::encoded, batch, times);
        for (int round = 0; round < ROUNDS; round++) {
            asMemory[round] = micros(memory, batch, times);
            asObjects[round] = micros(ObjectStrings::encoded, batch, times);
        }
        double fast = median(asMemory);
        double slow = median(asObjects);
        return String.format(
                Locale.ROOT,
                "%d strings of %d bytes: %.1f us a batch, by objects %.1f us, ratio %.1f",
                count,
                length,
                fast,
                slow,
                slow / fast);
    }

    private static TString batch(int count, int length) {
        Random random = new Random(1);
        byte[][] strings = new byte[count][length];
        for (byte[] string : strings) {
            random.nextBytes(string);
        }
        return TString.tensorOfBytes(NdArrays.vectorOfObjects(strings));
    }

    private static double micros(Function<TString, ByteBuf> encoded, TString batch, int times) {
        long from = System.nanoTime();
        for (int i = 0; i < times; i++) {
            encoded.apply(batch).release();
        }
        return (System.nanoTime() - from) / 1e3 / times;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
