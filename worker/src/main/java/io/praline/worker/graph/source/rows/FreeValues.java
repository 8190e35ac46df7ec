package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Elementwise;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Along which dimensions the values of something differ that is made of nothing of a batch: beside its rows they may be those of
 * places in it.
 */
record FreeValues(Scope body, NodeDef node, List<RowPlace> inputs) {
    /** Have as many dimensions as their first input, and may have other values along each of them unless those are alike. */
    private static final Set<String> OF_AS_MANY_DIMENSIONS = Set.of(
            "EnsureShape",
            "LogSoftmax",
            "RandomShuffle",
            "ReverseV2",
            "Roll",
            "Slice",
            "Softmax",
            "StopGradient",
            "Tile",
            "Transpose");

    /** Have the shape of their first input, but along the last dimension, and make different values of those that are alike. */
    private static final Set<String> BY_PLACES =
            Set.of("Cumprod", "Cumsum", "CumulativeLogsumexp", "MatrixBandPart", "TopK", "TopKV2");

    /** Make one value of all along some dimensions. */
    private static final Set<String> REDUCES =
            Set.of("All", "Any", "ArgMax", "ArgMin", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum");

    /** Have the shape of what they are given, and nothing else of it. */
    private static final Set<String> ALIKE = Set.of("OnesLike", "ZerosLike");

    /** Of one for each row they make one for each, or say which of them. */
    private static final Set<String> KEEP_PLACES =
            Set.of("ExpandDims", "Identity", "RandomShuffle", "Reshape", "Squeeze", "Where");

    /** In the place of the axis: how long some dimension is has to do with how many rows there are. */
    private static final int SOMEWHERE = -2;

    /** Tell, or may tell, how long a dimension of values is that are alike. */
    private static final Set<String> COUNT = Stream.of(
                    BY_PLACES,
                    REDUCES,
                    Set.of("Bincount", "MatMul", "BatchMatMul", "BatchMatMulV2", "Einsum", "L2Loss", "Where"),
                    Set.of("MatrixDiag", "MatrixDiagV2", "MatrixDiagV3", "UnsortedSegmentSum", "SegmentSum"))
            .flatMap(Set::stream)
            .collect(Collectors.toUnmodifiableSet());

    /** Whether an op makes one value of all along some dimensions, which it is told next. */
    static boolean reduces(String op) {
        return REDUCES.contains(op);
    }

    /** Whether it has as many values as there are rows: one for each along its first dimension, or along some. */
    static boolean areCounted(RowPlace place) {
        return place.isFree() && place.axis() != -1;
    }

    /** Whether it has one for each row along its first dimension. */
    static boolean areForEach(RowPlace place) {
        return place.isFree() && place.axis() == 0;
    }

    /** Whether it has as many values as there are rows, and not one for each of them: its shape tells how many they are. */
    static boolean areAcross(RowPlace place) {
        return place.isFree() && place.axis() == SOMEWHERE && !place.isDrawn() && !place.isPadded();
    }

    /** Whether what is made with it may tell how many rows there are. */
    static boolean tell(RowPlace place) {
        return place.numbered() || place.isSize() || (areCounted(place) && !place.isDrawn());
    }

    /** Whether it makes of each row as many as there are, along another dimension than that in which they lie. */
    static boolean spread(RowPlace place, RowPlace rows) {
        boolean beside = areForEach(place) && place.rank() >= 0 && !place.isDrawn();
        return areAcross(place) || (beside && place.rank() != rows.fromLast());
    }

    /** Of what is made value by value of what is free. */
    static RowPlace together(List<RowPlace> places) {
        boolean ranked = places.stream().allMatch(place -> place.rank() >= 0);
        boolean known = places.stream().allMatch(place -> place.mostVarying() >= 0);
        int rank = places.stream().mapToInt(RowPlace::rank).max().orElse(-1);
        int varies = places.stream().mapToInt(RowPlace::mostVarying).max().orElse(-1);
        return RowPlace.free(ranked ? rank : -1).varying(known ? varies : -1);
    }

    /** Of what is one or the other. */
    static RowPlace either(RowPlace one, RowPlace other) {
        List<RowPlace> both = List.of(one, other);
        if (one.equals(other)) {
            return one;
        }
        if (both.stream().anyMatch(RowPlace::numbered)) {
            return RowPlace.NUMBERED;
        }
        if (both.stream().anyMatch(RowPlace::isSize)) {
            return both.stream().anyMatch(RowPlace::isLength) ? RowPlace.LENGTH : RowPlace.SIZE;
        }
        List<RowPlace> told = both.stream().filter(place -> !place.isDrawn()).toList();
        if (told.size() < 2) {
            return told.isEmpty() ? along(RowPlace.DRAWN, SOMEWHERE) : told.get(0);
        }
        RowPlace made = one.rank() == other.rank() ? together(both) : RowPlace.FREE;
        RowPlace filled = both.stream().anyMatch(RowPlace::isPadded) ? made.padded() : made;
        List<Integer> along = both.stream()
                .filter(FreeValues::areCounted)
                .map(RowPlace::axis)
                .distinct()
                .toList();
        return along.isEmpty() ? filled : along(filled, along.size() == 1 ? along.get(0) : SOMEWHERE);
    }

    /** What is drawn, or made of that: as many values as there are rows where what says how many is made of their number. */
    RowPlace drawn() {
        boolean each = inputs.stream().anyMatch(FreeValues::areForEach);
        boolean counted = inputs.stream().anyMatch(input -> tell(input) || areCounted(input));
        if (ALIKE.contains(node.getOp()) && counted) {
            return along(RowPlace.FREE.varying(0), each ? 0 : SOMEWHERE);
        }
        if (!counted) {
            return RowPlace.DRAWN;
        }
        RowPlace first = inputs.get(0);
        boolean kept = (isValueByValue() || KEEP_PLACES.contains(node.getOp()))
                && inputs.stream().filter(FreeValues::areCounted).allMatch(FreeValues::areForEach);
        boolean shaped = !isValueByValue() && (first.isShape() || first.isCount() || first.arePlaces());
        return along(RowPlace.DRAWN, (each && kept) || shaped ? 0 : SOMEWHERE);
    }

    /** The same as rows, where it has a value for each. */
    static RowPlace asRows(RowPlace place) {
        if (!areForEach(place)) {
            return place;
        }
        RowPlace rows = place.rank() < 0 ? RowPlace.LEADING : RowPlace.rows(place.rank(), 0);
        return place.isPadded() ? rows.padded() : rows;
    }

    /** One of a list. */
    static RowPlace item(RowPlace list) {
        return areCounted(list) && !list.isDrawn() ? RowPlace.FREE.varying(list.varies() == 0 ? 0 : -1) : list;
    }

    /**
     * Of what is made of values that are as many as there are rows: how many they are it tells where rows would meet in it.
     *
     * @param made what it is besides
     * @param rows what is made of rows in the place of such values
     */
    RowPlace counted(RowPlace made, RowPlace rows) {
        boolean told = !made.isFree() || made.isDrawn() || made.numbered() || made.isSize() || areCounted(made);
        if (told) {
            return made;
        }
        if (inputs.stream().noneMatch(input -> input.axis() == SOMEWHERE) && !isValueByValue()) {
            boolean each = rows.isRows() && rows.axis() == 0 && rows.order().isEmpty();
            return each ? along(made, 0).numbered(rows.numbered()) : RowPlace.SIZE;
        }
        boolean first = rows.isRows() && rows.axis() == 0;
        return COUNT.contains(node.getOp()) ? RowPlace.SIZE : along(made, first ? 0 : SOMEWHERE);
    }

    private static RowPlace along(RowPlace made, int axis) {
        return new RowPlace(
                RowPlace.Kind.FREE, made.rank(), axis, made.order(), made.numbered(), made.each(), made.varies());
    }

    /** Of a shape in which the number of rows is. */
    RowPlace ofSizes() {
        RowPlace shape = inputs.get(node.getOp().equals("BroadcastTo") ? 1 : 0);
        RowPlace made = along(shaped(), shape.isShape() || shape.isCount() ? 0 : SOMEWHERE);
        long sizes = shape.isCount() ? 1 : shape.isShape() ? shape.each() : -1;
        return sizes > 0
                ? new RowPlace(made.kind(), (int) sizes, made.axis(), "", false, made.each(), made.varies())
                : made;
    }

    RowPlace made() {
        RowPlace first = inputs.isEmpty() ? RowPlace.FREE : inputs.get(0);
        return switch (node.getOp()) {
            case "Fill", "BroadcastTo" -> shaped();
            case "LinSpace", "Range" -> wholly(1);
            // a variable is given with the value that it has before the pipeline runs
            case "ReadVariableOp" -> first;
            case "LookupTableFindV2" -> looked();
            case "MatrixDiag", "MatrixDiagV2", "MatrixDiagV3", "OneHot", "Pack" ->
                first.rank() < 0 ? RowPlace.FREE : wholly(first.rank() + 1);
            case "ConcatV2" -> first.rank() < 0 ? RowPlace.FREE : wholly(first.rank());
            case "GatherV2" -> gathered();
            case "Reshape" -> reshaped();
            case "ExpandDims" -> expanded();
            case "StridedSlice" -> sliced();
            // places, each of which has as many numbers as there are dimensions
            case "Where" -> wholly(2);
            case "Squeeze" -> squeezed();
            default -> {
                if (OF_AS_MANY_DIMENSIONS.contains(node.getOp())) {
                    yield first.rank() < 0 || first.varies() == 0 ? first : wholly(first.rank());
                }
                if (BY_PLACES.contains(node.getOp())) {
                    yield byPlaces();
                }
                if (REDUCES.contains(node.getOp())) {
                    yield reduced();
                }
                if (node.getOp().startsWith("StatelessRandom")) {
                    int sizes = new OpInputs(body, node).sizes(0).size();
                    yield sizes == 0 ? RowPlace.FREE : wholly(sizes);
                }
                yield isValueByValue() ? together(inputs) : RowPlace.FREE;
            }
        };
    }

    /** A bitcast may make several values of one, and a vector may choose among rows. */
    private boolean isValueByValue() {
        return switch (node.getOp()) {
            case "Bitcast" -> false;
            case "Select" ->
                inputs.get(0).rank() == 0
                        || inputs.get(0).rank() == inputs.get(1).rank();
            default -> Elementwise.OPS.contains(node.getOp()) || ValueByValue.OPS.contains(node.getOp());
        };
    }

    /** Of a shape that is told, and of the values of the other input. */
    RowPlace shaped() {
        return switch (node.getOp()) {
            // with one value
            case "Fill" -> ofTold(0).varying(0);
            case "BroadcastTo" -> ofTold(1).varying(inputs.get(0).varies());
            default -> RowPlace.FREE;
        };
    }

    /** Of as many dimensions as an input has sizes. */
    private RowPlace ofTold(int shape) {
        int sizes = new OpInputs(body, node).sizes(shape).size();
        return sizes == 0 ? RowPlace.FREE : RowPlace.free(sizes);
    }

    private RowPlace squeezed() {
        int gone = node.getAttrOrDefault("squeeze_dims", AttrValue.getDefaultInstance())
                .getList()
                .getICount();
        int rank = inputs.get(0).rank();
        return gone == 0 || rank < gone ? RowPlace.FREE : wholly(rank - gone);
    }

    private static RowPlace wholly(int rank) {
        return RowPlace.free(rank).varying(rank);
    }

    private RowPlace byPlaces() {
        RowPlace first = inputs.get(0);
        if (first.rank() < 0) {
            return RowPlace.FREE;
        }
        int ones = 0;
        List<Long> shape = new OpInputs(body, node)
                .constant(0)
                .map(value -> value.getTensorShape().getDimList().stream()
                        .map(TensorShapeProto.Dim::getSize)
                        .toList())
                .orElse(List.of());
        while (ones < shape.size() && shape.get(ones) == 1) {
            ones++;
        }
        return RowPlace.free(first.rank()).varying(first.rank() - ones);
    }

    /** A table gives for each key as many values as it would for one that it does not have. */
    private RowPlace looked() {
        RowPlace keys = inputs.get(1);
        RowPlace otherwise = inputs.get(2);
        return keys.rank() < 0 || otherwise.rank() < 0 ? RowPlace.FREE : wholly(keys.rank() + otherwise.rank());
    }

    private RowPlace reduced() {
        RowPlace first = inputs.get(0);
        OpInputs told = new OpInputs(body, node);
        Optional<List<Long>> axes = told.numbers(1);
        if (first.rank() < 0 || axes.isEmpty()) {
            return RowPlace.FREE;
        }
        return wholly(
                told.flag("keep_dims")
                        ? first.rank()
                        : first.rank() - axes.get().size());
    }

    private RowPlace gathered() {
        RowPlace first = inputs.get(0);
        RowPlace places = inputs.get(1);
        boolean known =
                first.rank() >= 0 && places.rank() >= 0 && new OpInputs(body, node).attribute("batch_dims") == 0;
        return known ? wholly(first.rank() - 1 + places.rank()) : RowPlace.FREE;
    }

    private RowPlace reshaped() {
        List<Optional<Long>> sizes = new OpInputs(body, node).sizes(1);
        int ones = 0;
        while (ones < sizes.size() && sizes.get(ones).equals(Optional.of(1L))) {
            ones++;
        }
        int varies = inputs.get(0).varies() == 0 ? 0 : sizes.size() - ones;
        return sizes.isEmpty() ? RowPlace.FREE : RowPlace.free(sizes.size()).varying(varies);
    }

    private RowPlace expanded() {
        RowPlace first = inputs.get(0);
        Optional<Long> axis = new OpInputs(body, node).number(1, 0);
        if (first.rank() < 0 || first.varies() < 0 || axis.isEmpty()) {
            return RowPlace.FREE;
        }
        long at = axis.get() < 0 ? axis.get() + first.rank() + 1 : axis.get();
        boolean before = at <= first.rank() - first.varies();
        return RowPlace.free(first.rank() + 1)
                .varying(first.varies() == 0 || before ? first.varies() : first.varies() + 1);
    }

    private RowPlace sliced() {
        RowPlace first = inputs.get(0);
        OpInputs told = new OpInputs(body, node);
        int entries = Math.max(told.sizes(1).size(), told.sizes(2).size());
        if (first.rank() < 0 || first.varies() < 0 || entries == 0) {
            return RowPlace.FREE;
        }
        long added = told.attribute("new_axis_mask");
        int taken = entries - Long.bitCount(added & ((1L << entries) - 1));
        boolean shortened = told.attribute("ellipsis_mask") != 0;
        int untold = first.rank() - taken + (shortened ? 1 : 0);
        // which of what is left may differ, dimension by dimension
        List<Boolean> differs = new ArrayList<>();
        int dimension = 0;
        for (int i = 0; i < entries; i++) {
            if (bit(told.attribute("ellipsis_mask"), i)) {
                for (int k = 0; k < untold; k++) {
                    differs.add(differs(first, dimension++));
                }
            } else if (bit(added, i)) {
                differs.add(false);
            } else {
                boolean there = differs(first, dimension++);
                if (!bit(told.attribute("shrink_axis_mask"), i)) {
                    differs.add(there);
                }
            }
        }
        while (dimension < first.rank()) {
            differs.add(differs(first, dimension++));
        }
        int from = differs.indexOf(true);
        return RowPlace.free(differs.size()).varying(from < 0 ? 0 : differs.size() - from);
    }

    private static boolean differs(RowPlace place, int dimension) {
        return dimension >= place.rank() - place.varies();
    }

    private static boolean bit(long mask, int place) {
        return (mask >>> place & 1) == 1;
    }
}
