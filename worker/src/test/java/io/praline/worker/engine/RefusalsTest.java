package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.RefusedPipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot run is refused by a line that says why. */
class RefusalsTest {
    private static final OpCatalogue OPS = new TensorFlowOps();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "empty | the pipeline is empty",
                "no_graph | not a GraphDef",
                "cut_short | not a GraphDef",
                "no_retval | must return one dataset",
                "py_function | in_python calls Python code (EagerPyFunc",
                "numpy_function | calls Python code (PyFunc",
                "from_generator | calls Python code",
                "dense_table | look_up uses a table or another resource of the Python process",
                "unknown_op | uses the operation MapDatasetFromTheFuture",
                "ragged | component 0 of the pipeline's elements is ragged",
                "sparse | component 0 of the pipeline's elements is ragged",
                "window_open | component 0 of the pipeline's elements is ragged",
            })
    void namesWhatCannotRun(String name, String reason) {
        assertThatThrownBy(() -> PipelineGraph.parse(Pipelines.bytes("refused/" + name), OPS))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessageContaining(reason)
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("\n"));
    }

    @Test
    void takesEveryPipelineThatRuns() {
        for (String name : Pipelines.running()) {
            assertThat(PipelineGraph.parse(Pipelines.bytes(name), OPS).components())
                    .as(name)
                    .isNotEmpty();
        }
    }
}
