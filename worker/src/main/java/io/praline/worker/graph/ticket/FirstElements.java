package io.praline.worker.graph.ticket;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;

/**
 * Tells of the first elements of a split what they consist of, before any of them is left out. Where elements are numbered as
 * they come out, a split must come out alike whenever it is read: that is all that its tickets stand for.
 *
 * <p>Of each component goes in what is the same on every host: shapes, whole numbers, booleans and strings, and numbers with a
 * fraction where nothing but exact operations made them ({@link ExactFractions}). Left out are the values of such numbers
 * elsewhere, whose last bits may follow from how many threads added them up, and all of what has no bytes of its own, as
 * ragged and sparse tensors on their way between datasets.
 *
 * @param exact whether numbers with a fraction are the same on every host
 */
record FirstElements(WidenedFunctions functions, boolean exact) {
    /** So many of a split are looked at. */
    static final int MOST = 64;

    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);

    private static final AttrValue BYTES = Protos.type(DataType.DT_UINT8);

    /** What goes in of a component. */
    private enum Compared {
        VALUES,
        SHAPE,
        NOTHING
    }

    private Compared compared(DataType dtype) {
        return switch (dtype) {
            case DT_STRING, DT_BOOL, DT_INT8, DT_INT16, DT_INT32, DT_INT64, DT_UINT8, DT_UINT16, DT_UINT32, DT_UINT64 ->
                Compared.VALUES;
            case DT_HALF, DT_BFLOAT16, DT_FLOAT, DT_DOUBLE -> exact ? Compared.VALUES : Compared.SHAPE;
            case DT_COMPLEX64, DT_COMPLEX128 -> Compared.SHAPE;
            default -> Compared.NOTHING;
        };
    }

    /**
     * The same elements; the first are told when they pass.
     *
     * @param base the ticket of the split's first element
     */
    String told(Scope scope, String elements, String base) {
        List<ElementComponent> components = scope.components(elements);
        return Widening.typed(
                scope,
                Protos.node("praline_first_told", "FilterDataset", elements, base)
                        .putAttr("predicate", Protos.function(function(components)))
                        .putAttr("Targuments", Protos.types(List.of(DataType.DT_INT64))),
                components);
    }

    /** Keeps every element; of one behind the first only the switches run. */
    private String function(List<ElementComponent> components) {
        FunctionDef.Builder function =
                functions.predicate("praline_first", components, List.of(Protos.arg("base", DataType.DT_INT64)));
        function.addNodeDef(Protos.constant("yes", Protos.flag(true)))
                .putRet("keep", "yes:output:0")
                .addNodeDef(Protos.constant("most", Protos.int64(MOST)))
                .addNodeDef(Protos.node("index", "Sub", TrackProvenance.TICKET, "base")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.node("is_first", "Less", "index:z:0", "most:output:0")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.node("switch", "Switch", TrackProvenance.TICKET, "is_first:z:0")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.node("ticket", "Identity", "switch:output_true:0")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.constant("method", Protos.bytes(ByteString.copyFromUtf8("farmhash64")))
                        .addInput("^ticket"))
                .addNodeDef(Protos.constant("row", Protos.int32s(1, -1)).addInput("^ticket"))
                .addNodeDef(Protos.constant("flat", Protos.int32s(-1)).addInput("^ticket"));
        List<String> parts = new ArrayList<>();
        parts.add(fingerprint(function, "ticket", "ticket:output:0", DataType.DT_INT64));
        for (int i = 0; i < components.size() - 1; i++) {
            component(function, i, components.get(i), parts);
        }
        String all = parts.get(0);
        if (parts.size() > 1) {
            function.addNodeDef(Protos.constant("axis", Protos.int32(1)).addInput("^ticket"))
                    .addNodeDef(Protos.node("parts", "ConcatV2", parts.toArray(String[]::new))
                            .addInput("axis:output:0")
                            .putAttr("N", Protos.number(parts.size()))
                            .putAttr("T", BYTES)
                            .putAttr("Tidx", Protos.type(DataType.DT_INT32)));
            all = fingerprint(function, "parts", "parts:output:0", DataType.DT_UINT8);
        }
        function.addNodeDef(Protos.node("number", "Bitcast", all)
                        .putAttr("T", BYTES)
                        .putAttr("type", INT64))
                .addNodeDef(Protos.node("tickets", "Reshape", "ticket:output:0", "flat:output:0")
                        .putAttr("T", INT64)
                        .putAttr("Tshape", Protos.type(DataType.DT_INT32)))
                .addNodeDef(Told.readQueue("marks").addInput("^ticket"))
                .addNodeDef(Told.tell("QueueEnqueueManyV2", "tickets:output:0", "number:output:0"))
                .putControlRet("tell", "tell");
        function.getSignatureBuilder().setIsStateful(true).addControlOutput("tell");
        return functions.add(function.build());
    }

    private void component(FunctionDef.Builder function, int number, ElementComponent component, List<String> parts) {
        DataType dtype = component.dtype();
        Compared compared = compared(dtype);
        if (compared == Compared.NOTHING) {
            return;
        }
        String name = "first_" + number;
        AttrValue type = Protos.type(dtype);
        String value = name + ":output_true:0";
        function.addNodeDef(
                Protos.node(name, "Switch", "x" + number, "is_first:z:0").putAttr("T", type));
        if (!component.isStatic()) {
            function.addNodeDef(Protos.node(name + "_shape", "Shape", value)
                    .putAttr("T", type)
                    .putAttr("out_type", INT64));
            parts.add(fingerprint(function, name + "_shape", name + "_shape:output:0", DataType.DT_INT64));
        }
        if (compared == Compared.VALUES && dtype == DataType.DT_STRING) {
            // no string at all would leave the fingerprint of strings unwritten
            function.addNodeDef(Protos.node(name + "_hashes", "StringToHashBucketFast", value)
                    .putAttr("num_buckets", Protos.number(Long.MAX_VALUE)));
            parts.add(fingerprint(function, name, name + "_hashes:output:0", DataType.DT_INT64));
        } else if (compared == Compared.VALUES) {
            parts.add(fingerprint(function, name, value, dtype));
        }
    }

    /** One row of eight bytes. */
    private static String fingerprint(FunctionDef.Builder function, String name, String value, DataType dtype) {
        function.addNodeDef(Protos.node(name + "_row", "Reshape", value, "row:output:0")
                        .putAttr("T", Protos.type(dtype))
                        .putAttr("Tshape", Protos.type(DataType.DT_INT32)))
                .addNodeDef(Protos.node(name + "_fingerprint", "Fingerprint", name + "_row:output:0", "method:output:0")
                        .putAttr("T", Protos.type(dtype)));
        return name + "_fingerprint:fingerprint:0";
    }
}
