package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Children;
import io.praline.worker.graph.source.opening.SplitField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Tickets of what single elements become behind a shuffle ({@link Children}). A parent carries those of its children as a
 * vector, each that is not wanted as its complement, until the step makes them; there must be as many.
 */
record ChildCarry(WidenedFunctions functions) {
    private static final AttrValue INT64 = Protos.type(DataType.DT_INT64);

    private static final ElementComponent OF_A_PARENT = Carried.ticket(List.of(-1L));

    /**
     * A split's elements, each with the tickets of its children; without those of which no child is wanted.
     *
     * @param told its elements with the numbers of their children and, last, their own
     * @param base the ticket of the split's first child
     */
    Carried parents(Scope scope, String told, String base) {
        List<ElementComponent> given = scope.components(told);
        List<ElementComponent> yielded = new ArrayList<>(given.subList(0, given.size() - 2));
        yielded.add(OF_A_PARENT);
        List<DataType> state = List.of(DataType.DT_INT64);
        NodeDef.Builder scan = Protos.node(
                        "praline_parents",
                        "ScanDataset",
                        told,
                        scope.constant("praline_none_yet", Protos.int64(0)),
                        SplitField.WANTED.argument(),
                        base,
                        SplitField.HIGH.argument())
                .putAttr("f", Protos.function(allotted(given)))
                .putAttr("Tstate", Protos.types(state))
                .putAttr("Targuments", Protos.types(List.of(DataType.DT_STRING, DataType.DT_INT64, DataType.DT_INT64)))
                .putAttr("preserve_cardinality", Protos.bool(true))
                .putAttr("use_default_device", Protos.bool(true));
        String all = Widening.typed(scope, scan, yielded);
        NodeDef.Builder wanted = Protos.node("praline_tracked", "FilterDataset", all, base)
                .putAttr("predicate", Protos.function(hasWanted(yielded)))
                .putAttr("Targuments", Protos.types(List.of(DataType.DT_INT64)));
        return new Carried(Widening.typed(scope, wanted, yielded), OF_A_PARENT, Optional.empty());
    }

