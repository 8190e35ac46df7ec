package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GraphFaults;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Tickets of what single elements become behind a shuffle, which their parents bring, and elements that are counted instead. */
class ChildTicketsTest {
    private static final ElementComponent NUMBER = new ElementComponent(DataType.DT_INT64, true, List.of());

    private static final ElementComponent NUMBERS = new ElementComponent(DataType.DT_INT64, true, List.of(-1L));

    private static IntegerGraph mixed() {
        return IntegerGraph.range(0, 100, 1).shuffle(9, 3);
    }

    /**
     * Each of a split's elements with the number of its children is numbered, told, given the tickets of its children, and left
     * out where none of these is wanted; the end behind them makes the same once more, of which nothing is taken.
     */
    private static void assertParentsBringTickets(PipelineGraph tracked) {
        FunctionDef opening = tracked.functions().get("praline_open_0");
        String parents = "FilterDataset(ScanDataset(FilterDataset("
                + "ZipDataset(MapDataset(TakeDataset(RangeDataset)), RangeDataset))))";

        assertThat(Tracked.made(opening))
                .isEqualTo("ConcatenateDataset(" + parents + ", FlatMapDataset(RangeDataset, " + parents + "))");
        assertThat(DatasetOps.components(Scope.ofFunction(opening).node("praline_tracked")))
                .containsExactly(NUMBER, NUMBERS);
        assertThat(Tracked.tickets(tracked)).isEmpty();
    }

    @Test
    void whatAFunctionMakesOfAParentHasTheTicketsThatTheParentBrings() {
        PipelineGraph tracked = Tracked.pipeline(mixed().copies(3));
        FunctionDef copies = Tracked.function(tracked, "__inference_copies_0_tracked");

        assertParentsBringTickets(tracked);
        assertThat(Pipelines.toTheSource(tracked)).containsExactly("FlatMapDataset", "ShuffleDatasetV3");
        assertThat(Tracked.made(copies)).isEqualTo("TakeDataset");
        assertThat(Tracked.made(Scope.ofFunction(copies), "praline_all:handle:0"))
                .isEqualTo("ZipDataset(AssertCardinalityDataset(RangeDataset), TensorSliceDataset)");
        assertThat(Tracked.made(Tracked.function(tracked, "praline_some"))).isEqualTo("FilterDataset");
        assertThat(Tracked.made(Tracked.function(tracked, "praline_all_"))).isEqualTo("all");
    }

    @Test
    void rowsOfAParentHaveTheTicketsThatTheParentBrings() {
        PipelineGraph tracked = Tracked.pipeline(mixed().copiesInOne(3).unbatch());

        assertParentsBringTickets(tracked);
        assertThat(Pipelines.toTheSource(tracked))
                .containsExactly("FilterDataset", "UnbatchDataset", "MapDataset", "ShuffleDatasetV3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"map", "fixed_length", "integers", "file_names", "padded_batch"})
    void countedElementsCarryNothing(String name) {
        PipelineGraph bound = new BindSplits().apply(Pipelines.parse(name));
        PipelineGraph counted = new CountTickets().apply(bound);
        FunctionDef opening = Tracked.function(counted, "praline_open_0");

        assertThat(GraphFaults.of(counted)).isEmpty();
        assertThat(counted.components()).isEqualTo(bound.components());
        assertThat(Scope.ofFunction(opening).nodes())
                .extracting(NodeDef::getName)
                .contains("praline_bounded", "praline_checked", "praline_chosen")
                .doesNotContain(BindSplits.RECORDS);
        assertThat(Tracked.made(Tracked.function(counted, "praline_taken"))).isEqualTo("TakeDataset");
        assertThat(Tracked.made(Tracked.function(counted, "praline_resumed")))
                .isEqualTo("MapDataset(ConcatenateDataset(FilterDataset(TakeDataset(ZipDataset(RangeDataset))),"
                        + " SkipDataset(ZipDataset(RangeDataset))))");
    }
}
