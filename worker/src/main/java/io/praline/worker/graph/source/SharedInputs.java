package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.Scope;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/** Datasets that a node reads more than once. */
final class SharedInputs {
    private final Scope scope;
    private final DatasetKinds kinds;

    SharedInputs(Scope scope, DatasetKinds kinds) {
        this.scope = scope;
        this.kinds = kinds;
    }

    /** Whether a dataset comes to a node on two ways: each would get a part of what a split gives. */
    boolean readTwice(NodeDef node) {
        Set<String> read = new HashSet<>();
        for (String input : node.getInputList()) {
            Set<String> below = new HashSet<>();
            if (kinds.isDataset(input)) {
                datasetsBelow(Scope.nodeOf(input), below);
            }
            if (!Collections.disjoint(read, below)) {
                return true;
            }
            read.addAll(below);
        }
        return false;
    }

    /** Whether a function is given a dataset by which what it makes depends on how often it was read before. */
    boolean capturedAnew(NodeDef node) {
        Set<String> captured = new HashSet<>();
        node.getInputList().stream()
                .skip(1)
                .filter(kinds::isDataset)
                .forEach(input -> datasetsBelow(Scope.nodeOf(input), captured));
        return captured.stream().map(scope::node).anyMatch(DatasetOps::drawsAnew);
    }

    private void datasetsBelow(String name, Set<String> below) {
        if (below.add(name)) {
            scope.node(name).getInputList().stream().filter(kinds::isDataset).forEach(input -> {
                datasetsBelow(Scope.nodeOf(input), below);
            });
        }
    }
}
