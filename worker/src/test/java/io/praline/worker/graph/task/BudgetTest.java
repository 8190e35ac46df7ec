package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.data.DatasetOptions.OptimizationOptions;
import org.tensorflow.proto.data.DatasetOptions.Options;

class BudgetTest {
    @Test
    void boundsThreadsAndMemory() throws InvalidProtocolBufferException {
        Options options = options(new Budget(3, 1 << 20, false));

        assertThat(options.getThreadingOptions().getPrivateThreadpoolSize()).isEqualTo(3);
        assertThat(options.getAutotuneOptions().getRamBudget()).isEqualTo(1 << 20);
        assertThat(options.hasOptimizationOptions()).isFalse();
    }

    // these are the bytes that keep a node for each transformation
    @Test
    void keepsTransformationsApartForMeasurements() throws InvalidProtocolBufferException {
        Options options = options(new Budget(1, 0, true));

        assertThat(options.getOptimizationOptions())
                .isEqualTo(OptimizationOptions.newBuilder()
                        .setApplyDefaultOptimizations(false)
                        .build());
        assertThat(options.hasAutotuneOptions()).isFalse();
    }

    // fused with the user's map, each small element would become a task of the thread pool
    @Test
    void keepsTheBatchOfSmallElementsApart() throws InvalidProtocolBufferException {
        PipelineGraph packed = new Pack().apply(Pipelines.parse("unbatched"));

        assertThat(options(new Budget(1, 0, false), packed).getOptimizationOptions())
                .isEqualTo(OptimizationOptions.newBuilder()
                        .setMapAndBatchFusion(false)
                        .build());
    }

    private static Options options(Budget budget) throws InvalidProtocolBufferException {
        return options(budget, Pipelines.parse("map"));
    }

    private static Options options(Budget budget, PipelineGraph pipeline) throws InvalidProtocolBufferException {
        PipelineGraph bounded = budget.apply(pipeline);
        return Options.parseFrom(bounded.nodes()
                .get(bounded.root())
                .getAttrOrThrow("serialized_options")
                .getS());
    }
}
