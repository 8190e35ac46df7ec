package io.praline.deploy.cli.pipeline;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.ordering.step.TensorSpec;
import java.util.List;
import java.util.stream.Collectors;

/** Types and sizes of an element's components, in words: {@code uint8[?,?,3], int64[]}. */
final class Shapes {
    private Shapes() {}

    static String ofComponents(List<ElementComponent> components) {
        return of(TensorSpec.of(components));
    }

    static String of(List<TensorSpec> components) {
        return components.stream().map(Shapes::of).collect(Collectors.joining(", "));
    }

    static String of(TensorSpec component) {
        return component.type()
                + component
                        .shape()
                        .map(sizes -> sizes.stream()
                                .map(size -> size < 0 ? "?" : size.toString())
                                .collect(Collectors.joining(",", "[", "]")))
                        .orElse("[...]");
    }
}
