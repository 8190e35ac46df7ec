package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.Elementwise;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Where the rows of a batch lie behind an op that takes a part of a tensor.
 *
 * @param first what it takes a part of, which has rows
 */
record RowSlices(OpInputs inputs, RowPlace first) {
    private static final Set<String> ARITHMETIC =
            Set.of("Add", "AddV2", "FloorDiv", "Maximum", "Minimum", "Mul", "RealDiv", "Sub", "TruncateDiv");

    /** @param places of what is taken */
    RowPlace gathered(RowPlace places) {
        Optional<List<Long>> axis = inputs.numbers(2);
        if (axis.isEmpty() || inputs.attribute("batch_dims") != 0) {
            return RowPlace.UNKNOWN;
        }
        int along = first.from(axis.get().get(0));
        if (along == first.axis()) {
            return ofNumbers(places, first);
        }
        if (first.rank() < 0 || !places.isFree()) {
            return RowPlace.UNKNOWN;
        }
        boolean same = !places.numbered() && !places.isSize() && !places.isDrawn();
        int dimensions = inputs.constant(1)
                .map(TensorProto::getTensorShape)
                .map(TensorShapeProto::getDimCount)
                .orElse(same ? places.rank() : -1);
        int more = dimensions - 1;
        return dimensions < 0
                ? RowPlace.UNKNOWN
                : first.at(first.rank() + more, along < first.axis() ? first.axis() + more : first.axis());
    }

    /** Rows that are taken by numbers: all of them in their order, that of a loop's turn, those that chance chooses, or others. */
    private static RowPlace ofNumbers(RowPlace places, RowPlace all) {
        if (places.arePlaces()) {
            return all;
        }
        if (places.is(RowPlace.Kind.CHOSEN)) {
            return all.inOrder("chosen by " + places.order() + " of " + all.order());
        }
        if (!places.isFree()) {
            return RowPlace.UNKNOWN;
        }
        if (places.isTurn()) {
            return RowPlace.ROW.numbered(all.numbered());
        }
        if (!places.isDrawn()) {
            return RowPlace.MIXED;
        }
        return FreeValues.areForEach(places) && all.isWholeBatch() ? RowPlace.CHANCE_FOR_EACH : RowPlace.CHANCE;
    }

    /**
     * What is made of rows that chance has chosen, or brought into another order.
     *
     * @param given at least one of them such, or what is brought into another order
     */
    static RowPlace byChance(OpInputs told, List<RowPlace> given) {
        if (given.stream().anyMatch(each -> each.is(RowPlace.Kind.UNKNOWN))) {
            return RowPlace.UNKNOWN;
        }
        NodeDef node = told.node();
        boolean each = given.stream()
                .allMatch(place ->
                        place.isFree() || (place.axis() == 0 && (place.isRows() || place.is(RowPlace.Kind.CHANCE))));
        // of all of them, in whatever order, chance chooses nothing
        boolean all = FreeValues.reduces(node.getOp())
                && told.numbers(1)
                        .filter(axes -> axes.stream().noneMatch(axis -> axis == 0))
                        .isEmpty();
        if (each && all) {
            return RowPlace.MIXED;
        }
        boolean kept = node.getOp().equals("RandomShuffle")
                || DatasetOps.isDataset(node)
                || Elementwise.OPS.contains(node.getOp())
                || ValueByValue.OPS.contains(node.getOp());
        return each && kept ? RowPlace.CHANCE_FOR_EACH : RowPlace.CHANCE;
    }

    /** @param places of what has been looked at before */
    RowPlace sliced(Function<String, RowPlace> places) {
        List<Optional<Long>> begins = inputs.sizes(1);
        List<Optional<Long>> counts = inputs.sizes(2);
        if (begins.size() <= first.axis() || counts.size() <= first.axis()) {
            boolean all = begins.equals(List.of(Optional.of(0L)))
                    && places.apply(inputs.node().getInput(2)).isCount();
            return all ? first : RowPlace.UNKNOWN;
        }
        Optional<Long> begin = begins.get(first.axis());
        Optional<Long> count = counts.get(first.axis());
        if (begin.filter(place -> place != 0).isPresent()
                || count.filter(size -> size != -1).isPresent()) {
            return RowPlace.MIXED;
        }
        String size = inputs.packed(2, first.axis());
        if (begin.isEmpty() || (count.isEmpty() && !places.apply(size).isCount())) {
            boolean computed = begin.isPresent()
                    && inputs.op(size).filter(ARITHMETIC::contains).isPresent();
            return computed ? RowPlace.MIXED : RowPlace.UNKNOWN;
        }
        return first;
    }

