package io.praline.policy.ordering;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of TensorFlow's types of values, by their names in Python.
 *
 * @param bytes that one value takes
 * @param digits binary ones that an integer of this type has at most, or that every number of it is kept to
 * @param exponent the largest binary exponent; of integers their digits
 * @param signed whether values may be negative
 * @param exact whether all of its values are integers
 */
record ElementType(int bytes, int digits, int exponent, boolean signed, boolean exact) {
    private static final Map<String, ElementType> BY_NAME = Map.ofEntries(
            Map.entry("bool", new ElementType(1, 1, 1, false, true)),
            Map.entry("uint8", new ElementType(1, 8, 8, false, true)),
            Map.entry("int8", new ElementType(1, 7, 7, true, true)),
            Map.entry("uint16", new ElementType(2, 16, 16, false, true)),
            Map.entry("int16", new ElementType(2, 15, 15, true, true)),
            Map.entry("uint32", new ElementType(4, 32, 32, false, true)),
            Map.entry("int32", new ElementType(4, 31, 31, true, true)),
            Map.entry("uint64", new ElementType(8, 64, 64, false, true)),
            Map.entry("int64", new ElementType(8, 63, 63, true, true)),
            Map.entry("float16", new ElementType(2, 11, 15, true, false)),
            Map.entry("bfloat16", new ElementType(2, 8, 127, true, false)),
            Map.entry("float32", new ElementType(4, 24, 127, true, false)),
            Map.entry("float64", new ElementType(8, 53, 1023, true, false)));

    private static final Set<String> NARROW = Set.of("float16", "bfloat16");

    static Optional<ElementType> named(String type) {
        return Optional.ofNullable(BY_NAME.get(type));
    }

    /** Strings count as bytes, and what is not known as if it were one. */
    static int width(String type) {
        return named(type).map(ElementType::bytes).orElse(1);
    }

    static boolean isNumeric(String type) {
        return BY_NAME.containsKey(type);
    }

    static boolean isFloating(String type) {
        return named(type).filter(known -> !known.exact()).isPresent();
    }

    /** Half as wide as what processors compute with. */
    static boolean isNarrowFloating(String type) {
        return NARROW.contains(type);
    }

    /** How far two neighbours of this floating type lie apart at most, relative to their size. */
    static double spacing(String type) {
        return named(type)
                .filter(known -> !known.exact())
                .map(known -> Math.scalb(1.0, 1 - known.digits()))
                .orElse(0.0);
    }

    /**
     * Whether a cast gives the same however it is computed: each value of the one is a value of the other, or both are
     * integers, of which every processor keeps the low bits.
     */
    static boolean castsAlike(String from, String to) {
        if (from.equals(to)) {
            return true;
        }
        ElementType source = BY_NAME.get(from);
        ElementType target = BY_NAME.get(to);
        if (source == null || target == null || to.equals("bool")) {
            return false;
        }
        if (source.exact() && target.exact()) {
            return true;
        }
        return (!source.signed() || target.signed())
                && !target.exact()
                && source.digits() <= target.digits()
                && source.exponent() <= target.exponent();
    }
}
