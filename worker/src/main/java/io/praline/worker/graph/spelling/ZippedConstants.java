package io.praline.worker.graph.spelling;

import io.praline.worker.graph.Cardinality;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.Children;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Writes a zip of constants, of integers, or of both, as slices of one constant of several components, which can be cut: two
 * lists of files, files with their labels, either with numbers. What is made of each element of one of them before it is zipped,
 * pictures of names, is made of that component behind it.
 */
final class ZippedConstants {
    /** Integers are written down, up to so many. */
    private static final long MOST = 1_000_000;

    private ZippedConstants() {}

    /** A dataset that is zipped: what is written down, and the steps that make something of each of its elements. */
    private record Part(NodeDef source, List<NodeDef> steps) {
        int components() {
            return DatasetOps.components(source).size();
        }
    }

    /** Whether there is any; functions that make something of elements that are zipped are given all that is. */
    static boolean joined(Scope scope, Map<String, FunctionDef> functions) {
        boolean found = false;
        for (NodeDef node : scope.nodes()) {
            found |= OpTraits.of(node).family() == OpTraits.Family.ZIP && join(node, scope, functions);
        }
        if (found) {
            // one may have been part of another
            joined(scope, functions);
        }
        return found;
    }

    /**
     * Of what single elements become that a shuffle has mixed nobody could tell what came: there they stay with one task, unless
     * that are records of files.
     */
    private static boolean isOpenedBehindAShuffle(NodeDef zip, Scope scope, Map<String, FunctionDef> functions) {
        boolean shuffled = false;
        List<NodeDef> above = new ArrayList<>();
        Optional<NodeDef> next = user(zip, scope);
        while (next.isPresent() && OpTraits.of(next.get()).family() != OpTraits.Family.INTERLEAVE) {
            above.add(next.get());
            shuffled |= OpTraits.of(next.get()).family() == OpTraits.Family.SHUFFLE;
            next = user(next.get(), scope);
        }
        next.ifPresent(above::add);
        return shuffled
                && next.isPresent()
                && Children.areRecords(above, scope, functions).isEmpty();
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

    private static boolean join(NodeDef zip, Scope scope, Map<String, FunctionDef> functions) {
        if (isOpenedBehindAShuffle(zip, scope, functions)) {
            return false;
        }
        List<Part> parts = Scope.given(zip).map(input -> part(input, scope)).toList();
        Optional<Long> count = count(parts, scope);
        if (count.filter(each -> each <= MOST).isEmpty()
                || !parts.stream().allMatch(part -> isWritten(part.source(), scope, count.get()))) {
            return false;
        }
        List<NodeDef> steps =
                parts.stream().flatMap(part -> part.steps().stream()).toList();
        List<ElementComponent> components = parts.stream()
                .flatMap(part -> DatasetOps.components(part.source()).stream())
                .toList();
        NodeDef.Builder slices = Protos.node(
                        steps.isEmpty() ? zip.getName() : scope.fresh("zipped"), "TensorSliceDataset")
                .putAttr("is_files", Protos.bool(false))
                .putAttr("replicate_on_split", Protos.bool(false));
        for (Part part : parts) {
            slices.addAllInput(values(part.source(), scope, count.get()));
            RelativeNames.copied(part.source(), slices);
        }
        DatasetOps.setComponents(slices, "Toutput_types", components);
        if (steps.isEmpty() && zip.containsAttr("metadata")) {
            slices.putAttr("metadata", zip.getAttrOrThrow("metadata"));
        }
        String last = scope.addDataset(slices);
        int before = 0;
        int left = steps.size();
        for (Part part : parts) {
            int arity = part.components();
            for (NodeDef step : part.steps()) {
                left--;
                // the last one's name is what the zip's consumers read
                String name = left == 0 ? zip.getName() : scope.fresh("zipped");
                NodeDef.Builder moved = step.toBuilder().setName(name).setInput(0, last);
                components = behind(moved, step, components, before, arity, functions);
                arity = DatasetOps.components(step).size();
                last = scope.addDataset(moved);
            }
            before += arity;
        }
        return true;
    }

    /** Writes into a step what its elements consist of, where those that it looked at are some components of others. */
    private static List<ElementComponent> behind(
            NodeDef.Builder moved,
            NodeDef step,
            List<ElementComponent> given,
            int before,
            int arity,
            Map<String, FunctionDef> functions) {
        List<ElementComponent> yielded = new ArrayList<>(given.subList(0, before));
        yielded.addAll(DatasetOps.components(step));
        yielded.addAll(given.subList(before + arity, given.size()));
        if (OpTraits.of(step).family() == OpTraits.Family.MAP) {
            FunctionDef called =
                    functions.get(step.getAttrOrThrow("f").getFunc().getName());
            FunctionDef.Builder passing = FunctionArguments.passing(
                    called, types(given.subList(0, before)), arity, types(given.subList(before + arity, given.size())));
            String name = PipelineGraph.freshName(called.getSignature().getName() + "_zipped", functions);
            passing.getSignatureBuilder().setName(name);
            functions.put(name, passing.build());
            moved.putAttr("f", FunctionArguments.called(step, "f", name));
        }
        DatasetOps.setComponents(moved, DatasetOps.typesKey(step), yielded);
        return yielded;
    }

    private static List<DataType> types(List<ElementComponent> components) {
        return components.stream().map(ElementComponent::dtype).toList();
    }

    /** What is zipped, behind steps that keep the order of elements and make one of each. */
    private static Part part(String ref, Scope scope) {
        List<NodeDef> steps = new ArrayList<>();
        NodeDef at = scope.node(Scope.nodeOf(scope.behindIdentities(ref)));
        while (isOneByOne(at)) {
            steps.add(0, at);
            at = scope.node(Scope.nodeOf(scope.behindIdentities(at.getInput(0))));
        }
        return new Part(at, steps);
    }

    private static boolean isOneByOne(NodeDef step) {
        OpTraits traits = OpTraits.of(step);
        return !DatasetOps.losesOrder(step)
                && traits.drops() == OpTraits.Drops.NOTHING
                && switch (traits.family()) {
                    case MAP -> DatasetOps.keepsCardinality(step);
                    case TRANSPARENT -> true;
                    default -> false;
                };
    }

    /** How many elements come: as many as each constant has, or each range where all are ranges. */
    private static Optional<Long> count(List<Part> parts, Scope scope) {
        boolean ranges =
                parts.stream().allMatch(part -> OpTraits.of(part.source()).family() == OpTraits.Family.RANGE);
        List<Optional<Long>> counts = parts.stream()
                .map(Part::source)
                .filter(source -> ranges || OpTraits.of(source).family() == OpTraits.Family.SLICES)
                .map(source -> Cardinality.written(source, scope))
                .distinct()
                .toList();
        return counts.size() == 1 ? counts.get(0) : Optional.empty();
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
