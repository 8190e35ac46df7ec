package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import io.praline.worker.graph.spelling.SeedGenerators;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.tensorflow.proto.NodeDef;

/**
 * Parts that filters choose by what functions draw, to train and to validate. In one process those of one pass do not overlap where
 * the draws have seeds, which begin anew in each pass, or where a cache keeps them for all who read it. Here draws by seeds are
 * others in each epoch, and those without seeds in each job. It is said.
 */
public final class DrawnParts {
    private DrawnParts() {}

    /**
     * Lines that name the steps which draw so.
     *
     * @param stamped the pipeline as tasks read it, with its draws stamped
     * @param names of transformations, by the names of their nodes
     */
    public static List<String> notes(PipelineGraph stamped, Map<String, String> names) {
        List<String> notes = new ArrayList<>();
        note(
                        stamped,
                        names,
                        DrawnParts::isAnewBySeeds,
                        "what filters leave out by draws with seeds is another part in each epoch, where one"
                                + " process leaves out the same in each that a loop begins anew: parts that several jobs choose so overlap"
                                + " behind the first epoch. Choose by a hash of the element, or keep what is drawn in a cache")
                .ifPresent(notes::add);
        note(
                        stamped,
                        names,
                        DrawnParts::isKeptWithoutSeeds,
                        "has no seed, so that what a cache keeps of it is another in each job: parts that filters"
                                + " of several jobs choose by it overlap, where those of one process, which share the cache, do not."
                                + " Give it a seed")
                .ifPresent(notes::add);
        return notes;
    }

    private static Optional<String> note(
            PipelineGraph stamped, Map<String, String> names, Predicate<NodeDef> draw, String said) {
        Scope scope = stamped.scope();
        Set<String> filtered = new LinkedHashSet<>();
        stamped.nodes().values().stream()
                .filter(node -> OpTraits.of(node).family() == OpTraits.Family.FILTER)
                .forEach(filter -> filtered.addAll(scope.madeOf(filter.getName())));
        List<String> steps = stamped.nodes().values().stream()
                .filter(node -> filtered.contains(node.getName()))
                .filter(node -> stamped.workOf(node)
                        .filter(inner -> !DatasetOps.isDataset(inner))
                        .anyMatch(draw))
                .map(node -> StepNote.named(node, names))
                .toList();
        return StepNote.of(steps, said);
    }

    private static boolean isAnewBySeeds(NodeDef draw) {
        return SeededDraws.isSeeded(draw) && !SeedGenerators.isCounted(draw) && StampDraws.isDrawnInEachEpoch(draw);
    }

    private static boolean isKeptWithoutSeeds(NodeDef draw) {
        return !SeededDraws.isSeeded(draw) && StampDraws.draws(draw) && !StampDraws.isDrawnInEachEpoch(draw);
    }
}
