package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Elementwise;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.rows.Sizes.Size;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Whether a function fits some numbers of rows only: it lays them out in pairs, cuts a batch into halves, puts a constant of a
 * size beside it, takes its eighth row. Shapes are followed as far as they are a matter of that number; of an op that is not
 * known here nothing is said.
 */
public final class RowNumbers {
    private static final int DEEPEST = 20;

    private static final Set<String> CALLS = Set.of("PartitionedCall", "StatefulPartitionedCall");
    private static final Set<String> BRANCHES = Set.of("If", "StatelessIf", "Case", "StatelessCase");

    /** Have the shape of their first input. */
    private static final Set<String> ALIKE = Set.of(
            "CheckNumerics",
            "Cumprod",
            "Cumsum",
            "Identity",
            "LogSoftmax",
            "RandomShuffle",
            "ReverseV2",
            "Roll",
            "Softmax",
            "StopGradient",
            "StringToNumber");

    private static final Set<String> REDUCES = Set.of(
            "All", "Any", "ArgMax", "ArgMin", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "ReduceJoin", "Sum");

    /** Have the shape that an input says. */
    private static final Map<String, Integer> SHAPED = Map.of(
            "BroadcastTo",
            1,
            "Fill",
            0,
            "RandomStandardNormal",
            0,
            "RandomUniform",
            0,
            "RandomUniformInt",
            0,
            "TruncatedNormal",
            0);

    private final Map<String, FunctionDef> functions;
    private final Scope body;
    private final Map<String, Sizes> arguments = new HashMap<>();
    private final Set<String> ofBatch = new HashSet<>();
    private final Map<String, List<Sizes>> known = new HashMap<>();
    private final int depth;
    private boolean fits = true;

    /** @param ofBatch which of what it is given is made of the batch, and so may know how many rows that has */
    private RowNumbers(
            FunctionDef function,
            List<Sizes> given,
            IntPredicate ofBatch,
            Map<String, FunctionDef> functions,
            int depth) {
        this.functions = functions;
        this.body = Scope.ofFunction(function);
        this.depth = depth;
        List<OpDef.ArgDef> inputs = function.getSignature().getInputArgList();
        for (int i = 0; i < Math.min(inputs.size(), given.size()); i++) {
            arguments.put(inputs.get(i).getName(), given.get(i));
            if (ofBatch.test(i)) {
                this.ofBatch.add(inputs.get(i).getName());
            }
        }
    }

    /**
     * Whether a function would fail of other numbers of rows.
     *
     * @param batch what it is given first
     * @param functions of the pipeline
     */
    public static boolean areAsked(
            FunctionDef function, List<ElementComponent> batch, Map<String, FunctionDef> functions) {
        RowNumbers numbers =
                new RowNumbers(function, batch.stream().map(Sizes::ofRows).toList(), component -> true, functions, 0);
        numbers.followed(function);
        return !numbers.fits;
    }

    /** What it gives back. */
    private List<Sizes> followed(FunctionDef function) {
        function.getNodeDefList().forEach(node -> InputsFirst.follow(body, node, known, this::made));
        return function.getSignature().getOutputArgList().stream()
                .map(output -> told(function.getRetOrThrow(output.getName())))
                .toList();
    }

    private Sizes told(String ref) {
        Optional<NodeDef> node = body.producer(ref);
        if (node.isEmpty()) {
            return arguments.getOrDefault(Scope.nodeOf(ref), Sizes.UNKNOWN);
        }
        List<Sizes> outputs = known.getOrDefault(node.get().getName(), List.of());
        String[] parts = ref.split(":", -1);
        int output = Integer.parseInt(parts.length > 2 ? parts[2] : "0");
        return output < outputs.size() ? outputs.get(output) : Sizes.UNKNOWN;
    }

