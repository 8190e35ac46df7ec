package io.praline.worker.graph.spelling;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Shuffles without a seed that do not reshuffle, of which parts are taken: training and validation data are cut from one order,
 * and go to jobs of their own. One process draws that order once; each job would draw its own, and the parts would overlap. So it
 * follows from the data and the steps up to the shuffle, as if the user had given it a seed.
 */
public final class FixedShuffles {
    private FixedShuffles() {}

    /** Gives them seeds; whether there are any. */
    static boolean seed(PipelineGraph pipeline, Scope scope) {
        List<NodeDef> shuffles = of(pipeline);
        Map<String, Integer> alike = new HashMap<>();
        for (NodeDef shuffle : shuffles) {
            PipelineGraph upTo = new PipelineGraph(
                    pipeline.nodes().values(), pipeline.functions().values(), shuffle.getName(), pipeline.versions());
            String digest = upTo.digest();
            // what is written twice in the same words is shuffled twice
            int before = alike.merge(digest, 1, Integer::sum) - 1;
            int first = OpTraits.of(shuffle).inputs().get(OpTraits.Input.SEED);
            NodeDef.Builder seeded = scope.node(shuffle.getName()).toBuilder();
            // 0 and 0 would mean: no seed
            seeded.setInput(first, constant(scope, Long.parseUnsignedLong(digest.substring(0, 16), 16) | 1));
            seeded.setInput(first + 1, constant(scope, Long.parseUnsignedLong(digest.substring(16, 32), 16) + before));
            scope.put(seeded.putAttr(DatasetOps.FIXED_SEEDS, Protos.bool(true)).build());
        }
        return !shuffles.isEmpty();
    }

    private static String constant(Scope scope, long seed) {
        return scope.constant("fixed_seed", Protos.int64(seed));
    }

    /**
     * A line that names them; empty where there are none.
     *
     * @param written as the user wrote it
     * @param names of transformations, by the names of their nodes
     */
    public static Optional<String> note(PipelineGraph written, Map<String, String> names) {
        List<String> steps = of(written).stream()
                .map(NodeDef::getName)
                .filter(names::containsKey)
                .map(names::get)
                .toList();
        return StepNote.of(
                steps,
                "has no seed and does not reshuffle, so its order follows from what is shuffled: the same in every"
                        + " job, so that parts which several jobs take of it do not overlap; give it a seed for another one");
    }

    private static List<NodeDef> of(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Set<String> cut = cut(pipeline);
        List<NodeDef> shuffles = new ArrayList<>();
        for (NodeDef node : pipeline.nodes().values()) {
            boolean fixed = OpTraits.of(node).family() == OpTraits.Family.SHUFFLE && !DatasetOps.drawsAnew(node);
            if (fixed && cut.contains(node.getName()) && DatasetOps.isUnseeded(node, scope)) {
                shuffles.add(node);
            }
        }
        return shuffles;
    }

    /** Nodes of whose elements something takes some by their places. */
    private static Set<String> cut(PipelineGraph pipeline) {
        Deque<String> open = new ArrayDeque<>();
        for (NodeDef node : pipeline.nodes().values()) {
            OpTraits traits = OpTraits.of(node);
            if (DatasetOps.isDataset(node) && (traits.position() || traits.family() == OpTraits.Family.ZIP)) {
                node.getInputList().forEach(input -> open.add(Scope.nodeOf(input)));
            }
        }
        Set<String> cut = new HashSet<>();
        while (!open.isEmpty()) {
            String name = open.pop();
            if (cut.add(name)) {
                pipeline.nodes().get(name).getInputList().forEach(input -> open.add(Scope.nodeOf(input)));
            }
        }
        return cut;
    }
}
