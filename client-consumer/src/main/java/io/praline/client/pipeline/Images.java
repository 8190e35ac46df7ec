package io.praline.client.pipeline;

import java.util.List;
import java.util.function.BiFunction;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Squeeze;
import org.tensorflow.op.image.DecodeJpeg;
import org.tensorflow.op.image.ResizeBilinear;
import org.tensorflow.op.random.RandomUniform;
import org.tensorflow.op.random.RandomUniformInt;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint8;
import org.tensorflow.types.family.TNumber;
import org.tensorflow.types.family.TType;

/**
 * Ready-made functions on an image, {@code [height, width, channels]}, to be given to {@link Pipeline#map}. They compute what their
 * namesakes in {@code tf.image} do. Those with a seed draw by seeded ops, which a job turns into draws that follow from seed, epoch and
 * element.
 */
public final class Images {

    private Images() {}

    /** From the bytes of a JPEG to {@code uint8}, with 1 (grey), 3 (colour) or 0 (as it is in the file) channels. */
    public static BiFunction<Ops, Element, Operand<TUint8>> decodeJpeg(int channels) {
        if (channels != 0 && channels != 1 && channels != 3) {
            throw new IllegalArgumentException("channels must be 0, 1 or 3, is " + channels);
        }
        return (tf, x) -> tf.image.decodeJpeg(x.as(TString.class), DecodeJpeg.channels((long) channels));
    }

    /** A window of this size, anywhere in the image with equal chance. An image that is smaller fails. */
    public static BiFunction<Ops, Element, Operand<?>> randomCrop(int height, int width, long seed) {
        requireSize(height, width);
        return (tf, x) -> {
            Operand<TInt32> free = room(tf, x.get(), height, width);
            // As tf.image.random_crop: a draw over all of int32, modulo the places there are. At least one place, so
            // that a too
            // small image fails in the slice, which names both sizes.
            Operand<TInt32> places = tf.math.maximum(tf.math.add(free, tf.constant(1)), tf.constant(1));
            Operand<TInt32> draw = tf.random.randomUniformInt(
                    tf.constant(new int[] {2}),
                    tf.constant(0),
                    tf.constant(Integer.MAX_VALUE),
                    RandomUniformInt.seed(Pipeline.GRAPH_SEED),
                    RandomUniformInt.seed2(seed));
            return window(tf, x.get(), tf.math.floorMod(draw, places), height, width);
        };
    }

    /** The window of this size in the middle. An image that is smaller fails. */
    public static BiFunction<Ops, Element, Operand<?>> centralCrop(int height, int width) {
        requireSize(height, width);
        return (tf, x) ->
                window(tf, x.get(), tf.math.floorDiv(room(tf, x.get(), height, width), tf.constant(2)), height, width);
    }

    /** To this size, bilinear, as {@code float32}. */
    public static BiFunction<Ops, Element, Operand<TFloat32>> resize(int height, int width) {
        requireSize(height, width);
        return (tf, x) -> {
            Operand<? extends TNumber> one = tf.expandDims(number(x.get()), tf.constant(0));
            Operand<TFloat32> resized = tf.image.resizeBilinear(
                    one, tf.constant(new int[] {height, width}), ResizeBilinear.halfPixelCenters(true));
            return tf.squeeze(resized, Squeeze.axis(List.of(0L)));
        };
    }

    /** Left and right exchanged, for every other image. */
    public static BiFunction<Ops, Element, Operand<?>> flipLeftRight(long seed) {
        return (tf, x) -> {
            Operand<TFloat32> draw = tf.random.randomUniform(
                    tf.constant(new int[0]),
                    TFloat32.class,
                    RandomUniform.seed(Pipeline.GRAPH_SEED),
                    RandomUniform.seed2(seed));
            // The axes to reverse are [1] or none at all, which passes the image on untouched: no branch is needed.
            Operand<TInt32> flips = tf.dtypes.cast(tf.math.less(draw, tf.constant(0.5f)), TInt32.class);
            Operand<TInt32> axes = tf.slice(
                    tf.constant(new int[] {1}), tf.constant(new int[] {0}), tf.expandDims(flips, tf.constant(0)));
            return tf.reverse(x.get(), axes);
        };
    }

    /** {@code (x - mean) / deviation} as {@code float32}; both hold one number, or one for each channel. */
    public static BiFunction<Ops, Element, Operand<TFloat32>> normalise(float[] mean, float[] deviation) {
        for (float each : deviation) {
            if (each == 0) {
                throw new IllegalArgumentException("a deviation must not be 0");
            }
        }
        float[] means = mean.clone();
        float[] deviations = deviation.clone();
        return (tf, x) -> {
            Operand<TFloat32> image = x.get().type().equals(TFloat32.class)
                    ? x.as(TFloat32.class)
                    : tf.dtypes.cast(x.get(), TFloat32.class);
            return tf.math.div(tf.math.sub(image, numbers(tf, means)), numbers(tf, deviations));
        };
    }

    public static BiFunction<Ops, Element, Operand<TFloat32>> normalise(float mean, float deviation) {
        return normalise(new float[] {mean}, new float[] {deviation});
    }

    /**
     * From a path to the index of its folder's name among the classes, as {@code int64}: {@code flowers/rose/1.jpg} is 1 among
     * {@code daisy, rose}. A folder that is none of them fails.
     */
    public static BiFunction<Ops, Element, Operand<?>> labelFromPath(List<String> classes) {
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("there must be classes");
        }
        String[] names = classes.toArray(String[]::new);
        return (tf, x) -> {
            Operand<TString> parts = tf.strings
                    .stringSplit(tf.expandDims(x.as(TString.class), tf.constant(0)), tf.constant("/"))
                    .values();
            Operand<TInt32> folder = tf.math.sub(tf.shape(parts), tf.constant(new int[] {2}));
            Operand<TString> name = tf.slice(parts, folder, tf.constant(new int[] {1}));
            return tf.withName("folder_is_one_of_the_classes")
                    .reshape(tf.where(tf.math.equal(name, tf.array(names))), tf.constant(new int[0]));
        };
    }

    /** Pixels that are left beside a window: {@code [height - h, width - w]}. */
    private static Operand<TInt32> room(Ops tf, Operand<?> image, int height, int width) {
        Operand<TInt32> size = tf.slice(tf.shape(image), tf.constant(new int[] {0}), tf.constant(new int[] {2}));
        return tf.math.sub(size, tf.constant(new int[] {height, width}));
    }

    private static <T extends TType> Operand<T> window(
            Ops tf, Operand<T> image, Operand<TInt32> corner, int height, int width) {
        Operand<TInt32> begin = tf.concat(List.of(corner, tf.constant(new int[] {0})), tf.constant(0));
        return tf.slice(image, begin, tf.constant(new int[] {height, width, -1}));
    }

    private static Operand<TFloat32> numbers(Ops tf, float[] values) {
        return values.length == 1 ? tf.constant(values[0]) : tf.constant(values);
    }

    @SuppressWarnings("unchecked") // the class of the type was asked
    private static Operand<? extends TNumber> number(Operand<?> operand) {
        if (!TNumber.class.isAssignableFrom(operand.type())) {
            throw new IllegalArgumentException(
                    "an image must be of numbers, is a " + operand.type().getSimpleName());
        }
        return (Operand<? extends TNumber>) operand;
    }

    private static void requireSize(int height, int width) {
        if (height < 1 || width < 1) {
            throw new IllegalArgumentException("a size must be at least 1 x 1, is " + height + " x " + width);
        }
    }
}
