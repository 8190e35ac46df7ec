package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Elementwise;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Whether a function surely makes of a batch rows of which each holds something of others: neighbours, products of rows with each
 * other, what is sorted or rolled along them, what a branch makes of all of them. Rows are followed from the batch on as long as
 * it is known where they lie; an op of which nothing is known mixes nothing.
 */
public final class RowFlow {
    private static final int DEEPEST = 20;

    /** What comes out of these has no rows. */
    private static final Set<String> SIZES = Set.of("Rank", "Shape", "ShapeN", "Size");

    private static final Set<String> SHAPED = Set.of("Fill", "BroadcastTo", "Empty");

    private static final Set<String> CALLS = Set.of("PartitionedCall", "StatefulPartitionedCall");

    private static final Set<String> BRANCHES = Set.of("If", "StatelessIf", "Case", "StatelessCase");

    private final Map<String, FunctionDef> functions;
    private final Scope body;
    private final Map<String, RowPlace> arguments = new HashMap<>();
    private final Map<String, List<RowPlace>> known = new HashMap<>();
    private final Set<String> entered = new HashSet<>();
    private final int depth;

    private RowFlow(FunctionDef function, List<RowPlace> given, Map<String, FunctionDef> functions, int depth) {
        this.functions = functions;
        this.body = Scope.ofFunction(function);
        this.depth = depth;
        List<OpDef.ArgDef> inputs = function.getSignature().getInputArgList();
        for (int i = 0; i < inputs.size(); i++) {
            arguments.put(inputs.get(i).getName(), i < given.size() ? given.get(i) : RowPlace.FREE);
        }
    }

    /**
     * Whether a function surely does.
     *
     * @param batch what the function's first arguments are
     * @param results what is known of its results, one for each; none where nothing is known
     * @param functions of the pipeline
     */
    public static boolean mixes(
            FunctionDef function,
            List<ElementComponent> batch,
            List<ElementComponent> results,
            Map<String, FunctionDef> functions) {
        List<RowPlace> returned = returned(function, given(batch), functions, 0);
        for (int i = 0; i < Math.min(results.size(), returned.size()); i++) {
            boolean single =
                    results.get(i).rankKnown() && results.get(i).shape().isEmpty();
            // one value that is made of the batch is made of all of its rows
            if (single
                    && results.get(i).dtype() != DataType.DT_VARIANT
                    && !returned.get(i).isFree()) {
                return true;
            }
        }
        return RowPlace.differ(returned);
    }

    /**
     * Whether all that a function makes of a batch was followed: row by row, of the same row, whatever its place is.
     *
     * @param batch what the function's first arguments are
     * @param functions of the pipeline
     */
    public static boolean follows(
            FunctionDef function, List<ElementComponent> batch, Map<String, FunctionDef> functions) {
        return returned(function, given(batch), functions, 0).stream().allMatch(RowPlace::isFollowed);
    }

    private static List<RowPlace> given(List<ElementComponent> batch) {
        List<RowPlace> given = new ArrayList<>();
        for (ElementComponent component : batch) {
            boolean hasRows = component.rankKnown() && !component.shape().isEmpty();
            given.add(hasRows ? RowPlace.rows(component.shape().size(), 0) : RowPlace.UNKNOWN);
        }
        return given;
    }

    private static List<RowPlace> returned(
            FunctionDef function, List<RowPlace> given, Map<String, FunctionDef> functions, int depth) {
        RowFlow flow = new RowFlow(function, given, functions, depth);
        List<RowPlace> returned = new ArrayList<>();
        for (OpDef.ArgDef output : function.getSignature().getOutputArgList()) {
            returned.add(flow.of(function.getRetOrThrow(output.getName())));
        }
        return returned;
    }

    /** Of an output, after those of all that it is made of: a function may hold thousands of ops one behind another. */
    private RowPlace of(String ref) {
        Deque<NodeDef> open = new ArrayDeque<>();
        body.producer(ref).ifPresent(open::push);
        while (!open.isEmpty()) {
            NodeDef node = open.peek();
            entered.add(node.getName());
            Optional<NodeDef> missing = values(node).stream()
                    .flatMap(input -> body.producer(input).stream())
                    .filter(input -> !known.containsKey(input.getName()) && !entered.contains(input.getName()))
                    .findFirst();
            if (missing.isPresent()) {
                open.push(missing.get());
            } else {
                known.put(node.getName(), made(open.pop()));
            }
        }
        return told(ref);
    }

    /** What is known already. */
    private RowPlace told(String ref) {
        Optional<NodeDef> node = body.producer(ref);
        if (node.isEmpty()) {
            return arguments.getOrDefault(Scope.nodeOf(ref), RowPlace.FREE);
        }
        List<RowPlace> outputs = known.getOrDefault(node.get().getName(), List.of(RowPlace.UNKNOWN));
        return outputs.size() == 1 ? outputs.get(0) : outputs.get(output(node.get(), ref));
    }

