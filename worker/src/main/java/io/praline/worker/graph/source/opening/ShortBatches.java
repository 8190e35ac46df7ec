package io.praline.worker.graph.source.opening;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.tensorflow.proto.NodeDef;

/**
 * Takes back that all batches have one size where a last one may be short. TensorFlow writes so into the graph of a batch of a
 * dataset without end, and takes some that end for such: a mixture that stops when one of its datasets is empty, what comes in front
 * of some element. A task that takes an epoch, or its part of one, of a dataset without end has a last batch, too.
 */
final class ShortBatches {
    private final Scope scope;
    /** The dimensions of each component of a dataset whose size is not promised. */
    private final Map<String, List<Set<Integer>>> known = new HashMap<>();

    private ShortBatches(Scope scope) {
        this.scope = scope;
    }

    static void admit(Scope scope, String root) {
        ShortBatches batches = new ShortBatches(scope);
        batches.of(root);
        batches.known.forEach(batches::open);
    }

    private List<Set<Integer>> of(String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        List<Set<Integer>> before = known.get(node.getName());
        if (before == null) {
            before = made(node, below(node));
            known.put(node.getName(), before);
        }
        return before;
    }

    private List<String> below(NodeDef node) {
        return Scope.given(node)
                .filter(input -> DatasetOps.isDataset(scope.node(Scope.nodeOf(input))))
                .toList();
    }

    private List<Set<Integer>> made(NodeDef node, List<String> inputs) {
        List<List<Set<Integer>>> given = inputs.stream().map(this::of).toList();
        if (given.isEmpty()) {
            return List.of();
        }
        List<Set<Integer>> first = given.get(0);
        return switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH -> batched(node, first);
            case UNBATCH -> moved(first, dimension -> dimension > 0, dimension -> dimension - 1);
            case ZIP -> zipped(inputs, given);
            case CONCATENATE, CHOOSE -> given.stream().reduce(List.of(), ShortBatches::either);
            case FILTER, SHUFFLE, CACHE, SNAPSHOT, TAKE, SKIP, SHARD, TAKE_WHILE, UNIQUE, REPEAT, TRANSPARENT, ASSERT ->
                first;
            case MAP -> mapped(node, inputs.get(0), first);
            // its shapes are said for elements that may be of any size
            default -> List.of();
        };
    }

    private List<Set<Integer>> batched(NodeDef batch, List<Set<Integer>> elements) {
        List<Set<Integer>> within = moved(elements, dimension -> true, dimension -> dimension + 1);
        if (DatasetOps.dropsRemainder(batch, scope).orElse(true)) {
            return within;
        }
        List<Set<Integer>> leading = DatasetOps.components(batch).stream()
                .map(component -> Set.of(0))
                .toList();
        return either(within, leading);
    }

    /** What a function makes of a batch may have as many rows: what leads with a batch's size is taken to be of it. */
    private List<Set<Integer>> mapped(NodeDef map, String input, List<Set<Integer>> batches) {
        List<ElementComponent> given = DatasetOps.components(scope.node(Scope.nodeOf(input)));
        Set<Long> sizes = new HashSet<>();
        for (int i = 0; i < batches.size(); i++) {
            if (batches.get(i).contains(0)) {
                given.get(i).shape().stream().limit(1).forEach(sizes::add);
            }
        }
        return DatasetOps.components(map).stream()
                .map(component ->
                        component.shape().stream().limit(1).anyMatch(sizes::contains) ? Set.of(0) : Set.<Integer>of())
                .toList();
    }

    private List<Set<Integer>> zipped(List<String> inputs, List<List<Set<Integer>>> given) {
        List<Set<Integer>> all = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            int components = DatasetOps.components(scope.node(Scope.nodeOf(inputs.get(i))))
                    .size();
            for (int j = 0; j < components; j++) {
                all.add(j < given.get(i).size() ? given.get(i).get(j) : Set.of());
            }
        }
        return all;
    }

    private static List<Set<Integer>> moved(List<Set<Integer>> all, IntPredicate kept, IntUnaryOperator move) {
        return all.stream()
                .map(each ->
                        each.stream().filter(kept::test).map(move::applyAsInt).collect(Collectors.toSet()))
                .toList();
    }

    private static List<Set<Integer>> either(List<Set<Integer>> one, List<Set<Integer>> other) {
        List<Set<Integer>> both = new ArrayList<>();
        for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
            Set<Integer> dimensions = new TreeSet<>();
            if (i < one.size()) {
                dimensions.addAll(one.get(i));
            }
            if (i < other.size()) {
                dimensions.addAll(other.get(i));
            }
            both.add(dimensions);
        }
        return both;
    }

    private void open(String name, List<Set<Integer>> dimensions) {
        if (dimensions.stream().allMatch(Set::isEmpty)) {
            return;
        }
        NodeDef node = scope.node(name);
        List<ElementComponent> components = new ArrayList<>(DatasetOps.components(node));
        for (int i = 0; i < components.size(); i++) {
            components.set(i, open(components.get(i), dimensions.get(i)));
        }
        NodeDef.Builder changed = node.toBuilder();
        DatasetOps.setComponents(changed, DatasetOps.typesKey(node), components);
        scope.put(changed.build());
    }

    private static ElementComponent open(ElementComponent component, Set<Integer> dimensions) {
        List<Long> shape = new ArrayList<>(component.shape());
        dimensions.stream()
                .filter(dimension -> dimension < shape.size())
                .forEach(dimension -> shape.set(dimension, -1L));
        return new ElementComponent(component.dtype(), component.rankKnown(), shape);
    }
}
