package io.praline.worker.graph.ticket;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/** Tickets through transformations that have several inputs. */
record MergeCarry(WidenedFunctions functions, Widening widening) {

    /**
     * Tickets come from the one input that reads splits, or from one of several that have all rows of a batch; behind others
     * they are moved to the end.
     */
    Carried zip(Scope scope, NodeDef node) {
        int count = (int) node.getAttrOrThrow("N").getI();
        List<Integer> tracked = new ArrayList<>();
        int before = 0;
        int arity = 0;
        for (int i = 0; i < count; i++) {
            arity += scope.components(node.getInput(i)).size();
            if (widening.readsSplits(scope, node.getInput(i))) {
                tracked.add(i);
                before = arity;
            }
        }
        boolean rows = tracked.stream().allMatch(i -> widening.yieldsRows(scope, node.getInput(i)));
        if (tracked.isEmpty() || (tracked.size() > 1 && !rows)) {
            throw new Untrackable(Widening.named(node) + " pairs " + tracked.size() + " sources");
        }
        int at = tracked.get(tracked.size() - 1);
        Carried input = widening.carry(scope, node.getInput(at));
        if (before == arity) {
            return Widening.done(scope, node.toBuilder().setInput(at, input.ref()), input);
        }
        List<ElementComponent> components = DatasetOps.components(node);
        List<ElementComponent> zipped = new ArrayList<>(components);
        zipped.add(before, input.ticket());
        NodeDef.Builder changed = node.toBuilder().setName(scope.fresh("zip")).setInput(at, input.ref());
        String inner = Widening.typed(scope, changed, zipped);
        // the node's own name goes to what its consumers read
        NodeDef.Builder ordered = Protos.node(node.getName(), "MapDataset", inner)
                .putAttr("f", Protos.function(functions.moveToEnd(zipped, before)))
                .putAttr("Targuments", Protos.types(List.of()))
                .putAttr("use_inter_op_parallelism", Protos.bool(false))
                .putAttr("preserve_cardinality", Protos.bool(true));
        DatasetOps.setComponents(ordered, "output_types", components);
        return Widening.done(scope, ordered, input);
    }

    /** @param from the place of the first input that yields elements */
    Carried several(Scope scope, NodeDef node, int from) {
        NodeDef.Builder changed = node.toBuilder();
        List<Long> shape = List.of();
        Optional<Long> full = Optional.empty();
        for (int i = from; i < node.getInputCount(); i++) {
            if (node.getInput(i).startsWith("^")) {
                continue;
            }
            Carried input = widening.carry(scope, node.getInput(i));
            if (i > from && input.ticket().shape().size() != shape.size()) {
                throw new Untrackable(Widening.named(node) + " mixes batches with single elements");
            }
            full = i == from || input.full().equals(full) ? input.full() : Optional.empty();
            shape = i == from || input.ticket().shape().equals(shape)
                    ? input.ticket().shape()
                    : shape.stream().map(size -> -1L).toList();
            changed.setInput(i, input.ref());
        }
        return Widening.done(scope, changed, new Carried("", Carried.ticket(shape), full));
    }
}
