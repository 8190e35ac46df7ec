package io.praline.worker.graph.ordering;

import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import io.praline.worker.graph.ordering.function.Literals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;

/**
 * A function of one element for a whole batch of them, by a rule for each op. Every tensor that follows from the element has
 * the batch's dimension in front. What is the same for all elements stays as it is; a tensor of fewer dimensions than the one
 * it meets gets its missing ones behind the batch's, where an element's would be added in front.
 */
final class Vectorise {
    private final Body body;
    private final Effects effects;
    private final Map<String, ElementComponent> types;
    private final FunctionDef.Builder function;
    private final Map<String, Now> now = new HashMap<>();

    /** How a tensor of an element has become one of a batch. */
    enum Layout {
        /** It is the same for all elements. */
        SAME,
        /** The batch's dimension stands in front. */
        ROWS,
        /** The batch's dimension stands in the place of the first, which is of size 1 in an element. */
        PICTURES
    }

    /** What has taken the place of an output. */
    record Now(String ref, Layout layout) {}

    /** @param types of all that the function calculates for one element */
    Vectorise(FunctionDef function, int components, Map<String, ElementComponent> types, Effects effects) {
        this.body = Body.of(function, effects);
        this.effects = effects;
        this.types = types;
        this.function =
                function.toBuilder().clearNodeDef().clearRet().clearControlRet().clearArgAttr();
        for (int i = 0; i < body.arguments().size(); i++) {
            String name = body.arguments().get(i).getName();
            now.put(name, new Now(name, i < components ? Layout.ROWS : Layout.SAME));
        }
    }

    /**
     * Under the same name.
     *
     * @throws RefusedRecipe if there is no rule for an op
     */
    FunctionDef function() {
        BatchRules rules = new BatchRules(this);
        OpDef.Builder signature = function.getSignatureBuilder().clearControlOutput();
        for (NodeDef node : body.nodes()) {
            List<Now> inputs = node.getInputList().stream().map(this::now).toList();
            if (effects.draws(node)) {
                throw new RefusedRecipe("it draws by " + node.getOp() + ", which is for single elements");
            }
            if (inputs.stream().allMatch(input -> input.layout() == Layout.SAME)) {
                add(renamed(node, inputs), node, Layout.SAME);
            } else {
                rules.apply(node, inputs);
            }
            if (body.kept().contains(node.getName())) {
                function.putControlRet(node.getName(), node.getName());
                signature.addControlOutput(node.getName());
            }
        }
        for (int i = 0; i < body.results().size(); i++) {
            String ref = body.results().get(i);
            boolean same = now(ref).layout() == Layout.SAME;
            function.putRet(signature.getOutputArg(i).getName(), same ? repeated(ref) : rows(ref));
        }
        return EarlyBatches.marked(function).build();
    }

    /** What is the same for all elements, as often as there are some. */
    private String repeated(String ref) {
        String name = "praline_repeated_" + function.getNodeDefCount();
        DataType type = types.get(ref).dtype();
        OpDef.ArgDef rows = body.arguments().get(0);
        function.addNodeDef(shape(name + "_batch", rows.getName(), rows.getType()));
        String zero = constant(name + "_zero", vector(0));
        String one = constant(name + "_one", vector(1));
        function.addNodeDef(Protos.node(name + "_size", "Slice", name + "_batch:output:0", zero, one)
                .putAttr("T", Protos.type(DataType.DT_INT32))
                .putAttr("Index", Protos.type(DataType.DT_INT32)));
        function.addNodeDef(shape(name + "_each", now(ref).ref(), type));
        String axis = constant(name + "_axis", Protos.int32(0));
        function.addNodeDef(
                Protos.node(name + "_shape", "ConcatV2", name + "_size:output:0", name + "_each:output:0", axis)
                        .putAttr("N", Protos.number(2))
                        .putAttr("T", Protos.type(DataType.DT_INT32))
                        .putAttr("Tidx", Protos.type(DataType.DT_INT32)));
        function.addNodeDef(Protos.node(name, "BroadcastTo", now(ref).ref(), name + "_shape:output:0")
                .putAttr("T", Protos.type(type))
                .putAttr("Tidx", Protos.type(DataType.DT_INT32)));
        return name + ":output:0";
    }

    private static NodeDef.Builder shape(String name, String of, DataType type) {
        return Protos.node(name, "Shape", of)
                .putAttr("T", Protos.type(type))
                .putAttr("out_type", Protos.type(DataType.DT_INT32));
    }

    private static TensorProto vector(int value) {
        return TensorProto.newBuilder()
                .setDtype(DataType.DT_INT32)
                .setTensorShape(Protos.shape(1L))
                .addIntVal(value)
                .build();
    }

    Body body() {
        return body;
    }

    Effects effects() {
        return effects;
    }

    private Now now(String ref) {
        Now known = now.get(ref);
        if (known == null) {
            throw new RefusedRecipe("nothing is known of " + ref);
        }
        return known;
    }

    Layout layout(String ref) {
        return now(ref).layout();
    }

