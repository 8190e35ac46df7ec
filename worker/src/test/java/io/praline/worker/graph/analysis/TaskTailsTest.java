package io.praline.worker.graph.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of elements that do not fill a batch, and which step is the first that sees elements of several splits. */
class TaskTailsTest {
    private static final String OTHERS =
            ": which elements do not fill a batch, and are left out, is decided by which are there last, where one"
                    + " process leaves out the last in order; as many are left out";

    private static final String OF_EACH_EPOCH =
            ": each epoch leaves out what does not fill its last batch, where one process does so once, behind the last"
                    + " repetition; of fewer elements than a batch has none is made";

    private static PipelineAnalysis of(IntegerGraph graph) {
        return PipelineAnalysis.of(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP));
    }

    private static List<String> tails(IntegerGraph graph) {
        return of(graph).notes().stream().filter(note -> note.contains("fill")).toList();
    }

    private static IntegerGraph numbers() {
        return IntegerGraph.range(0, 100, 1);
    }

    @Test
    void withTicketsAShortBatchIsNotSpokenOfUnlessItIsLeftOut() {
        assertThat(tails(numbers().batch(7, false))).isEmpty();
        assertThat(tails(numbers().batch(7, true))).containsExactly("batch_1" + OTHERS);
        assertThat(tails(numbers().batch(7, true).affine(2, 1, false).paddedBatch(3, 0, true)))
                .containsExactly("batch_1" + OTHERS, "padded_batch_3" + OTHERS);
    }

    @Test
    void whereChanceHasMixedThemItDecidesInOneProcessToo() {
        assertThat(tails(numbers().shuffle(10, 0).batch(7, true))).isEmpty();
        assertThat(tails(numbers().batch(7, true).shuffle(10, 0).batch(3, true)))
                .containsExactly("batch_1" + OTHERS);
    }

    @Test
    void ofEpochsEachLeavesOutItsOwn() {
        assertThat(tails(numbers().repeat(3).batch(7, true))).containsExactly("batch_2" + OF_EACH_EPOCH);
        assertThat(tails(numbers().shuffle(10, 0).repeat(3).batch(7, true))).containsExactly("batch_3" + OF_EACH_EPOCH);
        assertThat(tails(numbers().repeat(1).batch(7, true))).containsExactly("batch_2" + OTHERS);
        assertThat(tails(numbers().repeat(3).batch(7, false))).isEmpty();
    }

    @Test
    void stepsThatLookAtOneElementAtATimeSeeNoSeveralSplits() {
        assertThat(of(numbers()).acrossSplits()).isEmpty();
        assertThat(of(numbers().affine(2, 1, true).without(3, 0).prefetch(2)).acrossSplits())
                .isEmpty();
        assertThat(of(numbers().copies(3).affine(2, 1, false)).acrossSplits()).isEmpty();
    }

    // a short batch at the end of a split is one more short batch; in another batch, or left out, it is a fault
    @Test
    void oneBatchThatMayBeShortSeesNone() {
        assertThat(of(numbers().batch(7, false)).acrossSplits()).isEmpty();
        assertThat(of(numbers().paddedBatch(7, 0, false)).acrossSplits()).isEmpty();
        assertThat(of(numbers().batch(7, false).unbatch().batch(3, false)).acrossSplits())
                .isEmpty();
        assertThat(of(numbers().paddedBatch(7, 0, false).unbatch().paddedBatch(3, 0, false))
                        .acrossSplits())
                .isEmpty();
        assertThat(of(numbers().batch(7, true)).acrossSplits()).contains("batch_1");
        assertThat(of(numbers().batch(7, false).affine(2, 1, false).batch(3, false))
                        .acrossSplits())
                .contains("batch_3");
    }

    @Test
    void whatMixesGroupsOrPairsSeesSeveral() {
        assertThat(of(numbers().shuffle(10, 0).batch(7, true)).acrossSplits()).contains("shuffle_1");
        assertThat(of(numbers().groups(3, 4)).acrossSplits()).contains("group_by_window_1");
    }

    // epochs and entries stand in for what a repeat and a cache did
    @Test
    void whatGaveWayToEpochsAndEntriesSeesNone() {
        assertThat(of(numbers().cache().repeat(3).batch(7, false)).acrossSplits())
                .isEmpty();
        assertThat(of(numbers().repeat(3)).acrossSplits()).isEmpty();
    }

    @Test
    void elementsAreBatchesUntilAllOfThemAreTakenApart() {
        assertThat(of(numbers()).batched()).isFalse();
        assertThat(of(numbers().batch(4, false)).batched()).isTrue();
        assertThat(of(numbers().paddedBatch(4, 0, false)).batched()).isTrue();
        assertThat(of(numbers().batch(4, false).affine(2, 1, false).unbatch()).batched())
                .isFalse();
        assertThat(of(numbers().batch(4, false).batch(3, false).unbatch()).batched())
                .isTrue();
        assertThat(of(numbers().batch(4, false).batch(3, false).unbatch().unbatch())
                        .batched())
                .isFalse();
    }
}