    /**
     * Gives a parent's children the tickets behind those that were given before. The state is by how much these run ahead of the
     * parents' own numbers: so a number that no parent has, for it could not be made or counted, leaves one ticket out, and is
     * missed by it.
     */
    private String allotted(List<ElementComponent> given) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        OpDef.Builder signature = function.getSignatureBuilder()
                .setName(functions.freshName("praline_allot"))
                .addInputArg(Protos.arg("ahead", DataType.DT_INT64))
                .addOutputArg(Protos.arg("next", DataType.DT_INT64));
        int components = given.size() - 2;
        for (int i = 0; i < components; i++) {
            signature.addInputArg(Protos.arg("x" + i, given.get(i).dtype()));
            signature.addOutputArg(Protos.arg("y" + i, given.get(i).dtype()));
            function.putRet("y" + i, "x" + i);
        }
        signature
                .addInputArg(Protos.arg("children", DataType.DT_INT64))
                .addInputArg(Protos.arg("number", DataType.DT_INT64))
                .addInputArg(Protos.arg("wanted", DataType.DT_STRING))
                .addInputArg(Protos.arg("base", DataType.DT_INT64))
                .addInputArg(Protos.arg("high", DataType.DT_INT64))
                .addOutputArg(Protos.arg("tickets", DataType.DT_INT64));
        function.addNodeDef(Protos.sum("first", "number", "ahead"))
                .addNodeDef(Protos.sum("behind_all", "first:z:0", "children"))
                .addNodeDef(Protos.constant("step", Protos.int64(1)))
                .addNodeDef(Protos.node("all", "Range", "first:z:0", "behind_all:z:0", "step:output:0")
                        .putAttr("Tidx", INT64))
                .addNodeDef(Protos.sum("following", "number", "step:output:0"))
                .addNodeDef(Protos.node("next", "Sub", "behind_all:z:0", "following:z:0")
                        .putAttr("T", INT64));
        return functions.add(WantedRecords.either(function, "all:output:0")
                .addNodeDef(Protos.node("unwanted", "Invert", "all:output:0").putAttr("T", INT64))
                .addNodeDef(Protos.node("each", "SelectV2", "either:z:0", "all:output:0", "unwanted:y:0")
                        .putAttr("T", INT64))
                .putRet("next", "next:z:0")
                .putRet("tickets", "each:output:0")
                .build());
    }

    /**
     * Whether a parent has a child that is wanted, or none at all: then it takes its place in the shuffle, as ever. Its last child
     * that is not wanted is told.
     */
    private String hasWanted(List<ElementComponent> components) {
        FunctionDef.Builder function =
                functions.predicate("praline_has_wanted", components, List.of(Protos.arg("base", DataType.DT_INT64)));
        function.addNodeDef(Protos.constant("least", Protos.int64(0)))
                .addNodeDef(Protos.node("wanted", "GreaterEqual", TrackProvenance.TICKET, "least:output:0")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.constant("axis", Protos.int32(0)))
                .addNodeDef(Protos.node("any", "Any", "wanted:z:0", "axis:output:0")
                        .putAttr("Tidx", Protos.type(DataType.DT_INT32))
                        .putAttr("keep_dims", Protos.bool(false)))
                .addNodeDef(size("children"))
                .addNodeDef(Protos.node("none", "Equal", "children:output:0", "least:output:0")
                        .putAttr("T", INT64)
                        .putAttr("incompatible_shape_error", Protos.bool(true)))
                .addNodeDef(Protos.node("either", "LogicalOr", "any:output:0", "none:z:0"))
                .putRet("keep", "either:z:0")
                // the complement of the last one is the lowest of all; without children it is no complement
                .addNodeDef(Protos.node("lowest", "Min", TrackProvenance.TICKET, "axis:output:0")
                        .putAttr("T", INT64)
                        .putAttr("Tidx", Protos.type(DataType.DT_INT32))
                        .putAttr("keep_dims", Protos.bool(false)))
                .addNodeDef(Protos.node("is_unwanted", "Less", "lowest:output:0", "least:output:0")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.node("if_unwanted", "Switch", "lowest:output:0", "is_unwanted:z:0")
                        .putAttr("T", INT64))
                .addNodeDef(Protos.node("last_unwanted", "Invert", "if_unwanted:output_true:0")
                        .putAttr("T", INT64));
        WantedRecords.leaveOut(function, "last_unwanted:y:0");
        return functions.add(function.build());
    }

    private static NodeDef size(String name) {
        return Protos.node(name, "Size", TrackProvenance.TICKET)
                .putAttr("T", INT64)
                .putAttr("out_type", INT64)
                .build();
    }

    /** The children that a function makes of a parent. */
    Carried made(Scope scope, NodeDef node, Carried parents) {
        int arity = scope.components(parents.ref()).size() - 1;
        FunctionDef.Builder widened = functions.withTicket(functions.calledBy(node, "f"), arity);
        Scope body = Scope.ofFunction(widened.build());
        String result = widened.getSignature().getOutputArg(0).getName();
        String children = widened.getRetOrThrow(result);
        List<ElementComponent> components = new ArrayList<>(body.components(children));
        // one more than was counted would be lost where its ticket is put beside it
        body.put(size("praline_size"));
        String checked = Widening.typed(
                body,
                Protos.node("praline_as_counted", "AssertCardinalityDataset", children, "praline_size:output:0"),
                components);
        String tickets = body.addDataset(Protos.node("praline_tickets", "TensorSliceDataset", TrackProvenance.TICKET)
                .putAttr("Toutput_types", Protos.types(List.of(DataType.DT_INT64)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                .putAttr("is_files", Protos.bool(false))
                .putAttr("replicate_on_split", Protos.bool(false)));
        components.add(Carried.ticket(List.of()));
        String all = Widening.typed(
                body,
                Protos.node("praline_all", "ZipDataset", checked, tickets).putAttr("N", Protos.number(2)),
                components);
        String wanted = wantedOnly(body, all, components);
        widened.clearNodeDef().addAllNodeDef(body.nodes()).putRet(result, wanted);
        return Widening.done(
                scope,
                node.toBuilder()
                        .setInput(0, parents.ref())
                        .putAttr("f", FunctionArguments.called(node, "f", functions.add(widened.build()))),
                new Carried("", Carried.ticket(List.of()), Optional.empty()));
    }

    /** The rows of a parent. */
    Carried rows(Scope scope, NodeDef node, Carried parents) {
        List<ElementComponent> components = new ArrayList<>(scope.components(node.getName()));
        components.add(Carried.ticket(List.of()));
        String all = Widening.typed(
                scope, node.toBuilder().setName(scope.fresh("children")).setInput(0, parents.ref()), components);
        // the node's own name goes to what its consumers read
        NodeDef.Builder wanted = Protos.node(node.getName(), "FilterDataset", all)
                .putAttr("predicate", Protos.function(isWanted(components)))
                .putAttr("Targuments", Protos.types(List.of()));
        return new Carried(Widening.typed(scope, wanted, components), Carried.ticket(List.of()), Optional.empty());
    }

    /** Of a parent's children those that are wanted; each is looked at only where one is not. */
    private String wantedOnly(Scope body, String all, List<ElementComponent> components) {
        body.put(Protos.constant("praline_least", Protos.int64(0)).build());
        body.put(Protos.node("praline_unwanted", "Less", TrackProvenance.TICKET, "praline_least:output:0")
                .putAttr("T", INT64)
                .build());
        body.put(Protos.constant("praline_axis", Protos.int32(0)).build());
        body.put(Protos.node("praline_any_unwanted", "Any", "praline_unwanted:z:0", "praline_axis:output:0")
                .putAttr("Tidx", Protos.type(DataType.DT_INT32))
                .putAttr("keep_dims", Protos.bool(false))
                .build());
        body.put(Protos.node("praline_chosen", "If", "praline_any_unwanted:output:0", all)
                .putAttr("Tcond", Protos.type(DataType.DT_BOOL))
                .putAttr("Tin", Protos.types(List.of(DataType.DT_VARIANT)))
                .putAttr("Tout", Protos.types(List.of(DataType.DT_VARIANT)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                .putAttr("then_branch", Protos.function(branch(components, true)))
                .putAttr("else_branch", Protos.function(branch(components, false)))
                .build());
        body.put(Protos.constant("praline_to_the_end", Protos.int64(-1)).build());
        // a dataset that says what its elements consist of, which a branch does not
        return Widening.typed(
                body,
                Protos.node("praline_tracked", "TakeDataset", "praline_chosen:output:0", "praline_to_the_end:output:0"),
                components);
    }

    private String branch(List<ElementComponent> components, boolean some) {
        FunctionDef.Builder function = FunctionDef.newBuilder();
        function.getSignatureBuilder()
                .setName(functions.freshName(some ? "praline_some" : "praline_all"))
                .addInputArg(Protos.arg("all", DataType.DT_VARIANT))
                .addOutputArg(Protos.arg("chosen", DataType.DT_VARIANT));
        if (!some) {
            return functions.add(function.putRet("chosen", "all").build());
        }
        NodeDef.Builder filter = Protos.node("kept", "FilterDataset", "all")
                .putAttr("predicate", Protos.function(isWanted(components)))
                .putAttr("Targuments", Protos.types(List.of()));
        DatasetOps.setComponents(filter, "output_types", components);
        return functions.add(
                function.addNodeDef(filter).putRet("chosen", "kept:handle:0").build());
    }

    private String isWanted(List<ElementComponent> components) {
        FunctionDef.Builder function = functions.predicate("praline_wanted_child", components, List.of());
        return functions.add(function.addNodeDef(Protos.constant("least", Protos.int64(0)))
                .addNodeDef(Protos.node("wanted", "GreaterEqual", TrackProvenance.TICKET, "least:output:0")
                        .putAttr("T", INT64))
                .putRet("keep", "wanted:z:0")
                .build());
    }
}
