package io.praline.worker.graph;

import java.util.List;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.OpDef;

/** What TensorFlow tells of ops and graphs without running them. The edge to the native library. */
public interface OpInference {

    /**
     * How an op is declared.
     *
     * @throws RefusedPipeline if this TensorFlow has none of that name
     */
    OpDef op(String name);

    /**
     * Types and shapes of outputs, as TensorFlow infers them when it takes the graph.
     *
     * @param refs as a graph names outputs, {@code node} or {@code node:1}
     * @return in the order of {@code refs}
     * @throws RefusedPipeline if it does not take the graph
     */
    List<ElementComponent> outputs(GraphDef graph, List<String> refs);
}
