package io.praline.client.pipeline;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TBfloat16;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TFloat16;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint16;
import org.tensorflow.types.TUint8;
import org.tensorflow.types.family.TType;

/** The types that tensors of a pipeline are cast to and parsed as, with the names that TensorFlow gives them. */
public enum TensorType {
    UINT8(TUint8.class, DataType.DT_UINT8),
    UINT16(TUint16.class, DataType.DT_UINT16),
    INT32(TInt32.class, DataType.DT_INT32),
    INT64(TInt64.class, DataType.DT_INT64),
    FLOAT16(TFloat16.class, DataType.DT_HALF),
    BFLOAT16(TBfloat16.class, DataType.DT_BFLOAT16),
    FLOAT32(TFloat32.class, DataType.DT_FLOAT),
    FLOAT64(TFloat64.class, DataType.DT_DOUBLE),
    BOOL(TBool.class, DataType.DT_BOOL),
    STRING(TString.class, DataType.DT_STRING);

    private final Class<? extends TType> type;
    private final DataType number;

    TensorType(Class<? extends TType> type, DataType number) {
        this.type = type;
        this.number = number;
    }

    /** The type that is written so in TensorFlow: {@code uint8, float32, string}. */
    public static Optional<TensorType> named(String name) {
        return Arrays.stream(values())
                .filter(type -> type.toString().equals(name))
                .findFirst();
    }

    Class<? extends TType> type() {
        return type;
    }

    DataType number() {
        return number;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
