package io.praline.worker.graph.source.rows;

import java.util.List;
import java.util.Map;
import org.tensorflow.proto.NodeDef;

/** What is taken of each row of a batch: by what the row in the same place of another one says, or by a window that slides over it. */
record RowWithin(OpInputs told, List<RowPlace> inputs) {
    /** Slide a window over the second dimension and those up to this one. */
    private static final Map<String, Integer> SLIDES = Map.of(
            "AvgPool", 2,
            "AvgPool3D", 3,
            "Conv2D", 2,
            "Conv3D", 3,
            "DepthwiseConv2dNative", 2,
            "ExtractVolumePatches", 3,
            "MaxPool", 2,
            "MaxPool3D", 3);

    static boolean slides(NodeDef node) {
        return SLIDES.containsKey(node.getOp());
    }

    RowPlace slid() {
        RowPlace first = inputs.get(0);
        boolean over =
                first.axis() > 0 && first.axis() <= SLIDES.get(told.node().getOp());
        return over ? RowPlace.MIXED : first.axis() == 0 ? first : RowPlace.UNKNOWN;
    }

    /** Of each row's values those that numbers of its own say: dimensions are common to both, and rows lie in one of them. */
    RowPlace gathered() {
        RowPlace values = inputs.get(0);
        RowPlace numbers = inputs.get(1);
        long common = told.attribute("batch_dims");
        boolean known = values.rank() > 0 && numbers.rank() > 0 && values.axis() < common;
        if (!lieAlike(values, numbers) || !known || values.isPadded() || numbers.isPadded()) {
            return RowPlace.UNKNOWN;
        }
        int rank = (int) (values.rank() - 1 + numbers.rank() - common);
        return values.at(rank, values.axis())
                .ofEach(-1)
                .numbered(inputs.stream().anyMatch(each -> each.numbered() || each.isSize()));
    }

    /** Of each row's boxes those that its scores choose, as many for each. */
    RowPlace boxes() {
        RowPlace boxes = inputs.get(0);
        RowPlace scores = inputs.get(1);
        boolean others = inputs.stream().skip(2).allMatch(RowPlace::isFree);
        return lieAlike(boxes, scores) && boxes.axis() == 0 && others
                ? RowPlace.LEADING.inOrder(boxes.order())
                : RowPlace.UNKNOWN;
    }

    private static boolean lieAlike(RowPlace one, RowPlace other) {
        return one.isRows()
                && other.isRows()
                && one.axis() == other.axis()
                && one.order().equals(other.order());
    }
}
