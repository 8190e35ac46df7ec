package io.praline.worker.graph.chance;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Draws that the user gave equal seeds and that have lost each other: one process draws the same for both where the steps
 * between them happen to hand on each element once and in its order, which nobody can tell from a graph. And those of which a
 * cache keeps one: in one process both begin anew with each iteration, and are alike in all of them. And those of several tasks
 * in branches of which one follows the other, or takes turns with it: one process draws the same in both, element by element,
 * and here each element's own. So it is said.
 */
public final class LostPace {
    private static final String AT_ANOTHER_PACE =
            "draws of one seed are not the same numbers here, since a step between them may leave out, add or"
                    + " move elements, or one of them stands in a branch or a loop; one process draws the same if none does."
                    + " Draw once, and hand on what was drawn";

    private static final String IN_OTHER_EPOCHS =
            "draws of one seed, of which a cache keeps one, are the same numbers in the first epoch only; one"
                    + " process draws the same in each that a loop begins anew. Draw once, and hand on what was drawn";

    private static final String IN_BRANCHES =
            "draws of one seed in branches of which elements come one after the other are not the same numbers here, since"
                    + " each is drawn for its element; one process draws the same in both. Draw once, and hand on what was drawn";

    private LostPace() {}

    /** Seeds, as TensorFlow's ops have them. */
    private record Seeds(long first, long second) {}

    /** A draw by them, in a step. */
    private record Seeded(String node, String step, Seeds seeds, StampDraws.Stamp stamp) {}

    /**
     * A line for each pair of seeds of which draws stand on two sides of such a step, or of a cache, or in two such branches.
     *
     * @param stamped the pipeline as tasks read it, with its draws stamped
     * @param names of transformations, by the names of their nodes
     * @param several whether there may be several tasks, which draw by elements' tickets; one draws by their numbers in each branch
     */
    public static List<String> notes(PipelineGraph stamped, Map<String, String> names, boolean several) {
        Map<Seeds, List<Seeded>> draws = new LinkedHashMap<>();
        names.forEach((node, step) ->
                PipelineGraph.reachedFunctions(List.of(stamped.nodes().get(node)), stamped.functions()).stream()
                        .map(stamped.functions()::get)
                        .flatMap(LostPace::seeded)
                        .map(draw -> new Seeded(
                                node,
                                step,
                                new Seeds(Chance.seed(draw), Chance.seed2(draw)),
                                StampDraws.of(draw).orElseThrow()))
                        .forEach(draw -> draws.computeIfAbsent(draw.seeds(), seeds -> new ArrayList<>())
                                .add(draw)));
        List<String> notes = new ArrayList<>();
        for (List<Seeded> alike : draws.values()) {
            if (alike.stream().map(draw -> draw.stamp().pace()).distinct().count() > 1) {
                note(alike, AT_ANOTHER_PACE).ifPresent(notes::add);
            } else if (alike.stream()
                            .map(draw -> draw.stamp().epochs())
                            .distinct()
                            .count()
                    > 1) {
                note(alike, IN_OTHER_EPOCHS).ifPresent(notes::add);
            } else if (several && standInBranches(stamped, alike)) {
                note(alike, IN_BRANCHES).ifPresent(notes::add);
            }
        }
        return notes;
    }

    private static boolean standInBranches(PipelineGraph pipeline, List<Seeded> draws) {
        Scope scope = pipeline.scope();
        return pipeline.nodes().values().stream()
                .filter(node -> switch (OpTraits.of(node).family()) {
                    case CONCATENATE, CHOOSE -> true;
                    default -> false;
                })
                .anyMatch(node -> {
                    List<Set<String>> branches = node.getInputList().stream()
                            .map(input -> scope.madeOf(input))
                            .toList();
                    return draws.stream()
                                    .map(draw -> within(branches, draw.node()))
                                    .filter(within -> !within.isEmpty())
                                    .distinct()
                                    .count()
                            > 1;
                });
    }

    private static List<Integer> within(List<Set<String>> branches, String node) {
        return IntStream.range(0, branches.size())
                .filter(branch -> branches.get(branch).contains(node))
                .boxed()
                .toList();
    }

    private static Optional<String> note(List<Seeded> draws, String said) {
        return StepNote.of(draws.stream().map(Seeded::step).toList(), said).map("in "::concat);
    }

    private static Stream<NodeDef> seeded(FunctionDef function) {
        return function.getNodeDefList().stream().filter(SeededDraws::isSeeded).filter(StampDraws::draws);
    }
}
