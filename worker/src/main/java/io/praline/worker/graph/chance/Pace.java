package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.tensorflow.proto.NodeDef;

/**
 * Which draws of one seed keep pace with each other. TensorFlow gives every op a sequence of its own, from the op's seeds; two
 * of the same seeds draw the same numbers as long as both draw once for each element, wherever they stand: so a picture and
 * its mask are cropped alike. Behind a step that makes more or fewer elements, or another order, they have lost each other.
 */
final class Pace {
    private Pace() {}

    /** The pace at which elements come out of a dataset: the same number for what keeps pace. */
    static long of(Scope scope, String ref) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty()) {
            return 0;
        }
        NodeDef node = producer.get();
        List<String> inputs = node.getInputList().stream()
                .filter(input -> !input.startsWith("^"))
                .filter(input -> isDataset(scope, input))
                .toList();
        if (inputs.isEmpty()) {
            return 0;
        }
        OpTraits traits = OpTraits.of(node);
        boolean keeps =
                switch (traits.family()) {
                    case MAP, CACHE, SNAPSHOT, REPEAT, ASSERT -> true;
                    case TRANSPARENT -> traits.drops() == OpTraits.Drops.NOTHING;
                    default -> node.getOp().equals("Identity");
                };
        if (keeps) {
            return of(scope, inputs.get(0));
        }
        TreeSet<Long> paces = new TreeSet<>();
        inputs.forEach(input -> paces.add(of(scope, input)));
        if (traits.family() == OpTraits.Family.ZIP && paces.size() == 1) {
            return paces.first();
        }
        long pace = DrawKeys.along(0, traits.family().name());
        for (long each : paces) {
            pace = DrawKeys.mix(pace ^ each);
        }
        return pace;
    }

    private static boolean isDataset(Scope scope, String ref) {
        Optional<NodeDef> node = scope.producer(ref);
        while (node.isPresent() && node.get().getOp().equals("Identity")) {
            node = scope.producer(node.get().getInput(0));
        }
        return node.filter(DatasetOps::isDataset).isPresent();
    }
}
