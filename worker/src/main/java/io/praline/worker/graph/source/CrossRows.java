package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * Whether what a function makes of a batch holds in each row something of all rows: a mean that is taken off, a sum so far, what
 * is left when repeated values are, its place among them. Then it depends on which elements are in the batch together, though it has rows as before.
 */
final class CrossRows {
    private static final Set<String> ALONG_AN_AXIS = Set.of(
            "All",
            "Any",
            "ArgMax",
            "ArgMin",
            "Cumprod",
            "Cumsum",
            "CumulativeLogsumexp",
            "EuclideanNorm",
            "Max",
            "Mean",
            "Min",
            "Prod",
            "Sum",
            "UniqueV2",
            "UniqueWithCountsV2");

    private static final Set<String> OF_ALL = Set.of("Unique", "UniqueWithCounts");

    /** What comes out of these has no rows, or others. */
    private static final Set<String> NO_ROWS = Set.of(
            "ExpandDims", "Pack", "Rank", "Reshape", "Shape", "ShapeN", "Size", "Squeeze", "Transpose", "Unpack");

    /** What says how many rows there are. */
    private static final Set<String> SIZES = Set.of("Shape", "ShapeN", "Size");

    /** Their first input is what they choose of, the others say where; a row that is chosen by its number is that row. */
    private static final Set<String> CHOOSE = Set.of("Gather", "GatherNd", "GatherV2");

    private final FunctionDef function;
    private final List<ElementComponent> batch;
    private final Scope body;

    private CrossRows(FunctionDef function, List<ElementComponent> batch) {
        this.function = function;
        this.batch = batch;
        this.body = Scope.ofFunction(function);
    }

    /** @param batch what the function's first arguments are */
    static boolean in(FunctionDef function, List<ElementComponent> batch) {
        return new CrossRows(function, batch).anyReturned();
    }

    private boolean anyReturned() {
        List<String> returned = new ArrayList<>(function.getRetMap().values());
        Set<String> values = before(returned, drawing(), CHOOSE);
        // what is only checked changes nothing
        return before(returned, Set.of(), Set.of()).stream()
                .flatMap(name -> body.producer(name).stream())
                .anyMatch(node -> isAcross(node) || (values.contains(node.getName()) && numbers(node)));
    }

    /** Which rows they choose is chance, in one process too. */
    private Set<String> drawing() {
        return function.getNodeDefList().stream()
                .map(NodeDef::getOp)
                .filter(op -> OpTraits.of(op).draws() != OpTraits.Draws.NOTHING)
                .collect(Collectors.toSet());
    }

    /** Whether it numbers the rows. */
    private boolean numbers(NodeDef node) {
        return node.getOp().equals("Range")
                && before(node.getInputList(), Set.of(), Set.of()).stream()
                        .flatMap(name -> body.producer(name).stream())
                        .anyMatch(size -> SIZES.contains(size.getOp())
                                && size.getInputList().stream()
                                        .anyMatch(sized -> !arguments(sized).isEmpty()));
    }

    private boolean isAcross(NodeDef node) {
        boolean along = ALONG_AN_AXIS.contains(node.getOp());
        if (!along && !OF_ALL.contains(node.getOp())) {
            return false;
        }
        List<ElementComponent> arguments = arguments(node.getInput(0));
        return !arguments.isEmpty() && (!along || isLeading(node.getInput(1), arguments));
    }

    /** What of the batch an output is made of, row by row. */
    private List<ElementComponent> arguments(String ref) {
        Set<String> made = before(List.of(ref), NO_ROWS, Set.of());
        List<ElementComponent> arguments = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            boolean tensor = batch.get(i).dtype() != DataType.DT_VARIANT;
            if (tensor && made.contains(function.getSignature().getInputArg(i).getName())) {
                arguments.add(batch.get(i));
            }
        }
        return arguments;
    }

    /** Whether one of these axes is the first; where that follows from the rank, all are. */
    private boolean isLeading(String axes, List<ElementComponent> arguments) {
        Optional<TensorProto> constant = Constants.value(body, axes);
        return constant.isEmpty()
                || Constants.integers(constant.get()).stream()
                        .anyMatch(axis -> axis == 0
                                || arguments.stream()
                                        .anyMatch(each -> each.rankKnown()
                                                && -axis == each.shape().size()));
    }

    /**
     * Nodes and arguments of which these outputs are made.
     *
     * @param ofFirst ops of which only the first input is looked at
     */
    private Set<String> before(List<String> outputs, Set<String> without, Set<String> ofFirst) {
        Set<String> before = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(outputs);
        while (!open.isEmpty()) {
            String name = Scope.nodeOf(open.remove());
            Optional<NodeDef> node = body.producer(name);
            if (node.filter(each -> without.contains(each.getOp())).isEmpty() && before.add(name)) {
                node.ifPresent(each -> each.getInputList().stream()
                        .limit(ofFirst.contains(each.getOp()) ? 1 : Long.MAX_VALUE)
                        .filter(input -> !input.startsWith("^"))
                        .forEach(open::add));
            }
        }
        return before;
    }
}
