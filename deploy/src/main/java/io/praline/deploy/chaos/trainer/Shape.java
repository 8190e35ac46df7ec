package io.praline.deploy.chaos.trainer;

import io.praline.client.pipeline.Images;
import io.praline.client.pipeline.Pipeline;
import io.praline.client.pipeline.Records;
import io.praline.client.pipeline.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** The pipelines of the jobs. The first component of every element is the number that tells which one it is. */
public enum Shape {
    /** Integers as they are. */
    PLAIN,
    /** Integers of which every third is left out. */
    FILTER,
    /** Integers in another order. */
    SHUFFLE,
    /** Three integers of each record of {@link Photographs}. */
    FLAT_MAP,
    /** Small images of {@link Photographs}, each with its number. */
    JPEG,
    /** Numbers of {@link KeptRecords} and what is made of them. */
    KEPT,
    /** The same of numbers of which every third is left out. */
    KEPT_FILTER,
    /** The same in another order. */
    KEPT_SHUFFLE;

    /** Those of jobs of which nothing is kept. */
    public static final List<Shape> USUAL = List.of(PLAIN, FILTER, SHUFFLE, FLAT_MAP, JPEG);

    /** Those of jobs of which something is. */
    public static final List<Shape> FOR_ENTRIES = List.of(KEPT, KEPT_FILTER, KEPT_SHUFFLE);

    private static final long WINDOW = 500;
    private static final int SIDE = 64;
    private static final int EACH_THIRD = 3;

    /** Made by the script beside it, for there is no step of the builder that makes it. */
    private static final String FLAT_MAP_GRAPH = "flat-map.pb";

    /** What a batch of the recorded graph holds. */
    public static final int FLAT_MAP_BATCH = 32;

    /** Whether it reads {@link Photographs}. */
    public boolean readsFiles() {
        return this == FLAT_MAP || this == JPEG;
    }

    /** Whether it reads {@link KeptRecords}, whose values are known. */
    public boolean hasValues() {
        return FOR_ENTRIES.contains(this);
    }

    /**
     * The glob of the files that it reads; empty where it reads none.
     *
     * @param photographs that of {@link Photographs}
     * @param kept that of {@link KeptRecords}
     */
    public String files(String photographs, String kept) {
        if (hasValues()) {
            return kept;
        }
        return readsFiles() ? photographs : "";
    }

    /** Its elements' numbers, each of which comes once an epoch, of so many records or integers. */
    LongStream numbers(long records) {
        return switch (this) {
            case PLAIN, SHUFFLE, JPEG, KEPT, KEPT_SHUFFLE -> LongStream.range(0, records);
            case FILTER, KEPT_FILTER -> LongStream.range(0, records).filter(number -> number % EACH_THIRD != 0);
            case FLAT_MAP -> LongStream.range(0, records * EACH_THIRD);
        };
    }

    /** How many those are. */
    public long elements(long records) {
        return numbers(records).count();
    }

    /** The serialised graph. */
    public byte[] graph(long records, int batch) {
        return switch (this) {
            case PLAIN -> Pipeline.range(0, records).batch(batch).graph();
            case FILTER ->
                Pipeline.range(0, records)
                        .filter("no_third", (tf, x) -> notEveryThird(tf, x.as(TInt64.class)))
                        .batch(batch)
                        .graph();
            case SHUFFLE ->
                Pipeline.range(0, records).shuffle(WINDOW).batch(batch).graph();
            case FLAT_MAP -> recorded();
            case JPEG -> images(batch).graph();
            case KEPT ->
                KeptRecords.withValues(KeptRecords.numbers()).batch(batch).graph();
            case KEPT_FILTER ->
                KeptRecords.withValues(KeptRecords.numbers()
                                .filter("no_third", (tf, x) -> notEveryThird(tf, x.as(TInt64.class))))
                        .batch(batch)
                        .graph();
            case KEPT_SHUFFLE ->
                KeptRecords.withValues(KeptRecords.numbers())
                        .shuffle(WINDOW)
                        .batch(batch)
                        .graph();
        };
    }

    private static org.tensorflow.Operand<org.tensorflow.types.TBool> notEveryThird(
            Ops tf, org.tensorflow.Operand<TInt64> number) {
        return tf.math.notEqual(tf.math.floorMod(number, tf.constant((long) EACH_THIRD)), tf.constant(0L));
    }

    private static Pipeline images(int batch) {
        return Pipeline.tfRecords()
                .mapElement("apart", (tf, x) -> io.praline.client.pipeline.Element.of(
                                "number",
                                tf.reshape(
                                        tf.io.decodeRaw(
                                                tf.strings.substr(
                                                        x.as(TString.class),
                                                        tf.constant(0),
                                                        tf.constant(Photographs.NUMBER_BYTES)),
                                                TInt64.class),
                                        tf.constant(new int[0])))
                        .and(
                                "image",
                                tf.strings.substr(
                                        x.as(TString.class),
                                        tf.constant(Photographs.NUMBER_BYTES),
                                        tf.constant(Integer.MAX_VALUE))))
                .map("decode", "image", Images.decodeJpeg(3))
                .map("resize", "image", Images.resize(SIDE, SIDE))
                .map("cast", "image", Records.cast(TensorType.UINT8))
                .batch(batch)
                .prefetch();
    }

    private static byte[] recorded() {
        try (InputStream in = Objects.requireNonNull(Shape.class.getResourceAsStream(FLAT_MAP_GRAPH))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FLAT_MAP_GRAPH + ": " + e.getMessage(), e);
        }
    }
}
