package io.praline.worker.graph.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Written;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.VersionDef;

/** What is said of steps that change what others use. */
class SaidOfStepsTest {
    private static Written numbers() {
        return Written.of("int32");
    }

    private static NodeDef.Builder variable(String name, DataType type) {
        return Protos.node(name, "VarHandleOp")
                .putAttr("dtype", Protos.type(type))
                .putAttr("shared_name", Protos.string(name));
    }

    private static NodeDef.Builder map(String name, String input, String variable, String function) {
        return Protos.node(name, "MapDataset", input, variable).putAttr("f", Protos.function(function));
    }

    private static Optional<String> shared(DataType other, String second) {
        Written written = numbers()
                .function("changes", List.of("resource"), "r = ReadVariableOp a dtype=int32", "-> r")
                .changed("changes", function -> function.getNodeDefBuilder(0).setOp("AssignAddVariableOp"))
                .function("still", List.of("int32"), "-> a")
                .map("a = PartitionedCall 1 f=@still Tout={int32}", "-> a");
        List<NodeDef> nodes = Stream.of(
                        Protos.node("numbers", "RangeDataset"),
                        variable("one", DataType.DT_INT32),
                        variable("other", other),
                        map("first", "numbers", "one", "changes"),
                        map("root", "first", second, "still"))
                .map(NodeDef.Builder::build)
                .toList();
        PipelineGraph graph = new PipelineGraph(
                nodes,
                Stream.of("changes", "still").map(written::called).toList(),
                "root",
                VersionDef.getDefaultInstance());
        return SharedState.note(graph, Map.of("first", "counts", "root", "reads"));
    }

    // serialised, a variable has no name that tells it from another one of its kind
    @Test
    void whatOneStepChangesAndAnotherOfItsKindUsesIsSaidToBeTwo() {
        assertThat(shared(DataType.DT_INT32, "other")).hasValueSatisfying(note -> assertThat(note)
                .startsWith("counts and reads: each has variables and tables of its own"));
        assertThat(shared(DataType.DT_INT64, "other")).isEmpty();
        assertThat(shared(DataType.DT_INT32, "numbers")).isEmpty();
    }

    /** Each epoch begins with what was submitted; the states of generators are others, and of them it is not said. */
    @ParameterizedTest
    @CsvSource({
        "counted_by_a_variable_in_two_epochs, true",
        "seeds_that_a_variable_counts, true",
        "generator_reset_by_each_element, true",
        "generator_that_skips, false",
        "layer_for_the_clips_of_an_element, false",
        "draw_by_generator, false",
    })
    void whatGoesOnFromEpochToEpochInOneProcessIsSaidToBeginAgain(String program, boolean said) {
        assertThat(isSaid(program, "each epoch of a job begins with what variables and tables held"))
                .isEqualTo(said);
    }

    /** Where later orders of a shuffle with seeds are others than in one process. */
    @ParameterizedTest
    @CsvSource({
        "shuffled_globally_by_a_seed_and_taken, true",
        "shuffled_globally_seeded, false",
        "two_orders_of_a_seeded_shuffle, true",
        "shuffle_and_repeat_fused_seeded, true",
        "parts_of_orders_of_a_shuffle_that_repeats_itself, true",
        "shuffle_seeded, false",
    })
    void laterOrdersThatAreOthersAreSaid(String program, boolean said) {
        assertThat(isSaid(program, "behind the first epoch it is in other orders"))
                .isEqualTo(said);
    }

    private static boolean isSaid(String program, String text) {
        return PipelineAnalysis.of(Pipelines.parse("../corpus/" + program)).notes().stream()
                .anyMatch(note -> note.contains(text));
    }

    /** A level of difficulty that a training loop raises. */
    @Test
    void thatVariablesHaveWhatTheyHeldWhenTheJobWasSubmittedIsSaid() {
        String said =
                "map_2: reads variables, which have what they held when the job was submitted; in one process each element"
                        + " is made with what a loop has assigned by then";
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/a_level_that_a_loop_may_change"))
                        .notes())
                .contains(said);
        assertThat(PipelineAnalysis.of(Pipelines.parse("../corpus/draws_kept_and_counted"))
                        .notes())
                .noneMatch(note -> note.contains("reads variables"));
    }
}
