package io.praline.worker.graph.ordering.step;

import java.util.Set;

/**
 * Words of Praline's own in the settings of ops, beside TensorFlow's names of attributes and arguments: the schema lists them,
 * and rules about the order of steps read them.
 */
public final class SettingWords {
    /** What a choice hangs on. */
    public static final String CONDITION = "condition";

    /** What arithmetic takes besides the element's values. */
    public static final String OPERAND = "operand";

    /** Which of its inputs that is, from 0. */
    public static final String OPERAND_AT = "operand_at";

    /** The operand itself, where it is one constant of a single value. */
    public static final String VALUE = "value";

    /** Of the operand's values the one that is nearest to zero, whatever their signs. */
    public static final String SMALLEST = "smallest";

    /** The one that is farthest from it. */
    public static final String LARGEST = "largest";

    /** The lowest of a clip's bounds that are written down. */
    public static final String LOWEST = "lowest";

    /** The highest of them. */
    public static final String HIGHEST = "highest";

    /** Whether one that it takes may be no number at all, or two of the element's that meet. */
    public static final String NOT_A_NUMBER = "not_a_number";

    /** Whether the operand is a vector of one value. */
    public static final String STRETCHES = "stretches";

    /** Whether the step that it belongs to cannot be made one of batches. */
    public static final String SINGLE_ELEMENTS = "single_elements";

    public static final Set<String> KEYS = Set.of(
            CONDITION,
            OPERAND,
            OPERAND_AT,
            VALUE,
            SMALLEST,
            LARGEST,
            LOWEST,
            HIGHEST,
            NOT_A_NUMBER,
            STRETCHES,
            SINGLE_ELEMENTS);

    /** Those that hold or do not. */
    public static final Set<String> FLAGS = Set.of(NOT_A_NUMBER, STRETCHES, SINGLE_ELEMENTS);

    public static final String CONSTANT = "constant";
    public static final String CAPTURED = "captured";
    public static final String DRAWN = "drawn";

    /** It follows from sizes of the element. */
    public static final String SHAPE = "shape";

    public static final String SCALAR = "scalar";

    /** In front of a vector's length. */
    public static final String VECTOR = "vector:";

    public static final String TENSOR = "tensor";

    /** A flag that holds. */
    static final String TRUE = "true";

    /** A flag that does not. */
    public static final String FALSE = "false";

    /** Those that say where an operand comes from, or how far it reaches. */
    public static final Set<String> VALUES = Set.of(CONSTANT, CAPTURED, DRAWN, SHAPE, SCALAR, VECTOR, TENSOR);

    private SettingWords() {}
}