    /** Whether it takes of each row as much as there are rows, or as the longest is long. */
    boolean cutsBySize(Function<String, RowPlace> places) {
        List<String> ends =
                switch (inputs.node().getOp()) {
                    case "Slice" ->
                        List.of(inputs.node().getInput(1), inputs.node().getInput(2));
                    case "StridedSlice" ->
                        List.of(
                                inputs.node().getInput(1),
                                inputs.node().getInput(2),
                                inputs.node().getInput(3));
                    default -> List.of();
                };
        if (inputs.node().getOp().equals("StridedSlice") && takesAllRows(places)) {
            return false;
        }
        boolean alongRows = inputs.node().getOp().equals("Slice") && first.axis() >= 0;
        for (int i = 0; i < ends.size(); i++) {
            int entries = inputs.sizes(i + 1).size();
            for (int entry = 0; entry < entries; entry++) {
                boolean ofRows = alongRows && entry == first.axis();
                if (!ofRows && places.apply(inputs.packed(i + 1, entry)).isSize()) {
                    return true;
                }
            }
            // of one whose numbers are not known one by one any may be that
            if (entries == 0
                    && !(alongRows && first.rank() == 1)
                    && places.apply(ends.get(i)).isSize()) {
                return true;
            }
        }
        return false;
    }

    /** Whether all that it takes is counted from the beginning. */
    boolean fromTheBeginning() {
        int entries = inputs.sizes(1).size();
        for (int i = 0; i < entries; i++) {
            boolean whole = bit(inputs.attribute("ellipsis_mask"), i) || bit(inputs.attribute("new_axis_mask"), i);
            boolean begins = bit(inputs.attribute("begin_mask"), i)
                    || inputs.number(1, i).filter(place -> place >= 0).isPresent();
            boolean ends = bit(inputs.attribute("end_mask"), i)
                    || bit(inputs.attribute("shrink_axis_mask"), i)
                    || inputs.number(2, i).filter(place -> place >= 0).isPresent();
            boolean forward = inputs.number(3, i).filter(step -> step > 0).isPresent();
            if (!whole && !(begins && ends && forward)) {
                return false;
            }
        }
        return entries > 0;
    }

    /** Whether it takes as many rows as there are, from the first on, and of each what is taken of all. */
    boolean takesAllRows(Function<String, RowPlace> places) {
        boolean plain = List.of("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask").stream()
                .allMatch(mask -> inputs.attribute(mask) == 0);
        RowPlace end = places.apply(inputs.node().getInput(2));
        return plain
                && first.axis() == 0
                && first.isWholeBatch()
                && end.isShape()
                && !end.isPadded()
                && inputs.number(1, 0).equals(Optional.of(0L))
                && inputs.number(3, 0).equals(Optional.of(1L))
                && inputs.numbers(1).isPresent();
    }

    /** @param places of what has been looked at before */
    RowPlace strided(Function<String, RowPlace> places) {
        int entries = Math.max(
                inputs.sizes(1).size(),
                Math.max(inputs.sizes(2).size(), inputs.sizes(3).size()));
        long axes = inputs.attribute("new_axis_mask");
        long ellipsis = inputs.attribute("ellipsis_mask");
        if (takesAllRows(places)) {
            return first;
        }
        if (entries == 0) {
            return RowPlace.UNKNOWN;
        }
        int dimension = 0;
        int made = 0;
        int axis = -1;
        RowPlace rows = first;
        for (int i = 0; i < entries; i++) {
            if (bit(ellipsis, i)) {
                int behind = entries - i - 1 - Long.bitCount(axes >>> (i + 1));
                int passed = Math.max(0, first.rank() - behind - dimension);
                if (first.axis() >= dimension && first.axis() < dimension + passed) {
                    axis = made + first.axis() - dimension;
                }
                dimension += passed;
                made += passed;
            } else if (bit(axes, i)) {
                made++;
            } else {
                boolean dropped = bit(inputs.attribute("shrink_axis_mask"), i);
                if (dimension == first.axis()) {
                    if (dropped && places.apply(inputs.packed(1, i)).isTurn()) {
                        boolean others = inputs.sizes(1).stream()
                                        .filter(Optional::isEmpty)
                                        .count()
                                == 1;
                        return others ? RowPlace.ROW.numbered(first.numbered()) : RowPlace.UNKNOWN;
                    }
                    Optional<Long> step = inputs.number(3, i);
                    boolean begins = bit(inputs.attribute("begin_mask"), i)
                            || (step.equals(Optional.of(1L))
                                    && inputs.number(1, i).equals(Optional.of(0L)));
                    if (dropped || !begins || !bit(inputs.attribute("end_mask"), i)) {
                        return RowPlace.MIXED;
                    }
                    if (step.filter(each -> Math.abs(each) == 1).isEmpty()) {
                        return step.isEmpty() ? RowPlace.UNKNOWN : RowPlace.MIXED;
                    }
                    rows = step.get() == 1 ? rows : rows.reversed();
                    axis = made;
                }
                dimension++;
                made += dropped ? 0 : 1;
            }
        }
        if (axis < 0) {
            axis = made + first.axis() - dimension;
        }
        return rows.at(made + first.rank() - dimension, axis);
    }

    private static boolean bit(long mask, int place) {
        return (mask >>> place & 1) == 1;
    }
}
