package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Elementwise;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.tensorflow.proto.NodeDef;

/**
 * Rows of a batch that are cut into lines, as many each, to be worked on line by line, and put together again: as the frames of
 * videos are, or what is multiplied with a matrix along its last dimension.
 */
record RowLines(OpInputs told, RowPlace first) {
    /** Make what stands along the first dimension each of itself, all of it, in its place. */
    private static final Set<String> KEEP = Set.of(
            "AvgPool",
            "BiasAdd",
            "Conv2D",
            "Cumsum",
            "DepthwiseConv2dNative",
            "Einsum",
            "ExpandDims",
            "LeakyRelu",
            "LogSoftmax",
            "MatMul",
            "Max",
            "MaxPool",
            "Mean",
            "Min",
            "Pack",
            "Prod",
            "Reshape",
            "ResizeBilinear",
            "ResizeNearestNeighbor",
            "Selu",
            "Softmax",
            "Split",
            "Squeeze",
            "StopGradient",
            "Sum",
            "TopKV2",
            "Transpose",
            "Unpack");

    /** Whether lines stay where they are in what an op makes of them, or it is known that they do not. */
    static boolean keeps(NodeDef node, List<RowPlace> inputs) {
        String op = node.getOp();
        // what is taken by numbers that lines hold
        boolean looks = Set.of("GatherV2", "ResourceGather").contains(op)
                && inputs.get(0).isFree();
        return looks || KEEP.contains(op) || Elementwise.OPS.contains(op) || ValueByValue.OPS.contains(op);
    }

    /**
     * Rows of which each stays in its place, as one or cut into several: into so many values as its own are a multiple of, or into
     * as many lines as are the number of rows times another.
     *
     * @param sizes what is known of those of the shape
     * @param count what is known of the first of them
     */
    Optional<RowPlace> cut(List<Optional<Long>> sizes, RowPlace count) {
        boolean inPlace =
                first.axis() == 0 && first.isWholeBatch() && first.order().isEmpty();
        if (!inPlace || first.isPadded() || sizes.size() < 2) {
            return Optional.empty();
        }
        if (count.isLines()) {
            // there would be another number of values in all if a line had some of two rows
            return Optional.of(
                    first.at(sizes.size(), 0).cut("as " + told.packed(1, 0)).ofEach(-1));
        }
        long values = values(sizes);
        if (values < 1 || first.each() < 1 || first.each() % values != 0) {
            return Optional.empty();
        }
        long lines = first.each() / values;
        // a fixed number of all tells how many rows there are, or nothing comes out
        boolean even = sizes.get(0).equals(Optional.of(-1L)) || sizes.get(0).get() % lines == 0;
        RowPlace rows = first.at(sizes.size(), 0).ofEach(values);
        return even ? Optional.of(lines == 1 ? rows : rows.cut(Long.toString(lines))) : Optional.empty();
    }

    /**
     * Where the rows lie that lines are put together to.
     *
     * @param shape what is known of it
     * @param places of what has been looked at before
     */
    RowPlace joined(RowPlace shape, Function<String, RowPlace> places) {
        Optional<String> lines = first.lines();
        if (lines.isEmpty() || first.axis() != 0 || first.isPadded()) {
            return RowPlace.UNKNOWN;
        }
        List<Optional<Long>> sizes = told.sizes(1);
        // as many rows as there are, of as many lines each
        if (shape.isShape() && !shape.isPadded()) {
            return RowReshapes.ofShape(shape).numbered(first.numbered());
        }
        if (!sizes.isEmpty() && places.apply(told.packed(1, 0)).isCount()) {
            return first.at(sizes.size(), 0).inOrder("").ofEach(-1);
        }
        long values = values(sizes);
        boolean whole = values > 0
                && first.each() > 0
                && values % first.each() == 0
                && lines.get().equals(Long.toString(values / first.each()));
        return whole ? first.at(sizes.size(), 0).inOrder("").ofEach(values) : RowPlace.UNKNOWN;
    }

    /** How many values stand behind each other along the first dimension; -1 where that is not known. */
    private static long values(List<Optional<Long>> sizes) {
        boolean known = sizes.size() > 1
                && sizes.get(0).isPresent()
                && sizes.stream().skip(1).allMatch(size -> size.filter(each -> each >= 0)
                        .isPresent());
        return known ? sizes.stream().skip(1).mapToLong(Optional::get).reduce(1, (a, b) -> a * b) : -1;
    }
}
