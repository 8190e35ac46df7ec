package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.ElementComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * A shape, as far as it follows from how many rows a batch has.
 *
 * @param of its dimensions, from the first; empty where not even their number is known
 */
record Sizes(Optional<List<Size>> of) {

    /**
     * How long a dimension is.
     *
     * @param times as many, or as many for each row; -1 where that is not known
     */
    record Size(long times, boolean byRows) {
        static final Size OPEN = new Size(-1, false);
        static final Size ROWS = new Size(1, true);

        static Size of(long length) {
            return length < 0 ? OPEN : new Size(length, false);
        }

        boolean isOpen() {
            return times < 0;
        }

        Size and(Size other) {
            boolean known = !isOpen() && !other.isOpen() && byRows == other.byRows;
            return known ? new Size(times + other.times, byRows) : OPEN;
        }

        Size by(Size other) {
            boolean known = !isOpen() && !other.isOpen() && !(byRows && other.byRows);
            return known ? new Size(times * other.times, byRows || other.byRows) : OPEN;
        }

        /** Whether it is known to be another one, but where there are just as many rows. */
        boolean differs(Size other) {
            return !isOpen() && !other.isOpen() && !equals(other) && (byRows || other.byRows);
        }
    }

    static final Sizes UNKNOWN = new Sizes(Optional.empty());

    Sizes {
        of = of.map(List::copyOf);
    }

    static Sizes of(List<Size> sizes) {
        return new Sizes(Optional.of(sizes));
    }

    static Sizes of(TensorProto constant) {
        return of(constant.getTensorShape().getDimList().stream()
                .map(TensorShapeProto.Dim::getSize)
                .map(Size::of)
                .toList());
    }

    /** Such as is written down, as far as it is; unknown where nothing is. */
    static Sizes written(List<Optional<Long>> sizes) {
        return sizes.isEmpty()
                ? UNKNOWN
                : of(sizes.stream().map(size -> Size.of(size.orElse(-1L))).toList());
    }

    /** Of a batch of elements, of which the number of rows is open; of what is no batch, but has a size that is written down. */
    static Sizes ofRows(ElementComponent component) {
        if (!component.rankKnown() || component.shape().isEmpty()) {
            return UNKNOWN;
        }
        long first = component.shape().get(0);
        List<Size> sizes = new ArrayList<>(List.of(first < 0 ? Size.ROWS : Size.of(first)));
        component.shape().stream().skip(1).map(Size::of).forEach(sizes::add);
        return of(sizes);
    }

    boolean isKnown() {
        return of.isPresent();
    }

    List<Size> all() {
        return of.orElseThrow();
    }

    int rank() {
        return all().size();
    }

    /** Counted from the last one where negative; open where there is none. */
    Size at(long axis) {
        int place = place(axis);
        return place >= 0 && place < rank() ? all().get(place) : Size.OPEN;
    }

    int place(long axis) {
        return (int) (axis < 0 ? axis + rank() : axis);
    }

    Sizes with(long axis, Size size) {
        int place = place(axis);
        if (place < 0 || place >= rank()) {
            return UNKNOWN;
        }
        List<Size> sizes = new ArrayList<>(all());
        sizes.set(place, size);
        return of(sizes);
    }

    Sizes without(long axis) {
        int place = place(axis);
        if (place < 0 || place >= rank()) {
            return UNKNOWN;
        }
        List<Size> sizes = new ArrayList<>(all());
        sizes.remove(place);
        return of(sizes);
    }

    /** With another dimension in front of one, or behind the last. */
    Sizes widened(long axis, Size size) {
        int place = (int) (axis < 0 ? axis + rank() + 1 : axis);
        if (place < 0 || place > rank()) {
            return UNKNOWN;
        }
        List<Size> sizes = new ArrayList<>(all());
        sizes.add(place, size);
        return of(sizes);
    }

    /** With its dimensions in another order. */
    Sizes turned(List<Long> order) {
        return order.size() == rank() ? of(order.stream().map(this::at).toList()) : UNKNOWN;
    }

    /** How many values there are. */
    Size values() {
        return all().stream().reduce(Size.of(1), Size::by);
    }
}
