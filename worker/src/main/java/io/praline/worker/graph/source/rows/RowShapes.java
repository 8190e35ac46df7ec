package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;

/** Where the rows of a batch lie behind an op that does more than to work value by value. */
final class RowShapes {
    private static final Set<String> REDUCES = Set.of(
            "All", "Any", "EuclideanNorm", "Max", "Mean", "Min", "Prod", "Sum", "ReduceJoin", "ArgMax", "ArgMin");

    /** Work along the last dimension, and give as many. */
    private static final Set<String> ALONG_THE_LAST =
            Set.of("FFT", "IFFT", "RFFT", "IRFFT", "LogSoftmax", "Softmax", "TopK", "TopKV2");

    /** Make one thing of all values. */
    private static final Set<String> OF_ALL =
            Set.of("Bincount", "HistogramFixedWidth", "L2Loss", "Unique", "UniqueWithCounts");

    private static final Set<String> SEGMENTS = Set.of(
            "SegmentMax",
            "SegmentMean",
            "SegmentMin",
            "SegmentProd",
            "SegmentSum",
            "SegmentSumV2",
            "UnsortedSegmentMax",
            "UnsortedSegmentMin",
            "UnsortedSegmentProd",
            "UnsortedSegmentSum");

    /** Slide a window over the second and third dimension. */
    private static final Set<String> SLIDES = Set.of("AvgPool", "Conv2D", "DepthwiseConv2dNative", "MaxPool");

    private final NodeDef node;
    private final OpInputs told;
    private final List<RowPlace> inputs;
    private final RowPlace first;

    /** @param inputs none of them mixed, one at least made of the batch */
    RowShapes(Scope body, NodeDef node, List<RowPlace> inputs) {
        this.node = node;
        this.told = new OpInputs(body, node);
        this.inputs = inputs;
        this.first = inputs.get(0);
    }

    RowPlace made() {
        switch (node.getOp()) {
            case "Identity", "EnsureShape", "StopGradient", "PreventGradient", "StringToNumber", "Bucketize" -> {
                return first;
            }
            case "Pack" -> {
                return packed();
            }
            case "ConcatV2" -> {
                return joined();
            }
            case "MatMul", "BatchMatMul", "BatchMatMulV2" -> {
                return multiplied();
            }
            case "Einsum" -> {
                return summed();
            }
            case "Split" -> {
                return split(inputs.get(1), told.numbers(0));
            }
            case "LookupTableFindV2" -> {
                return inputs.get(1);
            }
            default -> {
                return first.isRows() ? ofFirst() : RowPlace.UNKNOWN;
            }
        }
    }

    private RowPlace ofFirst() {
        String op = node.getOp();
        if (REDUCES.contains(op)) {
            return reduced();
        }
        if (ALONG_THE_LAST.contains(op)) {
            return first.fromLast() == 1 ? RowPlace.MIXED : first;
        }
        if (OF_ALL.contains(op)) {
            return RowPlace.MIXED;
        }
        if (SEGMENTS.contains(op)) {
            return first.axis() == 0 ? RowPlace.MIXED : RowPlace.UNKNOWN;
        }
        if (SLIDES.contains(op)) {
            boolean over = first.axis() == 1 || first.axis() == 2;
            return over ? RowPlace.MIXED : first.axis() == 0 ? first : RowPlace.UNKNOWN;
        }
        return switch (op) {
            case "ExpandDims" -> expanded();
            case "Squeeze" -> squeezed();
            case "Reshape" -> reshaped();
            case "Transpose" -> turned();
            case "Cumsum", "Cumprod", "CumulativeLogsumexp", "UniqueV2", "UniqueWithCountsV2" ->
                along(told.numbers(1), RowPlace.MIXED);
            case "Roll" -> along(told.numbers(2), RowPlace.MIXED);
            case "ReverseV2" -> along(told.numbers(1), first.reversed());
            case "SplitV" -> split(first, told.numbers(2));
            case "Unpack" -> {
                int axis = first.from(told.attribute("axis"));
                yield axis == first.axis() ? RowPlace.MIXED : without(List.of((long) axis));
            }
            case "Tile" ->
                told.number(1, first.axis())
                        .map(times -> times == 1 ? first : first.inOrder("tiled"))
                        .orElse(RowPlace.UNKNOWN);
            case "Pad", "PadV2", "MirrorPad" ->
                zero(2 * first.axis()) && zero(2 * first.axis() + 1) ? first : RowPlace.UNKNOWN;
            case "GatherV2" -> new RowSlices(told, first).gathered();
            case "Slice" -> new RowSlices(told, first).sliced();
            case "StridedSlice" -> new RowSlices(told, first).strided();
            default -> RowPlace.UNKNOWN;
        };
    }

    /** Of axes along which all rows meet: something where the rows' own is among them, else nothing changes. */
    private RowPlace along(Optional<List<Long>> axes, RowPlace met) {
        return axes.map(given -> given.stream().anyMatch(axis -> first.from(axis) == first.axis()) ? met : first)
                .orElse(RowPlace.UNKNOWN);
    }

    private boolean zero(int place) {
        return told.number(1, place).equals(Optional.of(0L));
    }

    private RowPlace reduced() {
        Optional<List<Long>> axes = told.numbers(1);
        // axes that only running it would tell are all
        if (axes.isEmpty() || axes.get().stream().anyMatch(axis -> first.from(axis) == first.axis())) {
            return RowPlace.MIXED;
        }
        return told.flag("keep_dims") ? first : without(axes.get());
    }

    private RowPlace without(List<Long> axes) {
        Set<Integer> gone = axes.stream().map(first::from).collect(Collectors.toSet());
        int before = (int) gone.stream().filter(axis -> axis < first.axis()).count();
        return first.at(first.rank() - gone.size(), first.axis() - before);
    }

