package io.praline.worker.graph.ordering;

import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.function.Flows;
import io.praline.worker.graph.ordering.function.FunctionTypes;
import io.praline.worker.graph.ordering.step.OpSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * A function for arguments of other types. Only ops that copy values take them, a cast and a bilinear resize, whose result
 * does not hang on the type of what it is given.
 */
final class Retype {
    private static final Set<String> RETYPED = Set.of(
            "BroadcastTo",
            "Cast",
            "ConcatV2",
            "EnsureShape",
            "ExpandDims",
            "GatherV2",
            "Identity",
            "MirrorPad",
            "Pack",
            "Rank",
            "Reshape",
            "ResizeBilinear",
            "ResizeNearestNeighbor",
            "ReverseV2",
            "Roll",
            "Select",
            "SelectV2",
            "Shape",
            "Size",
            "Slice",
            "Split",
            "Squeeze",
            "StridedSlice",
            "Tile",
            "Transpose",
            "Unpack");

    private final Map<String, FunctionDef> functions;
    private final OpInference ops;

    /** @param functions get the branches that are retyped on the way */
    Retype(Map<String, FunctionDef> functions, OpInference ops) {
        this.functions = functions;
        this.ops = ops;
    }

    /**
     * Under the same name.
     *
     * @param types of its first arguments
     * @throws RefusedRecipe if an op would calculate otherwise
     */
    FunctionDef of(FunctionDef function, List<DataType> types) {
        Map<String, DataType> changed = new HashMap<>();
        FunctionDef.Builder retyped = function.toBuilder().clearNodeDef().clearArgAttr();
        OpDef.Builder signature = retyped.getSignatureBuilder();
        for (int i = 0; i < types.size(); i++) {
            OpDef.ArgDef.Builder argument = signature.getInputArgBuilder(i);
            if (argument.getType() != types.get(i)) {
                changed.put(argument.getName(), types.get(i));
                argument.setType(types.get(i));
            }
        }
        if (changed.isEmpty()) {
            return function;
        }
        for (NodeDef node : ordered(function)) {
            retyped.addNodeDef(retyped(node, changed));
        }
        for (OpDef.ArgDef.Builder result : signature.getOutputArgBuilderList()) {
            Optional.ofNullable(changed.get(function.getRetOrThrow(result.getName())))
                    .ifPresent(result::setType);
        }
        return retyped.build();
    }

    /** Nodes, each behind those that it reads. */
    private static List<NodeDef> ordered(FunctionDef function) {
        Map<String, NodeDef> left = new HashMap<>();
        function.getNodeDefList().forEach(node -> left.put(node.getName(), node));
        List<NodeDef> ordered = new ArrayList<>();
        function.getNodeDefList().forEach(node -> place(node.getName(), left, ordered));
        return ordered;
    }

    private static void place(String name, Map<String, NodeDef> left, List<NodeDef> ordered) {
        NodeDef node = left.remove(name);
        if (node != null) {
            node.getInputList().forEach(input -> place(Scope.nodeOf(input), left, ordered));
            ordered.add(node);
        }
    }

