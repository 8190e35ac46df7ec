package io.praline.client.pipeline;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.ResourceHandleProto;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.data.DatasetMetadata;

/** Attributes and constants of nodes. */
final class Attributes {

    private Attributes() {}

    static AttrValue types(List<Component> components) {
        AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
        components.forEach(component -> list.addType(component.type()));
        return AttrValue.newBuilder().setList(list).build();
    }

    static AttrValue shapes(List<Component> components) {
        AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
        components.forEach(component -> list.addShape(component.shapeProto()));
        return AttrValue.newBuilder().setList(list).build();
    }

    static AttrValue function(String name) {
        return AttrValue.newBuilder()
                .setFunc(NameAttrList.newBuilder().setName(name))
                .build();
    }

    static AttrValue bool(boolean value) {
        return AttrValue.newBuilder().setB(value).build();
    }

    static AttrValue type(DataType type) {
        return AttrValue.newBuilder().setType(type).build();
    }

    static AttrValue integer(long value) {
        return AttrValue.newBuilder().setI(value).build();
    }

    static AttrValue text(String value) {
        return AttrValue.newBuilder().setS(ByteString.copyFromUtf8(value)).build();
    }

    static AttrValue tensor(TensorProto tensor) {
        return AttrValue.newBuilder().setTensor(tensor).build();
    }

    /** The name that a user gave to a transformation, where tf.data keeps it. */
    static AttrValue metadata(String name) {
        return AttrValue.newBuilder()
                .setS(DatasetMetadata.Metadata.newBuilder()
                        .setName(ByteString.copyFromUtf8(name))
                        .build()
                        .toByteString())
                .build();
    }

    /** The name in what {@link #metadata} gives; empty where there is none. */
    static Optional<String> name(AttrValue metadata) {
        try {
            return Optional.of(DatasetMetadata.Metadata.parseFrom(metadata.getS())
                            .getName()
                            .toStringUtf8())
                    .filter(name -> !name.isEmpty());
        } catch (InvalidProtocolBufferException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static TensorProto scalar(long value) {
        return tensorOf(DataType.DT_INT64, Shape.scalar()).addInt64Val(value).build();
    }

    static TensorProto scalar(boolean value) {
        return tensorOf(DataType.DT_BOOL, Shape.scalar()).addBoolVal(value).build();
    }

    static TensorProto scalar(String value) {
        return tensorOf(DataType.DT_STRING, Shape.scalar())
                .addStringVal(ByteString.copyFromUtf8(value))
                .build();
    }

    static TensorProto vector(long... values) {
        TensorProto.Builder tensor = tensorOf(DataType.DT_INT64, Shape.of(values.length));
        for (long value : values) {
            tensor.addInt64Val(value);
        }
        return tensor.build();
    }

    static TensorProto vector(List<String> values) {
        TensorProto.Builder tensor = tensorOf(DataType.DT_STRING, Shape.of(values.size()));
        values.forEach(value -> tensor.addStringVal(ByteString.copyFromUtf8(value)));
        return tensor.build();
    }

    /** What a short component is filled up with: zero, false, or no text. */
    static TensorProto padding(DataType type) {
        TensorProto.Builder zero = tensorOf(type, Shape.scalar());
        switch (type) {
            case DT_STRING -> zero.addStringVal(ByteString.EMPTY);
            case DT_BOOL -> zero.addBoolVal(false);
            case DT_FLOAT -> zero.addFloatVal(0);
            case DT_DOUBLE -> zero.addDoubleVal(0);
            case DT_INT64 -> zero.addInt64Val(0);
            case DT_UINT64 -> zero.addUint64Val(0);
            case DT_UINT32 -> zero.addUint32Val(0);
            case DT_HALF, DT_BFLOAT16 -> zero.addHalfVal(0);
            case DT_INT32, DT_INT16, DT_INT8, DT_UINT8, DT_UINT16 -> zero.addIntVal(0);
            default -> throw new IllegalArgumentException("components of " + type + " cannot be padded");
        }
        return zero.build();
    }

    static TensorProto.Builder tensorOf(DataType type, Shape shape) {
        TensorShapeProto proto = Component.shapeProto(shape);
        return TensorProto.newBuilder().setDtype(type).setTensorShape(proto);
    }

    /** What every dataset node says of itself. */
    static Map<String, AttrValue> ofDataset(String step, List<Component> components) {
        Map<String, AttrValue> attributes = new TreeMap<>();
        attributes.put("output_types", types(components));
        attributes.put("output_shapes", shapes(components));
        if (!step.isEmpty()) {
            attributes.put("metadata", metadata(step));
        }
        return attributes;
    }

    /** The generator that Python keeps for a shuffle across epochs; a graph that does not find it makes its own. */
    static TensorProto seedGenerator() {
        return tensorOf(DataType.DT_RESOURCE, Shape.scalar())
                .addResourceHandleVal(ResourceHandleProto.newBuilder()
                        .setDevice("/job:localhost/replica:0/task:0/device:CPU:0")
                        .setContainer("localhost")
                        .setName("ShuffleDatasetV3/SeedGenerator"))
                .build();
    }
}
