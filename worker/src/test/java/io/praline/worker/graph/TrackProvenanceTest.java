package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;

class TrackProvenanceTest {
    @Test
    void theTicketIsTheLastComponentAndAVectorInABatch() {
        PipelineGraph pipeline = Pipelines.parse("parallel_map");
        List<ElementComponent> expected = new ArrayList<>(pipeline.components());
        expected.add(new ElementComponent(DataType.DT_INT64, true, List.of(-1L)));

        assertThat(tracked("parallel_map", false).components()).isEqualTo(expected);
    }

    @Test
    void aSingleElementHasASingleTicket() {
        assertThat(last(tracked("map", false))).isEqualTo(new ElementComponent(DataType.DT_INT64, true, List.of()));
    }

    @Test
    void aBatchOfBatchesHasTicketsOfItsShape() {
        assertThat(last(tracked("batch_of_batches", false)))
                .isEqualTo(new ElementComponent(DataType.DT_INT64, true, List.of(-1L, -1L)));
    }

    @Test
    void capturedTensorsStayTheLastArguments() {
        PipelineGraph tracked = tracked("captured_tensors", false);
        FunctionDef normalise = tracked.functions().values().stream()
                .filter(function -> function.getSignature().getInputArgCount() == 6)
                .findFirst()
                .orElseThrow();

        // two components, the ticket, three captured tensors
        assertThat(normalise.getSignature().getInputArg(2).getName()).isEqualTo(TrackProvenance.TICKET);
        assertThat(normalise.getSignature().getOutputArgList().get(2).getName()).isEqualTo(TrackProvenance.TICKET);
    }

    @Test
    void filtersReportDropsOnlyWhereToldTo() {
        assertThat(hasOp(tracked("filter", false), "QueueEnqueueManyV2")).isFalse();
        assertThat(hasOp(tracked("filter", true), "QueueEnqueueManyV2")).isTrue();
    }

    @Test
    void saysWhichTransformationCannotBeTracked() {
        assertThatThrownBy(() -> tracked("flat_map_elements", false))
                .isInstanceOf(Untrackable.class)
                .hasMessageStartingWith("flat_map (FlatMapDataset, node FlatMapDataset/")
                .hasMessageContaining("may make several elements of one, which have no identity of their own");
    }

    @Test
    void batchesOfAFileHaveNoPlaceThatLasts() {
        assertThatThrownBy(() -> tracked("interleave_taken_batches", false))
                .isInstanceOf(Untrackable.class)
                .hasMessageStartingWith("take (TakeDataset, node ")
                .hasMessageContaining("looks at the places of batches within a file");
    }

    @Test
    void whatIsTakenByChanceOfAFileCannotBeTakenAgain() {
        assertThatThrownBy(() -> tracked("interleave_taken_by_chance", false))
                .isInstanceOf(Untrackable.class)
                .hasMessageStartingWith("shuffle (ShuffleDatasetV3, node ")
                .hasMessageContaining("another part each time");
    }

    private static PipelineGraph tracked(String name, boolean reportDrops) {
        return new TrackProvenance(reportDrops).apply(new BindSplits().apply(Pipelines.parse(name)));
    }

    private static ElementComponent last(PipelineGraph pipeline) {
        List<ElementComponent> components = pipeline.components();
        return components.get(components.size() - 1);
    }

    private static boolean hasOp(PipelineGraph pipeline, String op) {
        return pipeline.functions().values().stream()
                .flatMap(function -> function.getNodeDefList().stream())
                .anyMatch(node -> node.getOp().equals(op));
    }
}
