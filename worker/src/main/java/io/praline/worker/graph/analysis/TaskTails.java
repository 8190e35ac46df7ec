package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Sources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.NodeDef;

/**
 * What becomes of elements that do not fill a batch. Without tickets they come short or are left out once for each task, since
 * nobody could tell what they were. With tickets they go on to another task, and as many are left out as in one process: those
 * that are there last.
 */
final class TaskTails {
    private static final String LEFT_OUT =
            ": each task leaves out what does not fill its last batch, where one process does so once";
    private static final String SHORT =
            ": each task's last batch may come short, and so may one where a task is renewed, where one process has one short batch at most";

    private static final String OTHERS =
            ": which elements do not fill a batch, and are left out, is decided by which are there last, where one process leaves out the last in order; as many are left out";

    private static final String OF_EACH_EPOCH =
            ": each epoch leaves out what does not fill its last batch, where one process does so once, behind the last repetition; of fewer elements than a batch has none is made";

    private static final String OF_PARTS =
            ": looks at all of a batch or a group, and each task makes them of what it reads: one that would hold all elements, or all of a key, comes in as many parts";

    private TaskTails() {}

    /**
     * A line for each step that looks at all of a group that is made of a shuffle's elements, and for each that leaves out a short
     * batch of elements whose order follows from their places, in a pipeline with tickets. Where chance has mixed
     * them, it decides in one process too which these are. Where a repeat has become epochs, more are left out than in one process,
     * whatever their order.
     *
     * @param names of transformations, by the names of their nodes
     */
    static List<String> ofTickets(PipelineGraph pipeline, Sources sources, Map<String, String> names) {
        List<String> lines = new ArrayList<>();
        List<NodeDef> behind = AcrossSplits.behindSplits(pipeline, sources);
        boolean grouped = false;
        for (NodeDef node : behind) {
            grouped |= OpTraits.of(node).family() == OpTraits.Family.GROUP;
            // what does not fill a batch goes on to the last task, and makes one there; nobody puts groups together
            if (grouped && sources.mixesShuffled(node)) {
                lines.add(names.getOrDefault(node.getName(), node.getName()) + OF_PARTS);
            }
        }
        lines.addAll(leftOut(behind, pipeline, sources, names));
        return lines;
    }

    private static List<String> leftOut(
            List<NodeDef> behind, PipelineGraph pipeline, Sources sources, Map<String, String> names) {
        Scope scope = pipeline.scope();
        if (sources.epochs() != 1) {
            return behind.stream()
                    .filter(node -> drops(node, pipeline, scope))
                    .map(node -> names.getOrDefault(node.getName(), node.getName()) + OF_EACH_EPOCH)
                    .toList();
        }
        boolean mixed =
                sources.found().stream().anyMatch(found -> found.source().shuffled());
        List<String> lines = new ArrayList<>();
        for (NodeDef node : behind) {
            OpTraits.Family family = OpTraits.of(node).family();
            mixed |= family == OpTraits.Family.SHUFFLE;
            if (!mixed && drops(node, pipeline, scope)) {
                lines.add(names.getOrDefault(node.getName(), node.getName()) + OTHERS);
            }
        }
        return lines;
    }

    /**
     * A line for each step that leaves out a short batch, or lets one through, of elements of several splits, and for each that
     * looks at all of a batch or a group of a shuffle's elements.
     *
     * @param names of transformations, by the names of their nodes
     */
    static List<String> notes(PipelineGraph pipeline, Sources sources, Map<String, String> names) {
        Scope scope = pipeline.scope();
        Map<String, String> said = new LinkedHashMap<>();
        List<String> whole = new ArrayList<>();
        for (NodeDef node : AcrossSplits.behindSplits(pipeline, sources)) {
            if (drops(node, pipeline, scope)) {
                said.put(node.getName(), LEFT_OUT);
            } else if (OpTraits.of(node).makesBatches()) {
                said.put(node.getName(), SHORT);
            } else if (sources.mixesShuffled(node)) {
                said.put(node.getName(), OF_PARTS);
            }
            OpTraits.Family family = OpTraits.of(node).family();
            // of batches that are taken apart nobody sees how long they were
            if ((family == OpTraits.Family.UNBATCH || family == OpTraits.Family.REBATCH) && !whole.isEmpty()) {
                said.remove(whole.remove(whole.size() - 1), SHORT);
            }
            if (OpTraits.of(node).makesBatches()) {
                whole.add(node.getName());
            }
        }
        return said.entrySet().stream()
                .map(each -> names.getOrDefault(each.getKey(), each.getKey()) + each.getValue())
                .toList();
    }

    private static boolean drops(NodeDef node, PipelineGraph pipeline, Scope scope) {
        return DatasetOps.dropsRemainder(node, scope).orElse(false) || dropsInGroups(node, pipeline);
    }

    private static boolean dropsInGroups(NodeDef node, PipelineGraph pipeline) {
        return OpTraits.of(node).family() == OpTraits.Family.GROUP
                && PipelineGraph.reachedFunctions(List.of(node), pipeline.functions()).stream()
                        .map(pipeline.functions()::get)
                        .map(Scope::ofFunction)
                        .anyMatch(TaskTails::dropsAny);
    }

    /** Where only running it would tell, it may. */
    private static boolean dropsAny(Scope body) {
        for (NodeDef inner : body.nodes()) {
            if (OpTraits.of(inner).isBatch()
                    && DatasetOps.dropsRemainder(inner, body).orElse(true)) {
                return true;
            }
        }
        return false;
    }
}
