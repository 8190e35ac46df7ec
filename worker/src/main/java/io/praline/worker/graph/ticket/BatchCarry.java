package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Tickets through batches. A batch that comes short, because a task has no more elements, is told and left out where the
 * user drops the remainder, and in front of another batch or of a function for whole ones: there the elements of all tasks'
 * short batches are to make whole ones again, and only the attempt that reads the last of them lets a short one through.
 */
record BatchCarry(WidenedFunctions functions, Widening widening) {
    private static final long UNKNOWN = -1;

    Carried batch(Scope scope, NodeDef node) {
        Carried input = ofOneSize(scope, wholeOnes(scope, widening.carry(scope, node.getInput(0))));
        return batched(scope, node, node.toBuilder().setInput(0, input.ref()), input);
    }

    /**
     * What the user made of a group or a batch may have one shape whatever went into it, a sum for one; the tickets of what
     * went into it are as many as it were, and go into one tensor only where there are as many as of a full one.
     */
    private Carried ofOneSize(Scope scope, Carried input) {
        if (!input.ticket().shape().equals(List.of(UNKNOWN)) || input.full().isEmpty()) {
            return input;
        }
        long full = input.full().get();
        List<ElementComponent> components = scope.components(input.ref());
        ElementComponent ticket = Carried.ticket(List.of(full));
        List<ElementComponent> yielded = new ArrayList<>(components.subList(0, components.size() - 1));
        yielded.add(ticket);
        NodeDef.Builder map = Protos.node(scope.fresh("tickets_of_one_size"), "MapDataset", input.ref())
                .putAttr("f", Protos.function(padding(components, full)))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("use_inter_op_parallelism", Protos.bool(false))
                .putAttr("preserve_cardinality", Protos.bool(true));
        return new Carried(Widening.typed(scope, map, yielded), ticket, input.full());
    }

