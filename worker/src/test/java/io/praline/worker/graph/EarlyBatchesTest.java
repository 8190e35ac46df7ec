package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What is put together for some maps and taken apart again is what it was; whatever else is done to batches is not undone. */
class EarlyBatchesTest {
    private static final FunctionDef BY_ROWS =
            EarlyBatches.marked(FunctionDef.newBuilder()).build();

    private static NodeDef.Builder batch(boolean drops) {
        return Protos.node("batch", "BatchDatasetV2", "data", "size", drops ? "yes" : "no");
    }

    private static NodeDef.Builder map() {
        return Protos.node("map", "MapDataset", "batch").putAttr("f", Protos.function("f"));
    }

    private static NodeDef.Builder unbatch(String of) {
        return Protos.node("unbatch", "UnbatchDataset", of);
    }

    private static Scope scope(NodeDef.Builder... nodes) {
        return Scope.ofGraph(Stream.concat(
                        Stream.of(nodes),
                        Stream.of(
                                Protos.constant("yes", Protos.flag(true)),
                                Protos.constant("no", Protos.flag(false)),
                                Protos.constant("size", Protos.int64(4)),
                                Protos.node("data", "RangeDataset")))
                .map(NodeDef.Builder::build)
                .toList());
    }

    private static Optional<String> undone(Map<String, FunctionDef> functions, NodeDef.Builder... nodes) {
        return EarlyBatches.undone(nodes[nodes.length - 1].build(), scope(nodes), functions);
    }

    private static NodeDef.Builder marked(NodeDef.Builder node) {
        return EarlyBatches.marked(node);
    }

    @Test
    void whatIsMadeAndTakenApartAgainIsUndone() {
        assertThat(undone(Map.of(), marked(batch(false)), marked(unbatch("batch"))))
                .contains("data");
        assertThat(undone(Map.of("f", BY_ROWS), marked(batch(false)), map(), marked(unbatch("map"))))
                .contains("data");
    }

    @Test
    void batchesOfTheUsersStay() {
        assertThat(undone(Map.of(), batch(false), marked(unbatch("batch")))).isEmpty();
        assertThat(undone(Map.of(), marked(batch(false)), unbatch("batch"))).isEmpty();
        assertThat(undone(Map.of(), marked(batch(true)), marked(unbatch("batch"))))
                .isEmpty();
        assertThat(undone(Map.of(), marked(batch(false)))).isEmpty();
    }

    @Test
    void aMapThatMayMakeOtherRowsIsInTheWay() {
        FunctionDef any = FunctionDef.getDefaultInstance();
        assertThat(undone(Map.of("f", any), marked(batch(false)), map(), marked(unbatch("map"))))
                .isEmpty();
        assertThat(undone(Map.of(), marked(batch(false)), map(), marked(unbatch("map"))))
                .isEmpty();
        assertThat(EarlyBatches.isByRows(BY_ROWS)).isTrue();
        assertThat(EarlyBatches.isByRows(any)).isFalse();
    }

    @Test
    void whatIsPassedIsTheDatasetBelow() {
        NodeDef.Builder same =
                Protos.node("same", "Identity", "unbatch").putAttr("T", Protos.type(DataType.DT_VARIANT));
        Scope scope = scope(marked(batch(false)), marked(unbatch("batch")), same);

        assertThat(List.of("same", "unbatch", "batch", "data"))
                .extracting(ref -> EarlyBatches.passed(ref, scope, Map.of()))
                .containsExactly("data", "data", "batch", "data");
    }
}
