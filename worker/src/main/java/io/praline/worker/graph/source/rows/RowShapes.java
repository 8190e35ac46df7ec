package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
    private static final Set<String> OF_ALL = Set.of(
            "Bincount",
            "HistogramFixedWidth",
            "L2Loss",
            "Unique",
            "UniqueWithCounts",
            "UniqueV2",
            "UniqueWithCountsV2");

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

    /** Of a batch of pictures they make each by itself. */
    private static final Set<String> PICTURES = Set.of(
            "DepthToSpace",
            "Dilation2D",
            "ExtractImagePatches",
            "ImageProjectiveTransformV2",
            "ImageProjectiveTransformV3",
            "LRN",
            "ResizeArea",
            "ResizeBicubic",
            "ResizeBilinear",
            "ResizeNearestNeighbor",
            "ScaleAndTranslate",
            "SpaceToDepth");

    /** Make something of the last dimensions, so many of them: of each colour, of each picture. */
    private static final Map<String, Integer> COLOURS =
            Map.of("AdjustContrastv2", 3, "AdjustHue", 1, "AdjustSaturation", 1, "HSVToRGB", 1, "RGBToHSV", 1);

    /** Make each value by itself, beside what is the same for all. */
    private static final Set<String> EACH = Set.of(
            "Angle",
            "BiasAdd",
            "Bucketize",
            "ComplexAbs",
            "DecodeBase64",
            "DecodeCSV",
            "DecodeCompressed",
            "EncodeBase64",
            "EnsureShape",
            "FakeQuantWithMinMaxVars",
            "Identity",
            "Imag",
            "LeakyRelu",
            "PreventGradient",
            "Real",
            "RegexFullMatch",
            "Selu",
            "Softsign",
            "StaticRegexFullMatch",
            "StopGradient",
            "StringToHashBucket",
            "StringToNumber",
            "UnicodeTranscode");

    /** Are told a shape, which may name the number of rows. */
    private static final Set<String> SHAPES = Set.of("BroadcastTo", "EnsureShape", "Reshape", "Slice", "StridedSlice");

    /** Of what they make of a row it is known how many values that has. */
    private static final Set<String> SIZED = Set.of("BatchMatMul", "BatchMatMulV2", "MatMul", "Reshape");

    /** Of a row they make as many values as it has. */
    private static final Set<String> AS_MANY = Set.of(
            "Cumprod",
            "Cumsum",
            "ExpandDims",
            "LogSoftmax",
            "ReverseV2",
            "Roll",
            "Softmax",
            "Squeeze",
            "Transpose",
            // and all that make each value by itself
            "Angle",
            "BiasAdd",
            "Bucketize",
            "ComplexAbs",
            "EnsureShape",
            "Identity",
            "LeakyRelu",
            "PreventGradient",
            "Selu",
            "StopGradient",
            "StringToNumber");

    private final NodeDef node;
    private final OpInputs told;
    private final List<RowPlace> inputs;
    private final RowPlace first;
    private final Function<String, RowPlace> places;

    /**
     * @param inputs none of them mixed, one at least made of the batch
     * @param places of what has been looked at before
     */
    RowShapes(Scope body, NodeDef node, List<RowPlace> inputs, Function<String, RowPlace> places) {
        this.places = places;
        this.node = node;
        this.told = new OpInputs(body, node);
        this.inputs = inputs;
        this.first = inputs.get(0);
    }

    RowPlace made() {
        if (inputs.stream().anyMatch(each -> each.is(RowPlace.Kind.UNKNOWN) || each.is(RowPlace.Kind.LIST))) {
            return RowPlace.UNKNOWN;
        }
        if (EACH.contains(node.getOp())) {
            return first.isRows() && inputs.stream().skip(1).allMatch(RowPlace::isFree) && !isAddedToRows()
                    ? hanging(first)
                    : RowPlace.UNKNOWN;
        }
        if (node.getOp().equals("Where")) {
            return first.isRows() && first.rank() == 1
                    ? RowPlace.chosen(told.values(node.getInput(0)))
                    : RowPlace.UNKNOWN;
        }
        if (first.is(RowPlace.Kind.CHOSEN)) {
            boolean same = Set.of("Squeeze", "Cast").contains(node.getOp());
            return same ? first : RowPlace.UNKNOWN;
        }
        if (looksAtLength()) {
            return RowPlace.MIXED;
        }
        if (node.getOp().equals("GatherV2")) {
            return told.attribute("batch_dims") > 0 ? new RowWithin(told, inputs).gathered() : gathered();
        }
        return hanging(placed());
    }

    /**
     * Whether it may depend on how long the longest row of a batch is, of rows that are filled up to that: it does not where it only
     * turns them, looks them up, or takes from a place on that is counted from their beginning.
     */
    private boolean looksAtLength() {
        boolean padded = inputs.stream().anyMatch(RowPlace::isPadded);
        if (!padded || first.is(RowPlace.Kind.CHANCE)) {
            return false;
        }
        return switch (node.getOp()) {
            case "ExpandDims", "Squeeze", "Transpose", "Pack", "Reshape", "GatherV2", "LookupTableFindV2" -> false;
            case "StridedSlice" -> !new RowSlices(told, first).fromTheBeginning();
            default -> true;
        };
    }

    /** Whether something has a value for each place along a dimension, in which rows lie. */
    private boolean isAddedToRows() {
        return node.getOp().equals("BiasAdd") && first.axis() != 0;
    }

    /** What is made with the places of rows, or with their number where that is no shape, hangs on it. */
    private RowPlace hanging(RowPlace made) {
        boolean shape = SHAPES.contains(node.getOp());
        boolean hangs = inputs.stream()
                .anyMatch(each -> each.numbered() || FreeValues.areAcross(each) || (each.isSize() && !shape));
        boolean cut = first.isRows() && new RowSlices(told, first).cutsBySize(places);
        boolean turn = made.is(RowPlace.Kind.ROW);
        RowPlace sized = SIZED.contains(node.getOp()) || made.isFree()
                ? made
                : made.ofEach(AS_MANY.contains(node.getOp()) ? first.each() : -1);
        return cut || (hangs && !turn) ? sized.numbered(true) : sized;
    }

    private RowPlace gathered() {
        RowPlace indices = inputs.get(1);
        if (first.isRows()) {
            return new RowSlices(told, first).gathered(indices);
        }
        // rows say what is taken of something that is the same for all
        Optional<List<Long>> axis = told.numbers(2);
        boolean each = first.isFree() && indices.isRows() && axis.isPresent() && told.attribute("batch_dims") == 0;
        if (!each || axis.get().get(0) != 0) {
            return RowPlace.UNKNOWN;
        }
        RowPlace leading = indices.isPadded() ? RowPlace.LEADING.padded() : RowPlace.LEADING;
        RowPlace rows = first.rank() < 0 || indices.rank() < 0
                ? indices.axis() == 0 ? leading.inOrder(indices.order()) : RowPlace.UNKNOWN
                : indices.at(first.rank() - 1 + indices.rank(), indices.axis());
        boolean numbered = inputs.stream().anyMatch(given -> given.numbered() || given.isSize());
        return rows.numbered(numbered).ofEach(-1);
    }

    private RowPlace placed() {
        switch (node.getOp()) {
            case "Pack" -> {
                return packed();
            }
            case "ConcatV2" -> {
                return joined();
            }
            case "CombinedNonMaxSuppression" -> {
                return new RowWithin(told, inputs).boxes();
            }
            case "MatMul", "BatchMatMul", "BatchMatMulV2" -> {
                return new RowProducts(told, inputs).multiplied();
            }
            case "Einsum" -> {
                return new RowProducts(told, inputs).summed();
            }
            case "Split" -> {
                return split(inputs.get(1), told.numbers(0));
            }
            case "LookupTableFindV2" -> {
                return found(inputs.get(1), inputs.get(2));
            }
            default -> {
                return first.isRows() ? ofFirst() : RowPlace.UNKNOWN;
            }
        }
    }

    private RowPlace ofFirst() {
        String op = node.getOp();
        if (first.rank() < 0) {
            return RowPlace.UNKNOWN;
        }
        // filters that are made of rows let each meet each other, for one
        if (!inputs.stream().skip(1).allMatch(RowPlace::isFree)) {
            return RowPlace.UNKNOWN;
        }
        if (PICTURES.contains(op)) {
            boolean apart = first.axis() == 0 && first.rank() == 4;
            return apart ? first.numbered(first.numbered() || isMovedByPlace()) : RowPlace.UNKNOWN;
        }
        if (COLOURS.containsKey(op)) {
            return first.fromLast() > COLOURS.get(op) ? first : RowPlace.UNKNOWN;
        }
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
        if (RowWithin.slides(node)) {
            return new RowWithin(told, inputs).slid();
        }
        return switch (op) {
            case "ExpandDims" -> expanded();
            case "Squeeze" -> squeezed();
            case "Reshape" -> new RowReshapes(told, first, inputs.get(1)).reshaped(places);
            case "Transpose" -> turned();
            case "Cumsum", "Cumprod", "CumulativeLogsumexp" -> along(told.numbers(1), RowPlace.MIXED);
            case "Roll" -> along(told.numbers(2), RowPlace.MIXED);
            case "ReverseV2" -> along(told.numbers(1), first.reversed());
            case "SplitV" -> split(first, told.numbers(2));
            case "Unpack" -> {
                int axis = first.from(told.attribute("axis"));
                yield axis == first.axis() ? RowPlace.MIXED : without(List.of((long) axis));
            }
            case "Tile" ->
                told.number(1, first.axis())
                        .map(times -> times == 1 ? first : first.inOrder("tiled " + first.order()))
                        .orElse(RowPlace.UNKNOWN);
            case "Pad", "PadV2", "MirrorPad" ->
                zero(2 * first.axis()) && zero(2 * first.axis() + 1) ? first : RowPlace.UNKNOWN;
            case "Slice" -> new RowSlices(told, first).sliced(places);
            case "StridedSlice" -> new RowSlices(told, first).strided(places);
            // bytes of each become a dimension
            case "DecodeRaw", "DecodePaddedRaw" -> first.at(first.rank() + 1, first.axis());
            default -> RowPlace.UNKNOWN;
        };
    }

    /** A table gives for each key as many values as for one that it does not have. */
    private static RowPlace found(RowPlace keys, RowPlace otherwise) {
        if (!keys.isRows() || !otherwise.isFree() || keys.rank() < 0 || otherwise.rank() == 0) {
            return keys;
        }
        return otherwise.rank() < 0 ? RowPlace.UNKNOWN : keys.at(keys.rank() + otherwise.rank(), keys.axis());
    }

    /** Whether each picture may be moved by numbers of its own. */
    private boolean isMovedByPlace() {
        return node.getOp().startsWith("ImageProjectiveTransform")
                && inputs.get(1).differsBetween(RowPlace.rows(2, 0));
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

    private RowPlace turned() {
        return told.numbers(1)
                .map(order -> first.at(first.rank(), order.indexOf((long) first.axis())))
                .orElse(RowPlace.UNKNOWN);
    }

    private RowPlace split(RowPlace value, Optional<List<Long>> axis) {
        if (!value.isRows() || value.rank() < 0 || axis.isEmpty()) {
            return RowPlace.UNKNOWN;
        }
        boolean apart = value.from(axis.get().get(0)) == value.axis() && told.attribute("num_split") > 1;
        return apart ? RowPlace.MIXED : value;
    }

    private RowPlace packed() {
        RowPlace all = RowPlace.together(inputs);
        if (!all.isRows() || all.rank() < 0) {
            return all.isMixed() ? all : RowPlace.UNKNOWN;
        }
        long given = told.attribute("axis");
        int axis = (int) (given < 0 ? given + all.rank() + 1 : given);
        return all.at(all.rank() + 1, axis <= all.axis() ? all.axis() + 1 : all.axis());
    }

    private RowPlace joined() {
        List<RowPlace> parts = inputs.subList(0, inputs.size() - 1);
        Optional<List<Long>> axis = told.numbers(inputs.size() - 1);
        Optional<RowPlace> rows = parts.stream().filter(RowPlace::isRows).findFirst();
        if (axis.isEmpty() || rows.isEmpty() || parts.stream().anyMatch(part -> part.rank() < 0 && part.isRows())) {
            return RowPlace.UNKNOWN;
        }
        if (rows.get().from(axis.get().get(0)) != rows.get().axis()) {
            return RowPlace.together(parts);
        }
        // rows behind rows: each of one still
        return rows.get().inOrder(parts.stream().map(RowDatasets::inWords).collect(Collectors.joining(",", "(", ")")));
    }
}
