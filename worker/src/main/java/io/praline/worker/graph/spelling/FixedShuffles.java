package io.praline.worker.graph.spelling;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.tensorflow.proto.NodeDef;

/**
 * Shuffles without a seed that do not reshuffle, or whose order a cache keeps, and of which parts are taken: training and
 * validation data are cut from one order, and go to jobs of their own. One process draws that order once; each job would draw its
 * own, and the parts would overlap. So it follows from the data and the steps up to the shuffle, as if the user had given it a
 * seed.
 */
public final class FixedShuffles {
    /** Take some rows of a batch. */
    private static final Set<String> TAKE_ROWS =
            Set.of("GatherNd", "GatherV2", "Slice", "Split", "SplitV", "StridedSlice");

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
            scope.put(seeded.build());
        }
        return !shuffles.isEmpty();
    }

    private static String constant(Scope scope, long seed) {
        return scope.constant("fixed_seed", Protos.int64(seed));
    }

    /**
     * Lines that name them.
     *
     * @param written as the user wrote it
     * @param names of transformations, by the names of their nodes
     */
    public static List<String> notes(PipelineGraph written, Map<String, String> names) {
        Map<Boolean, List<String>> steps = of(written).stream()
                .collect(Collectors.partitioningBy(
                        node -> DatasetOps.drawsAnew(node) || OpTraits.of(node).family() == OpTraits.Family.RANDOM,
                        Collectors.mapping(node -> StepNote.named(node, names), Collectors.toList())));
        List<String> notes = new ArrayList<>();
        StepNote.of(
                        steps.get(false),
                        "has no seed and does not reshuffle, so its order follows from what is shuffled: the same in every"
                                + " job, so that parts which several jobs take of it do not overlap; give it a seed for another one")
                .ifPresent(notes::add);
        StepNote.of(
                        steps.get(true),
                        "has no seed, and a cache keeps its order, which follows from what is shuffled: the same in every job, so"
                                + " that parts which several jobs take of it do not overlap, as those of one process whose cache has"
                                + " been read to its end; a part that leaves the cache before its end is one of another order in"
                                + " later epochs. Do not reshuffle, or give it a seed for another one")
                .ifPresent(notes::add);
        return notes;
    }

    /** In the order in which they are written down, which tells those apart that are written in the same words. */
    private static List<NodeDef> of(PipelineGraph pipeline) {
        Scope scope = pipeline.scope();
        Set<String> cut = upTo(pipeline, node -> takesByPlaces(pipeline, scope, node));
        Set<String> kept = upTo(
                pipeline,
                node -> cut.contains(node.getName()) && OpTraits.of(node).isCache());
        return pipeline.nodes().values().stream()
                .filter(DatasetOps::isDrawn)
                .filter(node -> cut.contains(node.getName()) && DatasetOps.isUnseeded(node, scope))
                .filter(node -> switch (OpTraits.of(node).family()) {
                    case SHUFFLE -> !DatasetOps.drawsAnew(node) || kept.contains(node.getName());
                    // which dataset the next element is of: one process draws that anew for each who reads it, but for
                    // a cache's
                    case RANDOM -> kept.contains(node.getName());
                    default -> false;
                })
                .toList();
    }

    /** Whether a step takes some elements by their places: of what it reads, of what its function reads or is given, of a batch. */
    private static boolean takesByPlaces(PipelineGraph pipeline, Scope scope, NodeDef node) {
        OpTraits traits = OpTraits.of(node);
        return traits.position()
                || traits.family() == OpTraits.Family.ZIP
                || pipeline.remembers(node)
                || pipeline.workOf(node)
                        .anyMatch(inner -> DatasetOps.isDataset(inner)
                                && OpTraits.of(inner).position())
                || (traits.family() == OpTraits.Family.MAP
                        && DatasetOps.yieldsBatches(scope, node.getInput(0))
                        && pipeline.workOf(node).anyMatch(inner -> TAKE_ROWS.contains(inner.getOp())));
    }

    /** Nodes of which some datasets are made, or which these read. */
    private static Set<String> upTo(PipelineGraph pipeline, Predicate<NodeDef> datasets) {
        Scope scope = pipeline.scope();
        return pipeline.nodes().values().stream()
                .filter(DatasetOps::isDataset)
                .filter(datasets)
                .flatMap(Scope::given)
                .flatMap(input -> scope.madeOf(input).stream())
                .collect(Collectors.toSet());
    }
}
