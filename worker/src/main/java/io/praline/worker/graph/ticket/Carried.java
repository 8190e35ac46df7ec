package io.praline.worker.graph.ticket;

import io.praline.worker.graph.ElementComponent;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.DataType;

/**
 * A dataset that carries tickets as its last component.
 *
 * @param ref its output
 * @param ticket what that component looks like: a scalar, or a tensor with a dimension for each batch around it
 * @param full how many elements a batch of it holds that is not the last; empty for single elements, and where only running
 *     it would tell
 */
record Carried(String ref, ElementComponent ticket, Optional<Long> full) {
    static ElementComponent ticket(List<Long> shape) {
        return new ElementComponent(DataType.DT_INT64, true, shape);
    }

    boolean single() {
        return ticket.shape().isEmpty();
    }

    Carried at(String output) {
        return new Carried(output, ticket, full);
    }
}
