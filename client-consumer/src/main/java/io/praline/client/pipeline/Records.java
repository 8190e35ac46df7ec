package io.praline.client.pipeline;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.tensorflow.Operand;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.op.io.ParseExample;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TString;

/** Ready-made functions on records: their bytes, their Examples, their types and sizes; to be given to {@link Pipeline}. */
public final class Records {

    private Records() {}

    /** From the name of a file to its bytes. */
    public static BiFunction<Ops, Element, Operand<TString>> readFile() {
        return (tf, x) -> tf.io.readFile(x.as(TString.class));
    }

    /** From bytes to little-endian numbers of this type; a shape without unknown dimensions gives the result its shape. */
    public static BiFunction<Ops, Element, Operand<?>> decodeRaw(TensorType type, long... shape) {
        return shape.length == 0 ? decodedRaw(type) : decodeRaw(type, Shape.of(shape));
    }

    /** The same of this shape, which may be that of a single number. */
    public static BiFunction<Ops, Element, Operand<?>> decodeRaw(TensorType type, Shape shape) {
        var decoded = decodedRaw(type);
        return (tf, x) -> tf.reshape(decoded.apply(tf, x), tf.constant(shape.asArray()));
    }

    private static BiFunction<Ops, Element, Operand<?>> decodedRaw(TensorType type) {
        if (type == TensorType.STRING) {
            throw new IllegalArgumentException("raw bytes are decoded to numbers, not to strings");
        }
        return (tf, x) -> tf.io.decodeRaw(x.as(TString.class), type.type());
    }

    /** The same values as another type. */
    public static BiFunction<Ops, Element, Operand<?>> cast(TensorType type) {
        if (type == TensorType.STRING) {
            throw new IllegalArgumentException("nothing is cast to a string");
        }
        return (tf, x) -> tf.dtypes.cast(x.get(), type.type());
    }

    /**
     * From a serialised {@code tf.train.Example}, or a batch of them, to one component for each feature, in this order. A batch parses
     * several times as fast; of features of any length its shorter ones are then filled up.
     */
    public static BiFunction<Ops, Element, Element> parseExample(List<Feature> features) {
        if (features.isEmpty()) {
            throw new IllegalArgumentException("an Example is parsed for its features, and none is named");
        }
        List<Feature> wanted = List.copyOf(features);
        return (tf, x) -> {
            List<Operand<?>> defaults = new ArrayList<>();
            wanted.forEach(feature -> defaults.add(constant(tf, missing(feature))));
            ParseExample parsed = tf.io.parseExample(
                    x.as(TString.class),
                    strings(tf, List.of()),
                    strings(tf, List.of()),
                    strings(tf, wanted.stream().map(Feature::name).toList()),
                    strings(tf, List.of()),
                    defaults,
                    0L,
                    List.of(),
                    List.of(),
                    List.of(),
                    wanted.stream().map(Feature::shape).toList());
            Element element = Element.of();
            for (int at = 0; at < wanted.size(); at++) {
                element =
                        element.and(wanted.get(at).name(), parsed.denseValues().get(at));
            }
            return element;
        };
    }

    /** Whether each leading dimension lies between these bounds, both included; an empty list bounds nothing. */
    public static BiFunction<Ops, Element, Operand<TBool>> sizeBetween(List<Integer> least, List<Integer> most) {
        if (least.isEmpty() && most.isEmpty()) {
            throw new IllegalArgumentException("a filter by size needs a least or a greatest size");
        }
        int[] low = least.stream().mapToInt(Integer::intValue).toArray();
        int[] high = most.stream().mapToInt(Integer::intValue).toArray();
        return (tf, x) -> {
            Operand<TInt32> size = tf.shape(x.get());
            List<Operand<TBool>> bounds = new ArrayList<>();
            if (low.length > 0) {
                bounds.add(
                        tf.all(tf.math.greaterEqual(leading(tf, size, low.length), tf.constant(low)), tf.constant(0)));
            }
            if (high.length > 0) {
                bounds.add(
                        tf.all(tf.math.lessEqual(leading(tf, size, high.length), tf.constant(high)), tf.constant(0)));
            }
            return bounds.size() == 1 ? bounds.get(0) : tf.math.logicalAnd(bounds.get(0), bounds.get(1));
        };
    }

    private static Operand<TInt32> leading(Ops tf, Operand<TInt32> size, int dimensions) {
        return tf.slice(size, tf.constant(new int[] {0}), tf.constant(new int[] {dimensions}));
    }

    /** Of one value for all, as many as the shape has; of a list of any length, what fills it up; nothing where it must be there. */
    private static TensorProto missing(Feature feature) {
        DataType type = feature.type().number();
        if (feature.ofAnyLength()) {
            TensorProto.Builder filling = Attributes.tensorOf(type, Shape.scalar());
            add(filling, feature.type(), feature.missing().orElse(feature.type() == TensorType.STRING ? "" : "0"));
            return filling.build();
        }
        if (feature.missing().isEmpty()) {
            return Attributes.tensorOf(type, Shape.of(0)).build();
        }
        TensorProto.Builder values = Attributes.tensorOf(type, feature.shape());
        for (long at = 0; at < feature.shape().size(); at++) {
            add(values, feature.type(), feature.missing().get());
        }
        return values.build();
    }

    private static void add(TensorProto.Builder values, TensorType type, String value) {
        if (type == TensorType.INT64) {
            values.addInt64Val(Long.parseLong(value));
        } else if (type == TensorType.FLOAT32) {
            values.addFloatVal(Float.parseFloat(value));
        } else {
            values.addStringVal(ByteString.copyFromUtf8(value));
        }
    }

    private static Operand<TString> strings(Ops tf, List<String> values) {
        return constant(tf, Attributes.vector(values)).asOutput().expect(TString.class);
    }

    private static Operand<?> constant(Ops tf, TensorProto tensor) {
        return tf.scope()
                .opBuilder("Const", "Const")
                .setAttr("dtype", tensor.getDtype())
                .setAttr("value", Attributes.tensor(tensor))
                .build()
                .output(0);
    }
}
