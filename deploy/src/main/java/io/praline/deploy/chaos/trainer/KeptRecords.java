package io.praline.deploy.chaos.trainer;

import io.praline.client.pipeline.Element;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.identity.Ticket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.LongStream;
import org.tensorflow.Operand;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/**
 * Many short files of numbers, a split each, for jobs whose elements are kept: file {@code f} holds the numbers from {@code
 * f * EACH} on. What is made of a number is known, so that what a trainer is given can be held against it.
 */
public final class KeptRecords {
    /** Records of a file. */
    static final int EACH = 40;

    private static final int FILES = 40;

    /** How many there are, in all files. */
    public static final int COUNT = FILES * EACH;

    private static final int WIDTH = 32;
    private static final long FACTOR = 1_000_003;

    private KeptRecords() {}

    /** Writes the files; gives the glob of all. */
    public static String in(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (int file = 0; file < FILES; file++) {
            Path path = folder.resolve(String.format(Locale.ROOT, "kept-%02d.tfrecord", file));
            try (TfRecordWriter out = new TfRecordWriter(path)) {
                for (int record = 0; record < EACH; record++) {
                    out.write(Integer.toString(file * EACH + record).getBytes(StandardCharsets.US_ASCII));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + path + ": " + e.getMessage(), e);
            }
        }
        return folder.resolve("kept-*.tfrecord").toString();
    }

    /** The numbers, as they are read. */
    static Pipeline numbers() {
        return Pipeline.tfRecords().map("parse", (tf, x) -> tf.strings.toNumber(x.as(TString.class), TInt64.class));
    }

    /** Each number, and what is made of it: {@code FACTOR * number + i * i} for {@code i} from 0 on. */
    static Pipeline withValues(Pipeline numbers) {
        return numbers.mapElement("values", (tf, x) -> {
            Operand<TInt64> number = x.as(TInt64.class);
            return Element.of("number", number)
                    .and("values", tf.math.add(tf.math.mul(number, tf.constant(FACTOR)), tf.constant(offsets())));
        });
    }

    private static long[] offsets() {
        return LongStream.range(0, WIDTH).map(i -> i * i).toArray();
    }

    /**
     * Whether an element is what its number and its ticket say.
     *
     * @param values of the whole batch
     * @param at its place in the batch
     */
    public static boolean isRight(long number, long ticket, LongBuffer values, int at) {
        boolean right = Ticket.record(ticket) == number % EACH;
        for (int i = 0; i < WIDTH; i++) {
            right &= values.get(at * WIDTH + i) == FACTOR * number + (long) i * i;
        }
        return right;
    }

    /** Which file a number lies in. */
    public static long fileOf(long number) {
        return number / EACH;
    }
}
