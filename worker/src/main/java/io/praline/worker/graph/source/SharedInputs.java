package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/** Datasets that a node reads more than once. */
final class SharedInputs {
    private final PipelineGraph pipeline;
    private final Scope scope;
    private final DatasetKinds kinds;

    SharedInputs(PipelineGraph pipeline, Scope scope, DatasetKinds kinds) {
        this.pipeline = pipeline;
        this.scope = scope;
        this.kinds = kinds;
    }

    /** Whether a dataset comes to a node on two ways: each would get a part of what a split gives. */
    boolean readTwice(NodeDef node) {
        Set<String> read = new HashSet<>();
        for (String input : node.getInputList()) {
            Set<String> below = new HashSet<>();
            if (kinds.isDataset(input)) {
                datasetsBelow(Scope.nodeOf(input), false, below);
            }
            if (!Collections.disjoint(read, below)) {
                return true;
            }
            read.addAll(below);
        }
        return false;
    }

    /**
     * Why what a step makes of an element depends on how often a dataset was read before that its function is given; empty
     * where it does not. Each reading of a shuffle that the user seeded is its next order, and what a variable counts goes on;
     * what a cache keeps is the same in all.
     */
    Optional<String> hangsOnReadings(NodeDef step) {
        List<String> captured = step.getInputList().stream()
                .skip(BatchUse.datasetsOf(step).count())
                .filter(kinds::isDataset)
                .map(Scope::nodeOf)
                .toList();
        Set<String> all = new HashSet<>();
        captured.forEach(name -> datasetsBelow(name, false, all));
        boolean kept = pipeline.workOf(step).noneMatch(DatasetOps::mayLeave)
                && all.stream().map(scope::node).noneMatch(DatasetOps::mayLeave);
        Set<String> read = new HashSet<>();
        captured.forEach(name -> datasetsBelow(name, kept, read));
        List<NodeDef> anew = read.stream().map(scope::node).toList();
        if (anew.stream().anyMatch(pipeline::remembers)) {
            return Optional.of(" reads a dataset beside its elements that remembers what came before");
        }
        boolean opens = OpTraits.of(step).family() == OpTraits.Family.INTERLEAVE;
        boolean another = anew.stream()
                .anyMatch(node -> DatasetOps.drawsAnew(node) && (opens || !DatasetOps.isUnseeded(node, scope)));
        return another
                ? Optional.of(" reads a dataset beside its elements that is another one each time")
                : Optional.empty();
    }

    /** @param kept whether what a cache keeps is read no more than once, and left out */
    private void datasetsBelow(String name, boolean kept, Set<String> below) {
        NodeDef node = scope.node(name);
        if (!(kept && OpTraits.of(node).isCache()) && below.add(name)) {
            kinds.datasetInputs(node).forEach(input -> datasetsBelow(Scope.nodeOf(input), kept, below));
        }
    }
}
