package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Elementwise;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.TensorProto;

/**
 * What a function makes of the rows of a batch. Rows are followed from the batch on, with the dimension along which they lie and
 * their order, through what is called, through branches, and through loops that take one row after the other; an op of which
 * nothing is known may make anything of them.
 */
public final class RowFlow {
    private static final int DEEPEST = 20;

    private static final Set<String> CALLS = Set.of("PartitionedCall", "StatefulPartitionedCall");

    private static final Set<String> BRANCHES = Set.of("If", "StatelessIf", "Case", "StatelessCase");

    private static final Set<String> LOOPS = Set.of("While", "StatelessWhile");

    private final Map<String, FunctionDef> functions;
    private final Scope body;
    private final Map<String, RowPlace> arguments = new HashMap<>();
    private final Map<String, List<RowPlace>> known = new HashMap<>();
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

    /** What becomes of rows. */
    public enum Course {
        /** Each is made of the same row, whatever its place is. */
        KEPT,
        /** They are, and do not lie along the same dimension any more. */
        MOVED,
        /** Some are made of others, which chance has chosen. */
        CHANCE,
        /** They are made of others, or hang on their places or on how many there are, or may do so. */
        MIXED
    }

    /**
     * A batch.
     *
     * @param components what a function is given first
     * @param axis along which rows lie
     * @param padded which components have rows that are filled up to as many values as the longest has, where their shape leaves
     *     it open
     * @param drawn which components are random numbers beside the batch
     * @param same which are the same beside all batches
     * @param captured what the function is given behind them, as far as it is constant
     * @param asked how many rows were asked for, of batches of one size or several; none where that is not known
     */
    public record Rows(
            List<ElementComponent> components,
            int axis,
            Set<Integer> padded,
            Set<Integer> drawn,
            Set<Integer> same,
            List<Optional<TensorProto>> captured,
            Set<Long> asked) {
        public Rows {
            components = List.copyOf(components);
            padded = Set.copyOf(padded);
            drawn = Set.copyOf(drawn);
            same = Set.copyOf(same);
            captured = List.copyOf(captured);
            asked = Set.copyOf(asked);
        }
    }

    /**
     * What becomes of the rows of a batch.
     *
     * @param results what is known of its results, one for each; none where nothing is known
     * @param functions of the pipeline
     */
    public static Course course(
            FunctionDef function, Rows batch, List<ElementComponent> results, Map<String, FunctionDef> functions) {
        int axis = batch.axis();
        List<RowPlace> returned = returned(function, given(batch), functions, 0);
        for (int i = 0; i < returned.size(); i++) {
            RowPlace place = returned.get(i);
            boolean single = i < results.size()
                    && results.get(i).rankKnown()
                    && results.get(i).shape().isEmpty()
                    && results.get(i).dtype() != DataType.DT_VARIANT;
            if (RowGrid.isForEachPlace(i, returned, results, batch)) {
                return Course.MIXED;
            }
            // one value that is made of the batch is made of all of its rows; it may tell of how many there are, and
            // not
            // of how long the longest is
            if (single ? !place.isFree() || place.numbered() || place.isLength() : !place.isFollowed()) {
                return Course.MIXED;
            }
        }
        if (RowPlace.differ(returned)) {
            return Course.MIXED;
        }
        if (returned.stream().anyMatch(place -> place.is(RowPlace.Kind.CHANCE))) {
            return Course.CHANCE;
        }
        boolean moved = returned.stream()
                .anyMatch(place -> place.isRows() ? place.axis() != axis : place.is(RowPlace.Kind.LIST));
        return moved ? Course.MOVED : Course.KEPT;
    }

    /**
     * Whether of what a function makes of a batch anything is the same for all batches and has a value of its own for each place.
     *
     * @param results what is known of its results, one for each
     * @param functions of the pipeline
     */
    public static boolean hasPlaces(
            FunctionDef function, Rows batch, List<ElementComponent> results, Map<String, FunctionDef> functions) {
        List<RowPlace> returned = returned(function, given(batch), functions, 0);
        return IntStream.range(0, results.size()).anyMatch(i -> RowGrid.isForEachPlace(i, returned, results, batch));
    }

    /**
     * Whether what a function makes of a batch has as many rows, and in each place what is made of the row that lay there, even if
     * that hangs on the place, too.
     *
     * @param functions of the pipeline
     */
    public static boolean keepsPlaces(FunctionDef function, Rows batch, Map<String, FunctionDef> functions) {
        List<RowPlace> returned = returned(function, given(batch), functions, 0);
        return returned.stream().anyMatch(RowPlace::isRows)
                && returned.stream().allMatch(place -> place.isFree() || liesAsIn(batch, place));
    }

