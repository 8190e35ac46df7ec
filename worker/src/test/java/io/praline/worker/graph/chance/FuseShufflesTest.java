package io.praline.worker.graph.chance;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.spelling.Optimizations;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.NodeDef;

class FuseShufflesTest {
    private static IntegerGraph shuffled() {
        return IntegerGraph.range(0, 50, 1).shuffle(50, 4);
    }

    /** Shuffles and repeats that the result is made of, from the last on. */
    private static List<String> read(PipelineGraph written) {
        PipelineGraph bound = new BindSplits().apply(new StampDraws().apply(written));
        PipelineGraph fused = new FuseShuffles(Optimizations.of(written)).apply(bound);
        Scope scope = fused.scope();
        return scope.madeOf(fused.root()).stream()
                .map(scope::node)
                .filter(node -> node.getOp().contains("Shuffle") || node.getOp().contains("Repeat"))
                .map(node -> told(node, scope))
                .toList();
    }

    private static String told(NodeDef node, Scope scope) {
        String count = DatasetOps.number(node, OpTraits.Input.COUNT, scope)
                .map(times -> " " + times)
                .orElse("");
        return node.getOp() + count;
    }

    private static List<String> read(IntegerGraph graph) {
        return read(PipelineGraph.parse(graph.bytes(), Pipelines.ANY_OP));
    }

    @Test
    void aShuffleAndItsRepeatAreOneStepInWhatIsReadAsAWhole() {
        assertThat(read(shuffled().repeat(2).take(70))).containsExactly("ShuffleAndRepeatDatasetV2 2");
        assertThat(read(shuffled().skip(0).repeat(-1).take(70))).containsExactly("ShuffleAndRepeatDatasetV2 -1");
        assertThat(read(shuffled().repeat(2).repeat(3).take(70)))
                .containsExactly("RepeatDataset 3", "ShuffleAndRepeatDatasetV2 2");
        assertThat(read(shuffled().take(6).repeat(2).take(9))).containsExactly("RepeatDataset 2", "ShuffleDatasetV3");
    }

    @Test
    void aRepeatOfOneIsTakenOut() {
        assertThat(read(shuffled().take(6).repeat(1).repeat(3).take(9)))
                .containsExactly("RepeatDataset 3", "ShuffleDatasetV3");
        assertThat(read(shuffled().repeat(1).repeat(2).take(70))).containsExactly("ShuffleAndRepeatDatasetV2 2");
    }

    @Test
    void itKeepsItsSeedsAndHowItShuffles() {
        PipelineGraph written =
                PipelineGraph.parse(shuffled().repeat(2).take(70).bytes(), Pipelines.ANY_OP);
        PipelineGraph bound = new BindSplits().apply(new StampDraws().apply(written));
        PipelineGraph fused = new FuseShuffles(Optimizations.of(written)).apply(bound);
        Scope scope = fused.scope();
        NodeDef one = fused.nodes().values().stream()
                .filter(node -> node.getOp().equals("ShuffleAndRepeatDatasetV2"))
                .findFirst()
                .orElseThrow();
        NodeDef before = bound.nodes().values().stream()
                .filter(node -> node.getOp().equals("ShuffleDatasetV3"))
                .findFirst()
                .orElseThrow();

        assertThat(one.getInputList())
                .hasSize(6)
                .endsWith(before.getInput(4))
                .startsWith(before.getInputList().subList(0, 4).toArray(String[]::new));
        assertThat(DatasetOps.drawsAnew(one)).isTrue();
        assertThat(Stream.of(OpTraits.Input.SEED, OpTraits.Input.SEED2)
                        .map(input -> DatasetOps.number(one, input, scope).orElseThrow())
                        .toList())
                .isEqualTo(Stream.of(OpTraits.Input.SEED, OpTraits.Input.SEED2)
                        .map(input -> DatasetOps.number(before, input, scope).orElseThrow())
                        .toList());
    }
}
