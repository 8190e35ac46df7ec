package io.praline.policy.ordering;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One of TensorFlow's ops within a step. In its settings are words of Praline's own, which the schema lists and workers write,
 * beside TensorFlow's names of attributes and arguments.
 *
 * @param op TensorFlow's name: {@code Cast}, {@code ResizeBilinear}
 * @param inputTypes of its inputs, as Python calls them: {@code uint8}, {@code float32}
 * @param outputTypes of its outputs
 * @param settings attributes and constant operands that a rule asks for, as text: {@code half_pixel_centers=true},
 *     {@code axis=1}, {@code operand=vector:3}; what is not there is not known
 */
public record StepOp(String op, List<String> inputTypes, List<String> outputTypes, SortedMap<String, String> settings) {
    /** What a choice hangs on; rules look for what it says among all settings. */
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

    /** A flag that does not; of one that is not there it is not known. */
    static final String FALSE = "false";

    /** Those that say where an operand comes from, or how far it reaches. */
    public static final Set<String> VALUES = Set.of(CONSTANT, CAPTURED, DRAWN, SHAPE, SCALAR, VECTOR, TENSOR);

    public StepOp {
        if (op.isBlank()) {
            throw new IllegalArgumentException("an op must have a name");
        }
        inputTypes = List.copyOf(inputTypes);
        outputTypes = List.copyOf(outputTypes);
        settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    }

    public static StepOp of(String op, String inputType, String outputType, Map<String, String> settings) {
        return new StepOp(op, List.of(inputType), List.of(outputType), new TreeMap<>(settings));
    }

    public Optional<String> setting(String name) {
        return Optional.ofNullable(settings.get(name));
    }

    /** Whether a flag holds as far as is known: workers that do not know of it say nothing. */
    boolean may(String flag) {
        return !setting(flag).equals(Optional.of(FALSE));
    }

    boolean isSet(String name) {
        return setting(name).equals(Optional.of(TRUE));
    }
}
