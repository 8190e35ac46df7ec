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
                "empty | the pipeline is empty; write to the file what"
                        + " dataset._as_serialized_graph().numpy() gives",
                "no_graph | the pipeline is not a GraphDef (Protocol message end-group tag did not match"
                        + " expected tag); write to the file what dataset._as_serialized_graph().numpy() gives",
                "cut_short | the pipeline is not a GraphDef (While parsing a protocol message, the input"
                        + " ended unexpectedly in the middle of a field); write to the file what"
                        + " dataset._as_serialized_graph().numpy() gives",
                "no_retval | the pipeline must return one dataset (a node _Retval), it returns none;"
                        + " write to the file what dataset._as_serialized_graph().numpy() gives",
                "py_function | the transformation in_python calls Python code (EagerPyFunc in node"
                        + " EagerPyFunc): it does not travel with the graph and cannot run here; write it with"
                        + " TensorFlow's operations",
                "numpy_function | the transformation map calls Python code (PyFunc in node PyFunc): it"
                        + " does not travel with the graph and cannot run here; write it with TensorFlow's"
                        + " operations",
                "from_generator | the transformation flat_map calls Python code (PyFunc in node PyFunc):"
                        + " it does not travel with the graph and cannot run here; write it with TensorFlow's"
                        + " operations",
                "dense_table | the transformation look_up uses a table or another resource of the Python"
                        + " process, whose content is not in the graph: use tf.lookup.StaticHashTable or a constant",
                "unknown_op | the transformation parse uses the operation MapDatasetFromTheFuture (node"
                        + " MapDataset/_3), which TensorFlow 2.18.0 does not have; use another",
                "ragged | component 0 of the pipeline's elements is ragged, sparse or a dataset"
                        + " (variant): only dense tensors can be delivered, use to_tensor, to_dense or flat_map in"
                        + " the transformation map",
                "sparse | component 0 of the pipeline's elements is ragged, sparse or a dataset"
                        + " (variant): only dense tensors can be delivered, use to_tensor, to_dense or flat_map in"
                        + " the transformation map",
                "window_open | component 0 of the pipeline's elements is ragged, sparse or a dataset"
                        + " (variant): only dense tensors can be delivered, use to_tensor, to_dense or flat_map in"
                        + " the transformation window",
            })
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
