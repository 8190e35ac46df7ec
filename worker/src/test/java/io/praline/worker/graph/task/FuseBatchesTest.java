package io.praline.worker.graph.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.OptimizationOptions;
import org.tensorflow.proto.data.DatasetOptions.Options;

class FuseBatchesTest {
    private static final String LEFT_OUT = "numbers_in_batches_left_out_with_one_that_is_none";

    private static PipelineGraph written(String program) {
        return new SpellOut().apply(Pipelines.parse("../corpus/" + program));
    }

    /** Ops that make batches of what is fused, in the graph and in its functions. */
    private static List<String> batches(PipelineGraph pipeline) {
        return Stream.concat(
                        pipeline.nodes().values().stream(),
                        pipeline.functions().values().stream().flatMap(function -> function.getNodeDefList().stream()))
                .map(NodeDef::getOp)
                .filter(op -> op.contains("Batch"))
                .toList();
    }

    @Test
    void aMapAndItsBatchAreOneStepWhereErrorsAreLeftOut() {
        for (String program : List.of(
                LEFT_OUT,
                "numbers_in_batches_of_groups_left_out_with_one_that_is_none",
                "numbers_in_one_step_with_their_batches_left_out")) {
            PipelineGraph before = written(program);
            PipelineGraph after = new FuseBatches().apply(before);

            assertThat(FuseBatches.isFor(before)).as(program).isTrue();
            assertThat(batches(before)).as(program).containsExactly("BatchDatasetV2");
            assertThat(batches(after)).as(program).containsExactly("MapAndBatchDataset");
            assertThat(after.components()).isEqualTo(before.components());
        }
    }

    @Test
    void whatIsNoMapsBatchOrLeavesNothingOutStaysAsItIs() {
        assertThat(batches(new FuseBatches().apply(written("errors_ignored")))).containsExactly("BatchDatasetV2");
        assertThat(FuseBatches.isFor(Pipelines.parse("jpeg_training"))).isFalse();
    }

    private static PipelineGraph with(OptimizationOptions.Builder optimization) {
        PipelineGraph below = written(LEFT_OUT);
        NodeDef options = Protos.node("options", "OptionsDataset", below.root())
                .putAttr(
                        "serialized_options",
                        AttrValue.newBuilder()
                                .setS(Options.newBuilder()
                                        .setOptimizationOptions(optimization)
                                        .build()
                                        .toByteString())
                                .build())
                .build();
        return new PipelineGraph(
                Stream.concat(below.nodes().values().stream(), Stream.of(options))
                        .toList(),
                below.functions().values(),
                "options",
                below.versions());
    }

    @Test
    void whatTheProgramKeepsApartStaysApart() {
        OptimizationOptions.Builder apart = OptimizationOptions.newBuilder().setMapAndBatchFusion(false);
        OptimizationOptions.Builder none = OptimizationOptions.newBuilder().setApplyDefaultOptimizations(false);

        for (OptimizationOptions.Builder each : List.of(apart, none)) {
            assertThat(FuseBatches.isFor(with(each))).isFalse();
        }
        assertThat(FuseBatches.isFor(with(none.setMapAndBatchFusion(true)))).isTrue();
        assertThat(FuseBatches.isFor(with(OptimizationOptions.newBuilder()))).isTrue();
    }
}
