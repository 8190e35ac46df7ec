package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Puts the bodies of called functions in the place of the calls, within the functions of a pipeline: a function of a dataset
 * that calls another one runs only where TensorFlow's graph optimiser did so, which it does not do everywhere, and which folds
 * constants on the way. Comes behind {@code StampDraws}: two calls of one function stay two places of chance.
 */
public final class InlineCalls implements Pass {
    private static final Set<String> CALLS = Set.of("PartitionedCall", "StatefulPartitionedCall");

    private final boolean compiledStay;

    public InlineCalls() {
        this(false);
    }

    private InlineCalls(boolean compiledStay) {
        this.compiledStay = compiledStay;
    }

    /** All but those that are to be compiled, which round otherwise where what is in them is computed op by op. */
    public static InlineCalls ofUncompiled() {
        return new InlineCalls(true);
    }

    /** Whether it is to be compiled as a whole, as {@code jit_compile} asks for. */
    public static boolean isCompiled(FunctionDef function) {
        return function.getAttrOrDefault("_XlaMustCompile", AttrValue.getDefaultInstance())
                .getB();
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Map<String, FunctionDef> flat = new LinkedHashMap<>();
        for (String name : pipeline.functions().keySet()) {
            flat(name, pipeline.functions(), flat);
        }
        return new PipelineGraph(pipeline.nodes().values(), flat.values(), pipeline.root(), pipeline.versions());
    }

    private FunctionDef flat(String name, Map<String, FunctionDef> functions, Map<String, FunctionDef> flat) {
        FunctionDef known = flat.get(name);
        if (known != null) {
            return known;
        }
        FunctionDef function = functions.get(name);
        if (function.getNodeDefList().stream().noneMatch(node -> isCall(node, functions))) {
            flat.put(name, function);
            return function;
        }
        FunctionDef.Builder inlined = function.toBuilder().clearNodeDef();
        Map<String, String> outputs = new HashMap<>();
        Map<String, String> ends = new HashMap<>();
        List<NodeDef> others = new ArrayList<>();
        for (NodeDef node : function.getNodeDefList()) {
            if (isCall(node, functions)) {
                FunctionDef body = flat(called(node), functions, flat);
                Call call = new Call(node, body);
                inlined.addAllNodeDef(call.nodes());
                outputs.putAll(call.outputs());
                ends.put(node.getName(), call.end());
                if (body.getSignature().getIsStateful()) {
                    inlined.putControlRet(call.end(), call.end());
                    inlined.getSignatureBuilder().addControlOutput(call.end());
                }
            } else {
                others.add(node);
            }
        }
        inlined.addAllNodeDef(others);
        for (NodeDef.Builder node : inlined.getNodeDefBuilderList()) {
            for (int i = 0; i < node.getInputCount(); i++) {
                node.setInput(i, resolved(node.getInput(i), outputs, ends));
            }
        }
        function.getRetMap().forEach((result, ref) -> inlined.putRet(result, resolved(ref, outputs, ends)));
        function.getControlRetMap()
                .forEach((result, node) -> inlined.putControlRet(result, ends.getOrDefault(node, node)));
        flat.put(name, inlined.build());
        return flat.get(name);
    }

    private boolean isCall(NodeDef node, Map<String, FunctionDef> functions) {
        return CALLS.contains(node.getOp())
                && functions.containsKey(called(node))
                && !(compiledStay && isCompiled(functions.get(called(node))));
    }

    private static String called(NodeDef call) {
        return call.getAttrOrThrow("f").getFunc().getName();
    }

    /** A result of one call may be an argument of another, which is a result of a third. */
    private static String resolved(String ref, Map<String, String> outputs, Map<String, String> ends) {
        if (ref.startsWith("^")) {
            return "^" + ends.getOrDefault(ref.substring(1), ref.substring(1));
        }
        String at = ref;
        while (outputs.containsKey(at)) {
            at = outputs.get(at);
        }
        return at;
    }

    /**
     * One call of one function.
     *
     * @param node the call
     * @param body the function, without calls
     */
    private record Call(NodeDef node, FunctionDef body) {

        /** What waits for the call waits for this node. */
        String end() {
            return node.getName() + "/praline_end";
        }

        /** The references of the call's results, and what they are now. */
        Map<String, String> outputs() {
            Map<String, String> outputs = new HashMap<>();
            List<OpDef.ArgDef> results = body.getSignature().getOutputArgList();
            for (int i = 0; i < results.size(); i++) {
                String now = within(body.getRetOrThrow(results.get(i).getName()));
                outputs.put(node.getName() + ":output:" + i, now);
            }
            return outputs;
        }

        List<NodeDef> nodes() {
            List<String> waitsFor = node.getInputList().stream()
                    .filter(ref -> ref.startsWith("^"))
                    .toList();
            List<NodeDef> nodes = new ArrayList<>();
            NodeDef.Builder end = Protos.node(end(), "NoOp");
            for (NodeDef inner : body.getNodeDefList()) {
                NodeDef.Builder inlined = inner.toBuilder()
                        .setName(name(inner.getName()))
                        .clearInput()
                        .removeAttr("_class");
                List<String> controls = new ArrayList<>(waitsFor);
                for (String ref : inner.getInputList()) {
                    if (ref.startsWith("^")) {
                        controls.add("^" + name(ref.substring(1)));
                    } else {
                        inlined.addInput(within(ref));
                    }
                }
                nodes.add(inlined.addAllInput(controls).build());
            }
            body.getControlRetMap().values().stream().distinct().forEach(name -> end.addInput("^" + name(name)));
            body.getRetMap().values().stream()
                    .map(Scope::nodeOf)
                    .filter(this::isNode)
                    .distinct()
                    .forEach(name -> end.addInput("^" + name(name)));
            nodes.add(end.addAllInput(waitsFor).build());
            return nodes;
        }

        private String name(String inner) {
            return node.getName() + "/" + inner;
        }

        private boolean isNode(String name) {
            return body.getNodeDefList().stream()
                    .anyMatch(inner -> inner.getName().equals(name));
        }

        /** A reference within the body, as it is within the caller. */
        private String within(String ref) {
            List<OpDef.ArgDef> arguments = body.getSignature().getInputArgList();
            for (int i = 0; i < arguments.size(); i++) {
                if (ref.equals(arguments.get(i).getName())) {
                    return node.getInput(i);
                }
            }
            return name(ref);
        }
    }
}