    /**
     * Whether what a function makes of a batch, which is no dataset, holds besides rows of it, or in their place, what is made of
     * none, so that it comes once for each batch.
     */
    public static boolean addsRows(FunctionDef function, Rows batch, Map<String, FunctionDef> functions) {
        List<RowPlace> returned = returned(function, given(batch), functions, 0);
        boolean none = returned.stream()
                .allMatch(place -> place.isFree() && !place.isDrawn() && !FreeValues.areForEach(place));
        boolean tensors = batch.components().stream().noneMatch(each -> each.dtype() == DataType.DT_VARIANT);
        return (none && tensors) || returned.stream().anyMatch(RowDatasets::holdOthers);
    }

    /**
     * Which results have rows that are filled up to as many values as the longest has.
     *
     * @param functions of the pipeline
     */
    public static Set<Integer> padded(FunctionDef function, Rows batch, Map<String, FunctionDef> functions) {
        List<RowPlace> returned = returned(function, given(batch), functions, 0);
        return IntStream.range(0, returned.size())
                .filter(result -> returned.get(result).isPadded())
                .boxed()
                .collect(Collectors.toSet());
    }

    private static boolean liesAsIn(Rows batch, RowPlace place) {
        return place.isRows() && place.axis() == batch.axis() && place.order().isEmpty();
    }

    private static List<RowPlace> given(Rows batch) {
        List<ElementComponent> components = batch.components();
        int axis = batch.axis();
        List<RowPlace> given = new ArrayList<>();
        for (ElementComponent component : components) {
            int rank = component.shape().size();
            boolean padded = batch.padded().contains(given.size());
            if (batch.drawn().contains(given.size())) {
                given.add(RowPlace.DRAWN);
            } else if (batch.same().contains(given.size())) {
                given.add(RowPlace.free(component.rankKnown() ? rank : -1));
            } else if (component.rankKnown() && rank > axis) {
                long each = each(component.shape(), axis);
                RowPlace rows = RowPlace.rows(rank, axis);
                given.add(padded && each < 0 ? rows.padded() : rows.ofEach(each));
            } else {
                // beside batches a single value tells of their size
                given.add(!component.rankKnown() && axis == 0 ? RowPlace.LEADING : RowPlace.SIZE);
            }
        }
        batch.captured()
                .forEach(value -> given.add(value.map(RowPlace::constant).orElse(RowPlace.FREE)));
        return given;
    }

    /** How many values a row has. */
    private static long each(List<Long> shape, int axis) {
        long each = 1;
        for (int i = 0; i < shape.size(); i++) {
            if (i != axis) {
                each = each < 0 || shape.get(i) < 0 ? -1 : each * shape.get(i);
            }
        }
        return each;
    }

    static List<RowPlace> returned(
            FunctionDef function, List<RowPlace> given, Map<String, FunctionDef> functions, int depth) {
        RowFlow flow = new RowFlow(function, given, functions, depth);
        List<RowPlace> returned = new ArrayList<>();
        for (OpDef.ArgDef output : function.getSignature().getOutputArgList()) {
            returned.add(flow.of(function.getRetOrThrow(output.getName())));
        }
        return returned;
    }

    private RowPlace of(String ref) {
        body.producer(ref).ifPresent(last -> InputsFirst.follow(body, last, known, this::made));
        return told(ref);
    }

    /** What is known already. */
    private RowPlace told(String ref) {
        Optional<NodeDef> node = body.producer(ref);
        if (node.isEmpty()) {
            return arguments.getOrDefault(Scope.nodeOf(ref), RowPlace.FREE);
        }
        List<RowPlace> outputs = known.getOrDefault(node.get().getName(), List.of(RowPlace.UNKNOWN));
        if (outputs.size() == 1) {
            return RowParts.makesSeveral(node.get())
                    ? RowParts.output(node.get(), ref, outputs.get(0))
                    : outputs.get(0);
        }
        return outputs.get(output(node.get(), ref));
    }

