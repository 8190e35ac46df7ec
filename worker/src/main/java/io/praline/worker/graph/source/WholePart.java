package io.praline.worker.graph.source;

import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/** Up to where a pipeline is read that a single task reads as a whole. */
final class WholePart {
    private WholePart() {}

    /**
     * Up to where a single task's part is better read as a whole: behind the last step that elements cannot be followed
     * through, since what comes out of it can be numbered there; and never elements that are datasets.
     *
     * @param whole the dataset node that had to be read as a whole
     * @param path the dataset nodes that elements pass, from the sources on
     * @return a later node than that one; empty where there is none to prefer
     */
    static Optional<String> higher(Scope scope, String whole, List<NodeDef> path) {
        Optional<String> higher = Optional.empty();
        boolean passed = false;
        int batches = 0;
        for (NodeDef node : path) {
            if (!passed) {
                passed = node.getName().equals(whole);
                continue;
            }
            boolean raises = yieldsDatasets(scope, higher.orElse(whole));
            switch (OpTraits.of(node).family()) {
                case BATCH, PADDED_BATCH, GROUP -> batches++;
                case UNBATCH -> raises |= batches-- == 0;
                case INTERLEAVE, WINDOW, SCAN, REDUCE, REBATCH, PARSE, SPARSE_BATCH, OTHER -> raises = true;
                // epochs begin behind it
                case REPEAT -> {
                    return higher;
                }
                default -> {}
            }
            if (raises) {
                higher = Optional.of(node.getName());
                batches = 0;
            }
        }
        return higher;
    }

    private static boolean yieldsDatasets(Scope scope, String node) {
        return scope.components(node).stream().anyMatch(component -> component.dtype() == DataType.DT_VARIANT);
    }
}