    private RowPlace expanded() {
        return told.numbers(1)
                .map(axes -> {
                    long given = axes.get(0);
                    int axis = (int) (given < 0 ? given + first.rank() + 1 : given);
                    return first.at(first.rank() + 1, axis <= first.axis() ? first.axis() + 1 : first.axis());
                })
                .orElse(RowPlace.UNKNOWN);
    }

    private RowPlace squeezed() {
        List<Long> axes = node.getAttrOrDefault("squeeze_dims", AttrValue.getDefaultInstance())
                .getList()
                .getIList();
        boolean told = !axes.isEmpty() && axes.stream().noneMatch(axis -> first.from(axis) == first.axis());
        return told ? without(axes) : RowPlace.UNKNOWN;
    }

    /** Of single values it is seen whether several come together; of longer rows only that there are as many of them. */
    private RowPlace reshaped() {
        List<Optional<Long>> sizes = told.sizes(1);
        if (sizes.isEmpty() || first.axis() != 0) {
            return RowPlace.UNKNOWN;
        }
        if (told.isRowCount(told.packed(1, 0))) {
            return first.at(sizes.size(), 0);
        }
        boolean asMany = sizes.get(0).filter(size -> size == -1).isPresent();
        if (first.rank() > 1 || !asMany || sizes.stream().anyMatch(Optional::isEmpty)) {
            return RowPlace.UNKNOWN;
        }
        long each = sizes.stream().skip(1).mapToLong(Optional::get).reduce(1, (a, b) -> a * b);
        return each == 1 ? first.at(sizes.size(), 0) : RowPlace.MIXED;
    }

    private RowPlace turned() {
        return told.numbers(1)
                .map(order -> first.at(first.rank(), order.indexOf((long) first.axis())))
                .orElse(RowPlace.UNKNOWN);
    }

    private RowPlace split(RowPlace value, Optional<List<Long>> axis) {
        if (!value.isRows() || axis.isEmpty()) {
            return RowPlace.UNKNOWN;
        }
        boolean apart = value.from(axis.get().get(0)) == value.axis() && told.attribute("num_split") > 1;
        return apart ? RowPlace.MIXED : value;
    }

    private RowPlace packed() {
        RowPlace all = RowPlace.together(inputs);
        if (!all.isRows()) {
            return all;
        }
        long given = told.attribute("axis");
        int axis = (int) (given < 0 ? given + all.rank() + 1 : given);
        return all.at(all.rank() + 1, axis <= all.axis() ? all.axis() + 1 : all.axis());
    }

    private RowPlace joined() {
        List<RowPlace> parts = inputs.subList(0, inputs.size() - 1);
        Optional<List<Long>> axis = told.numbers(inputs.size() - 1);
        Optional<RowPlace> rows = parts.stream().filter(RowPlace::isRows).findFirst();
        if (axis.isEmpty() || rows.isEmpty() || parts.stream().anyMatch(part -> part.kind() == RowPlace.Kind.UNKNOWN)) {
            return RowPlace.UNKNOWN;
        }
        if (rows.get().from(axis.get().get(0)) != rows.get().axis()) {
            return RowPlace.together(parts);
        }
        // rows behind rows: each of one still
        return rows.get()
                .inOrder(parts.stream()
                        .map(part -> part.kind() + part.order())
                        .collect(Collectors.joining(",", "(", ")")));
    }

    /** Rows lie in one of the two last dimensions, of which one is summed over; or in one before them. */
    private RowPlace multiplied() {
        RowPlace second = inputs.get(1);
        if (inputs.stream().anyMatch(each -> each.kind() == RowPlace.Kind.UNKNOWN)) {
            return RowPlace.UNKNOWN;
        }
        if (first.isRows() && second.isRows()) {
            boolean before = first.fromLast() > 2 && second.fromLast() > 2;
            boolean within = first.fromLast() <= 2 && second.fromLast() <= 2;
            return before ? RowPlace.together(inputs) : within ? RowPlace.MIXED : RowPlace.UNKNOWN;
        }
        boolean left = first.isRows();
        RowPlace rows = left ? first : second;
        int rank = Math.max(first.rank(), second.rank());
        if (rows.fromLast() > 2) {
            return rows.at(rank, rank - rows.fromLast());
        }
        boolean turned = told.flag(left ? "transpose_a" : "transpose_b") || told.flag(left ? "adj_x" : "adj_y");
        int summed = left != turned ? 1 : 2;
        return rows.fromLast() == summed ? RowPlace.MIXED : rows.at(rank, rank - (left ? 2 : 1));
    }

    private RowPlace summed() {
        String equation = node.getAttrOrThrow("equation").getS().toStringUtf8();
        String[] sides = equation.split("->", -1);
        String[] operands = sides[0].split(",", -1);
        if (equation.contains(".") || sides.length != 2 || operands.length != inputs.size()) {
            return RowPlace.UNKNOWN;
        }
        RowPlace made = RowPlace.FREE;
        for (int i = 0; i < operands.length; i++) {
            RowPlace place = inputs.get(i);
            if (place.isFree()) {
                continue;
            }
            if (!place.isRows() || place.axis() >= operands[i].length()) {
                return RowPlace.UNKNOWN;
            }
            int axis = sides[1].indexOf(operands[i].charAt(place.axis()));
            RowPlace behind = axis < 0 ? RowPlace.MIXED : place.at(sides[1].length(), axis);
            if (behind.isMixed() || (made.isRows() && !made.equals(behind))) {
                return RowPlace.MIXED;
            }
            made = behind;
        }
        return made;
    }
}
