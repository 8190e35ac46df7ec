package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/** What functions assert of how many rows they are given. */
public record SizeChecks(Map<String, FunctionDef> functions) {
    private static final int DEEPEST = 20;

    private static final Set<String> SIZES = Set.of("Shape", "ShapeN", "Size");

    /** Whether a function, or one that it calls, fails where a size is another one than it asserts. */
    public boolean areMadeBy(FunctionDef function) {
        return fails(function, Set.of(), 0);
    }

    /** @param sizes which of its arguments follow from sizes */
    private boolean fails(FunctionDef function, Set<Integer> sizes, int depth) {
        Scope body = Scope.ofFunction(function);
        List<OpDef.ArgDef> arguments = function.getSignature().getInputArgList();
        Set<String> made = sizes.stream()
                .filter(place -> place < arguments.size())
                .map(place -> arguments.get(place).getName())
                .collect(Collectors.toCollection(HashSet::new));
        // nodes stand in any order
        boolean found = true;
        while (found) {
            found = false;
            for (NodeDef node : function.getNodeDefList()) {
                boolean size =
                        SIZES.contains(node.getOp()) || !given(node, made).isEmpty();
                found |= size && !isOfOtherDimensions(node, body) && made.add(node.getName());
            }
        }
        return function.getNodeDefList().stream().anyMatch(node -> fails(node, given(node, made), depth));
    }

    private boolean fails(NodeDef node, Set<Integer> sizes, int depth) {
        if (node.getOp().equals("Assert")) {
            return sizes.contains(0);
        }
        int first = OpTraits.of(node).inputs().getOrDefault(OpTraits.Input.ARGUMENTS, 0);
        boolean decided = sizes.stream().anyMatch(place -> place < first);
        Set<Integer> passed = sizes.stream()
                .filter(place -> place >= first)
                .map(place -> place - first)
                .collect(Collectors.toSet());
        return PipelineGraph.functionsOf(node)
                .filter(functions::containsKey)
                .map(functions::get)
                .anyMatch(called ->
                        (decided && asserts(called)) || (depth < DEEPEST && fails(called, passed, depth + 1)));
    }

    /** Whether a function that runs for some sizes only asserts anything. */
    private boolean asserts(FunctionDef function) {
        Set<String> reached = PipelineGraph.reachedFunctions(function.getNodeDefList(), functions);
        return Stream.concat(
                        function.getNodeDefList().stream(),
                        reached.stream().flatMap(name -> functions.get(name).getNodeDefList().stream()))
                .anyMatch(node -> node.getOp().equals("Assert"));
    }

    /** Which inputs of a node are among those. */
    private static Set<Integer> given(NodeDef node, Set<String> made) {
        return IntStream.range(0, node.getInputCount())
                .filter(i -> !node.getInput(i).startsWith("^") && made.contains(Scope.nodeOf(node.getInput(i))))
                .boxed()
                .collect(Collectors.toSet());
    }

    /** Whether a node takes of a shape what does not say how many rows there are. */
    private static boolean isOfOtherDimensions(NodeDef node, Scope body) {
        return node.getOp().equals("StridedSlice")
                && (node.getAttrOrDefault("begin_mask", AttrValue.getDefaultInstance())
                                        .getI()
                                & 1)
                        == 0
                && Constants.value(body, node.getInput(1))
                        .map(Constants::integers)
                        .filter(from -> !from.isEmpty() && from.get(0) > 0)
                        .isPresent();
    }
}
