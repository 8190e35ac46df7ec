package io.praline.worker.graph.ordering.function;

import io.praline.worker.graph.Protos;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** Numbers that are written down in a graph. */
public final class Literals {
    /** Longer ones are no settings but data. */
    private static final long MOST = 64;

    private static final long MOST_LOOKED_AT = 1 << 16;

    private Literals() {}

    /** The values of a constant of numbers, flat; empty of any other node, type or of a long one. */
    public static Optional<List<Number>> of(Optional<NodeDef> node) {
        return node.filter(each -> each.getOp().equals("Const"))
                .flatMap(each -> of(each.getAttrOrThrow("value").getTensor(), MOST));
    }

    /** The values of a constant of numbers, however many; empty of another type, or of more than are worth a look. */
    static Optional<List<Number>> all(NodeDef constant) {
        return of(constant.getAttrOrThrow("value").getTensor(), MOST_LOOKED_AT);
    }

    /** Those of a constant of whole numbers. */
    public static Optional<List<Long>> integers(Optional<NodeDef> node) {
        return of(node).filter(numbers ->
                        numbers.stream().noneMatch(number -> number instanceof Float || number instanceof Double))
                .map(numbers -> numbers.stream().map(Number::longValue).toList());
    }

    public static List<Long> shape(TensorProto tensor) {
        return tensor.getTensorShape().getDimList().stream()
                .map(TensorShapeProto.Dim::getSize)
                .toList();
    }

    private static Optional<List<Number>> of(TensorProto tensor, long most) {
        long count = shape(tensor).stream().reduce(1L, (a, b) -> a * b);
        if (count > most) {
            return Optional.empty();
        }
        List<Number> values = new ArrayList<>();
        ByteBuffer content = tensor.getTensorContent().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        boolean packed = content.hasRemaining();
        for (int i = 0; packed && i < count; i++) {
            Optional<Number> value = next(content, tensor.getDtype());
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get());
        }
        if (!packed) {
            Optional<List<? extends Number>> listed = listed(tensor);
            if (listed.isEmpty()) {
                return Optional.empty();
            }
            // the last one may be left out where it repeats, and zeros altogether
            Number last = tensor.getDtype() == DataType.DT_FLOAT || tensor.getDtype() == DataType.DT_HALF
                    ? (Number) 0f
                    : tensor.getDtype() == DataType.DT_DOUBLE ? (Number) 0.0 : (Number) 0L;
            for (int i = 0; i < count; i++) {
                last = i < listed.get().size() ? listed.get().get(i) : last;
                values.add(last);
            }
        }
        return Optional.of(values);
    }

    private static Optional<Number> next(ByteBuffer content, DataType type) {
        return switch (type) {
            case DT_FLOAT -> Optional.of(content.getFloat());
            case DT_HALF -> Optional.of(half(content.getShort()));
            case DT_DOUBLE -> Optional.of(content.getDouble());
            case DT_INT64 -> Optional.of(content.getLong());
            case DT_INT32 -> Optional.of((long) content.getInt());
            case DT_INT16 -> Optional.of((long) content.getShort());
            case DT_INT8, DT_BOOL -> Optional.of((long) content.get());
            case DT_UINT8 -> Optional.of((long) (content.get() & 0xff));
            default -> Optional.empty();
        };
    }

    private static Optional<List<? extends Number>> listed(TensorProto tensor) {
        return switch (tensor.getDtype()) {
            case DT_FLOAT -> Optional.of(tensor.getFloatValList());
            case DT_HALF ->
                Optional.of(tensor.getHalfValList().stream().map(Literals::half).toList());
            case DT_DOUBLE -> Optional.of(tensor.getDoubleValList());
            case DT_INT64 -> Optional.of(tensor.getInt64ValList());
            case DT_INT32, DT_INT16, DT_INT8, DT_UINT8 ->
                Optional.of(
                        tensor.getIntValList().stream().map(Integer::longValue).toList());
            case DT_BOOL ->
                Optional.of(tensor.getBoolValList().stream()
                        .map(each -> each ? 1L : 0L)
                        .toList());
            default -> Optional.empty();
        };
    }

    /** Of 16 bits, of which 5 are the exponent's and 10 the fraction's. */
    private static float half(int bits) {
        int exponent = (bits >> 10) & 0x1F;
        int fraction = bits & 0x3FF;
        float size;
        if (exponent == 0x1F) {
            size = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
        } else {
            size = exponent == 0
                    ? Math.scalb((float) fraction, -24)
                    : Math.scalb((float) (0x400 + fraction), exponent - 25);
        }
        return (bits & 0x8000) == 0 ? size : -size;
    }

    /** A constant of whole numbers of another one's type. */
    public static NodeDef.Builder like(NodeDef constant, String name, List<Long> shape, List<Long> values) {
        DataType type = constant.getAttrOrThrow("dtype").getType();
        TensorProto.Builder tensor = TensorProto.newBuilder().setDtype(type).setTensorShape(Protos.shape(shape));
        for (long value : values) {
            if (type == DataType.DT_INT64) {
                tensor.addInt64Val(value);
            } else {
                tensor.addIntVal(Math.toIntExact(value));
            }
        }
        return Protos.constant(name, tensor.build());
    }
}
