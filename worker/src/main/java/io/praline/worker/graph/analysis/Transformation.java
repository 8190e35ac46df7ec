package io.praline.worker.graph.analysis;

import io.praline.worker.graph.ElementComponent;
import java.util.List;

/**
 * One transformation of a pipeline, described.
 *
 * @param name the user's name, or one made of its kind and place, such as {@code map_3}
 * @param kind TensorFlow's op of the dataset node, such as {@code ParallelMapDatasetV2}
 * @param functionOps ops that its functions use, sorted, each once; empty where it has no function
 * @param components what it yields
 * @param note what a distributed run does differently with it; empty where nothing
 */
public record Transformation(
        String name, String kind, List<String> functionOps, List<ElementComponent> components, String note) {
    public Transformation {
        functionOps = List.copyOf(functionOps);
        components = List.copyOf(components);
    }
}
