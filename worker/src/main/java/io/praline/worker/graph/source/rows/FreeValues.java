package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Elementwise;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Along which dimensions the values of something differ that is made of nothing of a batch: beside its rows they may be those of
 * places in it.
 */
record FreeValues(Scope body, NodeDef node, List<RowPlace> inputs) {
    /** Have the shape of their first input, and may have other values wherever it has some. */
    private static final Set<String> OF_ONE_SHAPE = Set.of(
            "Cumsum", "Cumprod", "LogSoftmax", "ReverseV2", "Roll", "Softmax", "Tile", "Transpose", "RandomShuffle");

    RowPlace made() {
        RowPlace first = inputs.isEmpty() ? RowPlace.FREE : inputs.get(0);
        return switch (node.getOp()) {
            case "Fill", "BroadcastTo" -> shaped();
            case "Range" -> wholly(1);
            case "OneHot", "Pack" -> first.rank() < 0 ? RowPlace.FREE : wholly(first.rank() + 1);
            case "ConcatV2" -> first.rank() < 0 ? RowPlace.FREE : wholly(first.rank());
            case "GatherV2" -> gathered();
            case "Reshape" -> reshaped();
            case "ExpandDims" -> expanded();
            case "StridedSlice" -> sliced();
            default -> {
                if (OF_ONE_SHAPE.contains(node.getOp())) {
                    yield first.rank() < 0 || first.varies() == 0 ? first : wholly(first.rank());
                }
                if (node.getOp().startsWith("StatelessRandom")) {
                    int sizes = new OpInputs(body, node).sizes(0).size();
                    yield sizes == 0 ? RowPlace.FREE : wholly(sizes);
                }
                boolean known = inputs.stream().allMatch(input -> input.rank() >= 0);
                yield known && Elementwise.OPS.contains(node.getOp()) ? RowPlace.allFree(inputs) : RowPlace.FREE;
            }
        };
    }

    /** Of a shape that is told, and of the values of the other input. */
    RowPlace shaped() {
        return switch (node.getOp()) {
            case "Fill" -> RowPlace.FREE.varying(inputs.get(1).varies());
            case "BroadcastTo" -> RowPlace.FREE.varying(inputs.get(0).varies());
            default -> RowPlace.FREE;
        };
    }

    private static RowPlace wholly(int rank) {
        return RowPlace.free(rank).varying(rank);
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
