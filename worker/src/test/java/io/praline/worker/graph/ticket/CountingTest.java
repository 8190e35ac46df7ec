package io.praline.worker.graph.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.Options;

/** Where elements can be told apart by counting: the n-th that comes out is the n-th that went in. */
class CountingTest {
    private static final List<String> FILES = List.of("/a", "/b");

    private static Optional<Counting> of(IntegerGraph graph) {
        return Counting.of(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP));
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void singleElementsAreCountedOneByOne() {
        Counting one = new Counting(1, false);
        assertThat(of(numbers())).contains(one);
        assertThat(of(IntegerGraph.slices(List.of(3L, 1L)).affine(2, 1, true).prefetch(2)))
                .contains(one);
        assertThat(of(IntegerGraph.files(FILES))).contains(one);
        assertThat(of(numbers().repeat(3))).contains(one);
    }

    @Test
    void thoseInBatchesByTheBatch() {
        assertThat(of(numbers().batch(7, false))).contains(new Counting(7, false));
        assertThat(of(numbers().affine(2, 1, false).batch(7, true).affine(2, 1, false)))
                .contains(new Counting(7, true));
        assertThat(of(numbers().paddedBatch(3, 0, true))).contains(new Counting(3, true));
    }

    // one that comes short is held back by its tickets
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rows_behind_beginnings_of_whole_batches",
                "rows_of_batches_that_are_asserted_to_be_whole",
                "rows_of_whole_batches_in_a_column",
            })
    void notInFrontOfAFunctionForWholeBatches(String name) {
        assertThat(Counting.of(Pipelines.parse("../corpus/" + name))).isEmpty();
    }

    @Test
    void notInBatchesOfBatchesNorWhereTheyAreTakenApart() {
        assertThat(of(numbers().batch(7, false).batch(2, false))).isEmpty();
        assertThat(of(numbers().batch(7, false).unbatch())).isEmpty();
        assertThat(of(numbers().batch(7, false).rows())).isEmpty();
        assertThat(of(numbers().copies(3))).isEmpty();
    }

    @Test
    void notWhereAnyIsLeftOutOrComesInAnotherOrder() {
        assertThat(of(numbers().without(3, 0))).isEmpty();
        assertThat(of(numbers().shuffle(10, 0))).isEmpty();
        assertThat(of(numbers().affine(2, 1, true).inAnyOrder())).isEmpty();
        assertThat(of(IntegerGraph.readInParallel(FILES, 2, 1))).isEmpty();
        assertThat(of(numbers().groups(3, 4))).isEmpty();
    }

    @Test
    void butWhereOptionsAskForTheOrder() {
        PipelineGraph any = PipelineGraph.parse(numbers().inAnyOrder().bytes(), Pipelines.ANY_OP);
        AttrValue kept = AttrValue.newBuilder()
                .setS(Options.newBuilder().setDeterministic(true).build().toByteString())
                .build();
        List<NodeDef> nodes = any.nodes().values().stream()
                .map(node -> node.getOp().equals("OptionsDataset")
                        ? node.toBuilder().putAttr("serialized_options", kept).build()
                        : node)
                .toList();

        assertThat(Counting.of(new PipelineGraph(nodes, any.functions().values(), any.root(), any.versions())))
                .contains(new Counting(1, false));
    }

    @Test
    void notOfSeveralSourcesNorOfAWhole() {
        assertThat(of(numbers().concatenate(200, 300))).isEmpty();
        assertThat(of(numbers().take(5))).isEmpty();
        assertThat(of(numbers().sums())).isEmpty();
    }

    // all of what is compressed, or has lines, must be read to be counted
    @ParameterizedTest
    @CsvSource({
        "map, true",
        "fixed_length, true",
        "file_names, true",
        "text_lines, false",
        "gzip_tfrecord, false",
        "zlib_tfrecord, false",
        "parallel_map_unordered, false",
        "options, false",
        "random_seeded, false",
        "flat_map_elements, false",
        "../corpus/errors_ignored, false",
        "../corpus/interleave_filtered_inside, false",
        "../corpus/flat_map_enumerated_inside, false",
        "../corpus/fixed_length_plain, true",
    })
    void filesWhoseRecordsAreDearToCountAreNot(String name, boolean counted) {
        assertThat(Counting.of(Pipelines.parse(name)).isPresent()).isEqualTo(counted);
    }

    @Test
    void aBatchHoldsSomething() {
        assertThatThrownBy(() -> new Counting(0, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("batch must be positive, is 0");
    }
}
