package io.praline.worker.graph.ordering.step;

import io.praline.worker.graph.ElementComponent;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a component before it is there.
 *
 * @param type TensorFlow's word, such as {@code float32}
 * @param shape sizes, -1 where one is unknown; empty where the rank is
 */
public record TensorSpec(String type, Optional<List<Long>> shape) {
    public TensorSpec {
        shape = shape.map(List::copyOf);
    }

    public static TensorSpec of(ElementComponent component) {
        return new TensorSpec(
                component.dtypeName(), component.rankKnown() ? Optional.of(component.shape()) : Optional.empty());
    }

    public static List<TensorSpec> of(List<ElementComponent> components) {
        return components.stream().map(TensorSpec::of).toList();
    }
}