    private List<Sizes> made(NodeDef node) {
        List<Sizes> inputs = InputsFirst.values(node).stream().map(this::told).toList();
        if (CALLS.contains(node.getOp())) {
            return called(node.getAttrOrThrow("f").getFunc().getName(), node, 0, inputs);
        }
        if (functions.containsKey(node.getOp())) {
            return inOrder(node.getOp(), called(node.getOp(), node, 0, inputs));
        }
        if (BRANCHES.contains(node.getOp())) {
            PipelineGraph.functionsOf(node).forEach(name -> called(name, node, 1, inputs));
            return List.of();
        }
        OpInputs told = new OpInputs(body, node);
        return switch (node.getOp()) {
            case "Split" -> parts(inputs.get(1), told.number(0, 0), told.attribute("num_split"));
            case "SplitV" -> cut(inputs.get(0), told.number(2, 0), told.sizes(1));
            case "Unpack" -> rowByRow(inputs.get(0), told.attribute("axis"), told.attribute("num"));
            default -> List.of(one(node, told, inputs));
        };
    }

    /** Of a call by the function's name its results are asked for by theirs, each by the first of that name. */
    private List<Sizes> inOrder(String function, List<Sizes> results) {
        return functions.get(function).getSignature().getOutputArgCount() == 1 ? results : List.of();
    }

    /** @param first the place of the first argument among what the caller is given */
    private List<Sizes> called(String name, NodeDef caller, int first, List<Sizes> given) {
        FunctionDef function = functions.get(name);
        if (function == null || depth == DEEPEST) {
            return List.of();
        }
        RowNumbers inner = new RowNumbers(
                function,
                given.subList(first, given.size()),
                i -> isMadeOfBatch(caller.getInput(first + i)),
                functions,
                depth + 1);
        List<Sizes> results = inner.followed(function);
        fits &= inner.fits;
        return results;
    }

    private Sizes one(NodeDef node, OpInputs told, List<Sizes> inputs) {
        String op = node.getOp();
        if (op.equals("Const")) {
            return Sizes.of(node.getAttrOrThrow("value").getTensor());
        }
        if (SHAPED.containsKey(op)) {
            return Sizes.written(told.sizes(SHAPED.get(op)));
        }
        if (inputs.isEmpty() || !inputs.get(0).isKnown()) {
            return Sizes.UNKNOWN;
        }
        Sizes first = inputs.get(0);
        if (ALIKE.contains(op)) {
            return first;
        }
        if (op.equals("OneHot")) {
            return first.widened(
                    told.attribute("axis"), Size.of(told.number(1, 0).orElse(-1L)));
        }
        if (op.equals("Select")) {
            return inputs.get(1);
        }
        if (Elementwise.OPS.contains(op) && !op.equals("Bitcast")) {
            return inputs.stream().reduce(this::together).orElse(Sizes.UNKNOWN);
        }
        if (REDUCES.contains(op)) {
            return told.numbers(1)
                    .filter(axes -> axes.size() == 1)
                    .map(axes ->
                            told.flag("keep_dims") ? first.with(axes.get(0), Size.of(1)) : first.without(axes.get(0)))
                    .orElse(Sizes.UNKNOWN);
        }
        return switch (op) {
            case "Reshape" -> reshaped(first, told.sizes(1));
            case "EnsureShape" -> ensured(node, first);
            case "ExpandDims" ->
                told.number(1, 0).map(axis -> first.widened(axis, Size.of(1))).orElse(Sizes.UNKNOWN);
            case "Squeeze" -> squeezed(node, first);
            case "Pack" -> {
                Sizes each = inputs.stream().reduce(this::same).orElseThrow();
                yield each.isKnown() ? each.widened(told.attribute("axis"), Size.of(inputs.size())) : each;
            }
            case "ConcatV2" -> joined(inputs.subList(0, inputs.size() - 1), told.number(inputs.size() - 1, 0));
            case "Transpose" -> told.numbers(1).map(first::turned).orElse(Sizes.UNKNOWN);
            case "GatherV2" -> {
                told.number(2, 0).ifPresent(axis -> taken(first.at(axis), told.numbers(1), node.getInput(1)));
                yield Sizes.UNKNOWN;
            }
            case "GatherNd" -> {
                taken(first.at(0), told.numbers(1).map(all -> List.of()), node.getInput(1));
                yield Sizes.UNKNOWN;
            }
            case "StridedSlice" -> {
                strided(first, told);
                yield Sizes.UNKNOWN;
            }
            case "Slice" -> {
                sliced(first, told);
                yield Sizes.UNKNOWN;
            }
            case "MatMul", "BatchMatMul", "BatchMatMulV2" -> {
                multiplied(told, inputs);
                yield Sizes.UNKNOWN;
            }
            default -> Sizes.UNKNOWN;
        };
    }

