package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.FunctionDef;
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

    // whoever kept something under it, or was told of it, finds it again when workers are newer
    @Test
    void theDigestOfAProgramIsTheSameInAllVersions() {
        assertThat(Pipelines.parse("lookup_table").digest())
                .isEqualTo("b0bfb4a7811e7161f31822c41db494c989dbd2186de17de80b4faa517b267f55");
        assertThat(Pipelines.parse("jpeg_training").digest())
                .isEqualTo("62b1991b827acc04a93d5532f792298b1ef0c29cf173c7c0db3b745a8d939042");
    }

    @Test
    void aFunctionThatIsRunTwiceIsWrittenDownOnceAndNamedByBoth() {
        PipelineGraph pipeline = Written.of("int32")
                .function("f", List.of("int32"), "r = Neg a", "-> r")
                .map("a = PartitionedCall x f=@f Tout={int32}", "b = PartitionedCall a f=@f Tout={int32}", "-> b")
                .graph();
        List<FunctionDef> functions = pipeline.canonical().getLibrary().getFunctionList();
        List<String> names =
                functions.stream().map(each -> each.getSignature().getName()).toList();

        assertThat(names).hasSize(2).doesNotHaveDuplicates().allMatch(name -> name.matches("f_[0-9a-f]{32}"));
        assertThat(functions.stream()
                        .flatMap(each -> each.getNodeDefList().stream())
                        .filter(node -> node.containsAttr("f"))
                        .map(node -> node.getAttrOrThrow("f").getFunc().getName()))
                .hasSize(2)
                .allMatch(names::contains);
    }
}
