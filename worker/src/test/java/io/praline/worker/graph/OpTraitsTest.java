package io.praline.worker.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

class OpTraitsTest {

    @Test
    void aRowSaysWhatAnOpDoes() {
        assertThat(OpTraits.of("BatchDatasetV2"))
                .isEqualTo(new OpTraits(
                        "BatchDatasetV2",
                        true,
                        OpTraits.Family.BATCH,
                        OpTraits.Grain.MANY_TO_ONE,
                        true,
                        OpTraits.Drops.REMAINDER,
                        OpTraits.Repeats.YES,
                        false,
                        OpTraits.Draws.NOTHING,
                        Optional.empty(),
                        Map.of(OpTraits.Input.SIZE, 1, OpTraits.Input.REMAINDER, 2),
                        "each task makes batches of what it reads itself"));
        assertThat(OpTraits.of("RandomShuffle").stateless()).contains("StatelessShuffle");
        assertThat(OpTraits.of("StatefulUniform").draws()).isEqualTo(OpTraits.Draws.UNKEYABLE);
    }

    @Test
    void whetherAnOpDrawsMayBeForItsAttributesToSay() {
        NodeDef.Builder glimpse = Protos.node("seen", "ExtractGlimpseV2", "picture", "size", "offsets");
        NodeDef.Builder still =
                glimpse.clone().putAttr("uniform_noise", Protos.bool(false)).putAttr("noise", Protos.string("zero"));
        NodeDef.Builder pool = Protos.node("pooled", "FractionalMaxPool", "picture");
        NodeDef.Builder fixed =
                pool.clone().putAttr("deterministic", Protos.bool(true)).putAttr("seed2", Protos.number(3));

        assertThat(List.of(glimpse, still, pool, fixed))
                .extracting(node -> OpTraits.of(node.build()).draws())
                .containsExactly(
                        OpTraits.Draws.UNKEYABLE,
                        OpTraits.Draws.NOTHING,
                        OpTraits.Draws.UNKEYABLE,
                        OpTraits.Draws.NOTHING);
    }

    /** Datasets that yield the same in several ways would all have to be cut alike. */
    @Test
    void whatChoosesTheFastestOfSeveralIsNotCut() {
        assertThat(List.of("ChooseFastestDataset", "ChooseFastestBranchDataset"))
                .allMatch(op -> OpTraits.of(op).position());
    }

    @Test
    void aDatasetThatTheTableLacksIsTakenForTheWorst() {
        OpTraits worst = OpTraits.of("CleverDatasetV7");

        assertThat(worst.known()).isFalse();
        assertThat(worst.keepsOrder()).isFalse();
        assertThat(worst.position()).isTrue();
        assertThat(worst.drops()).isEqualTo(OpTraits.Drops.CHANCE);
        assertThat(worst.repeats()).isEqualTo(OpTraits.Repeats.NO);
        assertThat(worst.draws()).isEqualTo(OpTraits.Draws.UNKEYABLE);
        assertThat(worst.words()).isEqualTo("no row: taken for the worst that there is");
    }

    @Test
    void whatIsNoDatasetAndHasNoRowComputesFromItsInputs() {
        assertThat(OpTraits.of("AddV2").family()).isEqualTo(OpTraits.Family.PURE);
        assertThat(OpTraits.of("AddV2").repeats()).isEqualTo(OpTraits.Repeats.YES);
    }

    // the drop flag of a padded batch stands behind a shape and a padding for each component; control inputs do not
    // count
    @Test
    void placesOfInputsMayCountFromTheLastOne() {
        OpTraits padded = OpTraits.of("PaddedBatchDatasetV2");

        assertThat(padded.input(
                        Protos.node("batch", "PaddedBatchDatasetV2", "data", "n", "shape", "value", "drop", "^other")
                                .build(),
                        OpTraits.Input.REMAINDER))
                .contains("drop");
        assertThat(padded.input(
                        Protos.node("batch", "PaddedBatchDatasetV2", "data").build(), OpTraits.Input.SIZE))
                .isEmpty();
    }

    @Test
    void namesTheOpsOfAPipelineThatDoMoreThanCompute() {
        assertThat(OpTraits.in(Pipelines.parse("random_seeded")))
                .extracting(OpTraits::op)
                .containsExactly(
                        "BatchDatasetV2",
                        "FlatMapDataset",
                        "ParallelMapDatasetV2",
                        "RandomStandardNormal",
                        "RandomUniform",
                        "RandomUniformInt",
                        "TFRecordDataset",
                        "TensorSliceDataset",
                        "TruncatedNormal");
    }

