package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** What is read once where the pipeline is: elsewhere numbers of elements come again, and must be told apart. */
class ReadingsTest {
    private static final NodeDef FROM = Protos.constant("from", Protos.int64(0)).build();

    private static final NodeDef NUMBERS =
            Protos.node("numbers", "RangeDataset", "from", "from", "from").build();

    private static Scope scope(NodeDef... nodes) {
        return new PipelineGraph(
                        List.of(nodes), List.of(), nodes[nodes.length - 1].getName(), VersionDef.getDefaultInstance())
                .scope();
    }

    private static List<String> once(IntegerGraph graph) {
        PipelineGraph pipeline = PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP);
        Scope scope = pipeline.scope();
        return Readings.once(scope, List.of(pipeline.root())).stream()
                .map(scope::node)
                .filter(DatasetOps::isDataset)
                .map(NodeDef::getOp)
                .sorted()
                .toList();
    }

    @Test
    void aRepeatReadsWhatStandsBeforeItAgain() {
        assertThat(once(IntegerGraph.range(0, 9, 1)
                        .affine(2, 1, false)
                        .repeat(2)
                        .batch(4, false)))
                .containsExactly("BatchDatasetV2", "RepeatDataset");
    }

    @Test
    void allOfThoseThatMeetAreReadOnce() {
        assertThat(once(IntegerGraph.range(0, 9, 1).concatenate(0, 3).zip(0, 20, 1)))
                .containsExactly(
                        "ConcatenateDataset",
                        "MapDataset",
                        "RangeDataset",
                        "RangeDataset",
                        "RangeDataset",
                        "ZipDataset");
    }

    // a function is given it, and reads it for each of its elements
    @Test
    void whatAFunctionCapturesIsNotReadOnce() {
        NodeDef captured = NUMBERS.toBuilder().setName("captured").build();
        NodeDef each =
                Protos.node("each", "FlatMapDataset", "numbers", "captured").build();

        assertThat(Readings.once(scope(FROM, NUMBERS, captured, each), List.of("each")))
                .contains("each", "numbers")
                .doesNotContain("captured");
    }

    // the result of a function waits for the cache that the function makes
    @Test
    void whatIsOnlyWaitedForIsNotReadByThat() {
        NodeDef cache = Protos.node("cache", "CacheDatasetV2", "numbers", "from", "from")
                .build();
        NodeDef repeat = Protos.node("repeat", "RepeatDataset", "cache", "from").build();
        NodeDef made = Protos.node("made", "NoOp", "^cache").build();
        NodeDef result = Protos.node("result", "Identity", "repeat", "^made").build();

        assertThat(Readings.once(scope(FROM, NUMBERS, cache, repeat, made, result), List.of("result")))
                .containsExactlyInAnyOrder("result", "repeat");
    }

    // a task's end is told behind its elements by a step that is given them, and takes none
    @Test
    void whatIsGivenOnlyToBeWaitedForIsReadOnce() {
        NodeDef end =
                Protos.node("praline_end", "FlatMapDataset", "numbers", "taken").build();
        NodeDef taken = Protos.node("taken", "TakeDataset", "numbers", "from").build();
        NodeDef both = Protos.node("both", "ConcatenateDataset", "taken", "praline_end")
                .build();

        assertThat(Readings.once(scope(FROM, NUMBERS, taken, end, both), List.of("both")))
                .contains("both", "taken", "praline_end");
    }

    @Test
    void whatTwoReadIsNotAloneNorIsWhatStandsBeforeIt() {
        NodeDef taken = Protos.node("taken", "TakeDataset", "numbers", "from").build();
        NodeDef skipped = Protos.node("skipped", "SkipDataset", "taken", "from").build();
        NodeDef both =
                Protos.node("both", "ConcatenateDataset", "taken", "skipped").build();
        Scope scope = scope(FROM, NUMBERS, taken, skipped, both);

        assertThat(Readings.alone(scope, "both")).isEqualTo(Set.of("both", "skipped"));
        assertThat(Readings.alone(scope, "skipped")).isEqualTo(Set.of("skipped", "taken", "numbers"));
    }

    @Test
    void ofWhatAFunctionMakesTwoReadingsAreTwo() {
        NodeDef taken = Protos.node("taken", "TakeDataset", "numbers", "from").build();
        NodeDef both = Protos.node("both", "ZipDataset", "taken", "numbers").build();
        Scope body = scope(FROM, NUMBERS, taken, both);

        assertThat(Readings.onceWithin(body, List.of("both"), true)).isEqualTo(Set.of("both", "taken"));
        assertThat(Readings.onceWithin(body, List.of("taken"), true)).isEqualTo(Set.of("taken", "numbers"));
    }

    // a map's element may be read by whatever follows, as often as that likes
    @Test
    void ofADatasetThatIsAnElementNobodyTellsHowOftenItIsRead() {
        NodeDef sum = Protos.node("sum", "ReduceDataset", "numbers", "from").build();
        Scope body = scope(FROM, NUMBERS, sum);

        assertThat(Readings.onceWithin(body, List.of("numbers"), false)).isEmpty();
        assertThat(Readings.onceWithin(body, List.of("sum"), false)).contains("numbers");
    }
}
