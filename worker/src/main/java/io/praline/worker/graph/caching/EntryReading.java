package io.praline.worker.graph.caching;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;

/** The function that makes an element of the argument {@code record}, and its ticket of the argument {@code base}. */
final class EntryReading {
    private static final AttrValue INT32 = Protos.type(DataType.DT_INT32);
    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);
    private static final AttrValue UINT8 = Protos.type(DataType.DT_UINT8);

    private final FunctionDef.Builder function;
    private final EntryLayout layout;
    private int named;

    EntryReading(FunctionDef.Builder function, EntryLayout layout) {
        this.function = function;
        this.layout = layout;
    }

    /** @param components of the element, the ticket last */
    FunctionDef.Builder of(List<ElementComponent> components) {
        OpDef.Builder signature = function.getSignatureBuilder();
        String head = layout.varying() == 0
                ? "record"
                : substring("record", constant(Protos.int64(0)), constant(Protos.int64(layout.headEnd())));
        String bytes = add("DecodeRaw", "output", List.of(head), "out_type", UINT8, "little_endian", Protos.bool(true));
        String numbers = values(bytes, layout.headAt(), Long.BYTES * (1 + layout.varying()), DataType.DT_INT64);
        String at = constant(Protos.int64(layout.headEnd()));
        int varying = 0;
        for (int i = 0; i < layout.fields().size(); i++) {
            EntryLayout.Field field = layout.fields().get(i);
            String value;
            if (field.fixed()) {
                value = fixed(bytes, field);
            } else {
                String length = number(numbers, ++varying);
                value = add(
                        "ParseTensor",
                        "output",
                        List.of(substring("record", at, length)),
                        "out_type",
                        Protos.type(field.component().dtype()));
                at = add("AddV2", "z", List.of(at, length), "T", INT64);
            }
            signature.addOutputArg(Protos.arg("y" + i, field.component().dtype()));
            function.putRet("y" + i, value);
        }
        String ticket = add("AddV2", "z", List.of("base", number(numbers, 0)), "T", INT64);
        int last = components.size() - 1;
        signature.addOutputArg(Protos.arg("y" + last, DataType.DT_INT64));
        return function.putRet("y" + last, ticket);
    }

    private String fixed(String bytes, EntryLayout.Field field) {
        String row = values(bytes, field.at(), field.bytes(), field.component().dtype());
        return reshaped(row, field.component().shape(), field.component().dtype());
    }

    /** Values in a row, from the bytes of a record. */
    private String values(String bytes, int from, int length, DataType type) {
        String row = add(
                "Slice",
                "output",
                List.of(bytes, constant(Protos.int32s(from)), constant(Protos.int32s(length))),
                "T",
                UINT8,
                "Index",
                INT32);
        int width = EntryLayout.width(type);
        if (type == DataType.DT_UINT8) {
            return row;
        }
        if (type == DataType.DT_BOOL) {
            return add("Cast", "y", List.of(row), "SrcT", UINT8, "DstT", Protos.type(type));
        }
        String words =
                width == 1 ? row : reshaped(row, List.of((long) length / width, (long) width), DataType.DT_UINT8);
        return add("Bitcast", "output", List.of(words), "T", UINT8, "type", Protos.type(type));
    }

    private String reshaped(String value, List<Long> shape, DataType type) {
        return add(
                "Reshape",
                "output",
                List.of(value, constant(Protos.int64s(shape))),
                "T",
                Protos.type(type),
                "Tshape",
                INT64);
    }

    private String number(String numbers, int place) {
        String one = add(
                "Slice",
                "output",
                List.of(numbers, constant(Protos.int32s(place)), constant(Protos.int32s(1))),
                "T",
                INT64,
                "Index",
                INT32);
        return reshaped(one, List.of(), DataType.DT_INT64);
    }

    private String substring(String of, String from, String length) {
        return add("Substr", "output", List.of(of, from, length), "T", INT64, "unit", Protos.string("BYTE"));
    }

    private String constant(TensorProto value) {
        String name = "c" + named++;
        function.addNodeDef(Protos.constant(name, value));
        return name + ":output:0";
    }

    private String add(String op, String output, List<String> inputs, Object... attributes) {
        String name = "n" + named++;
        var node = Protos.node(name, op, inputs.toArray(String[]::new));
        for (int i = 0; i < attributes.length; i += 2) {
            node.putAttr((String) attributes[i], (AttrValue) attributes[i + 1]);
        }
        function.addNodeDef(node);
        return name + ":" + output + ":0";
    }
}
