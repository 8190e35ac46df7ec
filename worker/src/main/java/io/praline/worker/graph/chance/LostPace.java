package io.praline.worker.graph.chance;

import io.praline.worker.graph.PipelineGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Draws that the user gave equal seeds and that have lost each other: one process draws the same for both where the steps
 * between them happen to hand on each element once and in its order, which nobody can tell from a graph. So it is said.
 */
public final class LostPace {
    private LostPace() {}

    /** Seeds, as TensorFlow's ops have them. */
    private record Seeds(long first, long second) {}

    /**
     * A line for each pair of seeds of which draws stand on two sides of such a step.
     *
     * @param names of transformations, by the names of their nodes
     */
    public static List<String> notes(PipelineGraph pipeline, Map<String, String> names) {
        PipelineGraph stamped = new StampDraws().apply(pipeline);
        Map<Seeds, Map<Long, Set<String>>> draws = new LinkedHashMap<>();
        for (Map.Entry<String, String> step : names.entrySet()) {
            NodeDef node = stamped.nodes().get(step.getKey());
            PipelineGraph.reachedFunctions(List.of(node), stamped.functions()).stream()
                    .map(stamped.functions()::get)
                    .flatMap(LostPace::seeded)
                    .forEach(draw -> draws.computeIfAbsent(
                                    new Seeds(Chance.seed(draw), Chance.seed2(draw)), seeds -> new LinkedHashMap<>())
                            .computeIfAbsent(StampDraws.of(draw).orElseThrow().pace(), pace -> new LinkedHashSet<>())
                            .add(step.getValue()));
        }
        List<String> notes = new ArrayList<>();
        draws.forEach((seeds, paces) -> {
            if (paces.size() > 1) {
                notes.add(note(paces));
            }
        });
        return notes;
    }

    private static Stream<NodeDef> seeded(FunctionDef function) {
        return function.getNodeDefList().stream().filter(SeededDraws::isSeeded).filter(StampDraws::draws);
    }

    private static String note(Map<Long, Set<String>> paces) {
        Set<String> steps = new LinkedHashSet<>();
        paces.values().forEach(steps::addAll);
        String where = steps.size() == 1 ? "in " + steps.iterator().next() : "in " + String.join(" and ", steps);
        return where
                + ": draws of one seed are not the same numbers here, since a step between them may leave out, add or"
                + " move elements, or one of them stands in a branch or a loop; one process draws the same if none does."
                + " Draw once, and hand on what was drawn";
    }
}
