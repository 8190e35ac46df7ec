package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.GraphDef;

class SharedDatasetsTest {
    @ParameterizedTest
    @CsvSource({
        "folds_of_one_shuffle, ShuffleDatasetV3, 4, 1",
        "two_orders_of_a_seeded_shuffle, ShuffleDatasetV3, 2, 1",
        "random_numbers_read_twice, RandomDatasetV2, 2, 1",
        "an_order_kept_for_two, CacheDatasetV2, 2, 1",
        "draws_kept_in_a_file_for_two, CacheDatasetV2, 2, 1",
        // what was made twice stays two
        "two_shuffles_of_one_seed, ShuffleDatasetV3, 2, 2"
    })
    void whatWasOneInTheProgramIsOneAgain(String program, String op, int written, int read) throws IOException {
        PipelineGraph pipeline = Pipelines.parse("../corpus/" + program);
        List<String> ops = new ArrayList<>();
        GraphDef.parseFrom(Pipelines.bytes("../corpus/" + program))
                .getNodeList()
                .forEach(node -> ops.add(node.getOp()));

        assertThat(ops.stream().filter(op::equals)).hasSize(written);
        assertThat(pipeline.nodes().values().stream()
                        .filter(node -> node.getOp().equals(op)))
                .hasSize(read);
        assertThat(PipelineGraph.parse(pipeline.toBytes(), Pipelines.ANY_OP).digest())
                .isEqualTo(pipeline.digest());
    }
}
