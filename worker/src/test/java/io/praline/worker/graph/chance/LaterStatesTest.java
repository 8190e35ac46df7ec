package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.NodeDef;

class LaterStatesTest {
    /** What is not drawn alone, or is kept, begins as it was written: another value would be seen. */
    @ParameterizedTest
    @CsvSource({
        "layer_for_the_clips_of_an_element, true",
        "layer_for_clips_that_are_kept, false",
        "generator_that_counts_heads, true",
        "generator_reset_by_each_element, false",
        "seeds_that_a_variable_counts, false",
        "counted_by_a_variable_in_two_epochs, false",
    })
    void aStateThatOnlyDrawsSeeBeginsElsewhereInALaterEpoch(String name, boolean elsewhere) {
        List<List<Long>> written = states(name, 0);

        assertThat(written).hasSize(1);
        assertThat(states(name, 0)).isEqualTo(written);
        assertThat(!states(name, 1).equals(written)).isEqualTo(elsewhere);
        assertThat(states(name, 1).equals(states(name, 2))).isEqualTo(!elsewhere);
    }

    private static List<List<Long>> states(String name, int epoch) {
        PipelineGraph pipeline = new SpellOut().apply(Pipelines.parse("../corpus/" + name));
        Scope scope = new LaterStates(new DrawKeys(1, epoch, 0)).apply(pipeline).scope();
        return StreamSupport.stream(scope.nodes().spliterator(), false)
                .filter(node -> node.getOp().equals("VarHandleOp"))
                .map(NodeDef::getName)
                .map(variable ->
                        Constants.integers(Constants.ofVariable(scope, variable).orElseThrow()))
                .toList();
    }
}