    private static List<String> values(NodeDef node) {
        return node.getInputList().stream()
                .filter(input -> !input.startsWith("^"))
                .toList();
    }

    /** Of each output, or of all of them the same. */
    private List<RowPlace> made(NodeDef node) {
        List<RowPlace> inputs = values(node).stream().map(this::told).toList();
        String op = node.getOp();
        if (functions.containsKey(op)) {
            return called(op, inputs);
        }
        if (CALLS.contains(op)) {
            return called(node.getAttrOrThrow("f").getFunc().getName(), inputs);
        }
        if (BRANCHES.contains(op) && !inputs.get(0).isMixed()) {
            List<RowPlace> given = inputs.subList(1, inputs.size());
            return PipelineGraph.functionsOf(node)
                    .filter(functions::containsKey)
                    .map(name -> called(name, given))
                    .reduce(RowFlow::either)
                    .orElse(List.of(RowPlace.UNKNOWN));
        }
        return List.of(one(node, inputs));
    }

    private RowPlace one(NodeDef node, List<RowPlace> inputs) {
        if (node.getOp().equals("Const")) {
            return RowPlace.free(
                    node.getAttrOrThrow("value").getTensor().getTensorShape().getDimCount());
        }
        if (SIZES.contains(node.getOp())) {
            return inputs.stream().allMatch(RowPlace::isFree) ? RowPlace.FREE : RowPlace.SIZE;
        }
        if (inputs.stream().allMatch(RowPlace::isFree)) {
            return free(node, inputs);
        }
        if (inputs.stream().anyMatch(RowPlace::isMixed)) {
            return RowPlace.MIXED;
        }
        return Elementwise.OPS.contains(node.getOp())
                ? valueByValue(node, inputs)
                : new RowShapes(body, node, inputs).made();
    }

    /** Of what is made of no row: it may tell how many there are, and which places they have. */
    private RowPlace free(NodeDef node, List<RowPlace> inputs) {
        if (inputs.stream().anyMatch(RowPlace::numbered)) {
            return RowPlace.PLACES;
        }
        if (!inputs.contains(RowPlace.SIZE) || isShaped(node) || takesAnotherSize(node)) {
            return RowPlace.FREE;
        }
        return node.getOp().equals("Range") ? RowPlace.PLACES : RowPlace.SIZE;
    }

    /** Whether an op only has the shape that it is told. */
    private static boolean isShaped(NodeDef node) {
        return SHAPED.contains(node.getOp()) || node.getOp().contains("Random");
    }

    /** Whether of a shape other sizes are taken than the first, which is the batch's. */
    private boolean takesAnotherSize(NodeDef node) {
        return node.getOp().equals("StridedSlice")
                && Constants.value(body, node.getInput(1))
                        .map(Constants::integers)
                        .filter(begin -> !begin.isEmpty() && begin.get(0) != 0)
                        .isPresent();
    }

    private static List<RowPlace> either(List<RowPlace> one, List<RowPlace> other) {
        if (one.size() != other.size()) {
            return List.of(RowPlace.UNKNOWN);
        }
        List<RowPlace> either = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            either.add(RowPlace.either(one.get(i), other.get(i)));
        }
        return either;
    }

    private static RowPlace valueByValue(NodeDef node, List<RowPlace> inputs) {
        return switch (node.getOp()) {
            // it may make several values of one
            case "Bitcast" -> RowPlace.UNKNOWN;
            case "OneHot" -> {
                RowPlace indices = inputs.get(0);
                boolean behind = node.getAttrOrThrow("axis").getI() == -1;
                yield indices.isRows() && behind ? indices.at(indices.rank() + 1, indices.axis()) : RowPlace.UNKNOWN;
            }
            // its condition may have one value for each row
            case "Select" ->
                inputs.get(0).rank() == inputs.get(1).rank() ? RowPlace.together(inputs) : RowPlace.UNKNOWN;
            default -> RowPlace.together(inputs);
        };
    }

    private List<RowPlace> called(String name, List<RowPlace> inputs) {
        FunctionDef function = functions.get(name);
        if (function == null || depth == DEEPEST) {
            return List.of(inputs.stream().anyMatch(RowPlace::isMixed) ? RowPlace.MIXED : RowPlace.UNKNOWN);
        }
        List<RowPlace> returned = returned(function, inputs, functions, depth + 1);
        return returned.isEmpty() ? List.of(RowPlace.UNKNOWN) : returned;
    }

    /** Which of a call's outputs this is: {@code call:output:1}, or {@code call:name:0} by the name of the function's result. */
    private int output(NodeDef call, String ref) {
        String[] parts = ref.split(":", -1);
        FunctionDef function = functions.get(call.getOp());
        if (function == null) {
            return Integer.parseInt(parts[parts.length - 1]);
        }
        List<String> results = function.getSignature().getOutputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .toList();
        return results.indexOf(parts[1]);
    }
}
