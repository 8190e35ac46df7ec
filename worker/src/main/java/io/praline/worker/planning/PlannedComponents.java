package io.praline.worker.planning;

import io.praline.schema.Component;
import io.praline.topics.Agreements;
import io.praline.wire.FrameLimits;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.RefusedPipeline;
import java.util.ArrayList;
import java.util.List;

/** The components of a pipeline's elements, as a plan tells them. */
final class PlannedComponents {

    private PlannedComponents() {}

    /**
     * With their names, or where there are none with their places.
     *
     * @throws IllegalArgumentException if there are names for others than the pipeline yields
     * @throws RefusedPipeline if no batch could hold them, or no status tell of them: nobody else would say so
     */
    static List<Component> of(List<ElementComponent> elements, List<String> names) {
        if (!names.isEmpty() && names.size() != elements.size()) {
            throw new IllegalArgumentException(
                    "there are " + names.size() + " component names (" + String.join(", ", names) + ") for the "
                            + elements.size() + " components that the pipeline yields");
        }
        if (elements.size() > FrameLimits.MAX_TENSORS) {
            throw new RefusedPipeline("the pipeline yields " + elements.size()
                    + " components, and a batch holds at most " + FrameLimits.MAX_TENSORS
                    + "; stack such as are of one type and shape into one (tf.stack)");
        }
        List<Component> components = new ArrayList<>();
        for (ElementComponent element : elements) {
            int at = components.size();
            components.add(of(element, names.isEmpty() ? Integer.toString(at) : names.get(at)));
        }
        long described = Agreements.describedBytes(components);
        if (described > Agreements.DESCRIBED_BYTES) {
            throw new RefusedPipeline("the names and shapes of the " + components.size() + " components take "
                    + described + " bytes, more than " + Agreements.DESCRIBED_BYTES + "; give them shorter names");
        }
        return components;
    }

    private static Component of(ElementComponent element, String name) {
        return new Component(name, element.dtypeName(), element.shape(), element.rankKnown());
    }
}
