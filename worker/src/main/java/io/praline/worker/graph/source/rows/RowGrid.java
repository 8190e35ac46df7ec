package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.ElementComponent;
import java.util.List;
import java.util.Set;

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
