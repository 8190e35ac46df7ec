package io.praline.deploy.sample;

import io.praline.client.pipeline.Images;
import io.praline.client.pipeline.Pipeline;
import java.util.List;
import org.tensorflow.Operand;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TUint8;

/** The pipelines of the demo and the benchmarks. */
public final class SamplePipelines {

    /** As what the images travel; the names are what users type. */
    public enum Type {
        float32,
        uint8
    }

    private static final int SIZE = 224;

    private static final int SMALL_BYTES = 16 << 10;
    private static final long MADE_AT_ONCE = 256;

    private SamplePipelines() {}

    /** decode, random crop, resize 224, flip, normalise (float32 only), batch 32. */
    public static Pipeline training(Type type) {
        Pipeline flipped = Pipeline.tfRecords()
                .map("decode", Images.decodeJpeg(3))
                .map("crop", Images.randomCrop(320, 320, 1))
                .map("resize", Images.resize(SIZE, SIZE))
                .map("flip", Images.flipLeftRight(2));
        Pipeline images =
                switch (type) {
                    case float32 -> flipped.map("normalise", Images.normalise(127.5f, 127.5f));
                    case uint8 -> flipped.map("cast", (tf, x) -> tf.dtypes.cast(x.get(), TUint8.class));
                };
        return images.batch(32).prefetch().names("image");
    }

    /**
     * Elements of this many bytes that cost next to nothing to make. Small ones are made many at a time: a call for each
     * would be all that is measured.
     */
    public static Pipeline inMemory(long elements, int bytes) {
        if (bytes > SMALL_BYTES) {
            return Pipeline.inMemory(elements, bytes);
        }
        return Pipeline.range(0, elements)
                .batch(MADE_AT_ONCE)
                .map("make", (tf, x) -> {
                    Operand<TUint8> one = tf.zeros(tf.constant(new int[] {1, bytes}), TUint8.class);
                    Operand<TInt32> shape =
                            tf.concat(List.of(tf.shape(x.get()), tf.constant(new int[] {bytes})), tf.constant(0));
                    return tf.broadcastTo(one, shape);
                })
                .unbatch()
                .names("payload");
    }
}
