package io.praline.worker.engine;

import io.praline.worker.graph.source.opening.SplitField;
import java.util.Arrays;
import org.roaringbitmap.RoaringBitmap;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** A split's fields as tensors. */
final class SplitFeed {
    private static final byte WANTED = 1;

    private final FeedSplit split;
    private final int high;
    private final boolean mixed;

    SplitFeed(FeedSplit split) {
        this.split = split;
        RoaringBitmap skip = split.skip();
        high = skip.isEmpty() ? 0 : Math.toIntExact(Integer.toUnsignedLong(skip.last()) + 1);
        mixed = skip.getLongCardinality() < high;
    }

    /** The caller closes it. */
    Tensor tensor(SplitField field) {
        return switch (field) {
            case ORDINAL -> TInt64.scalarOf(split.ordinal());
            case PATHS -> paths();
            case FROM -> TInt64.scalarOf(split.from());
            case UNTIL -> TInt64.scalarOf(split.until());
            case STEP -> TInt64.scalarOf(split.step());
            case TAKE -> TInt64.scalarOf(split.records().orElse(-1));
            case COUNTED -> TInt64.scalarOf(split.counted().orElse(-1));
            case LIMIT -> TInt64.scalarOf(split.limit().orElse(-1));
            case HIGH -> TInt64.scalarOf(high);
            case MIXED -> TInt64.scalarOf(mixed ? high : 0);
            case WANTED -> TString.tensorOfBytes(NdArrays.scalarOfObject(mixed ? wanted() : new byte[0]));
        };
    }

    private Tensor paths() {
        return split.paths().isEmpty()
                ? TString.tensorOf(Shape.of(0), DataBuffers.ofObjects(String.class, 0))
                : TString.vectorOf(split.paths().toArray(String[]::new));
    }

    /** One byte a record below the highest that is not wanted: tf.data reads a byte of a string in one step. */
    private byte[] wanted() {
        byte[] marks = new byte[high];
        Arrays.fill(marks, WANTED);
        split.skip().forEach((int record) -> marks[record] = 0);
        return marks;
    }
}
