package io.praline.worker.graph.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** Whether a padded batch fills elements up to the longest of them, or to sizes that the graph says, however it says them. */
class PaddedSizesTest {
    /** Of a component that is filled up to {@code sizes}, with nodes among which that is, and constants {@code two}, {@code less}. */
    private static boolean ofTheLongest(List<String> sizes, NodeDef.Builder... more) {
        NodeDef.Builder padded = Protos.node("padded", "PaddedBatchDatasetV2", "numbers", "two")
                .addAllInput(sizes)
                // what fills them up stands behind the sizes, and is none
                .addAllInput(Collections.nCopies(sizes.size(), "less"))
                .addInput("no")
                .putAttr("output_shapes", Protos.shapes(Collections.nCopies(sizes.size(), Protos.shape(-1, -1))));
        List<NodeDef> nodes = new ArrayList<>(Stream.of(
                        Protos.node("numbers", "RangeDataset", "two", "two", "two"),
                        Protos.constant("two", Protos.int64(2)),
                        Protos.constant("no", Protos.flag(false)),
                        Protos.constant("less", Protos.int64(-3)),
                        Protos.constant("fixed", Protos.int64s(List.of(4L, 3L))),
                        Protos.constant("open", Protos.int64s(List.of(4L, -1L))),
                        Protos.constant("nothing", Protos.int64s(List.of())),
                        Protos.constant("largest", Protos.int64s(List.of(1L, 3L))),
                        Protos.node("unknown", "ReadFile", "two"),
                        padded)
                .map(NodeDef.Builder::build)
                .toList());
        Stream.of(more).forEach(node -> nodes.add(node.build()));
        PipelineGraph graph = new PipelineGraph(nodes, List.of(), "padded", VersionDef.getDefaultInstance());
        return new PaddedSizes(padded.build(), graph.scope()).areOfTheLongest();
    }

    private static boolean ofTheLongest(String op, String... inputs) {
        return ofTheLongest(List.of("made"), Protos.node("made", op, inputs));
    }

    @Test
    void aNegativeSizeIsThatOfTheLongest() {
        assertThat(ofTheLongest(List.of("fixed"))).isFalse();
        assertThat(ofTheLongest(List.of("nothing"))).isFalse();
        assertThat(ofTheLongest(List.of("open"))).isTrue();
        assertThat(ofTheLongest(List.of("fixed", "nothing"))).isFalse();
        assertThat(ofTheLongest(List.of("fixed", "open"))).isTrue();
        assertThat(ofTheLongest(List.of("unknown"))).isTrue();
    }

    @Test
    void whatIsTakenOutOfSizesOrCountedAnotherWayIsNoLessThanTheLeastOfThem() {
        for (String op : List.of("Identity", "Cast", "StridedSlice", "GatherV2", "Reshape", "ExpandDims", "Squeeze")) {
            assertThat(ofTheLongest(op, "fixed")).as(op).isFalse();
            assertThat(ofTheLongest(op, "open")).as(op).isTrue();
        }
        assertThat(ofTheLongest("Mul", "fixed", "fixed")).isTrue();
    }

    @Test
    void ofSeveralThatArePutTogetherEachMustBeKnown() {
        assertThat(ofTheLongest("Pack", "two", "two")).isFalse();
        assertThat(ofTheLongest("Pack", "two", "less")).isTrue();
        assertThat(ofTheLongest("Pack", "less", "two")).isTrue();
        assertThat(ofTheLongest("Pack", "two", "unknown")).isTrue();
        // the last input says along which dimension
        assertThat(ofTheLongest("ConcatV2", "fixed", "two", "less")).isFalse();
        assertThat(ofTheLongest("ConcatV2", "open", "two", "two")).isTrue();
        assertThat(ofTheLongest("Pack", "two", "^unknown")).isFalse();
    }

    // -3 + 4 is a size, and so is 4 - 3
    @Test
    void sumsAndDifferencesAreAsSmallAsTheirLeast() {
        assertThat(ofTheLongest("AddV2", "two", "two")).isFalse();
        assertThat(ofTheLongest("AddV2", "two", "less")).isTrue();
        assertThat(ofTheLongest("AddV2", "two", "unknown")).isTrue();
        assertThat(ofTheLongest("AddV2", "unknown", "two")).isTrue();
        assertThat(ofTheLongest("Sub", "two", "less")).isFalse();
        assertThat(ofTheLongest("Sub", "two", "two")).isFalse();
        assertThat(ofTheLongest("Sub", "two", "largest")).isTrue();
        assertThat(ofTheLongest("Sub", "fixed", "largest")).isFalse();
        assertThat(ofTheLongest("Sub", "two", "unknown")).isTrue();
    }
}
