package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.GraphDef;

class CanonicalFormTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jpeg_training",
                "examples_big_map",
                "text_bucketed",
                "lookup_table",
                "shuffle_unseeded",
                "bucket_by_sequence_length",
                "random_unseeded",
                "captured_tensors"
            })
    void oneProgramSerialisedInTwoProcessesHasOneDigest(String name) {
        assertThat(Pipelines.bytes(name)).isNotEqualTo(Pipelines.bytes("twice/" + name));
        assertThat(Pipelines.parse(name).digest())
                .isEqualTo(Pipelines.parse("twice/" + name).digest());
    }

    @Test
    void differentProgramsHaveDifferentDigests() {
        Map<String, String> byDigest = new TreeMap<>();
        for (String name : Pipelines.running()) {
            String other = byDigest.put(Pipelines.parse(name).digest(), name);
            assertThat(other).as("the digest of " + name).isNull();
        }
    }

    @Test
    void theUsersNamesArePartOfThePipeline() throws InvalidProtocolBufferException {
        GraphDef.Builder graph = GraphDef.parseFrom(Pipelines.bytes("map")).toBuilder();
        graph.getNodeBuilderList().stream()
                .filter(node -> node.getOp().equals("MapDataset"))
                .forEach(node -> node.putAttr("metadata", Protos.string("\n\5other")));

        assertThat(PipelineGraph.parse(graph.build().toByteArray(), Pipelines.ANY_OP)
                        .digest())
                .isNotEqualTo(Pipelines.parse("map").digest());
    }

    @Test
    void theCanonicalFormIsItsOwnCanonicalForm() {
        PipelineGraph pipeline = Pipelines.parse("integers");

        assertThat(PipelineGraph.parse(pipeline.canonical().toByteString(), Pipelines.ANY_OP)
                        .digest())
                .isEqualTo(pipeline.digest());
    }
}