    @Test
    void rowsThatContradictThemselvesAreNotTaken() {
        assertThatThrownBy(() -> row(true, OpTraits.Draws.KEYABLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "stateless must be there where draws can be keyed and nowhere else, is Optional.empty of X");
        assertThatThrownBy(() -> row(false, OpTraits.Draws.NOTHING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("X is no dataset and must not say what it does to elements");
        assertThat(List.of(row(true, OpTraits.Draws.NOTHING).words())).containsExactly("draw");
    }

    private static Map<String, OpTraits> table(String... rows) {
        return OpTable.rows(Stream.concat(Stream.of("op"), Stream.of(rows)).map(row -> row.replace(" | ", "\t")));
    }

    @Test
    void aLineOfTheTableIsARow() {
        String draw = "Draw | draw | value | kept | nothing | no | no | StatelessDraw | - | -";
        String batch =
                "Batch | sparse batch | many to one | lost | remainder | seeded | yes | unkeyed | seed:1 seed2:-2"
                        + " | so";
        assertThat(table(draw, batch))
                .isEqualTo(Map.of(
                        "Draw",
                        new OpTraits(
                                "Draw",
                                true,
                                OpTraits.Family.DRAW,
                                OpTraits.Grain.VALUE,
                                true,
                                OpTraits.Drops.NOTHING,
                                OpTraits.Repeats.NO,
                                false,
                                OpTraits.Draws.KEYABLE,
                                Optional.of("StatelessDraw"),
                                Map.of(),
                                ""),
                        "Batch",
                        new OpTraits(
                                "Batch",
                                true,
                                OpTraits.Family.SPARSE_BATCH,
                                OpTraits.Grain.MANY_TO_ONE,
                                false,
                                OpTraits.Drops.REMAINDER,
                                OpTraits.Repeats.SEEDED,
                                true,
                                OpTraits.Draws.UNKEYABLE,
                                Optional.empty(),
                                Map.of(OpTraits.Input.SEED, 1, OpTraits.Input.SEED2, -2),
                                "so")));
    }

    @Test
    void aTableThatContradictsItselfIsNotTaken() {
        String row = "Draw | draw | value | kept | nothing | no | no | - | - | -";
        assertThatThrownBy(() -> table(row, row)).hasMessage("op-traits.tsv has two rows for Draw");
        assertThatThrownBy(() -> table("Draw | draw"))
                .hasMessage("op-traits.tsv must have 10 columns in each line: Draw\tdraw");
        assertThatThrownBy(() -> table(row.replace("kept", "held")))
                .hasMessage("op-traits.tsv must say kept or lost, says held");
        assertThatThrownBy(() -> table(row.replace("| nothing | no |", "| nothing | never |")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatAnOpDoesIsSaidInWords() {
        assertThat(Stream.of("BatchDatasetV2", "ShuffleDatasetV3", "FilterDataset", "RandomUniform", "StatefulUniform")
                        .map(op -> OpTraits.of(op).words()))
                .containsExactly(
                        "batch, many to one, drops by remainder, each task makes batches of what it reads itself",
                        "shuffle, one to one, loses the order, each task shuffles what it reads itself",
                        "filter, one to one, drops by predicate",
                        "draw, draws, by key with StatelessRandomUniformV2",
                        "draw, looks at the global position, draws, not by key");
        assertThat(table("Read | state | value | kept | nothing | seeded | no | - | seed:0 seed2:1 | -")
                        .get("Read")
                        .words())
                .isEqualTo("state, repeatable if seeded");
        assertThat(table("Read | state | value | kept | nothing | no | no | - | - | -")
                        .get("Read")
                        .words())
                .isEqualTo("state, not repeatable");
    }

    // a function may be called as a dataset is
    @Test
    void whatIsCalledByItsNameIsNoOp() {
        PipelineGraph calling = Written.of("int32")
                .function("MyDataset", List.of("int32"), "-> a")
                .map("r = MyDataset x", "-> r")
                .graph();

        assertThat(OpTraits.in(calling)).extracting(OpTraits::op).containsExactly("MapDataset", "TensorSliceDataset");
    }

    private static OpTraits row(boolean keepsOrder, OpTraits.Draws draws) {
        return new OpTraits(
                "X",
                true,
                OpTraits.Family.DRAW,
                OpTraits.Grain.VALUE,
                keepsOrder,
                OpTraits.Drops.NOTHING,
                OpTraits.Repeats.YES,
                false,
                draws,
                Optional.empty(),
                Map.of(),
                "");
    }
}