    private void demand(boolean always) {
        fits &= always;
    }

    /** Of shapes that broadcast. */
    private Sizes together(Sizes one, Sizes other) {
        if (!one.isKnown() || !other.isKnown()) {
            return Sizes.UNKNOWN;
        }
        int rank = Math.max(one.rank(), other.rank());
        List<Size> sizes = new ArrayList<>();
        for (int fromLast = rank; fromLast >= 1; fromLast--) {
            Size left = fromLast > one.rank() ? Size.of(1) : one.at(-fromLast);
            Size right = fromLast > other.rank() ? Size.of(1) : other.at(-fromLast);
            boolean single = left.equals(Size.of(1)) || right.equals(Size.of(1));
            demand(single || !left.differs(right));
            sizes.add(left.equals(Size.of(1)) ? right : left);
        }
        return Sizes.of(sizes);
    }

    /** Of things that are put one upon another. */
    private Sizes same(Sizes one, Sizes other) {
        if (!one.isKnown() || !other.isKnown() || one.rank() != other.rank()) {
            return Sizes.UNKNOWN;
        }
        demand(IntStream.range(0, one.rank()).noneMatch(axis -> one.at(axis).differs(other.at(axis))));
        return one;
    }

    private Sizes joined(List<Sizes> parts, Optional<Long> axis) {
        if (axis.isEmpty() || parts.stream().anyMatch(part -> !part.isKnown())) {
            return Sizes.UNKNOWN;
        }
        Size all = parts.stream()
                .map(part -> part.at(axis.get()))
                .reduce(Size::and)
                .orElse(Size.OPEN);
        Sizes beside = parts.stream()
                .map(part -> part.with(axis.get(), Size.OPEN))
                .reduce((one, other) -> one.isKnown() && other.isKnown() ? same(one, other) : Sizes.UNKNOWN)
                .orElse(Sizes.UNKNOWN);
        return beside.isKnown() ? beside.with(axis.get(), all) : Sizes.UNKNOWN;
    }

    private Sizes reshaped(Sizes value, List<Optional<Long>> shape) {
        if (shape.isEmpty()) {
            return Sizes.UNKNOWN;
        }
        if (shape.stream().anyMatch(Optional::isEmpty)) {
            return Sizes.written(shape);
        }
        Size values = value.values();
        long beside = shape.stream()
                .mapToLong(Optional::orElseThrow)
                .filter(size -> size >= 0)
                .reduce(1, (a, b) -> a * b);
        boolean open = shape.contains(Optional.of(-1L));
        boolean whole = beside > 0 && values.times() % beside == 0;
        demand(!values.byRows() || (open && whole));
        Size rest = whole && !values.isOpen() ? new Size(values.times() / beside, values.byRows()) : Size.OPEN;
        return Sizes.of(shape.stream()
                .map(size -> size.orElseThrow() == -1 ? rest : Size.of(size.orElseThrow()))
                .toList());
    }

    private Sizes ensured(NodeDef node, Sizes value) {
        AttrValue shape = node.getAttrOrDefault("shape", AttrValue.getDefaultInstance());
        for (int axis = 0; axis < shape.getShape().getDimCount(); axis++) {
            demand(!value.at(axis).differs(Size.of(shape.getShape().getDim(axis).getSize())));
        }
        return value;
    }

