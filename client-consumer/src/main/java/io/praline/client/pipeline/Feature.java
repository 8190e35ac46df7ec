package io.praline.client.pipeline;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.tensorflow.ndarray.Shape;

/**
 * One feature of a {@code tf.train.Example}.
 *
 * @param name its key in the Example, and the name of the component that it becomes
 * @param type {@code int64}, {@code float32} or {@code string}
 * @param shape its shape; a first dimension of -1 is a list of any length
 * @param missing what stands for it where an Example lacks it: one value for all; none: an Example without it fails, unless it is a list
 *     of any length, which is then empty
 */
public record Feature(String name, TensorType type, Shape shape, Optional<String> missing) {

    private static final List<TensorType> TYPES = List.of(TensorType.INT64, TensorType.FLOAT32, TensorType.STRING);

    public Feature {
        Objects.requireNonNull(missing, "missing");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a feature must have a name");
        }
        if (!TYPES.contains(type)) {
            throw new IllegalArgumentException("feature " + name + " must be one of " + TYPES + ", is " + type);
        }
        for (int at = 0; at < shape.numDimensions(); at++) {
            long size = shape.get(at);
            if (size < 1 && !(at == 0 && size == Shape.UNKNOWN_SIZE)) {
                throw new IllegalArgumentException("feature " + name + " has an impossible shape " + shape);
            }
        }
        missing.ifPresent(value -> requireReadable(name, type, value));
    }

    public static Feature of(String name, TensorType type, long... shape) {
        return new Feature(name, type, Shape.of(shape), Optional.empty());
    }

    /** The same, with a value for Examples that lack it. */
    public Feature orElse(String value) {
        return new Feature(name, type, shape, Optional.of(value));
    }

    boolean ofAnyLength() {
        return shape.numDimensions() > 0 && shape.get(0) == Shape.UNKNOWN_SIZE;
    }

    private static void requireReadable(String name, TensorType type, String value) {
        try {
            if (type == TensorType.INT64) {
                Long.parseLong(value);
            } else if (type == TensorType.FLOAT32) {
                Float.parseFloat(value);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "feature " + name + " is of " + type + ", its default is '" + value + "'", e);
        }
    }
}
