package io.praline.worker.graph.task;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.Options;

/**
 * Bounds what a task takes of its machine, by tf.data's own options at the end of the pipeline, where they win over the
 * user's. The thread pool is the bound that TensorFlow keeps to; its CPU budget has no effect.
 *
 * @param threads threads of the private pool, and of one operation
 * @param ramBytes memory for buffers; 0: TensorFlow decides
 * @param separate whether every transformation keeps a node of its own, for measurements, at some cost
 */
record Budget(int threads, long ramBytes, boolean separate) implements Pass {
    private static final String NAME = "praline/budget";

    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Options.Builder options = Options.newBuilder();
        options.getThreadingOptionsBuilder().setPrivateThreadpoolSize(threads).setMaxIntraOpParallelism(1);
        if (ramBytes > 0) {
            options.getAutotuneOptionsBuilder().setRamBudget(ramBytes);
        }
        if (Pack.isPacked(pipeline)) {
            // the batch is ours: fused with the user's map, each small element would become a task of the thread pool
            options.getOptimizationOptionsBuilder().setMapAndBatchFusion(false);
        }
        if (separate) {
            // autotune stays on: without it TensorFlow has no model to show
            options.getOptimizationOptionsBuilder().setApplyDefaultOptimizations(false);
        }
        List<ElementComponent> components = pipeline.components();
        Scope scope = pipeline.scope();
        NodeDef.Builder node = Protos.node(NAME, "OptionsDataset", pipeline.root())
                .putAttr(
                        "serialized_options",
                        AttrValue.newBuilder()
                                .setS(options.build().toByteString())
                                .build());
        DatasetOps.setComponents(node, "output_types", components);
        scope.addDataset(node);
        return new PipelineGraph(scope.nodes(), pipeline.functions().values(), NAME, pipeline.versions());
    }
}
