package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.note.StepNote;
import io.praline.worker.graph.spelling.RandomGenerators;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * Draws that the user gave seeds. One process draws a sequence by them, a number for each element in their order; here what is
 * drawn for an element hangs on nothing but the seeds, the element and the epoch. So they come again in every job, and are not
 * the numbers of that sequence. That is said.
 */
public final class SeededDraws {
    private SeededDraws() {}

    /**
     * A line that names the steps which draw so; empty where none does.
     *
     * @param written as the user wrote it: what Keras' layers draw by seeds that they keep count of is written out later
     * @param names of transformations, by the names of their nodes
     */
    public static Optional<String> note(PipelineGraph written, Map<String, String> names) {
        Set<String> steps = new LinkedHashSet<>();
        names.forEach((node, name) -> {
            if (written.nodes().containsKey(node)
                    && drawsBySeed(written, written.nodes().get(node))) {
                steps.add(name);
            }
        });
        Set<String> passed = Readings.passed(written.scope(), written.root());
        written.nodes().values().stream()
                .filter(node -> DatasetOps.isDataset(node) && !passed.contains(node.getName()))
                .filter(node -> drawsBySeed(written, node))
                .forEach(node -> steps.add(StepNote.named(node, names, " of a dataset beside the elements")));
        return StepNote.of(
                steps,
                "what is drawn by seeds of its own follows from them, the element and the epoch: the same in"
                        + " every job, whatever the job's seed, and not the sequence that one process draws by them");
    }

    private static boolean drawsBySeed(PipelineGraph written, NodeDef step) {
        return written.workOf(step).anyMatch(draw -> isSeeded(draw) || RandomGenerators.isDraw(draw));
    }

    /** Whether the user gave a draw seeds, which a key is made of. */
    static boolean isSeeded(NodeDef draw) {
        return OpTraits.of(draw).draws() == OpTraits.Draws.KEYABLE
                && (Chance.seed(draw) != 0 || Chance.seed2(draw) != 0);
    }
}
