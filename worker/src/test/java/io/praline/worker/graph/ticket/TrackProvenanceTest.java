package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.source.PipelineSource;
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

        assertThat(tracked("parallel_map").components()).isEqualTo(expected);
    }

    @Test
    void aSingleElementHasASingleTicket() {
        assertThat(last(tracked("map"))).isEqualTo(new ElementComponent(DataType.DT_INT64, true, List.of()));
    }

    @Test
    void aBatchOfBatchesHasTicketsOfItsShape() {
        assertThat(last(tracked("batch_of_batches")))
                .isEqualTo(new ElementComponent(DataType.DT_INT64, true, List.of(-1L, 10L)));
    }

    @Test
    void capturedTensorsStayTheLastArguments() {
        PipelineGraph tracked = tracked("captured_tensors");
        FunctionDef normalise = tracked.functions().values().stream()
                .filter(function -> function.getSignature().getInputArgCount() == 6)
                .findFirst()
                .orElseThrow();

        // two components, the ticket, three captured tensors
        assertThat(normalise.getSignature().getInputArg(2).getName()).isEqualTo(TrackProvenance.TICKET);
        assertThat(normalise.getSignature().getOutputArgList().get(2).getName()).isEqualTo(TrackProvenance.TICKET);
    }

    @Test
    void filtersTellWhatTheyDrop() {
        assertThat(hasOp(tracked("filter"), "QueueEnqueueManyV2")).isTrue();
        assertThat(hasOp(tracked("map"), "QueueEnqueueManyV2")).isFalse();
    }

    @Test
    void saysWhichTransformationCannotBeTracked() {
        assertThatThrownBy(() -> tracked("filtered_children"))
                .isInstanceOf(Untrackable.class)
                .hasMessageStartingWith("flat_map (FlatMapDataset, node FlatMapDataset/")
                .hasMessageContaining("may make several elements of one, behind a step that mixes or groups");
    }

    /** Behind a take, a shuffle or a batch inside a file a record's number says nothing: what comes out is numbered. */
    @Test
    void whatComesOutOfAFileIsNumberedWhereMoreIsDoneThanToLookAtItsRecords() {
        assertThat(List.of("interleave_taken_batches", "interleave_taken_by_chance", "interleave_nested"))
                .allSatisfy(name -> assertThat(
                                PipelineAnalysis.of(Pipelines.parse(name)).sources())
                        .extracting(PipelineSource::numbered)
                        .containsExactly(true));
        assertThat(PipelineAnalysis.of(Pipelines.parse("interleave")).sources())
                .extracting(PipelineSource::numbered)
                .containsExactly(false);
    }

    private static PipelineGraph tracked(String name) {
        return Tracked.pipeline(name);
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
