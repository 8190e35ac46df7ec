package io.praline.worker.graph.spelling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.IntegerGraph;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.data.DatasetOptions.OptimizationOptions;
import org.tensorflow.proto.data.DatasetOptions.Options;

class OptimizationsTest {
    private static NodeDef options(String name, String input, UnaryOperator<OptimizationOptions.Builder> said) {
        Options options = Options.newBuilder()
                .setOptimizationOptions(said.apply(OptimizationOptions.newBuilder()))
                .build();
        return Protos.node(name, "OptionsDataset", input)
                .putAttr(
                        "serialized_options",
                        AttrValue.newBuilder().setS(options.toByteString()).build())
                .build();
    }

    /** What holds of some integers with these nodes behind them, the last of which is the root. */
    private static Optimizations of(NodeDef... behind) {
        PipelineGraph below = PipelineGraph.parse(IntegerGraph.range(0, 50, 1).bytes(), Pipelines.ANY_OP);
        List<NodeDef> nodes = new ArrayList<>(below.nodes().values());
        nodes.add(Protos.node("integers", "Identity", below.root()).build());
        nodes.addAll(List.of(behind));
        String root = nodes.get(nodes.size() - 1).getName();
        return Optimizations.of(new PipelineGraph(nodes, List.of(), root, below.versions()));
    }

    @Test
    void whatNobodySaysIsDone() {
        Optimizations unsaid = of();

        assertThat(unsaid.fuseShuffles()).isTrue();
        assertThat(unsaid.fuseBatches()).isTrue();
        assertThat(unsaid.leaveOutWhatChangesNothing()).isTrue();
    }

    @Test
    void ofAllNoneIsDoneButWhatHasItsOwnWord() {
        Optimizations few = of(options("few", "integers", said -> said.setApplyDefaultOptimizations(false)
                .setShuffleAndRepeatFusion(true)));

        assertThat(few.fuseShuffles()).isTrue();
        assertThat(few.fuseBatches()).isFalse();
        assertThat(few.leaveOutWhatChangesNothing()).isFalse();
    }

    @Test
    void whoReadsOverrulesWhatItReads() {
        NodeDef off = options("off", "integers", said -> said.setNoopElimination(false));

        assertThat(of(off).leaveOutWhatChangesNothing()).isFalse();
        assertThat(of(off, options("on", "off", said -> said.setNoopElimination(true)))
                        .leaveOutWhatChangesNothing())
                .isTrue();
        assertThat(of(off, options("other", "off", said -> said.setMapAndBatchFusion(false)))
                        .leaveOutWhatChangesNothing())
                .isFalse();
    }

    @Test
    void theLastOfSeveralInputsOverrulesThoseBefore() {
        NodeDef off = options("off", "integers", said -> said.setShuffleAndRepeatFusion(false));
        NodeDef on = options("on", "integers", said -> said.setShuffleAndRepeatFusion(true));

        assertThat(of(
                                off,
                                on,
                                Protos.node("both", "ConcatenateDataset", "off", "on")
                                        .build())
                        .fuseShuffles())
                .isTrue();
        assertThat(of(
                                off,
                                on,
                                Protos.node("both", "ConcatenateDataset", "on", "off")
                                        .build())
                        .fuseShuffles())
                .isFalse();
    }
}
