package io.praline.worker.graph.spelling;

import io.praline.worker.graph.Cardinality;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;

/**
 * Writes a zip of constants, or of integers beside them, as slices of one constant of several components, which can be cut: two
 * lists of files, files with their labels, either with numbers.
 */
final class ZippedConstants {
    /** Integers are written down, up to so many. */
    private static final long MOST = 1_000_000;

    private ZippedConstants() {}

    /** Whether there is any. */
    static boolean joined(Scope scope) {
        boolean found = false;
        for (NodeDef node : scope.nodes()) {
            found |= OpTraits.of(node).family() == OpTraits.Family.ZIP && join(node, scope);
        }
        if (found) {
            // one may have been part of another
            joined(scope);
        }
        return found;
    }

    /** Of records of files that a shuffle has mixed nobody could tell which of them came: there they stay with one task. */
    private static boolean isOpenedBehindAShuffle(NodeDef zip, Scope scope) {
        boolean shuffled = false;
        Optional<NodeDef> next = user(zip, scope);
        while (next.isPresent() && OpTraits.of(next.get()).family() != OpTraits.Family.INTERLEAVE) {
            shuffled |= OpTraits.of(next.get()).family() == OpTraits.Family.SHUFFLE;
            next = user(next.get(), scope);
        }
        return shuffled && next.isPresent();
    }

    private static Optional<NodeDef> user(NodeDef node, Scope scope) {
        for (NodeDef each : scope.nodes()) {
            if (each.getInputList().stream()
                    .anyMatch(input -> Scope.nodeOf(input).equals(node.getName()))) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static boolean join(NodeDef zip, Scope scope) {
        if (isOpenedBehindAShuffle(zip, scope)) {
            return false;
        }
        List<NodeDef> parts = zip.getInputList().stream()
                .filter(input -> !input.startsWith("^"))
                .flatMap(input -> scope.producer(scope.behindIdentities(input)).stream())
                .toList();
        List<Optional<Long>> counts = parts.stream()
                .filter(part -> OpTraits.of(part).family() == OpTraits.Family.SLICES)
                .map(part -> Cardinality.written(part, scope))
                .distinct()
                .toList();
        if (counts.size() != 1 || counts.get(0).filter(count -> count <= MOST).isEmpty()) {
            return false;
        }
        long count = counts.get(0).get();
        if (!parts.stream().allMatch(part -> isWritten(part, scope, count))) {
            return false;
        }
        NodeDef.Builder slices = Protos.node(zip.getName(), "TensorSliceDataset")
                .putAttr("is_files", Protos.bool(false))
                .putAttr("replicate_on_split", Protos.bool(false));
        parts.forEach(part -> slices.addAllInput(values(part, scope, count)));
        DatasetOps.setComponents(slices, "Toutput_types", DatasetOps.components(zip));
        if (zip.containsAttr("metadata")) {
            slices.putAttr("metadata", zip.getAttrOrThrow("metadata"));
        }
        scope.put(slices.build());
        return true;
    }

    /** Whether all of its first elements are known, so many. */
    private static boolean isWritten(NodeDef part, Scope scope, long count) {
        return switch (OpTraits.of(part).family()) {
            case SLICES ->
                part.getInputList().stream().allMatch(input -> Constants.value(scope, input)
                        .filter(value -> value.getDtype() != DataType.DT_VARIANT)
                        .isPresent());
            case RANGE ->
                Cardinality.written(part, scope).filter(there -> there >= count).isPresent()
                        && DatasetOps.components(part).get(0).dtype() == DataType.DT_INT64;
            default -> false;
        };
    }

    private static List<String> values(NodeDef part, Scope scope, long count) {
        if (OpTraits.of(part).family() == OpTraits.Family.SLICES) {
            return new ArrayList<>(part.getInputList());
        }
        long from = Constants.integer(scope, part.getInput(0)).orElseThrow();
        long step = Constants.integer(scope, part.getInput(2)).orElseThrow();
        List<Long> integers =
                LongStream.range(0, count).map(i -> from + i * step).boxed().toList();
        return List.of(scope.constant("integers", Protos.int64s(integers)));
    }
}
