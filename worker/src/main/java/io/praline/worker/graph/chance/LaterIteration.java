package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Philox;
import org.tensorflow.proto.NodeDef;

/**
 * A dataset that the user seeded, as TensorFlow reads it in a later iteration: its generator of seeds has two numbers for each. A shuffle
 * that repeats itself takes two more for each of its orders, so that the next iteration begins behind as many as were begun, which only
 * running it tells. So the first of its orders is that of an iteration of one order each, and those behind it are others.
 */
record LaterIteration(Scope scope, DrawKeys keys) {
    /** Puts it in the place of the dataset. */
    void put(NodeDef dataset, long seed, long seed2, long iteration) {
        long[] first = Philox.seedsOf(seed, seed2, iteration);
        NodeDef.Builder order =
                seeded(dataset, first[0], first[1]).putAttr(DatasetOps.drawsAnewKey(dataset), Protos.bool(false));
        if (!isRepeated(dataset, scope)) {
            scope.put(order.build());
            return;
        }
        long key = keys.ofEpoch(seed, seed2);
        NodeDef.Builder others = seeded(dataset, key | 1, DrawKeys.mix(key) | 1);
        long count = DatasetOps.number(dataset, OpTraits.Input.COUNT, scope).orElse(0L);
        if (count == 0) {
            // none, or nobody knows how many
            scope.put(others.build());
            return;
        }
        NodeDef.Builder both = Protos.node(
                dataset.getName(), "ConcatenateDataset", times(order, "order", 1), times(others, "others", count - 1));
        DatasetOps.setComponents(both, "output_types", DatasetOps.components(dataset));
        scope.put(both.build());
    }

    /** Whether a dataset that draws has several orders in one iteration. */
    static boolean isRepeated(NodeDef dataset, Scope scope) {
        return OpTraits.of(dataset).inputs().containsKey(OpTraits.Input.COUNT)
                && !DatasetOps.number(dataset, OpTraits.Input.COUNT, scope)
                        .filter(count -> count == 1)
                        .isPresent();
    }

    private NodeDef.Builder seeded(NodeDef dataset, long seed, long seed2) {
        int place = Chance.firstSeed(dataset);
        return dataset.toBuilder()
                .setInput(place, scope.constant("seed", Protos.int64(seed)))
                .setInput(place + 1, scope.constant("seed2", Protos.int64(seed2)));
    }

    private String times(NodeDef.Builder dataset, String name, long count) {
        String times = scope.constant(name + "/count", Protos.int64(Math.max(-1, count)));
        OpTraits.of(dataset.getOp()).setInput(dataset, OpTraits.Input.COUNT, times);
        return scope.addDataset(dataset.setName(scope.fresh(name)));
    }
}