    /** Of each output, or of all of them the same. */
    private List<RowPlace> made(NodeDef node) {
        List<RowPlace> inputs =
                InputsFirst.values(node).stream().map(this::told).toList();
        String op = node.getOp();
        if (inputs.stream().anyMatch(input -> input.is(RowPlace.Kind.ROW)) && !RowLists.isOfLists(node)) {
            return List.of(ofOneRow(inputs));
        }
        if (op.equals("IdentityN")) {
            return inputs;
        }
        if (op.equals("SplitV") && inputs.get(0).isShape()) {
            return new RowSizes(body, node, inputs).split();
        }
        if (functions.containsKey(op)) {
            return called(op, inputs);
        }
        if (CALLS.contains(op)) {
            return called(node.getAttrOrThrow("f").getFunc().getName(), inputs);
        }
        if (LOOPS.contains(op) && inputs.stream().noneMatch(RowPlace::isCut)) {
            return new RowLoop(body, node, inputs, functions, depth).made();
        }
        if (BRANCHES.contains(op)) {
            return branches(node, inputs);
        }
        return List.of(one(node, inputs));
    }

    /** Whatever is made of one row, and of what is the same for all, is made of that row. */
    private static RowPlace ofOneRow(List<RowPlace> inputs) {
        boolean alone = inputs.stream().allMatch(input -> input.is(RowPlace.Kind.ROW) || input.isFree());
        boolean numbered = inputs.stream().anyMatch(FreeValues::tell);
        return alone ? RowPlace.ROW.numbered(numbered) : RowPlace.UNKNOWN;
    }

    private List<RowPlace> branches(NodeDef node, List<RowPlace> inputs) {
        RowPlace decides = inputs.get(0);
        if (!decides.isFree() || FreeValues.tell(decides)) {
            return List.of(decides.isMixed() ? RowPlace.MIXED : RowPlace.UNKNOWN);
        }
        List<RowPlace> given = inputs.subList(1, inputs.size());
        return PipelineGraph.functionsOf(node)
                .filter(functions::containsKey)
                .map(name -> called(name, given))
                .reduce(RowFlow::either)
                .orElse(List.of(RowPlace.UNKNOWN));
    }

    private RowPlace one(NodeDef node, List<RowPlace> inputs) {
        if (node.getOp().equals("Const")) {
            return RowPlace.constant(node.getAttrOrThrow("value").getTensor());
        }
        if (node.getOp().equals("Identity")) {
            return inputs.get(0);
        }
        if (RowSizes.asks(node)) {
            return new RowSizes(body, node, inputs).asked();
        }
        if (inputs.stream().anyMatch(RowPlace::isCut) && !RowLines.keeps(node, inputs)) {
            return inputs.stream().anyMatch(RowPlace::isMixed) ? RowPlace.MIXED : RowPlace.UNKNOWN;
        }
        if (RowLists.isOfLists(node)) {
            return new RowLists(body, node, inputs).made();
        }
        if (inputs.stream().allMatch(RowPlace::isFree)) {
            RowPlace made = DatasetOps.isDataset(node)
                    ? RowDatasets.made(node, inputs)
                    : new RowSizes(body, node, inputs).made();
            return inputs.stream().noneMatch(FreeValues::areCounted) ? made : counted(node, inputs, made);
        }
        if (inputs.stream().anyMatch(RowPlace::isMixed)) {
            return RowPlace.MIXED;
        }
        if (node.getOp().equals("RandomShuffle") || inputs.stream().anyMatch(each -> each.is(RowPlace.Kind.CHANCE))) {
            return RowSlices.byChance(new OpInputs(body, node), inputs);
        }
        if (DatasetOps.isDataset(node)) {
            return RowDatasets.made(node, inputs);
        }
        if (RowParts.isOfParts(node, inputs)) {
            return new RowParts(body, node, inputs).made();
        }
        if (RowMatrices.isOne(node.getOp())) {
            return new RowMatrices(new OpInputs(body, node), inputs).made();
        }
        return Elementwise.OPS.contains(node.getOp()) || ValueByValue.OPS.contains(node.getOp())
                ? valueByValue(node, inputs)
                : new RowShapes(body, node, inputs, this::told).made();
    }

    private RowPlace counted(NodeDef node, List<RowPlace> inputs, RowPlace made) {
        RowPlace rows = inputs.stream().anyMatch(FreeValues::areForEach)
                ? one(node, inputs.stream().map(FreeValues::asRows).toList())
                : RowPlace.UNKNOWN;
        return new FreeValues(body, node, inputs).counted(made, rows);
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
                boolean known = indices.isRows() && indices.rank() > 0 && behind;
                boolean sized = inputs.stream().anyMatch(given -> given.numbered() || given.isSize());
                yield known ? indices.at(indices.rank() + 1, indices.axis()).numbered(sized) : RowPlace.UNKNOWN;
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
