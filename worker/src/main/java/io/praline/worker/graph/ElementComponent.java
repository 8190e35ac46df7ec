package io.praline.worker.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.TensorShapeProto;

/**
 * One component of what a dataset yields.
 *
 * @param rankKnown whether {@code shape} says anything: false where even the number of dimensions varies
 * @param shape the static shape, -1 for a dimension that varies; empty for a scalar or an unknown rank
 */
public record ElementComponent(DataType dtype, boolean rankKnown, List<Long> shape) {
    public ElementComponent {
        shape = List.copyOf(shape);
        if (!rankKnown && !shape.isEmpty()) {
            throw new IllegalArgumentException("shape must be empty where the rank is unknown, is " + shape);
        }
    }

    /** TensorFlow's name of the type, such as {@code float32} or {@code string}. */
    public String dtypeName() {
        return switch (dtype) {
            case DT_FLOAT -> "float32";
            case DT_DOUBLE -> "float64";
            case DT_HALF -> "float16";
            default -> dtype.name().substring("DT_".length()).toLowerCase(Locale.ROOT);
        };
    }

    /** Whether every dimension is known. */
    public boolean isStatic() {
        return rankKnown && shape.stream().allMatch(size -> size >= 0);
    }

    /** So many of it together, or -1 where their number varies. */
    public ElementComponent inBatches(long size) {
        List<Long> sizes = new ArrayList<>();
        if (rankKnown) {
            sizes.add(size);
            sizes.addAll(shape);
        }
        return new ElementComponent(dtype, rankKnown, sizes);
    }

    /** The same with a size of the first dimension, where that is not known. */
    public ElementComponent leading(long size) {
        if (shape.isEmpty() || shape.get(0) >= 0) {
            return this;
        }
        List<Long> sizes = new ArrayList<>(shape);
        sizes.set(0, size);
        return new ElementComponent(dtype, rankKnown, sizes);
    }

    /** What it is where another says something of it too; empty where both cannot be. */
    public Optional<ElementComponent> agreed(ElementComponent other) {
        if (dtype != other.dtype) {
            return Optional.empty();
        }
        if (!rankKnown || !other.rankKnown) {
            return Optional.of(rankKnown ? this : other);
        }
        if (shape.size() != other.shape.size()) {
            return Optional.empty();
        }
        List<Long> sizes = new ArrayList<>();
        for (int i = 0; i < shape.size(); i++) {
            long one = shape.get(i);
            long another = other.shape.get(i);
            if (one >= 0 && another >= 0 && one != another) {
                return Optional.empty();
            }
            sizes.add(Math.max(one, another));
        }
        return Optional.of(new ElementComponent(dtype, true, sizes));
    }

    public static ElementComponent of(DataType dtype, TensorShapeProto shape) {
        List<Long> sizes = new ArrayList<>();
        if (!shape.getUnknownRank()) {
            shape.getDimList().forEach(dimension -> sizes.add(dimension.getSize()));
        }
        return new ElementComponent(dtype, !shape.getUnknownRank(), sizes);
    }
}
