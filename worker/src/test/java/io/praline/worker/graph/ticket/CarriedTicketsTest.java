package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GraphFaults;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.source.opening.BindSplits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/** How tickets go through a pipeline's steps: the ops from its end to its source, and the shape of the tickets in the end. */
class CarriedTicketsTest {
    private static PipelineGraph tracked(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        PipelineGraph tracked = new TrackProvenance().apply(new BindSplits().apply(pipeline));
        assertThat(GraphFaults.of(tracked)).isEmpty();
        return tracked;
    }

    private static List<String> toTheSource(IntegerGraph graph) {
        PipelineGraph pipeline = tracked(graph);
        List<String> ops = new ArrayList<>();
        NodeDef node = pipeline.nodes().get(pipeline.root());
        while (!BindSplits.isSource(node)) {
            ops.add(node.getOp());
            node = pipeline.nodes().get(node.getInput(0));
        }
        return ops;
    }

    private static List<Long> tickets(IntegerGraph graph) {
        List<ElementComponent> components = tracked(graph).components();
        ElementComponent last = components.get(components.size() - 1);
        assertThat(last.dtype()).isEqualTo(DataType.DT_INT64);
        assertThat(last.rankKnown()).isTrue();
        return last.shape();
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void ofSingleElementsEachHasOne() {
        assertThat(tickets(numbers())).isEmpty();
        assertThat(tickets(numbers().affine(2, 1, true).shuffle(9, 3).prefetch(2)))
                .isEmpty();
        assertThat(toTheSource(numbers().affine(2, 1, true).without(3, 0).shuffle(9, 3)))
                .containsExactly("ShuffleDatasetV3", "FilterDataset", "ParallelMapDatasetV2");
    }

    @Test
    void ofABatchAllOfItsElements() {
        assertThat(tickets(numbers().batch(7, false))).containsExactly(-1L);
        assertThat(toTheSource(numbers().batch(7, false).affine(2, 1, false)))
                .containsExactly("MapDataset", "BatchDatasetV2");
    }

    // what drops a short batch is asked to keep it, and a filter behind it tells whom it leaves out
    @Test
    void aShortBatchIsLeftOutByAFilterThatTellsWhomItLeavesOut() {
        assertThat(toTheSource(numbers().batch(7, true))).containsExactly("FilterDataset", "BatchDatasetV2");
        assertThat(toTheSource(numbers().paddedBatch(7, 0, true)))
                .containsExactly("FilterDataset", "PaddedBatchDatasetV2");
        assertThat(toTheSource(numbers().paddedBatch(7, 0, false))).containsExactly("PaddedBatchDatasetV2");
    }

    // 7 tickets each, whatever a function made of the 7
    @Test
    void aBatchOfBatchesHasATableOfThem() {
        assertThat(tickets(numbers().batch(7, false).batch(2, false))).containsExactly(-1L, 7L);
        assertThat(toTheSource(numbers().batch(7, false).batch(2, false)))
                .containsExactly("BatchDatasetV2", "MapDataset", "FilterDataset", "BatchDatasetV2");
        assertThat(tickets(numbers().batch(7, false).paddedBatch(2, 0, false))).containsExactly(-1L, 7L);
    }

    // behind a shuffle, before which it would belong to the reading of a split
    @Test
    void whatIsTakenApartHasOneEachAgain() {
        assertThat(tickets(mixed().batch(7, false).unbatch())).isEmpty();
        assertThat(toTheSource(mixed().batch(7, false).unbatch()))
                .containsExactly("UnbatchDataset", "BatchDatasetV2", "ShuffleDatasetV3");
        assertThat(tickets(mixed().batch(7, false).batch(2, false).unbatch())).containsExactly(7L);
        assertThat(tickets(mixed().batch(7, false).rows())).isEmpty();
        assertThat(toTheSource(mixed().batch(7, false).rows()))
                .containsExactly("FlatMapDataset", "BatchDatasetV2", "ShuffleDatasetV3");
    }

    private static IntegerGraph mixed() {
        return numbers().shuffle(9, 3);
    }

    @Test
    void whatWasBatchedBeforeItIsMixedIsReadAsOneSplit() {
        assertThat(toTheSource(numbers().batch(7, false).unbatch())).isEmpty();
    }

    @Test
    void ofAGroupAllOfItsElements() {
        assertThat(tickets(numbers().groups(3, 4))).containsExactly(-1L);
        assertThat(toTheSource(numbers().groups(3, 4))).containsExactly("GroupByWindowDataset");
    }

    @Test
    void bothOfTwoSourcesHaveThem() {
        assertThat(tickets(numbers().concatenate(200, 300))).isEmpty();
        assertThat(toTheSource(numbers().concatenate(200, 300))).containsExactly("ConcatenateDataset");
    }

    @Test
    void whatCannotBeFollowedIsRefusedByName() {
        assertThatThrownBy(() -> tracked(numbers().shuffle(9, 3).batch(7, false).rowsTwice()))
                .isInstanceOf(Untrackable.class)
                .hasMessageContaining("a function makes elements of what it is given twice");
    }
}
