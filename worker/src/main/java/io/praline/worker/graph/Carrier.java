package io.praline.worker.graph;

import java.util.Optional;
import org.tensorflow.proto.DataType;

/**
 * The type as which a component's bits leave TensorFlow: its Java side has no tensors of some types, which are reread as
 * another one of the same size, without a copy.
 *
 * @param dtype that Java has tensors of
 * @param values how many values of it hold one of the component's; above 1, they are one more dimension at the end
 */
public record Carrier(DataType dtype, int values) {

    /** The carrier of a component; empty where it cannot leave. */
    public static Optional<Carrier> of(DataType component) {
        return switch (component) {
            case DT_FLOAT,
                    DT_DOUBLE,
                    DT_INT32,
                    DT_INT64,
                    DT_UINT8,
                    DT_UINT16,
                    DT_HALF,
                    DT_BFLOAT16,
                    DT_BOOL,
                    DT_STRING -> Optional.of(new Carrier(component, 1));
            case DT_INT8, DT_QINT8, DT_QUINT8 -> Optional.of(new Carrier(DataType.DT_UINT8, 1));
            case DT_INT16, DT_QINT16, DT_QUINT16 -> Optional.of(new Carrier(DataType.DT_UINT16, 1));
            case DT_UINT32, DT_QINT32 -> Optional.of(new Carrier(DataType.DT_INT32, 1));
            case DT_UINT64, DT_COMPLEX64 -> Optional.of(new Carrier(DataType.DT_INT64, 1));
            case DT_COMPLEX128 -> Optional.of(new Carrier(DataType.DT_INT64, 2));
            default -> Optional.empty();
        };
    }
}
