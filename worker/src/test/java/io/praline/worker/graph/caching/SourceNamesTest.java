package io.praline.worker.graph.caching;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.Reads;
import io.praline.worker.graph.source.SourceKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** Files that steps open by components of a source's elements: of two lists of names and of numbers. */
class SourceNamesTest {
    private static NodeDef.Builder names(String node, String... names) {
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setDtype(DataType.DT_STRING).setTensorShape(Protos.shape((long) names.length));
        Stream.of(names).map(ByteString::copyFromUtf8).forEach(tensor::addStringVal);
        return Protos.constant(node, tensor.build());
    }

    private static SourceNames of(FoundSource.How how, Optional<String> directory) {
        NodeDef slices = Protos.node("slices", "TensorSliceDataset", "pictures", "masks", "numbers", "text")
                .build();
        Scope scope = Scope.ofGraph(Stream.of(
                        names("pictures", "/a", "b"),
                        names("masks", "/c", "/d"),
                        Protos.constant("numbers", Protos.int64s(List.of(1L, 2L))),
                        Protos.constant("text", Protos.bytes(ByteString.copyFromUtf8("/e"))),
                        directory.map(folder -> RelativeNames.in(folder, slices)).orElse(slices).toBuilder())
                .map(NodeDef.Builder::build)
                .toList());
        PipelineSource source =
                new PipelineSource(new SourceKind.Indexes(2), List.of(), List.of(), false, false, Optional.empty());
        return new SourceNames(scope, new FoundSource("slices", source, how, false, Reads.ONE_BY_ONE, ""));
    }

    private static SourceNames slices() {
        return of(FoundSource.How.SLICES, Optional.empty());
    }

    @Test
    void eachListThatIsOpenedIsToldOnce() {
        SourceNames names = slices();

        assertThat(names.open(Set.of(1))).isTrue();
        assertThat(names.open(Set.of(0))).isTrue();
        assertThat(names.open(Set.of(1))).isTrue();
        assertThat(names.opened()).containsExactly(List.of("/c", "/d"), List.of("/a", "b"));
    }

    @Test
    void relativeNamesAreWithinTheFolderOfTheProgram() {
        SourceNames names = of(FoundSource.How.SLICES, Optional.of("/home"));

        assertThat(names.open(Set.of(0))).isTrue();
        assertThat(names.opened()).containsExactly(List.of("/a", "/home/b"));
    }

    @Test
    void whatIsNoListOfNamesNoKeyTellsOf() {
        assertThat(slices().open(Set.of(2))).isFalse();
        assertThat(slices().open(Set.of(3))).isFalse();
        assertThat(slices().open(Set.of(4))).isFalse();
        assertThat(of(FoundSource.How.RANGE, Optional.empty()).open(Set.of(0))).isFalse();
    }

    @Test
    void namesOfASplitAreItsOwn() {
        assertThat(of(FoundSource.How.NAMES, Optional.empty()).open(Set.of(0))).isTrue();
        assertThat(of(FoundSource.How.NAMES, Optional.empty()).open(Set.of(1))).isFalse();
    }

    @Test
    void behindAStepThatMakesOthersComponentsAreNoNamesOfTheSource() {
        SourceNames names = slices();
        names.pass(false);
        assertThat(names.open(Set.of(0))).isTrue();
        names.pass(true);
        names.pass(false);
        assertThat(names.open(Set.of(0))).isFalse();
        assertThat(names.open(Set.of())).isTrue();
    }
}
