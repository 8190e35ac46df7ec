package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.tensorflow.proto.NodeDef;

/** Functions that are written for whole batches. */
final class WholeBatches {
    private WholeBatches() {}

    /**
     * Whether a function makes so many rows as a whole batch has, where the batch leaves open how many it has: of a short one, of
     * which one process has one at most, and none where they come out even, it makes nothing.
     *
     * @param map that runs it
     * @param given what its elements are, as the user wrote them
     * @param full how many rows a whole one has; empty where that is not known, or elements are no batches
     */
    static boolean areWanted(NodeDef map, List<ElementComponent> given, Optional<Long> full) {
        return full.filter(rows -> leadWith(given, -1).count() == given.size()
                        && leadWith(DatasetOps.components(map), rows).findAny().isPresent())
                .isPresent();
    }

    private static Stream<ElementComponent> leadWith(List<ElementComponent> components, long rows) {
        return components.stream()
                .filter(component -> component.rankKnown()
                        && !component.shape().isEmpty()
                        && component.shape().get(0) == rows);
    }
}
