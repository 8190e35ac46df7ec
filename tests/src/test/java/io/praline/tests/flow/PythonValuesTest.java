package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.schema.JobState;
import io.praline.tests.corpus.ReadRow;
import io.praline.tests.corpus.Recorded;
import io.praline.tests.corpus.Row;
import io.praline.tests.rig.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What comes out of a whole cluster is what the same program yields in one Python process, value by value: integers, strings
 * and truth values alike, floats up to rounding. {@code record_values.py} wrote the values down and says what a row is.
 */
class PythonValuesTest {
    private static final Path PIPELINES = Path.of("..", "worker", "src", "test", "resources", "pipelines")
            .toAbsolutePath()
            .normalize();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "flowers",
                "examples_big_map",
                "text_bucketed",
                "jpeg_evaluation",
                "lookup_table",
                "padded_batch",
                "strings",
                "text_lines",
                "type_bool",
                "type_uint8"
            })
    void theValuesArePythons(String pipeline) throws IOException {
        Recorded recorded = Recorded.read(PIPELINES.resolve("values").resolve(pipeline + ".jsonl"));
        byte[] graph = Files.readAllBytes(PIPELINES.resolve(pipeline + ".pb"));
        List<Row> came = new ArrayList<>();
        JobResult result;
        try (PralineClient client = Cluster.shared().client();
                BatchStream stream = client.submit(JobSpec.of(graph)
                        .named(pipeline)
                        .data(PIPELINES.resolve(recorded.said().glob()).toString())
                        .seed(11))) {
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    ReadRow.all(batch, recorded.said()).forEach(read -> came.add(read.row()));
                }
            }
            result = stream.result();
        }

        assertThat(result.state()).isEqualTo(JobState.COMPLETED);
        assertThat(Row.difference(recorded.rows(), came)).isEqualTo(new Row.Difference(List.of(), List.of()));
    }
}
