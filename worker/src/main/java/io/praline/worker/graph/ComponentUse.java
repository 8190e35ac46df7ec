package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** What becomes of some components of a dataset's elements on the way to the pipeline's end. */
final class ComponentUse {
    private final Map<String, FunctionDef> functions;
    private final Scope scope;

    ComponentUse(PipelineGraph pipeline) {
        this.functions = pipeline.functions();
        this.scope = pipeline.scope();
    }

    /**
     * Whether a function reads any of them, or the pipeline yields them; true where that cannot be told.
     *
     * @param places of the components among all
     * @param from the dataset node that has them
     * @param above the dataset nodes that its elements pass, from the nearest on
     */
    boolean isRead(Set<Integer> places, NodeDef from, Iterable<NodeDef> above) {
        Set<Integer> carried = places;
        String below = from.getName();
        for (NodeDef node : above) {
            Optional<Set<Integer>> next = passed(carried, node, below);
            if (next.isEmpty()) {
                return true;
            }
            carried = next.get();
            below = node.getName();
        }
        return !carried.isEmpty();
    }

    /** Where they are behind a node; empty where it reads one. */
    private Optional<Set<Integer>> passed(Set<Integer> places, NodeDef node, String below) {
        switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH, UNBATCH, REBATCH, SHUFFLE, CACHE, SNAPSHOT, TAKE, SKIP, SHARD, REPEAT -> {
                return Optional.of(places);
            }
            case TRANSPARENT, ASSERT, CONCATENATE, CHOOSE -> {
                return Optional.of(places);
            }
            case MAP -> {
                return returned(places, node, "f");
            }
            case FILTER, TAKE_WHILE -> {
                return returned(places, node, "predicate").map(unread -> places);
            }
            case INTERLEAVE -> {
                return returned(places, node, "f").filter(Set::isEmpty);
            }
            case ZIP -> {
                int before = 0;
                for (String input : node.getInputList()) {
                    if (Scope.nodeOf(input).equals(below)) {
                        int shift = before;
                        Set<Integer> shifted = new HashSet<>();
                        places.forEach(place -> shifted.add(place + shift));
                        return Optional.of(shifted);
                    }
                    before +=
                            input.startsWith("^") ? 0 : scope.components(input).size();
                }
                return Optional.empty();
            }
            default -> {
                return node.getOp().equals("Identity") ? Optional.of(places) : Optional.empty();
            }
        }
    }

    /** Which results of a function are arguments as they came; empty where it does anything else with one of them. */
    private Optional<Set<Integer>> returned(Set<Integer> arguments, NodeDef node, String key) {
        FunctionDef function = functions.get(node.getAttrOrThrow(key).getFunc().getName());
        if (function == null) {
            return Optional.empty();
        }
        Set<String> names = new HashSet<>();
        for (int place : arguments) {
            names.add(function.getSignature().getInputArg(place).getName());
        }
        List<NodeDef> users = new ArrayList<>();
        // an identity of one of them is one of them; nodes stand in any order
        boolean found = true;
        while (found) {
            found = false;
            users.clear();
            for (NodeDef each : function.getNodeDefList()) {
                boolean uses = each.getInputList().stream().anyMatch(input -> names.contains(Scope.nodeOf(input)));
                if (uses && each.getOp().equals("Identity")) {
                    found |= names.add(each.getName());
                } else if (uses) {
                    users.add(each);
                }
            }
        }
        if (!users.isEmpty()) {
            return Optional.empty();
        }
        Set<Integer> results = new HashSet<>();
        List<OpDef.ArgDef> outputs = function.getSignature().getOutputArgList();
        for (int i = 0; i < outputs.size(); i++) {
            if (names.contains(
                    Scope.nodeOf(function.getRetOrThrow(outputs.get(i).getName())))) {
                results.add(i);
            }
        }
        return Optional.of(results);
    }
}
