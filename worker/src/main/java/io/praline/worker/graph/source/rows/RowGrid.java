package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.ElementComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.tensorflow.proto.DataType;

/** Rows of a batch that stand one behind the other, or in a grid, as one row of it for each of several devices. */
public final class RowGrid {
    private RowGrid() {}

    /** Whether a shape has a place for each of so many rows. */
    public static boolean holds(List<Long> shape, long rows) {
        return shape.get(0) == rows || isGrid(shape, rows);
    }

    /** Whether a shape has none for each, as far as it is known. */
    public static boolean lacks(List<Long> shape, long rows) {
        return !shape.isEmpty() && shape.get(0) > 0 && !holds(shape, rows);
    }

    /**
     * Whether a result that is the same for all batches has a value of its own for each place in one, as far as it is known: of
     * as many as nobody knows it may, and of any where rows beside it are more than those of the batch, or fewer.
     *
     * @param which of those that are returned
     * @param results what is known of these, from the first on
     */
    static boolean isForEachPlace(
            int which, List<RowPlace> returned, List<ElementComponent> results, RowFlow.Rows batch) {
        if (which >= results.size()) {
            return false;
        }
        RowPlace place = returned.get(which);
        ElementComponent result = results.get(which);
        int axis = batch.axis();
        boolean may = place.isFree() && !place.isDrawn() && result.dtype() != DataType.DT_VARIANT;
        if (!may || !result.rankKnown() || result.shape().size() <= axis) {
            return may && !result.rankKnown() && place.rank() != 0 && place.mayVary();
        }
        int behind = result.shape().size() - axis;
        long size = result.shape().get(axis);
        Set<Long> rows = new HashSet<>(batch.asked());
        for (int i = 0; i < batch.components().size(); i++) {
            List<Long> shape = batch.components().get(i).shape();
            boolean beside = batch.same().contains(i) || batch.drawn().contains(i);
            if (!beside && shape.size() > axis && shape.get(axis) >= 0) {
                rows.add(shape.get(axis));
            }
        }
        boolean differs = place.varies() < 0 || place.varies() >= behind;
        boolean others = returned.stream().anyMatch(each -> each.isRows() && !each.isWholeBatch());
        return differs && (size < 0 || (size > 1 && (others || rows.isEmpty() || rows.contains(size))));
    }

    /** Whether an element is nothing but single values. */
    public static boolean areSingle(List<ElementComponent> components) {
        return components.stream()
                .allMatch(
                        component -> component.rankKnown() && component.shape().isEmpty());
    }

    /** Whether none of an element's components has a place for each row of a batch of one of some sizes, as far as it is known. */
    public static boolean isNone(List<ElementComponent> components, Set<Long> sizes) {
        return components.stream()
                .allMatch(component -> component.rankKnown()
                        && (component.shape().isEmpty()
                                || (component.shape().get(0) >= 0
                                        && sizes.stream().noneMatch(size -> holds(component.shape(), size)))));
    }

    /** Whether any of an element's components is a grid of a batch of one of some sizes. */
    public static boolean isAny(List<ElementComponent> components, Set<Long> sizes) {
        return components.stream()
                .map(ElementComponent::shape)
                .filter(shape -> !shape.isEmpty() && !sizes.contains(shape.get(0)))
                .anyMatch(shape -> sizes.stream().anyMatch(size -> size > 0 && isGrid(shape, size)));
    }

    private static boolean isGrid(List<Long> shape, long rows) {
        return shape.size() > 1 && shape.get(0) * shape.get(1) == rows;
    }
}
