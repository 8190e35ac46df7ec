package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.Options;

/** How many files are read at a time, and how many elements in a row of each: of a node of a program that opens files. */
class ReadsTest {
    private static NodeDef.Builder parallel() {
        return Protos.node(
                "opens", "ParallelInterleaveDatasetV4", "names", "cycle", "block", "ahead", "ahead", "calls");
    }

    private static Reads of(NodeDef.Builder opens, long cycle, long block, long calls, NodeDef... above) {
        Scope scope = Scope.ofGraph(Stream.of(
                        Protos.constant("cycle", Protos.int64(cycle)),
                        Protos.constant("block", Protos.int64(block)),
                        Protos.constant("ahead", Protos.int64(-1)),
                        Protos.constant("calls", Protos.int64(calls)))
                .map(NodeDef.Builder::build)
                .toList());
        return Reads.of(opens.build(), scope, List.of(above));
    }

    @Test
    void asManyFilesAreReadAsTheCycleHasAndCallsRun() {
        assertThat(of(parallel(), 4, 3, 4)).isEqualTo(new Reads(4, 3));
        assertThat(of(parallel(), 4, 3, 2)).isEqualTo(new Reads(2, 3));
        assertThat(of(parallel(), 4, 3, 9)).isEqualTo(new Reads(4, 3));
    }

    // with -1 TensorFlow asks its host: as many as on one of eight cores; and each has a thread, so that there is an
    // end
    @Test
    void whatIsLeftToTheHostIsThatOfAUsualOne() {
        assertThat(of(parallel(), -1, 0, -1)).isEqualTo(new Reads(8, 1));
        assertThat(of(parallel(), 0, -1, 0)).isEqualTo(new Reads(8, 1));
        assertThat(of(parallel(), 1, 1, -1)).isEqualTo(new Reads(1, 1));
        assertThat(of(parallel(), 64, 1, -1)).isEqualTo(new Reads(16, 1));
        assertThat(of(parallel(), 64, 1, 64)).isEqualTo(new Reads(16, 1));
    }

    @Test
    void whereNobodyAskedForSeveralOneIsReadAfterTheOther() {
        NodeDef.Builder plain = Protos.node("opens", "InterleaveDataset", "names", "cycle", "block");
        assertThat(of(plain, 4, 3, 4)).isEqualTo(Reads.ONE_BY_ONE);
        NodeDef.Builder asked = parallel().setInput(1, "nobody_knows");
        assertThat(of(asked, 4, 3, 4)).isEqualTo(Reads.ONE_BY_ONE);
    }

    private static NodeDef options(boolean deterministic) {
        AttrValue serialized = AttrValue.newBuilder()
                .setS(Options.newBuilder()
                        .setDeterministic(deterministic)
                        .build()
                        .toByteString())
                .build();
        return Protos.node("options", "OptionsDataset", "opens")
                .putAttr("serialized_options", serialized)
                .build();
    }

    @Test
    void whoeverAsksForAnOrderIsGivenOne() {
        NodeDef.Builder ordered = parallel().putAttr("deterministic", Protos.string("true"));
        NodeDef.Builder free = parallel().putAttr("deterministic", Protos.string("false"));
        assertThat(of(ordered, 4, 3, 4)).isEqualTo(Reads.ONE_BY_ONE);
        assertThat(of(free, 4, 3, 4)).isEqualTo(new Reads(4, 3));
        assertThat(of(parallel(), 4, 3, 4, options(true))).isEqualTo(Reads.ONE_BY_ONE);
        assertThat(of(parallel(), 4, 3, 4, options(false))).isEqualTo(new Reads(4, 3));
        // num_parallel_reads, which says that it keeps an order though nobody asked
        NodeDef.Builder reads = Protos.node(
                        "opens", "LegacyParallelInterleaveDatasetV2", "names", "cycle", "block", "ahead", "ahead")
                .putAttr("deterministic", Protos.string("true"));
        assertThat(of(reads, 4, 3, 4)).isEqualTo(new Reads(4, 3));
    }
}
