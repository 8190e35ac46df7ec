package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Pass;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.opening.BindSplits;
import io.praline.worker.graph.spelling.Optimizations;
import java.util.Set;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.NodeDef;

/**
 * Makes one step of a shuffle and the {@code repeat} behind it, and takes out a {@code repeat} of one, in what is read as a whole. A
 * {@code repeat} makes one more iterator of what it repeats behind the last time, and of a shuffle that is one of its orders: it would
 * go on with others than in one process, where TensorFlow rewrites both so. Here it does not, since that part is captured. Comes behind
 * {@link DrawByElement}, which knows what is read more than once.
 *
 * @param optimizations of the program
 */
public record FuseShuffles(Optimizations optimizations) implements Pass {
    @Override
    public PipelineGraph apply(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        TopSteps steps = new TopSteps(scope, pipeline.functions(), optimizations);
        Set<String> top = Readings.passed(scope, pipeline.root());
        top.retainAll(BindSplits.readAsAWhole(scope));
        for (NodeDef node : scope.nodes()) {
            if (!top.contains(node.getName()) || OpTraits.of(node).family() != OpTraits.Family.REPEAT) {
                continue;
            }
            NodeDef repeat = scope.node(node.getName());
            if (steps.leaveOut(repeat)) {
                scope.redirect(repeat.getName(), repeat.getInput(0));
            } else if (DatasetOps.number(repeat, OpTraits.Input.COUNT, scope)
                    .filter(count -> count > 0 || count == -1)
                    .isPresent()) {
                steps.shuffle(repeat)
                        .filter(DatasetOps::isDrawn)
                        .ifPresent(shuffle -> scope.put(fused(shuffle, repeat)));
            }
        }
        return new PipelineGraph(scope.nodes(), pipeline.functions().values(), pipeline.root(), pipeline.versions());
    }

    /** By its attributes a shuffle, with a number of times. */
    private static NodeDef fused(NodeDef shuffle, NodeDef repeat) {
        String count = repeat.getInput(1);
        NodeDef.Builder fused = shuffle.toBuilder().setName(repeat.getName());
        if (shuffle.getOp().equals("ShuffleDatasetV3")) {
            fused.setOp("ShuffleAndRepeatDatasetV2")
                    .clearInput()
                    .addAllInput(shuffle.getInputList().subList(0, 4))
                    .addInput(count)
                    .addAllInput(shuffle.getInputList().subList(4, shuffle.getInputCount()));
        } else {
            fused.setOp("ShuffleAndRepeatDataset").addInput(count);
        }
        DatasetOps.setComponents(fused, "output_types", DatasetOps.components(repeat));
        AttrValue metadata = repeat.getAttrOrDefault("metadata", Protos.string(""));
        return fused.putAttr("metadata", metadata).build();
    }
}
