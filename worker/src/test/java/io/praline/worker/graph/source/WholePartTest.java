package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/** Up to which step a part is better read as a whole than up to the first, {@code whole}: steps are called by their places. */
class WholePartTest {
    private static NodeDef step(String name, String op, DataType type) {
        return Protos.node(name, op + "Dataset", "before")
                .putAttr("output_types", Protos.types(List.of(type)))
                .putAttr("output_shapes", Protos.shapes(List.of(Protos.SCALAR)))
                .build();
    }

    private static Optional<String> higher(DataType first, String... ops) {
        List<NodeDef> path =
                new ArrayList<>(List.of(step("source", "FlatMap", DataType.DT_INT64), step("whole", "Zip", first)));
        for (String op : ops) {
            path.add(step(op + "_" + (path.size() - 2), op, DataType.DT_INT64));
        }
        return WholePart.higher(Scope.ofGraph(path), "whole", path);
    }

    private static Optional<String> higher(String... ops) {
        return higher(DataType.DT_INT64, ops);
    }

    @Test
    void whatElementsCanBeFollowedThroughRaisesNothing() {
        assertThat(higher()).isEmpty();
        assertThat(higher("Map", "Filter", "Shuffle", "Batch", "Prefetch")).isEmpty();
    }

    @Test
    void behindTheLastStepThatNothingCanBeFollowedThroughElementsAreNumbered() {
        assertThat(higher("FlatMap", "Map")).contains("FlatMap_0");
        assertThat(higher("Map", "Scan", "Map", "Window", "Map")).contains("Window_3");
    }

    @Test
    void batchesThatWereMadeBehindItAreTakenApartAgain() {
        assertThat(higher("Unbatch")).contains("Unbatch_0");
        assertThat(higher("Batch", "Unbatch")).isEmpty();
        assertThat(higher("Batch", "Unbatch", "Unbatch")).contains("Unbatch_2");
        assertThat(higher("GroupByWindow", "PaddedBatch", "Unbatch", "Unbatch")).isEmpty();
        // what is made in front of where it was raised to does not count
        assertThat(higher("Batch", "Scan", "Unbatch")).contains("Unbatch_2");
    }

    @Test
    void epochsBeginBehindIt() {
        assertThat(higher("Scan", "Repeat", "Scan")).contains("Scan_0");
        assertThat(higher("Repeat", "Scan")).isEmpty();
    }

    @Test
    void noElementIsADataset() {
        assertThat(higher(DataType.DT_VARIANT, "Map", "Map")).contains("Map_0");
    }
}
