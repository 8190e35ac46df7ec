package io.praline.worker.graph.ordering.step;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An op that an element's values pass.
 *
 * @param op TensorFlow's name of it
 * @param inputTypes types of its inputs, in words
 * @param outputTypes types of its outputs
 * @param settings attributes by their names; an operand that is no element's value by its argument's name, as constant, or
 *     {@code drawn}, {@code shape} (follows from shapes) or {@code captured}; of arithmetic {@code operand} ({@code scalar},
 *     {@code vector:3}, {@code tensor}, or {@code drawn} and {@code shape} as above; of several the one that reaches furthest),
 *     {@code operand_at} (its place), {@code value} where it is a constant of one value, {@code smallest} and {@code largest} of
 *     its values, whatever their signs, where they are known, {@code lowest} and {@code highest} of a clip's bounds that are
 *     written down, and {@code not_a_number} where one of them may be none, or two
 *     of the element's meet that may be; of a choice {@code condition}; of all ops of a step that cannot be made one of batches
 *     {@code single_elements}
 */
public record StepOp(String op, List<String> inputTypes, List<String> outputTypes, Map<String, String> settings) {
    public StepOp {
        inputTypes = List.copyOf(inputTypes);
        outputTypes = List.copyOf(outputTypes);
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }

    /** The same of a step that cannot be made one of batches. */
    public StepOp ofSingleElements() {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(SettingWords.SINGLE_ELEMENTS, SettingWords.TRUE);
        return new StepOp(op, inputTypes, outputTypes, more);
    }
}