    /** The name of a function that puts behind an element's tickets what is none, and is passed over. */
    private String padding(List<ElementComponent> components, long full) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        FunctionDef.Builder function = functions.yieldingComponents("praline_pad", components);
        function.addNodeDef(Protos.node("shape", "Shape", TrackProvenance.TICKET)
                        .putAttr("T", int64)
                        .putAttr("out_type", int64))
                .addNodeDef(Protos.constant("full", Protos.int64s(List.of(full))))
                .addNodeDef(Protos.node("missing", "Sub", "full:output:0", "shape:output:0")
                        .putAttr("T", int64))
                .addNodeDef(Protos.constant("before", Protos.int64s(List.of(0L))))
                .addNodeDef(Protos.node("paddings", "Pack", "before:output:0", "missing:z:0")
                        .putAttr("T", int64)
                        .putAttr("N", Protos.number(2))
                        .putAttr("axis", Protos.number(1)))
                .addNodeDef(Protos.constant("none", Protos.int64(-1)))
                .addNodeDef(Protos.node("padded", "PadV2", TrackProvenance.TICKET, "paddings:output:0", "none:output:0")
                        .putAttr("T", int64)
                        .putAttr("Tpaddings", int64))
                .putRet("tickets", "padded:output:0");
        function.getSignatureBuilder().addOutputArg(Protos.arg("tickets", DataType.DT_INT64));
        return functions.add(function.build());
    }

    Carried padded(Scope scope, NodeDef node) {
        Carried input = ofOneSize(scope, wholeOnes(scope, widening.carry(scope, node.getInput(0))));
        boolean second = node.getOp().equals("PaddedBatchDatasetV2");
        int n = DatasetOps.components(node).size();
        List<String> inputs = node.getInputList();
        NodeDef.Builder changed = node.toBuilder().clearInput();
        changed.addInput(input.ref()).addInput(inputs.get(1)).addAllInput(inputs.subList(2, 2 + n));
        changed.addInput(
                scope.constant("padded_shape", Protos.int64s(input.ticket().shape())));
        changed.addAllInput(inputs.subList(2 + n, 2 + 2 * n));
        // what is no ticket is passed over
        changed.addInput(scope.constant("padding", Protos.int64(-1)));
        if (second) {
            changed.addInput(inputs.get(2 + 2 * n));
        }
        inputs.stream().filter(each -> each.startsWith("^")).forEach(changed::addInput);
        changed.putAttr("N", Protos.number(n + 1L));
        return batched(scope, node, changed, input);
    }

    Carried unbatch(Scope scope, NodeDef node) {
        refuseOtherRows(scope, node);
        Carried input = widening.apart(scope, node.getInput(0));
        if (input.single()) {
            throw new Untrackable(
                    Widening.named(node) + " makes several elements of one, behind a step that mixes or groups");
        }
        List<Long> shape = input.ticket().shape();
        return Widening.done(
                scope,
                node.toBuilder().setInput(0, input.ref()),
                new Carried(input.ref(), Carried.ticket(shape.subList(1, shape.size())), Optional.empty()));
    }

    /** Other batches of the same elements. */
    Carried rebatch(Scope scope, NodeDef node) {
        refuseOtherRows(scope, node);
        Carried input = widening.carry(scope, node.getInput(0));
        if (input.single()) {
            throw new Untrackable(Widening.named(node) + " takes elements apart that are no batches");
        }
        List<Long> shape = new ArrayList<>(input.ticket().shape());
        shape.set(0, -1L);
        Optional<Long> size = DatasetOps.wholeSize(node, scope);
        Carried stacked = new Carried(input.ref(), Carried.ticket(shape), size);
        NodeDef.Builder changed = node.toBuilder().setInput(0, input.ref());
        if (!DatasetOps.dropsRemainder(node, scope).orElse(false)) {
            return Widening.done(scope, changed, stacked);
        }
        return wholeOnes(
                scope,
                node,
                changed,
                stacked,
                scope.constant(
                        "whole",
                        Protos.int64(size.orElseThrow(() -> new Untrackable(
                                Widening.named(node) + " makes batches of several sizes, and drops a short one")))));
    }

    private void refuseOtherRows(Scope scope, NodeDef node) {
        Rows.changed(scope, node.getInput(0), functions.byName()).ifPresent(step -> {
            throw Rows.untold(node, step);
        });
    }

    /**
     * @param node as the user wrote it
     * @param changed the same with an input that carries tickets
     */
    private Carried batched(Scope scope, NodeDef node, NodeDef.Builder changed, Carried input) {
        Optional<Long> size = DatasetOps.batchSize(node, scope);
        boolean drops = DatasetOps.dropsRemainder(node, scope).orElse(false);
        Carried stacked = new Carried(input.ref(), stacked(node, input.ticket()), size);
        if (!drops) {
            return Widening.done(scope, changed, stacked);
        }
        String full = OpTraits.of(node).input(node, OpTraits.Input.SIZE).orElseThrow();
        return wholeOnes(scope, node, changed, stacked, full);
    }

    /**
     * Of batches that a node makes, those that are whole.
     *
     * @param changed the node with an input that carries tickets
     * @param stacked what it makes of them
     * @param full how many elements a whole one has
     */
    private Carried wholeOnes(Scope scope, NodeDef node, NodeDef.Builder changed, Carried stacked, String full) {
        OpTraits.of(node)
                .setInput(changed, OpTraits.Input.REMAINDER, scope.constant("keep_remainder", Protos.flag(false)));
        List<ElementComponent> components = DatasetOps.components(node);
        String key = DatasetOps.typesKey(node);
        DatasetOps.setComponents(
                changed, key, components.stream().map(BatchCarry::anySize).toList());
        Carried all = Widening.done(
                scope,
                changed.setName(scope.fresh("all_batches")),
                new Carried(stacked.ref(), anySize(stacked.ticket()), stacked.full()));
        List<ElementComponent> yielded = new ArrayList<>(components);
        yielded.add(stacked.ticket());
        // the node's own name goes to what its consumers read
        return stacked.at(kept(scope, node.getName(), all, yielded, full, false));
    }

    /** Of batches, those that are whole; the others too as soon as nothing is left that could complete them. */
    Carried wholeOnes(Scope scope, Carried input) {
        if (input.single() || input.full().isEmpty()) {
            return input;
        }
        String name = scope.fresh("whole_batches");
        String full = scope.constant("whole", Protos.int64(input.full().get()));
        return input.at(kept(scope, name, input, scope.components(input.ref()), full, true));
    }

    /** @param full how many elements a whole batch has, which may hang on the key of a group */
    private String kept(
            Scope scope, String name, Carried from, List<ElementComponent> yielded, String full, boolean unlessTail) {
        NodeDef.Builder filter = Protos.node(name, "FilterDataset", from.ref(), full)
                .putAttr("predicate", Protos.function(isWhole(yielded, unlessTail)))
                .putAttr("Targuments", Protos.types(List.of(DataType.DT_INT64)));
        return Widening.typed(scope, filter, yielded);
    }

    private String isWhole(List<ElementComponent> components, boolean unlessTail) {
        AttrValue int64 = Protos.type(DataType.DT_INT64);
        AttrValue int32 = Protos.type(DataType.DT_INT32);
        FunctionDef.Builder function = functions
                .predicate("praline_whole", components, List.of(Protos.arg("full", DataType.DT_INT64)))
                .addNodeDef(Protos.node("shape", "Shape", TrackProvenance.TICKET)
                        .putAttr("T", int64)
                        .putAttr("out_type", int64))
                .addNodeDef(Protos.constant("leading", Protos.int32(0)))
                .addNodeDef(
                        Protos.node("elements", "GatherV2", "shape:output:0", "leading:output:0", "leading:output:0")
                                .putAttr("Tparams", int64)
                                .putAttr("Tindices", int32)
                                .putAttr("Taxis", int32)
                                .putAttr("batch_dims", Protos.number(0)))
                .addNodeDef(Protos.node("whole", "Equal", "elements:output:0", "full")
                        .putAttr("T", int64)
                        .putAttr("incompatible_shape_error", Protos.bool(true)))
                .putRet("keep", "whole:z:0");
        if (unlessTail) {
            function.addNodeDef(Told.tailQueue("praline_tail"))
                    .addNodeDef(Protos.node("tail", "QueueSizeV2", "praline_tail:handle:0"))
                    .addNodeDef(Protos.node("is_tail", "Greater", "tail:size:0", "leading:output:0")
                            .putAttr("T", int32))
                    .addNodeDef(Protos.node("either", "LogicalOr", "whole:z:0", "is_tail:z:0"))
                    .putRet("keep", "either:z:0");
        }
        Told.rejected(function, true);
        return functions.add(function.build());
    }

    /** The ticket's shape in a batch; the leading dimension is that of the other components. */
    private static ElementComponent stacked(NodeDef batch, ElementComponent ticket) {
        ElementComponent first = DatasetOps.components(batch).get(0);
        List<Long> shape = new ArrayList<>();
        shape.add(first.rankKnown() && !first.shape().isEmpty() ? first.shape().get(0) : -1L);
        shape.addAll(ticket.shape());
        return Carried.ticket(shape);
    }

    private static ElementComponent anySize(ElementComponent component) {
        if (component.shape().isEmpty()) {
            return component;
        }
        List<Long> shape = new ArrayList<>(component.shape());
        shape.set(0, -1L);
        return new ElementComponent(component.dtype(), component.rankKnown(), shape);
    }
}
