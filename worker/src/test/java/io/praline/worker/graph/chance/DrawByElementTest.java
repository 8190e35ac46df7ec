package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.source.BindSplits;
import io.praline.worker.graph.ticket.TrackProvenance;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

class DrawByElementTest {
    @Test
    void everySeededDrawBecomesAFunctionOfTheElement() {
        assertThat(randomOps(drawn("random_seeded", 0)))
                .containsExactly(
                        "StatelessRandomNormalV2",
                        "StatelessRandomUniformIntV2",
                        "StatelessRandomUniformV2",
                        "StatelessTruncatedNormalV2");
    }

    @Test
    void noDrawIsLeftThatAKeyCouldMake() {
        for (String name : List.of(
                "draws_two_views",
                "draws_in_loops",
                "draws_of_all_kinds",
                "draws_behind_a_batch",
                "draws_in_a_whole",
                "draws_in_a_filter",
                "draws_in_files",
                "draws_of_children")) {
            PipelineGraph pipeline = new BindSplits().apply(new StampDraws().apply(Pipelines.parse(name)));
            assertThat(new DrawByElement(new DrawKeys(1, 0, 0))
                            .apply(pipeline).functions().values().stream()
                                    .flatMap(function -> function.getNodeDefList().stream())
                                    .filter(node -> OpTraits.of(node).draws() != OpTraits.Draws.NOTHING)
                                    .toList())
                    .as(name)
                    .isEmpty();
        }
    }

    @Test
    void drawsBehindAConditionAreReachedToo() {
        assertThat(randomOps(drawn("random_unseeded", 0))).containsExactly("StatelessRandomUniformV2");
    }

    @Test
    void keysAndShufflesFollowTheEpoch() {
        assertThat(drawn("jpeg_training", 0).digest())
                .isEqualTo(drawn("jpeg_training", 0).digest())
                .isNotEqualTo(drawn("jpeg_training", 1).digest());
        assertThat(drawn("shuffle", 0).digest())
                .isNotEqualTo(drawn("shuffle", 1).digest());
    }

    @Test
    void nothingChangesWhereNothingIsDrawn() {
        PipelineGraph tracked = tracked("filter");

        assertThat(new DrawByElement(new DrawKeys(1, 0, 0)).apply(tracked).digest())
                .isEqualTo(tracked.digest());
    }

    private static PipelineGraph drawn(String name, int epoch) {
        return new DrawByElement(new DrawKeys(1, epoch, 0)).apply(tracked(name));
    }

    private static PipelineGraph tracked(String name) {
        return new TrackProvenance().apply(new BindSplits().apply(new StampDraws().apply(Pipelines.parse(name))));
    }

    private static Set<String> randomOps(PipelineGraph pipeline) {
        return pipeline.functions().values().stream()
                .flatMap(function -> function.getNodeDefList().stream())
                .map(NodeDef::getOp)
                .filter(op -> op.contains("Random") || op.contains("Truncated"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
