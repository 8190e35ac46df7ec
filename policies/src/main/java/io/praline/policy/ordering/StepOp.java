package io.praline.policy.ordering;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One of TensorFlow's ops within a step.
 *
 * @param op TensorFlow's name: {@code Cast}, {@code ResizeBilinear}
 * @param inputTypes of its inputs, as Python calls them: {@code uint8}, {@code float32}
 * @param outputTypes of its outputs
 * @param settings attributes and constant operands that a rule asks for, as text: {@code half_pixel_centers=true},
 *     {@code axis=1}, {@code operand=vector:3}; what is not there is not known
 */
public record StepOp(String op, List<String> inputTypes, List<String> outputTypes, SortedMap<String, String> settings) {
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

    boolean isSet(String name) {
        return setting(name).equals(Optional.of("true"));
    }
}
