package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.analysis.Transformations;
import io.praline.worker.graph.task.RepeatAlike;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** What a single task reads as a whole is the same when it is read again, or its promise is lowered. */
class RepeatabilityTest {
    private static final String ORDER = ": is made to keep its order, so that it can be read again";

    @ParameterizedTest
    @CsvSource({
        "taken_unordered, options_6",
        "taken_unordered_inside, map inside a function",
        "taken_sloppy, interleave_1",
    })
    void anOrderThatNeedNotBeKeptIsKept(String name, String changed) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.singleTask()).isTrue();
        assertThat(analysis.exactlyOnce()).isTrue();
        assertThat(analysis.notes()).contains(changed + ORDER);
        assertThat(made(new RepeatAlike().apply(Pipelines.parse(name)))).isEmpty();
    }

    @Test
    void anInterleaveHasAsManyDatasetsOpenOnEveryHost() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("taken_by_host")).notes())
                .contains(
                        "interleave inside a function: has 8 datasets open at a time, where TensorFlow would take as many as the host has"
                                + " cores, so that it can be read again");
        assertThat(made(new RepeatAlike().apply(Pipelines.parse("taken_by_host"))))
                .isEmpty();
    }

    @Test
    void nothingIsWrittenThatTheNextAttemptWouldFind() {
        PipelineGraph again = new RepeatAlike().apply(Pipelines.parse("taken_of_files"));

        assertThat(PipelineAnalysis.of(Pipelines.parse("taken_of_files")).notes())
                .contains(
                        "cache_4: is kept in memory, since a file would outlive the attempt",
                        "snapshot_6: is taken out, since its files would outlive the attempt");
        assertThat(again.nodes().values()).noneMatch(node -> OpTraits.of(node).family() == OpTraits.Family.SNAPSHOT);
        assertThat(made(again)).isEmpty();
    }

    // in one process the file would be there in later epochs, with what was drawn in the first
    @Test
    void whatAFunctionKeepsInAFileIsDrawnAnewInEachEpochAndThatIsSaid() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/augmented_and_kept_in_a_file_of_its_own"))
                        .notes())
                .containsOnlyOnce(
                        "cache inside a function: is kept in memory, since a file would outlive the attempt; what is"
                                + " drawn before it is another in each epoch");
    }

    // what a function captures each of several tasks reads; a cache that elements pass is left out
    @Test
    void whatIsReadBesideElementsIsNotKeptInAFileThatEachTaskWouldWrite() {
        PipelineGraph pipeline = Pipelines.parse("../corpus/elements_beside_a_dataset_that_is_kept_in_a_file");
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);

        assertThat(analysis.singleTask()).isFalse();
        assertThat(analysis.notes())
                .containsOnlyOnce(
                        "cache of a dataset beside the elements: is kept in memory, since each task would write its file");
        assertThat(made(new RepeatAlike().apply(pipeline))).isEmpty();
        assertThat(made(Pipelines.parse("../corpus/cache_in_file"))).isEmpty();
    }

    // nothing tells groups apart, and so an order that is drawn in one is another one each time
    @Test
    void anOrderThatIsDrawnForAGroupIsAnotherOneEachTime() {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse("../corpus/first_of_an_order_for_each_group"));

        assertThat(analysis.singleTask()).isTrue();
        assertThat(analysis.reasons()).singleElement().asString().contains("may give something else each time");
    }

    @Test
    void aVariableThatNothingChangesIsAConstant() {
        PipelineAnalysis read = PipelineAnalysis.of(Pipelines.parse("../corpus/rows_times_a_variable_of_their_places"));
        assertThat(read.singleTask()).isTrue();
        assertThat(read.reasons()).isEmpty();

        PipelineAnalysis counted = PipelineAnalysis.of(Pipelines.parse("../corpus/counted_by_a_variable"));
        assertThat(counted.singleTask()).isTrue();
        assertThat(counted.exactlyOnce()).isFalse();
    }

    @Test
    void whatADrawByKeyDecidesComesAgain() {
        assertThat(PipelineAnalysis.of(Pipelines.parse("taken_by_chance")).exactlyOnce())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "taken_unkeyed, log_uniform_candidate_sampler (LogUniformCandidateSampler",
        "taken_of_groups, random_uniform (RandomUniform",
    })
    void whatCannotBeDrawnAgainLowersThePromise(String name, String op) {
        PipelineAnalysis analysis = PipelineAnalysis.of(Pipelines.parse(name));

        assertThat(analysis.exactlyOnce()).isFalse();
        assertThat(analysis.reasons())
                .singleElement()
                .asString()
                .startsWith(op)
                .endsWith(
                        " draws numbers that cannot be drawn again, in a part of the pipeline whose elements are numbered as they come out");
    }

    @Test
    void randomNumbersOfSeedsThatElementsGiveComeAgain() {
        PipelineAnalysis analysis =
                PipelineAnalysis.of(Pipelines.parse("../corpus/random_numbers_for_each_by_a_seed_of_its_own"));
        assertThat(analysis.exactlyOnce()).isTrue();
        assertThat(analysis.singleTask()).isFalse();
    }

    @Test
    void whatAQueryAsksOfADatabaseComesAgainUnlessItDrawsOrTellsTheTime() {
        assertThat(asking("SELECT id, name FROM people ORDER BY id").exactlyOnce())
                .isTrue();
        assertThat(asking("select id from people order by Random()").exactlyOnce())
                .isFalse();
        assertThat(asking("select id, datetime ('now') from people").exactlyOnce())
                .isFalse();
        assertThat(asking("select id, CURRENT_TIMESTAMP from people").exactlyOnce())
                .isFalse();
    }

    private static PipelineAnalysis asking(String query) {
        NodeDef.Builder rows = Protos.node("rows", "SqlDataset", "driver", "file", "query");
        DatasetOps.setComponents(rows, "output_types", List.of(ElementComponent.of(DataType.DT_INT64, Protos.SCALAR)));
        List<NodeDef> nodes = List.of(
                text("driver", "sqlite"), text("file", "data/people.sqlite"), text("query", query), rows.build());
        return PipelineAnalysis.of(new PipelineGraph(nodes, List.of(), "rows:0", VersionDef.getDefaultInstance()));
    }

    private static NodeDef text(String name, String value) {
        return Protos.constant(name, Protos.bytes(ByteString.copyFromUtf8(value)))
                .build();
    }

    // records are numbered as they lie in their files: an order that need not be kept is the user's wish
    @ParameterizedTest
    @CsvSource({"options", "parallel_map_unordered", "interleave_parallel"})
    void whatIsReadInSplitsStaysAsItIs(String name) {
        PipelineGraph pipeline = Pipelines.parse(name);

        assertThat(new RepeatAlike().apply(pipeline).digest()).isEqualTo(pipeline.digest());
    }

    /** What would have to be changed for it to be repeatable. */
    private static List<String> made(PipelineGraph pipeline) {
        return Repeatability.of(
                        pipeline,
                        Sources.of(pipeline),
                        Transformations.of(pipeline).names())
                .made();
    }
}