    private static Sizes squeezed(NodeDef node, Sizes value) {
        List<Long> axes = node.getAttrOrDefault("squeeze_dims", AttrValue.getDefaultInstance())
                .getList()
                .getIList();
        return axes.size() == 1 ? value.without(axes.get(0)) : Sizes.UNKNOWN;
    }

    private List<Sizes> parts(Sizes value, Optional<Long> axis, long number) {
        if (!value.isKnown() || axis.isEmpty() || number < 1) {
            return List.of();
        }
        Size all = value.at(axis.get());
        boolean even = all.times() % number == 0;
        demand(!all.byRows() || even);
        Size each = all.isOpen() || !even ? Size.OPEN : new Size(all.times() / number, all.byRows());
        return repeated(value.with(axis.get(), each), number);
    }

    private List<Sizes> cut(Sizes value, Optional<Long> axis, List<Optional<Long>> sizes) {
        if (!value.isKnown() || axis.isEmpty() || sizes.isEmpty()) {
            return List.of();
        }
        boolean written =
                sizes.stream().allMatch(size -> size.filter(each -> each >= 0).isPresent());
        long taken = sizes.stream()
                .mapToLong(size -> size.orElse(0L))
                .filter(size -> size > 0)
                .sum();
        demand(!value.at(axis.get()).byRows()
                || (!written && taken <= value.at(axis.get()).times()));
        return sizes.stream()
                .map(size -> value.with(axis.get(), Size.of(size.orElse(-1L))))
                .toList();
    }

    private List<Sizes> rowByRow(Sizes value, long axis, long number) {
        if (!value.isKnown()) {
            return List.of();
        }
        demand(!value.at(axis).byRows());
        return repeated(value.without(axis), number);
    }

    private static List<Sizes> repeated(Sizes each, long number) {
        return IntStream.range(0, (int) number).mapToObj(part -> each).toList();
    }

    /** A batch has one row at least. Places that are computed, and by nothing of the batch, do not know how many more. */
    private void taken(Size all, Optional<List<Long>> places, String ref) {
        demand(!all.byRows()
                || places.map(known -> known.stream().allMatch(place -> place < all.times() && place >= -all.times()))
                        .orElseGet(() -> isMadeOfBatch(ref)));
    }

    private boolean isMadeOfBatch(String ref) {
        return Stream.concat(Stream.of(ref), body.madeOf(ref).stream().flatMap(name -> Scope.given(body.node(name))))
                .map(Scope::nodeOf)
                .anyMatch(ofBatch::contains);
    }

    private void strided(Sizes value, OpInputs told) {
        long dropped = told.attribute("shrink_axis_mask");
        boolean plain = told.attribute("ellipsis_mask") == 0 && told.attribute("new_axis_mask") == 0;
        for (int i = 0; plain && i < told.sizes(1).size(); i++) {
            if ((dropped >>> i & 1) == 1) {
                taken(value.at(i), told.number(1, i).map(List::of), told.packed(1, i));
            }
        }
    }

    private void sliced(Sizes value, OpInputs told) {
        for (int i = 0; i < told.sizes(1).size(); i++) {
            long from = told.number(1, i).orElse(0L);
            long size = told.number(2, i).orElse(0L);
            demand(!value.at(i).byRows()
                    || from + Math.max(0, size) <= value.at(i).times());
        }
    }

    private void multiplied(OpInputs told, List<Sizes> inputs) {
        if (inputs.get(0).isKnown() && inputs.get(1).isKnown()) {
            boolean turnedLeft = told.flag("transpose_a") || told.flag("adj_x");
            boolean turnedRight = told.flag("transpose_b") || told.flag("adj_y");
            Size left = inputs.get(0).at(turnedLeft ? -2 : -1);
            demand(!left.differs(inputs.get(1).at(turnedRight ? -1 : -2)));
        }
    }
}