    /** The type and shape that an output has of one element. */
    ElementComponent element(String ref) {
        return types.get(ref);
    }

    /** How many dimensions an output has of one element. */
    int rank(String ref, NodeDef reader) {
        ElementComponent type = types.get(ref);
        if (!type.rankKnown()) {
            throw new RefusedRecipe("what " + reader.getOp() + " is given has an unknown number of dimensions");
        }
        return type.shape().size();
    }

    /** What an output is now, with the batch's dimension in front. */
    String rows(String ref) {
        Now known = now(ref);
        return known.layout() == Layout.PICTURES
                ? expanded(known.ref(), 1, types.get(ref).dtype())
                : known.ref();
    }

    /** With a dimension of size 1 more behind the batch's, as often as is said. */
    String expanded(String ref, int times, DataType type) {
        String at = ref;
        for (int i = 0; i < times; i++) {
            String name = "praline_row_" + function.getNodeDefCount();
            String axis = constant(name + "_axis", Protos.int32(1));
            function.addNodeDef(Protos.node(name, "ExpandDims", at, axis)
                    .putAttr("T", Protos.type(type))
                    .putAttr("Tdim", Protos.type(DataType.DT_INT32)));
            at = name + ":output:0";
        }
        return at;
    }

    /** A tensor that fails where it is not of this shape. */
    String ensured(String ref, DataType type, List<Long> shape) {
        String name = "praline_sized_" + function.getNodeDefCount();
        function.addNodeDef(Protos.node(name, "EnsureShape", ref)
                .putAttr("T", Protos.type(type))
                .putAttr(
                        "shape",
                        AttrValue.newBuilder().setShape(Protos.shape(shape)).build()));
        return name + ":output:0";
    }

    String constant(String name, TensorProto value) {
        function.addNodeDef(Protos.constant(name, value));
        return name + ":output:0";
    }

    /** A constant in the place of another one; gives its ref. */
    String constant(String ref, NodeDef reader, List<Long> shape, List<Long> values) {
        NodeDef written = body.producer(ref).orElseThrow();
        String name = reader.getName() + "_praline_" + function.getNodeDefCount();
        function.addNodeDef(Literals.like(written, name, shape, values));
        return name + ":output:0";
    }

    /** A constant operand with a row more in front, also where it is made of constants. */
    String prefixed(String ref, NodeDef reader, List<Long> row, List<Long> rowShape) {
        Optional<List<Long>> written = Literals.integers(body.producer(ref));
        ElementComponent type = types.get(ref);
        if (layout(ref) != Layout.SAME || (written.isEmpty() && !type.isStatic())) {
            throw new RefusedRecipe(reader.getOp() + " is told where by what follows from the element");
        }
        if (written.isPresent()) {
            List<Long> all = new ArrayList<>(row);
            all.addAll(written.get());
            List<Long> shape = new ArrayList<>(type.shape());
            shape.set(0, shape.get(0) + 1);
            return constant(ref, reader, shape, all);
        }
        String name = reader.getName() + "_praline_" + function.getNodeDefCount();
        NodeDef like = Protos.node("like", "Const")
                .putAttr("dtype", Protos.type(type.dtype()))
                .build();
        function.addNodeDef(Literals.like(like, name + "_row", rowShape, row));
        String axis = constant(name + "_axis", Protos.int32(0));
        function.addNodeDef(Protos.node(name, "ConcatV2", name + "_row:output:0", now(ref).ref(), axis)
                .putAttr("N", Protos.number(2))
                .putAttr("T", Protos.type(type.dtype()))
                .putAttr("Tidx", Protos.type(DataType.DT_INT32)));
        return name + ":output:0";
    }

    /** The whole numbers of a constant operand. */
    List<Long> literal(String ref, NodeDef reader) {
        return Literals.integers(body.producer(ref))
                .orElseThrow(() -> new RefusedRecipe(
                        reader.getOp() + " is told where by what is no constant, which has no rule for batches"));
    }

    /** A node in place of the user's of that name. */
    void add(NodeDef.Builder changed, NodeDef node, Layout layout) {
        function.addNodeDef(changed);
        OpDef op = effects.ops().op(node.getOp());
        for (OpDef.ArgDef argument : op.getOutputArgList()) {
            for (int i = 0; i < FunctionTypes.count(argument, node); i++) {
                String ref = node.getName() + ":" + argument.getName() + ":" + i;
                now.put(ref, new Now(ref, layout));
            }
        }
    }

    /** Lets readers of a node's only output read something else. */
    void replace(NodeDef node, String ref, Layout layout) {
        String argument = effects.ops().op(node.getOp()).getOutputArg(0).getName();
        now.put(node.getName() + ":" + argument + ":0", new Now(ref, layout));
    }

    static NodeDef.Builder renamed(NodeDef node, List<Now> inputs) {
        return with(node, inputs.stream().map(Now::ref).toList());
    }

    static NodeDef.Builder with(NodeDef node, List<String> inputs) {
        return node.toBuilder().clearInput().addAllInput(inputs);
    }
}
