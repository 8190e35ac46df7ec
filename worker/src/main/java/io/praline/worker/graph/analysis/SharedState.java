package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.note.StepNote;
import io.praline.worker.graph.spelling.RandomGenerators;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.tensorflow.proto.NodeDef;

/**
 * Variables and tables that transformations change, and that several use. A serialised pipeline has one for each, and no longer tells
 * which were one in the program; where one of them is changed, the others do not see it.
 */
final class SharedState {
    /** What tells a variable from another one of its kind, and says nothing after serialising. */
    private static final Set<String> NAMES = Set.of("shared_name", "container", "debug_name", "allowed_devices");

    private SharedState() {}

    /**
     * A line that names the transformations; empty where none may miss what another one changes.
     *
     * @param names of transformations, by the names of their nodes
     */
    static Optional<String> note(PipelineGraph pipeline, Map<String, String> names) {
        Scope scope = pipeline.scope();
        Map<String, Set<String>> users = new LinkedHashMap<>();
        Set<String> changing = new LinkedHashSet<>();
        for (NodeDef node : pipeline.nodes().values()) {
            String name = names.getOrDefault(node.getName(), node.getName());
            List<String> kinds = DatasetOps.isDataset(node) ? kinds(node, scope) : List.of();
            kinds.forEach(kind ->
                    users.computeIfAbsent(kind, unused -> new LinkedHashSet<>()).add(name));
            if (!kinds.isEmpty() && pipeline.remembers(node)) {
                changing.add(name);
            }
        }
        Set<String> apart = new LinkedHashSet<>();
        users.values().stream()
                .filter(several -> several.size() > 1 && several.stream().anyMatch(changing::contains))
                .forEach(apart::addAll);
        return StepNote.of(
                apart,
                "each has variables and tables of its own, since a serialised pipeline does not tell which are"
                        + " one; what one of them changes, the others do not see");
    }

    /**
     * A line that names the transformations that change variables or tables; empty where none does. Each epoch is run by tasks of its
     * own.
     *
     * @param names of transformations, by the names of their nodes
     */
    static Optional<String> ofEpochs(PipelineGraph pipeline, Map<String, String> names) {
        Scope scope = pipeline.scope();
        Set<String> changing = new LinkedHashSet<>();
        for (NodeDef node : pipeline.nodes().values()) {
            if (DatasetOps.isDataset(node) && pipeline.remembers(node) && !drawsOnly(pipeline, scope, node)) {
                changing.add(StepNote.named(node, names));
            }
        }
        return StepNote.of(
                changing,
                "each epoch of a job begins with what variables and tables held when it was submitted, where one"
                        + " process goes on with what the last epoch left: what is drawn or counted by them is the same in each");
    }

    /**
     * A line that names the transformations that read variables which none of them changes; empty where none does. What a loop
     * assigns to one while the job runs, a job does not see.
     *
     * @param names of transformations, by the names of their nodes
     */
    static Optional<String> asSubmitted(PipelineGraph pipeline, Map<String, String> names) {
        Scope scope = pipeline.scope();
        return StepNote.of(
                pipeline.nodes().values().stream()
                        .filter(DatasetOps::isDataset)
                        .filter(node -> !scope.variablesOf(node).isEmpty() && !pipeline.remembers(node))
                        .map(node -> StepNote.named(node, names))
                        .toList(),
                "reads variables, which have what they held when the job was submitted; in one process each element is made"
                        + " with what a loop has assigned by then");
    }

    /** Whether all that a step changes are states of generators, which are others in each epoch. */
    private static boolean drawsOnly(PipelineGraph pipeline, Scope scope, NodeDef step) {
        List<String> variables = scope.variablesOf(step);
        return !variables.isEmpty()
                && variables.stream()
                        .allMatch(variable -> RandomGenerators.isState(variable, scope, pipeline.functions()));
    }

    /** Of what kinds the variables and tables are that a dataset's functions are given. */
    private static List<String> kinds(NodeDef dataset, Scope scope) {
        List<String> kinds = new ArrayList<>();
        for (String input : dataset.getInputList()) {
            scope.producer(scope.behindIdentities(input))
                    .filter(node ->
                            node.getOp().equals("VarHandleOp") || node.getOp().startsWith("Mutable"))
                    .map(SharedState::kind)
                    .ifPresent(kinds::add);
        }
        return kinds;
    }

    private static String kind(NodeDef handle) {
        Map<String, String> settings = new TreeMap<>();
        handle.getAttrMap().forEach((key, value) -> {
            if (!NAMES.contains(key) && !key.startsWith("_")) {
                settings.put(key, value.toString());
            }
        });
        return handle.getOp() + settings;
    }
}
