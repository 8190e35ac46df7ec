package io.praline.worker.graph.task;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/**
 * Batches single elements for the journey, since a fetch costs as much as hundreds of small elements. Only where all
 * components have one static shape, are no strings, and are small; the client takes them apart again.
 */
final class Pack implements Pass {
    /** A frame of some hundred KiB hides the cost of a fetch; more would only add latency. */
    static final long FRAME_BYTES = 512L << 10;

    static final long MOST_ELEMENTS = 256;

    private static final String NAME = "praline/pack";

    private static boolean applies(List<ElementComponent> components) {
        return components.stream().allMatch(component -> component.isStatic() && bytes(component.dtype()) > 0)
                && elements(components) > 1;
    }

    /** Whether this pass did something to a pipeline. */
    static boolean isPacked(PipelineGraph pipeline) {
        return pipeline.nodes().containsKey(NAME);
    }

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        List<ElementComponent> single = pipeline.components();
        if (!applies(single)) {
            return pipeline;
        }
        Scope scope = pipeline.scope();
        NodeDef.Builder batch = Protos.node(
                        NAME,
                        "BatchDatasetV2",
                        pipeline.root(),
                        scope.constant("pack/elements", Protos.int64(elements(single))),
                        scope.constant("pack/drop_remainder", Protos.flag(false)))
                .putAttr("parallel_copy", Protos.bool(false));
        List<ElementComponent> packed = new ArrayList<>();
        for (ElementComponent component : single) {
            List<Long> shape = new ArrayList<>();
            shape.add(-1L);
            shape.addAll(component.shape());
            packed.add(new ElementComponent(component.dtype(), true, shape));
        }
        DatasetOps.setComponents(batch, "output_types", packed);
        return new PipelineGraph(withNode(scope, batch), pipeline.functions().values(), NAME, pipeline.versions());
    }

    private static Iterable<NodeDef> withNode(Scope scope, NodeDef.Builder node) {
        scope.addDataset(node);
        return scope.nodes();
    }

    private static long elements(List<ElementComponent> components) {
        long bytes = Math.max(1, components.stream().mapToLong(Pack::bytes).sum());
        return Math.min(MOST_ELEMENTS, FRAME_BYTES / bytes);
    }

    private static long bytes(ElementComponent component) {
        return component.shape().stream().reduce((long) bytes(component.dtype()), (a, b) -> a * b);
    }

    /** Bytes of a value; 0 for what has no fixed size, and for what TensorFlow makes no batches of (CopyElementToSlice). */
    private static int bytes(DataType dtype) {
        return switch (dtype) {
            case DT_BOOL, DT_INT8, DT_UINT8, DT_QINT8, DT_QUINT8 -> 1;
            case DT_HALF, DT_BFLOAT16, DT_INT16, DT_UINT16 -> 2;
            case DT_FLOAT, DT_INT32, DT_UINT32, DT_QINT32 -> 4;
            case DT_DOUBLE, DT_INT64, DT_UINT64, DT_COMPLEX64 -> 8;
            case DT_COMPLEX128 -> 16;
            default -> 0;
        };
    }
}
