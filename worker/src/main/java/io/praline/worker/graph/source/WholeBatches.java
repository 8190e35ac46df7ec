package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.rows.RowNumbers;
import io.praline.worker.graph.source.rows.SizeChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Batches of which none may come short, since it is left out, or a function is written for whole ones. */
public final class WholeBatches {
    private WholeBatches() {}

    /**
     * Whether a function makes so many rows as a whole batch has, or asserts something of how many there are, or does what not
     * every number of rows can be given, as to lay them out in pairs, where the batch leaves that open, whatever stands beside it:
     * of a short one, of which one process has one at most, and none where they come out even, it may make nothing.
     *
     * @param map that runs it
     * @param functions by their names
     * @param given what its elements are, as the user wrote them
     * @param full how many rows a whole one has; empty where that is not known, or elements are no batches
     */
    public static boolean areWanted(
            NodeDef map, Map<String, FunctionDef> functions, List<ElementComponent> given, Optional<Long> full) {
        return full.filter(rows -> leadWith(given, -1).findAny().isPresent()
                        && (leadWith(DatasetOps.components(map), rows).findAny().isPresent()
                                || asksForSizes(map, functions, given)))
                .isPresent();
    }

    /**
     * What the elements of a dataset consist of, of which a step is given batches. Of what is zipped to them, which has no end, no batch
     * comes short.
     *
     * @param data whether a dataset is made of what ends
     */
    public static List<ElementComponent> given(Scope scope, String ref, Predicate<String> data) {
        Optional<NodeDef> step = scope.producer(scope.behindIdentities(ref));
        OpTraits.Family family = step.map(node -> OpTraits.of(node).family()).orElse(OpTraits.Family.OTHER);
        return switch (family) {
            case ZIP ->
                Scope.given(step.get())
                        .flatMap(input -> data.test(input)
                                ? given(scope, input, data).stream()
                                : scope.components(input).stream().map(component -> full(component, input, scope)))
                        .toList();
            case SHUFFLE, TRANSPARENT -> given(scope, step.get().getInput(0), data);
            default -> scope.components(ref);
        };
    }

    private static ElementComponent full(ElementComponent component, String batches, Scope scope) {
        Optional<Long> size = sizeOf(batches, scope);
        if (size.isEmpty() || leadWith(List.of(component), -1).findAny().isEmpty()) {
            return component;
        }
        List<Long> shape = new ArrayList<>(component.shape());
        shape.set(0, size.get());
        return new ElementComponent(component.dtype(), true, shape);
    }

    /** How many rows a dataset's batches have, whatever a function made of each row. */
    private static Optional<Long> sizeOf(String batches, Scope scope) {
        return scope.producer(scope.behindIdentities(batches))
                .flatMap(node -> switch (OpTraits.of(node).family()) {
                    case BATCH, PADDED_BATCH -> DatasetOps.batchSize(node, scope);
                    case MAP, SHUFFLE, TRANSPARENT, CACHE, REPEAT -> sizeOf(node.getInput(0), scope);
                    default -> Optional.empty();
                });
    }

    private static boolean asksForSizes(NodeDef map, Map<String, FunctionDef> functions, List<ElementComponent> given) {
        return Optional.ofNullable(
                        functions.get(map.getAttrOrThrow("f").getFunc().getName()))
                .filter(function -> new SizeChecks(functions).areMadeBy(function)
                        || RowNumbers.areAsked(function, given, functions))
                .isPresent();
    }

    /**
     * Whether a node takes such batches apart. Rows that have come out are no number of whole batches then, and what is left when
     * a split or a task ends, or dies, fills others than in one process, or none.
     */
    static boolean areTakenApart(NodeDef node, BatchLevels levels) {
        return switch (OpTraits.of(node).family()) {
            case UNBATCH, REBATCH -> areWhole(node.getInput(0), levels);
            case INTERLEAVE -> areWhole(node.getInput(0), levels) && !levels.yieldsBatches(node);
            default -> false;
        };
    }

    private static boolean areWhole(String batches, BatchLevels levels) {
        return levels.batching(batches).stream().anyMatch(Batching::drops) || areWanted(batches, levels);
    }

    /** Whether any function on the way to batches is written for whole ones. */
    private static boolean areWanted(String batches, BatchLevels levels) {
        Optional<NodeDef> step = levels.scope().producer(levels.scope().behindIdentities(batches));
        return step.filter(node -> isForWholeOnes(node, levels)).isPresent()
                || step.stream().flatMap(levels::passed).anyMatch(input -> areWanted(input, levels));
    }

    private static boolean isForWholeOnes(NodeDef node, BatchLevels levels) {
        return OpTraits.of(node).family() == OpTraits.Family.MAP
                && levels.batchSizes(node.getInput(0)).stream()
                        .anyMatch(size -> areWanted(
                                node,
                                levels.pipeline().functions(),
                                levels.scope().components(node.getInput(0)),
                                Optional.of(size)));
    }

    /**
     * Whether a node takes apart batches that were put into batches, of which one is only made of such as are alike: what is left of
     * several tasks may be none of them.
     */
    static boolean takesInnerApart(NodeDef node, BatchLevels levels) {
        return OpTraits.of(node).family() == OpTraits.Family.UNBATCH
                && EarlyBatches.undone(node, levels.scope(), levels.pipeline().functions())
                        .isEmpty()
                && holdsMoreThan(deep(node.getInput(0), levels) - 1, node.getInput(0), levels);
    }

    /** Whether somewhere below a dataset batches were made of what was more than so many batches, one in another. */
    private static boolean holdsMoreThan(int many, String ref, BatchLevels levels) {
        Optional<NodeDef> step = madeOfDataset(ref, levels);
        return step.isPresent()
                && ((OpTraits.of(step.get()).isBatch() && deep(step.get().getInput(0), levels) > many)
                        || holdsMoreThan(many, step.get().getInput(0), levels));
    }

    /** How many batches an element is, one in another. */
    private static int deep(String ref, BatchLevels levels) {
        Optional<NodeDef> step = madeOfDataset(ref, levels);
        if (step.isEmpty()) {
            return 0;
        }
        int before = deep(step.get().getInput(0), levels);
        return switch (OpTraits.of(step.get()).family()) {
            case BATCH, PADDED_BATCH -> before + 1;
            case UNBATCH -> Math.max(0, before - 1);
            case GROUP -> levels.batchesInside(step.get()) ? 1 : 0;
            case INTERLEAVE, WINDOW -> 0;
            default -> before;
        };
    }

    private static Optional<NodeDef> madeOfDataset(String ref, BatchLevels levels) {
        return levels.made(ref)
                .filter(step -> step.getInputCount() > 0
                        && new DatasetKinds(levels.pipeline(), levels.scope()).isDataset(step.getInput(0)));
    }

    private static Stream<ElementComponent> leadWith(List<ElementComponent> components, long rows) {
        return components.stream()
                .filter(component -> component.rankKnown()
                        && !component.shape().isEmpty()
                        && component.shape().get(0) == rows);
    }
}
