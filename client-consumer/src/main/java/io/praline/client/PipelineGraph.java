package io.praline.client;

import java.util.List;

/**
 * A pipeline.
 *
 * @param name what people call it; may be empty
 * @param bytes a serialised GraphDef, as tf.data gives it; taken over
 * @param componentNames names of the components of its elements, in order; empty: their numbers
 */
@SuppressWarnings("ArrayRecordComponent") // the graph is large and nobody compares it
public record PipelineGraph(String name, byte[] bytes, List<String> componentNames) {
    public PipelineGraph {
        componentNames = List.copyOf(componentNames);
    }
}
