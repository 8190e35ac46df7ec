package io.praline.policy.ordering;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What is known of a component from the graph alone.
 *
 * @param type as Python calls it: {@code uint8}, {@code float32}
 * @param shape sizes of its dimensions, -1 where a size is not known; empty where not even the rank is
 */
public record TensorSpec(String type, Optional<List<Long>> shape) {
    /** A size that is known only when data comes. */
    public static final long UNKNOWN = -1;

    public TensorSpec {
        if (type.isBlank()) {
            throw new IllegalArgumentException("a tensor must have a type");
        }
        shape = shape.map(List::copyOf);
        shape.ifPresent(sizes -> sizes.forEach(size -> {
            if (size < UNKNOWN) {
                throw new IllegalArgumentException("a size must not be below -1, is " + size);
            }
        }));
    }

    public static TensorSpec of(String type, long... sizes) {
        return new TensorSpec(type, Optional.of(Arrays.stream(sizes).boxed().toList()));
    }

    public OptionalInt rank() {
        return shape.map(sizes -> OptionalInt.of(sizes.size())).orElse(OptionalInt.empty());
    }

    /** Whether every size is known. */
    public boolean isStatic() {
        return shape.isPresent() && !shape.get().contains(UNKNOWN);
    }

    /** How many values it has, where every size is known. */
    public OptionalLong values() {
        return isStatic()
                ? OptionalLong.of(shape.get().stream().reduce(1L, (some, size) -> some * size))
                : OptionalLong.empty();
    }

    /** The size of the last dimension, where it is known; there is none of a scalar. */
    OptionalLong lastSize() {
        return shape.filter(sizes -> !sizes.isEmpty())
                .map(sizes -> sizes.get(sizes.size() - 1))
                .filter(size -> size != UNKNOWN)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** One of those that are put together along the first dimensions, as many of these as there are. */
    TensorSpec without(int dimensions) {
        return new TensorSpec(
                type, shape.map(sizes -> sizes.subList(Math.min(dimensions, sizes.size()), sizes.size())));
    }
}
