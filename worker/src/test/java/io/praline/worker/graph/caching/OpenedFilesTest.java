package io.praline.worker.graph.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.Protos;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Which files a map of elements {@code (x, y)} opens that captures {@code k}. */
class OpenedFilesTest {
    private final Map<String, FunctionDef> functions = new LinkedHashMap<>();

    private void function(String name, String... lines) {
        Map<String, DataType> arguments = new LinkedHashMap<>();
        arguments.put("x", DataType.DT_STRING);
        arguments.put("y", DataType.DT_STRING);
        arguments.put("k", DataType.DT_STRING);
        functions.put(name, FunctionText.of(name, arguments, functions, lines));
    }

    private OpenedFiles.Opened opened(String... lines) {
        function("f", lines);
        NodeDef map = Protos.node("map", "MapDataset", "data")
                .putAttr("f", Protos.function("f"))
                .build();
        return new OpenedFiles(functions).of(map, 2);
    }

    private static OpenedFiles.Opened by(Integer... components) {
        return new OpenedFiles.Opened(Set.of(components), Optional.empty());
    }

    @Test
    void namesThatElementsHaveAreToldByTheirPlaces() {
        assertThat(opened("-> x")).isEqualTo(by());
        assertThat(opened("a = ReadFile x", "-> a")).isEqualTo(by(0));
        assertThat(opened("i = Identity y", "a = ReadFile i", "-> a x")).isEqualTo(by(1));
        assertThat(opened("a = ReadFile x", "b = ReadFile y", "-> a b")).isEqualTo(by(0, 1));
    }

    @Test
    void aNameThatIsCapturedMadeOrWrittenDownIsNone() {
        for (String name : new String[] {"k", "'/a'", "made"}) {
            assertThat(opened("made = AddV2 x y", "a = ReadFile " + name, "-> a")
                            .other())
                    .contains("ReadFile");
        }
    }

    @Test
    void whatIsCalledIsToldWhichOfItsArgumentsAreNames() {
        function("reads", "a = ReadFile y", "-> a");
        function("calls", "a = PartitionedCall x y k f=@reads Tout={string}", "-> a");
        assertThat(opened("a = PartitionedCall x y k f=@reads Tout={string}", "-> a"))
                .isEqualTo(by(1));
        assertThat(opened("a = PartitionedCall x y k f=@calls Tout={string}", "-> a"))
                .isEqualTo(by(1));
        assertThat(opened("a = reads y x k", "-> a")).isEqualTo(by(0));
        assertThat(opened("a = PartitionedCall x k y f=@reads Tout={string}", "-> a")
                        .other())
                .contains("ReadFile");
        assertThat(opened("a = StatelessIf true x y k Tout={string} then_branch=@reads else_branch=@reads", "-> a")
                        .other())
                .contains("ReadFile");
    }

    @ParameterizedTest
    @CsvSource({
        "ReadFile, true",
        "TFRecordDataset, true",
        "MatchingFiles, true",
        "SaveV2, true",
        "RestoreV2, true",
        "WriteFile, true",
        "InitializeTableFromTextFileV2, true",
        "WholeFileReaderV2, true",
        "GenerateVocabRemapping, true",
        "SnapshotChunkDataset, true",
        "CacheDatasetV2, true",
        "MapDataset, false",
        "AddV2, false",
    })
    void someOpsOpenFiles(String op, boolean opens) {
        assertThat(OpenedFiles.opens(Protos.node("node", op, "x").build())).isEqualTo(opens);
    }

    @ParameterizedTest
    @CsvSource({"'', false", "local://, false", "bytes://abc, false", "/protos.pb, true"})
    void protosMayBeDescribedInAFile(String source, boolean opens) {
        NodeDef decode = Protos.node("decode", "DecodeProtoV2", "x")
                .putAttr("descriptor_source", Protos.string(source))
                .build();

        assertThat(OpenedFiles.opens(decode)).isEqualTo(opens);
    }

    @Test
    void beyondTheFileOfASplitAnySecondOneIsNamed() {
        function("once", "a = ReadFile x", "-> a");
        function(
                "twice",
                "a = PartitionedCall x y k f=@once Tout={string}",
                "b = PartitionedCall y x k f=@once Tout={string}",
                "-> a");
        function("again", "a = PartitionedCall x y k f=@again Tout={string}", "-> a");
        assertThat(besides("once")).isEmpty();
        assertThat(besides("twice")).contains("ReadFile");
        assertThat(besides("again")).isEmpty();
    }

    private Optional<String> besides(String called) {
        return new OpenedFiles(functions)
                .besides(Protos.node("source", "FlatMapDataset", "names")
                        .putAttr("f", Protos.function(called))
                        .build());
    }
}
