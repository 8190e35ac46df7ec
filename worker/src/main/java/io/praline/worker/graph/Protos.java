package io.praline.worker.graph;

import com.google.protobuf.ByteString;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/** Short ways to write the protos of a graph. */
public final class Protos {
    public static final TensorShapeProto SCALAR = TensorShapeProto.getDefaultInstance();

    private Protos() {}

    public static NodeDef.Builder node(String name, String op, String... inputs) {
        return NodeDef.newBuilder().setName(name).setOp(op).addAllInput(List.of(inputs));
    }

    public static AttrValue type(DataType type) {
        return AttrValue.newBuilder().setType(type).build();
    }

    public static AttrValue number(long value) {
        return AttrValue.newBuilder().setI(value).build();
    }

    public static AttrValue bool(boolean value) {
        return AttrValue.newBuilder().setB(value).build();
    }

    public static AttrValue string(String value) {
        return AttrValue.newBuilder().setS(ByteString.copyFromUtf8(value)).build();
    }

    public static AttrValue function(String name) {
        return AttrValue.newBuilder()
                .setFunc(NameAttrList.newBuilder().setName(name))
                .build();
    }

    public static AttrValue types(List<DataType> types) {
        return AttrValue.newBuilder()
                .setList(AttrValue.ListValue.newBuilder().addAllType(types))
                .build();
    }

    public static AttrValue shapes(List<TensorShapeProto> shapes) {
        return AttrValue.newBuilder()
                .setList(AttrValue.ListValue.newBuilder().addAllShape(shapes))
                .build();
    }

    public static TensorShapeProto shape(List<Long> sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        sizes.forEach(size -> shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size)));
        return shape.build();
    }

    public static TensorShapeProto shape(long... sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long size : sizes) {
            shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size));
        }
        return shape.build();
    }

    public static OpDef.ArgDef arg(String name, DataType type) {
        return OpDef.ArgDef.newBuilder().setName(name).setType(type).build();
    }

    public static TensorProto int64(long value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_INT64)
                .setTensorShape(SCALAR)
                .addInt64Val(value)
                .build();
    }

    public static TensorProto int64s(List<Long> values) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_INT64)
                .setTensorShape(shape((long) values.size()))
                .addAllInt64Val(values)
                .build();
    }

    public static TensorProto uint64s(long value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_UINT64)
                .setTensorShape(shape(1L))
                .addUint64Val(value)
                .build();
    }

    public static TensorProto uint64(long value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_UINT64)
                .setTensorShape(SCALAR)
                .addUint64Val(value)
                .build();
    }

    public static TensorProto int32(int value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_INT32)
                .setTensorShape(SCALAR)
                .addIntVal(value)
                .build();
    }

    public static TensorProto int32s(Integer... values) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_INT32)
                .setTensorShape(shape((long) values.length))
                .addAllIntVal(List.of(values))
                .build();
    }

    public static TensorProto float32(float value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_FLOAT)
                .setTensorShape(SCALAR)
                .addFloatVal(value)
                .build();
    }

    public static TensorProto bytes(ByteString value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_STRING)
                .setTensorShape(SCALAR)
                .addStringVal(value)
                .build();
    }

    public static TensorProto flag(boolean value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_BOOL)
                .setTensorShape(SCALAR)
                .addBoolVal(value)
                .build();
    }

    public static NodeDef.Builder constant(String name, TensorProto value) {
        return node(name, "Const")
                .putAttr("dtype", type(value.getDtype()))
                .putAttr("value", AttrValue.newBuilder().setTensor(value).build());
    }

    /** The sum of two int64, its output {@code z}. */
    public static NodeDef.Builder sum(String name, String one, String other) {
        return node(name, "AddV2", one, other).putAttr("T", type(DataType.DT_INT64));
    }

    /** The product of two int64, its output {@code z}. */
    public static NodeDef.Builder times(String name, String one, String other) {
        return node(name, "Mul", one, other).putAttr("T", type(DataType.DT_INT64));
    }
}
