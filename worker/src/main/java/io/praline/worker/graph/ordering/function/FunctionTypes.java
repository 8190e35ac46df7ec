package io.praline.worker.graph.ordering.function;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.VersionDef;

/** Types and shapes of all that a function calculates: its body as a graph, its arguments as placeholders. */
public final class FunctionTypes {
    private final OpInference ops;
    private final VersionDef versions;
    private final Map<String, FunctionDef> functions;

    public FunctionTypes(OpInference ops, VersionDef versions, Map<String, FunctionDef> functions) {
        this.ops = ops;
        this.versions = versions;
        this.functions = functions;
    }

    /**
     * By the refs that the function's nodes and results read.
     *
     * @param arguments of the element's components
     * @param captured the nodes of the graph that give the other arguments, where they are constants
     */
    public Map<String, ElementComponent> of(
            FunctionDef function, List<ElementComponent> arguments, List<Optional<NodeDef>> captured) {
        GraphDef.Builder graph = GraphDef.newBuilder().setVersions(versions);
        graph.getLibraryBuilder().addAllFunction(functions.values());
        List<OpDef.ArgDef> signature = function.getSignature().getInputArgList();
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < signature.size(); i++) {
            String name = signature.get(i).getName();
            names.add(name);
            Optional<NodeDef> constant = i < arguments.size() ? Optional.empty() : captured.get(i - arguments.size());
            if (constant.isPresent()) {
                graph.addNode(constant.get().toBuilder().setName(name).clearInput());
            } else {
                NodeDef.Builder given = Protos.node(name, "Placeholder")
                        .putAttr("dtype", Protos.type(signature.get(i).getType()));
                // of datasets and sparse tensors the shape says something else
                if (i < arguments.size() && signature.get(i).getType() != DataType.DT_VARIANT) {
                    given.putAttr(
                            "shape",
                            AttrValue.newBuilder()
                                    .setShape(DatasetOps.shape(arguments.get(i)))
                                    .build());
                }
                graph.addNode(given);
            }
        }
        Map<String, NodeDef> nodes = new HashMap<>();
        function.getNodeDefList().forEach(node -> nodes.put(node.getName(), node));
        Set<String> refs = new LinkedHashSet<>(names);
        refs.addAll(function.getRetMap().values());
        for (NodeDef node : function.getNodeDefList()) {
            NodeDef.Builder flat = node.toBuilder().clearInput().removeAttr("_class");
            for (String input : node.getInputList()) {
                flat.addInput(input.startsWith("^") ? input : flat(input, nodes));
                if (!input.startsWith("^")) {
                    refs.add(input);
                }
            }
            graph.addNode(flat);
        }
        List<String> asked = List.copyOf(refs);
        List<ElementComponent> found = ops.outputs(
                graph.build(), asked.stream().map(ref -> flat(ref, nodes)).toList());
        Map<String, ElementComponent> types = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            types.put(asked.get(i), found.get(i));
        }
        return types;
    }

    /** {@code node:argument:i} as graphs name it, by the place among all outputs. */
    private String flat(String ref, Map<String, NodeDef> nodes) {
        NodeDef node = nodes.get(Scope.nodeOf(ref));
        if (node == null) {
            return ref;
        }
        String[] parts = ref.split(":", -1);
        int place = Integer.parseInt(parts[2]);
        for (OpDef.ArgDef argument : declared(node).getOutputArgList()) {
            if (argument.getName().equals(parts[1])) {
                break;
            }
            place += count(argument, node);
        }
        return place == 0 ? node.getName() : node.getName() + ":" + place;
    }

    private OpDef declared(NodeDef node) {
        FunctionDef called = functions.get(node.getOp());
        return called == null ? ops.op(node.getOp()) : called.getSignature();
    }

    /** How many tensors an argument of an op stands for. */
    public static int count(OpDef.ArgDef argument, NodeDef node) {
        if (!argument.getNumberAttr().isEmpty()) {
            return Math.toIntExact(node.getAttrOrThrow(argument.getNumberAttr()).getI());
        }
        if (!argument.getTypeListAttr().isEmpty()) {
            return node.getAttrOrThrow(argument.getTypeListAttr()).getList().getTypeCount();
        }
        return 1;
    }
}
