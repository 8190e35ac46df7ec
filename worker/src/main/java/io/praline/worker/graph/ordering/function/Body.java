package io.praline.worker.graph.ordering.function;

import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * What a function calculates, freed of what only passes on: identities are taken out, and nodes only wait for what they read.
 * What others waited for must run, {@link #kept}: for a function as a whole that is the same, since it ends when all has run.
 */
public final class Body {
    private final FunctionDef function;
    private final Map<String, NodeDef> byName = new LinkedHashMap<>();
    private final List<String> results = new ArrayList<>();
    private final Set<String> kept = new LinkedHashSet<>();

    private Body(FunctionDef function) {
        this.function = function;
    }

    public static Body of(FunctionDef function, Effects effects) {
        Map<String, NodeDef> written = new LinkedHashMap<>();
        function.getNodeDefList().forEach(node -> written.put(node.getName(), node));
        Body body = new Body(function);
        Map<String, String> passed = new HashMap<>();
        Set<String> waitedFor = new LinkedHashSet<>(function.getControlRetMap().values());
        for (NodeDef node : written.values()) {
            if (node.getOp().equals("Identity")) {
                passed.put(node.getName() + ":output:0", node.getInput(0));
            }
            node.getInputList().stream()
                    .filter(input -> input.startsWith("^"))
                    .forEach(input -> waitedFor.add(input.substring(1)));
            if (effects.mustRun(node)) {
                waitedFor.add(node.getName());
            }
        }
        for (OpDef.ArgDef result : function.getSignature().getOutputArgList()) {
            body.results.add(source(function.getRetOrThrow(result.getName()), passed));
        }
        for (String name : waitedFor) {
            NodeDef node = written.get(name);
            if (node != null && !Set.of("NoOp", "Identity", "Const").contains(node.getOp())) {
                body.kept.add(name);
            }
        }
        Deque<String> open = new ArrayDeque<>();
        body.results.forEach(ref -> open.add(Scope.nodeOf(ref)));
        open.addAll(body.kept);
        Map<String, NodeDef> needed = new HashMap<>();
        while (!open.isEmpty()) {
            NodeDef node = written.get(open.remove());
            if (node != null && !needed.containsKey(node.getName())) {
                NodeDef plain = plain(node, passed);
                needed.put(node.getName(), plain);
                plain.getInputList().forEach(input -> open.add(Scope.nodeOf(input)));
            }
        }
        written.keySet().forEach(name -> body.place(name, needed, new HashSet<>()));
        return body;
    }

    /** A node with inputs in front of it, each once. */
    private void place(String name, Map<String, NodeDef> needed, Set<String> within) {
        NodeDef node = needed.get(name);
        if (node == null || byName.containsKey(name) || !within.add(name)) {
            return;
        }
        node.getInputList().forEach(input -> place(Scope.nodeOf(input), needed, within));
        byName.put(name, node);
    }

    private static NodeDef plain(NodeDef node, Map<String, String> passed) {
        NodeDef.Builder plain =
                node.toBuilder().clearInput().removeAttr("_class").removeAttr("_output_shapes");
        Scope.given(node).forEach(input -> plain.addInput(source(input, passed)));
        return plain.build();
    }

    private static String source(String ref, Map<String, String> passed) {
        String at = ref;
        while (passed.containsKey(at)) {
            at = passed.get(at);
        }
        return at;
    }

    public FunctionDef function() {
        return function;
    }

    /** Each behind those that it reads. */
    public List<NodeDef> nodes() {
        return List.copyOf(byName.values());
    }

    /** The node that gives an output; empty for an argument. */
    public Optional<NodeDef> producer(String ref) {
        return Optional.ofNullable(byName.get(Scope.nodeOf(ref)));
    }

    public List<OpDef.ArgDef> arguments() {
        return function.getSignature().getInputArgList();
    }

    /** The refs that the function returns. */
    public List<String> results() {
        return results;
    }

    /** Names of nodes that must run though nothing may use what they give. */
    public Set<String> kept() {
        return kept;
    }
}
