package io.praline.worker.graph.source.rows;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Where the rows of a batch lie behind another shape: that is known where as many values stay together as a row has.
 *
 * @param first what is given another shape, which has rows
 * @param shape what is known of the shape
 */
record RowReshapes(OpInputs inputs, RowPlace first, RowPlace shape) {

    /** @param places of what has been looked at before */
    RowPlace reshaped(Function<String, RowPlace> places) {
        if (first.isCut()) {
            return new RowLines(inputs, first).joined(shape, places);
        }
        List<Optional<Long>> sizes = inputs.sizes(1);
        // of others than those of the batch, one behind another, there may be more or fewer than it has
        boolean asMany = first.axis() == 0 && first.isWholeBatch();
        if (shape.isShape()) {
            // as many rows as there are
            RowPlace rows = first.isPadded() ? RowPlace.LEADING.padded() : ofShape(shape);
            rows = rows.inOrder(first.order()).numbered(first.numbered());
            return asMany ? rows : RowPlace.UNKNOWN;
        }
        if (sizes.isEmpty()) {
            return RowPlace.UNKNOWN;
        }
        if (asMany && places.apply(inputs.packed(1, 0)).isCount()) {
            return first.at(sizes.size(), 0);
        }
        Optional<RowPlace> cut = new RowLines(inputs, first).cut(sizes, places.apply(inputs.packed(1, 0)));
        if (cut.isPresent()) {
            return cut.get();
        }
        if (isGrid(sizes)) {
            return RowPlace.LIST.inOrder(first.order()).numbered(first.numbered());
        }
        List<Integer> open = IntStream.range(0, sizes.size())
                .filter(i -> sizes.get(i).filter(size -> size == -1).isPresent())
                .boxed()
                .toList();
        if (open.size() != 1 || sizes.stream().anyMatch(Optional::isEmpty)) {
            return RowPlace.UNKNOWN;
        }
        long values = sizes.stream().mapToLong(Optional::get).reduce(1, (a, b) -> a * b) * -1;
        int axis = open.get(0);
        boolean alone = sizes.subList(0, axis).stream().allMatch(size -> size.get() == 1);
        boolean before = first.axis() == 0 && alone;
        if (first.each() < 0) {
            return RowPlace.UNKNOWN;
        }
        if (before && values == first.each()) {
            return first.at(sizes.size(), axis).ofEach(values);
        }
        return before && values % Math.max(1, first.each()) == 0 ? RowPlace.MIXED : RowPlace.UNKNOWN;
    }

    /** Rows in a tensor of such a shape. */
    static RowPlace ofShape(RowPlace shape) {
        return shape.each() > 0 ? RowPlace.rows((int) shape.each(), 0) : RowPlace.LEADING;
    }

    /** Whether rows come to lie in so many stretches, as for each of several devices. */
    private boolean isGrid(List<Optional<Long>> sizes) {
        boolean stretches = sizes.size() > 1
                && sizes.get(0).filter(size -> size > 1).isPresent()
                && sizes.stream().skip(2).allMatch(Optional::isPresent);
        return stretches
                && first.axis() == 0
                && first.each() >= 0
                && first.each()
                        == sizes.stream().skip(2).mapToLong(Optional::get).reduce(1, (a, b) -> a * b);
    }
}
