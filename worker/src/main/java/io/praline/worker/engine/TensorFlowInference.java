package io.praline.worker.engine;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpInference;
import io.praline.worker.graph.RefusedPipeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.Graph;
import org.tensorflow.Output;
import org.tensorflow.TensorFlow;
import org.tensorflow.exceptions.TensorFlowException;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.OpDef;

/** What the native library infers when it takes a graph. Loads it. */
public final class TensorFlowInference implements OpInference {
    private final Map<String, OpDef> ops = new HashMap<>();

    public TensorFlowInference() {
        TensorFlow.registeredOpList().getOpList().forEach(op -> ops.put(op.getName(), op));
    }

    @Override
    public OpDef op(String name) {
        OpDef op = ops.get(name);
        if (op == null) {
            throw new RefusedPipeline("TensorFlow " + TensorFlow.version() + " has no op " + name);
        }
        return op;
    }

    @Override
    public List<ElementComponent> outputs(GraphDef graph, List<String> refs) {
        try (Graph imported = new Graph()) {
            GraphImport.into(imported, graph);
            List<ElementComponent> found = new ArrayList<>();
            for (String ref : refs) {
                int colon = ref.indexOf(':');
                String node = colon < 0 ? ref : ref.substring(0, colon);
                int place = colon < 0 ? 0 : Integer.parseInt(ref.substring(colon + 1));
                found.add(component(imported.operationOrThrow(node).output(place)));
            }
            return found;
        } catch (TensorFlowException | IllegalArgumentException refused) {
            String message = String.valueOf(refused.getMessage());
            throw new RefusedPipeline(
                    "TensorFlow does not take the rewritten graph: "
                            + message.lines().findFirst().orElse("no reason given"),
                    refused);
        }
    }

    private static ElementComponent component(Output<?> output) {
        Shape shape = output.shape();
        List<Long> sizes = new ArrayList<>();
        if (!shape.isUnknown()) {
            for (long size : shape.asArray()) {
                sizes.add(size);
            }
        }
        return new ElementComponent(output.dataType(), !shape.isUnknown(), sizes);
    }
}
