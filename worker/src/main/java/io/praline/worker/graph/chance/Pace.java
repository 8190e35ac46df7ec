package io.praline.worker.graph.chance;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Which draws of one seed keep pace with each other. TensorFlow gives every op a sequence of its own, from the op's seeds; two
 * of the same seeds draw the same numbers as long as both draw once for each element, wherever they stand: so a picture and
 * its mask are cropped alike. Behind a step that makes more or fewer elements, or another order, they have lost each other.
 *
 * @param functions those that datasets run, by name
 */
record Pace(Map<String, FunctionDef> functions) {
    /** Of what is read from the beginning: ranges, slices. */
    private static final long BEGINNING = 0;

    /** The pace at which elements come out of a dataset: the same number for what keeps pace. */
    long of(Scope scope, String ref) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty()) {
            return BEGINNING;
        }
        NodeDef node = producer.get();
        List<String> inputs =
                Scope.given(node).filter(input -> isDataset(scope, input)).toList();
        if (inputs.isEmpty()) {
            return BEGINNING;
        }
        OpTraits.Family family = OpTraits.of(node).family();
        boolean keeps =
                switch (family) {
                    // what ends early has given what it gave in its order
                    case MAP, SCAN, CACHE, SNAPSHOT, REPEAT, ASSERT, TAKE, TAKE_WHILE, TRANSPARENT -> true;
                    default -> node.getOp().equals("Identity");
                };
        if (keeps) {
            return of(scope, inputs.get(0));
        }
        if (family == OpTraits.Family.UNBATCH) {
            Optional<String> batched =
                    EarlyBatches.undone(node, scope, functions).or(() -> batched(scope, inputs.get(0)));
            if (batched.isPresent()) {
                return of(scope, batched.get());
            }
        }
        TreeSet<Long> paces = new TreeSet<>();
        inputs.forEach(input -> paces.add(of(scope, input)));
        if (family == OpTraits.Family.ZIP) {
            if (paces.size() > 1) {
                // a counter beside the elements has no pace that could be lost
                paces.remove(BEGINNING);
            }
            if (paces.size() == 1) {
                return paces.first();
            }
        }
        long pace = DrawKeys.along(0, family.name());
        for (long each : paces) {
            pace = DrawKeys.mix(pace ^ each);
        }
        return pace;
    }

    /** What the batches consist of that a dataset yields as they were made, or as they were cut again. */
    private Optional<String> batched(Scope scope, String ref) {
        Optional<NodeDef> producer = scope.producer(ref);
        if (producer.isEmpty() || producer.get().getInputCount() == 0) {
            return Optional.empty();
        }
        NodeDef node = producer.get();
        String input = node.getInput(0);
        return switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH -> Optional.of(input);
            case REBATCH, CACHE, SNAPSHOT, ASSERT, TAKE, TRANSPARENT -> batched(scope, input);
            // Python's unbatch puts one before itself
            case MAP -> handsOn(node) ? batched(scope, input) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Whether a map's function yields its arguments, and nothing else. */
    private boolean handsOn(NodeDef map) {
        FunctionDef function = functions.get(map.getAttrOrThrow("f").getFunc().getName());
        if (function == null) {
            return false;
        }
        Scope body = Scope.ofFunction(function);
        List<String> arguments = function.getSignature().getInputArgList().stream()
                .map(OpDef.ArgDef::getName)
                .toList();
        return function.getRetMap().values().stream()
                .map(body::behindIdentities)
                .allMatch(arguments::contains);
    }

    private static boolean isDataset(Scope scope, String ref) {
        return scope.producer(scope.behindIdentities(ref))
                .filter(DatasetOps::isDataset)
                .isPresent();
    }
}
