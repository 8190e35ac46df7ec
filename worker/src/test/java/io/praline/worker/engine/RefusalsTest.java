package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.RefusedPipeline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** What cannot run is refused by a line that says why. */
class RefusalsTest {
    private static final OpCatalogue OPS = new TensorFlowOps();

    @ParameterizedTest
    @CsvFileSource(resources = "/pipelines/refused/reasons.txt", delimiter = '|')
    void namesWhatCannotRun(String name, String reason) {
        assertThatThrownBy(() -> PipelineGraph.parse(Pipelines.bytes("refused/" + name), OPS))
                .isInstanceOf(RefusedPipeline.class)
                .hasMessage(reason);
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
