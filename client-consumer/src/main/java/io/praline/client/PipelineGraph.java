package io.praline.client;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pipeline.
 *
 * @param name what people call it; may be empty
 * @param bytes a serialised GraphDef, as tf.data gives it; taken over
 * @param componentNames names of the components of its elements, in order, each another one; empty: their numbers
 * @param directory the folder against which relative names of files are read, its own and those of the job's data
 */
@SuppressWarnings("ArrayRecordComponent") // the graph is large and nobody compares it
public record PipelineGraph(String name, byte[] bytes, List<String> componentNames, Path directory) {
    public PipelineGraph {
        directory = directory.toAbsolutePath();
        componentNames = List.copyOf(componentNames);
        Set<String> known = new HashSet<>();
        for (String component : componentNames) {
            if (component.isEmpty() || !known.add(component)) {
                throw new IllegalArgumentException("the names of components must differ, and none be empty, are "
                        + String.join(", ", componentNames));
            }
        }
    }
}