    private NodeDef retyped(NodeDef node, Map<String, DataType> changed) {
        if (node.getInputList().stream().noneMatch(changed::containsKey)) {
            return node;
        }
        if (Flows.CHOICES.contains(node.getOp())) {
            return choice(node, changed);
        }
        boolean copies = RETYPED.contains(node.getOp())
                || (node.getOp().startsWith("ImageProjectiveTransform")
                        && node.getAttrOrThrow("interpolation")
                                .getS()
                                .toStringUtf8()
                                .equals("NEAREST"));
        if (!copies) {
            throw new RefusedRecipe(node.getOp() + " cannot be given other types without calculating otherwise");
        }
        OpDef op = ops.op(node.getOp());
        Map<String, DataType> attributes = new HashMap<>();
        int place = 0;
        for (OpDef.ArgDef argument : op.getInputArgList()) {
            for (int i = 0; i < FunctionTypes.count(argument, node); i++, place++) {
                DataType type = changed.get(node.getInput(place));
                DataType now = type == null ? OpSettings.type(argument, node, i) : type;
                if (argument.getTypeAttr().isEmpty()) {
                    if (type != null) {
                        throw new RefusedRecipe(node.getOp() + " takes one type of " + argument.getName() + " only");
                    }
                } else if (attributes.merge(argument.getTypeAttr(), now, (before, after) -> before) != now) {
                    throw new RefusedRecipe(node.getOp() + " would be given two types");
                }
            }
        }
        NodeDef.Builder retyped = node.toBuilder().removeAttr("_output_shapes");
        attributes.forEach((key, type) -> retyped.putAttr(key, Protos.type(type)));
        for (OpDef.ArgDef argument : op.getOutputArgList()) {
            DataType type = attributes.get(argument.getTypeAttr());
            if (type != null
                    && type != node.getAttrOrThrow(argument.getTypeAttr()).getType()) {
                for (int i = 0; i < FunctionTypes.count(argument, node); i++) {
                    changed.put(node.getName() + ":" + argument.getName() + ":" + i, type);
                }
            }
        }
        return retyped.build();
    }

    private NodeDef choice(NodeDef node, Map<String, DataType> changed) {
        if (changed.containsKey(node.getInput(0))) {
            throw new RefusedRecipe(node.getOp() + " decides by what would have another type");
        }
        List<DataType> given = new ArrayList<>();
        // what it waits for comes behind, and has no type
        int taken = node.getAttrOrThrow("Tin").getList().getTypeCount();
        for (int i = 1; i <= taken; i++) {
            DataType before = node.getAttrOrThrow("Tin").getList().getType(i - 1);
            given.add(changed.getOrDefault(node.getInput(i), before));
        }
        NodeDef.Builder retyped = node.toBuilder().removeAttr("_output_shapes").putAttr("Tin", Protos.types(given));
        Map<String, String> names = new HashMap<>();
        List<DataType> yielded = List.of();
        for (String branch : StepReader.branches(node)) {
            FunctionDef.Builder function = of(functions.get(branch), given).toBuilder();
            String name = PipelineGraph.freshName(branch + "_retyped", functions);
            function.getSignatureBuilder().setName(name);
            functions.put(name, function.build());
            names.put(branch, name);
            List<DataType> results = function.getSignature().getOutputArgList().stream()
                    .map(OpDef.ArgDef::getType)
                    .toList();
            if (!yielded.isEmpty() && !yielded.equals(results)) {
                throw new RefusedRecipe("the branches of " + node.getOp() + " would give different types");
            }
            yielded = results;
        }
        retyped.putAttr("Tout", Protos.types(yielded));
        call(retyped, names);
        for (int i = 0; i < yielded.size(); i++) {
            if (yielded.get(i) != node.getAttrOrThrow("Tout").getList().getType(i)) {
                changed.put(node.getName() + ":output:" + i, yielded.get(i));
            }
        }
        return retyped.build();
    }

    /** Has a node call other functions in place of some that it calls. */
    static void call(NodeDef.Builder node, Map<String, String> names) {
        Map.copyOf(node.getAttrMap()).forEach((key, value) -> {
            if (value.hasFunc() || value.getList().getFuncCount() > 0) {
                node.putAttr(key, renamed(value, names));
            }
        });
    }

    private static AttrValue renamed(AttrValue value, Map<String, String> names) {
        AttrValue.Builder renamed = value.toBuilder();
        if (value.hasFunc()) {
            renamed.getFuncBuilder()
                    .setName(names.getOrDefault(
                            value.getFunc().getName(), value.getFunc().getName()));
        } else {
            renamed.getListBuilder()
                    .getFuncBuilderList()
                    .forEach(each -> each.setName(names.getOrDefault(each.getName(), each.getName())));
        }
        return renamed.build();
    }
}
