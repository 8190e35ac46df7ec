package io.praline.worker.graph.ordering;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Makes one map of two that follow each other and run alike: each map costs an element a call of its own. What either does
 * with an element does not change; one that the user pinned stays by itself, and one of the user's that takes batches, since
 * what it makes of a batch as a whole would not be seen any more.
 */
public final class JoinMaps implements Pass {
    /** What differs between maps of other functions. */
    private static final Set<String> OF_THE_FUNCTION =
            Set.of("f", "Targuments", "output_types", "output_shapes", "metadata");

    private final OpInference ops;

    public JoinMaps(OpInference ops) {
        this.ops = ops;
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Map<String, FunctionDef> functions = new LinkedHashMap<>(pipeline.functions());
        Set<String> gone = new HashSet<>();
        for (NodeDef each : scope.nodes()) {
            // it may have been joined with one in front of it meanwhile
            NodeDef second = scope.node(each.getName());
            Optional<NodeDef> first = first(second, scope, functions, gone);
            while (first.isPresent() && !gone.contains(second.getName())) {
                second = joined(new MapNode(first.get()), new MapNode(second), functions);
                scope.put(second);
                gone.add(first.get().getName());
                first = first(second, scope, functions, gone);
            }
        }
        return !gone.isEmpty()
                ? new PipelineGraph(scope.nodes(), functions.values(), pipeline.root(), pipeline.versions())
                : pipeline;
    }

    /** The map in front of one, where both can be one. */
    private static Optional<NodeDef> first(
            NodeDef second, Scope scope, Map<String, FunctionDef> functions, Set<String> gone) {
        if (!canBeJoined(second)) {
            return Optional.empty();
        }
        Optional<NodeDef> first = scope.producer(second.getInput(0)).filter(JoinMaps::canBeJoined);
        // what is read twice stays, since somebody else reads it too
        return first.filter(node -> alike(node, second, scope)
                && scope.readers(node.getName(), gone) == 1
                && (!DatasetOps.yieldsBatches(scope, node.getInput(0))
                        || (isByRows(node, functions) && isByRows(second, functions))));
    }

    private static boolean isByRows(NodeDef map, Map<String, FunctionDef> functions) {
        return EarlyBatches.isByRows(new MapNode(map).function(functions));
    }

    private static boolean canBeJoined(NodeDef node) {
        return MapNode.isMap(node)
                && node.getInputList().stream().noneMatch(input -> input.startsWith("^"))
                && !SplitMaps.isPinned(DatasetOps.userName(node).orElse(""));
    }

    private static boolean alike(NodeDef one, NodeDef other, Scope scope) {
        return one.getOp().equals(other.getOp())
                && settings(one).equals(settings(other))
                && calls(one, scope).equals(calls(other, scope));
    }

    private static Map<String, Object> settings(NodeDef node) {
        Map<String, Object> settings = new HashMap<>(node.getAttrMap());
        settings.keySet().removeAll(OF_THE_FUNCTION);
        return settings;
    }

    /** How many calls run beside each other: as number, or else as what gives it. */
    private static List<Object> calls(NodeDef node, Scope scope) {
        List<Object> calls = new ArrayList<>();
        for (String input : new MapNode(node).others()) {
            Optional<Long> number = Constants.integer(scope, input);
            calls.add(number.isPresent() ? number.get() : input);
        }
        return calls;
    }

    private NodeDef joined(MapNode first, MapNode second, Map<String, FunctionDef> functions) {
        FunctionDef front = first.function(functions);
        FunctionDef back = second.function(functions);
        String called = PipelineGraph.freshName("praline_joined", functions);
        functions.put(called, composed(front, back, called));
        NodeDef.Builder node = second.behind(first, called);
        Optional<String> name = DatasetOps.userName(first.node()).flatMap(from -> DatasetOps.userName(second.node())
                .map(until -> from.replaceFirst(" to .*", "") + " to " + until.replaceFirst(".* to ", "")));
        name.ifPresent(both -> SplitMaps.named(node, both, ops));
        return node.build();
    }

    private static FunctionDef composed(FunctionDef front, FunctionDef back, String name) {
        FunctionDef.Builder both = front.toBuilder()
                .clearRet()
                .clearArgAttr()
                .clearResourceArgUniqueId()
                .putAllAttr(back.getAttrMap());
        int passed = front.getSignature().getOutputArgCount();
        OpDef.Builder signature = both.getSignatureBuilder()
                .setName(name)
                .setIsStateful(front.getSignature().getIsStateful()
                        || back.getSignature().getIsStateful())
                .clearOutputArg();
        Set<String> taken = new HashSet<>();
        front.getSignature().getInputArgList().forEach(argument -> taken.add(argument.getName()));
        front.getNodeDefList().forEach(node -> taken.add(node.getName()));
        Map<String, String> given = new HashMap<>();
        List<OpDef.ArgDef> arguments = back.getSignature().getInputArgList();
        for (int i = 0; i < arguments.size(); i++) {
            OpDef.ArgDef argument = arguments.get(i);
            if (i < passed) {
                String result = front.getSignature().getOutputArg(i).getName();
                given.put(argument.getName(), front.getRetOrThrow(result));
            } else {
                String fresh = fresh(argument.getName(), taken);
                given.put(argument.getName(), fresh);
                signature.addInputArg(argument.toBuilder().setName(fresh));
            }
        }
        Map<String, String> names = new HashMap<>();
        back.getNodeDefList().forEach(node -> names.put(node.getName(), fresh(node.getName(), taken)));
        for (NodeDef node : back.getNodeDefList()) {
            NodeDef.Builder renamed = node.toBuilder()
                    .setName(names.get(node.getName()))
                    .clearInput()
                    .removeAttr("_class");
            node.getInputList().forEach(input -> renamed.addInput(renamed(input, given, names)));
            both.addNodeDef(renamed);
        }
        for (OpDef.ArgDef result : back.getSignature().getOutputArgList()) {
            signature.addOutputArg(result);
            both.putRet(result.getName(), renamed(back.getRetOrThrow(result.getName()), given, names));
        }
        back.getControlRetMap().values().stream().map(names::get).forEach(node -> both.putControlRet(node, node));
        signature.clearControlOutput();
        both.getControlRetMap().keySet().forEach(signature::addControlOutput);
        return both.build();
    }

    private static String fresh(String name, Set<String> taken) {
        String fresh = name;
        for (int suffix = 1; !taken.add(fresh); suffix++) {
            fresh = name + "_" + suffix;
        }
        return fresh;
    }

    private static String renamed(String ref, Map<String, String> given, Map<String, String> names) {
        String node = Scope.nodeOf(ref);
        if (given.containsKey(node)) {
            return given.get(node);
        }
        String prefix = ref.startsWith("^") ? "^" : "";
        int colon = ref.indexOf(':');
        return prefix + names.get(node) + (colon < 0 ? "" : ref.substring(colon));
    }
}
