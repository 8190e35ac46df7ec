package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Whether elements are batches, or batches of batches, and by which steps they are. */
record BatchLevels(PipelineGraph pipeline, Scope scope) {

    /** Whether elements are batches, whatever was made of them meanwhile. */
    boolean isBatched(String ref) {
        return !batching(ref).isEmpty();
    }

    /** Whether elements are batches, or what groups were made into. */
    boolean isBatchOrGroup(String ref) {
        NodeDef step = scope.node(Scope.nodeOf(ref));
        while (OpTraits.of(step).family() == OpTraits.Family.MAP) {
            step = scope.node(Scope.nodeOf(step.getInput(0)));
        }
        return OpTraits.of(step).family() == OpTraits.Family.GROUP ? batchesInside(step) : isBatched(ref);
    }

    boolean batchesInside(NodeDef node) {
        return PipelineGraph.reachedFunctions(List.of(node), pipeline.functions()).stream()
                .flatMap(name -> pipeline.functions().get(name).getNodeDefList().stream())
                .anyMatch(inner -> OpTraits.of(inner).isBatch());
    }

    /** The steps that make batches of elements, several where datasets of batches meet; none of other elements. */
    List<NodeDef> batching(String ref) {
        NodeDef step = scope.node(Scope.nodeOf(ref));
        return OpTraits.of(step).makesBatches()
                ? List.of(step)
                : passed(step).flatMap(input -> batching(input).stream()).toList();
    }

    /** The datasets whose elements a step yields, one for each of theirs, whatever it makes of them. */
    Stream<String> passed(NodeDef step) {
        DatasetKinds kinds = new DatasetKinds(scope);
        return switch (OpTraits.of(step).family()) {
            case MAP, FILTER, SHUFFLE, CACHE, SNAPSHOT, REPEAT, TRANSPARENT, ASSERT, TAKE, SKIP, SHARD, PARSE ->
                Stream.of(step.getInput(0));
            case CONCATENATE -> kinds.datasetInputs(step);
            case CHOOSE -> kinds.datasetInputs(step).skip(1);
            // what has no end is no data, but a number, a constant or chance beside it
            case ZIP -> kinds.datasetInputs(step).filter(input -> !kinds.endless(input));
            case INTERLEAVE -> Stream.of(step.getInput(0)).filter(input -> yieldsBatches(step));
            default -> Stream.empty();
        };
    }

    /** The function that a step runs for each element. */
    Optional<FunctionDef> calledBy(NodeDef step) {
        return Optional.ofNullable(
                pipeline.functions().get(step.getAttrOrThrow("f").getFunc().getName()));
    }

    /** Whether of a batch that it is given a step yields the whole, or parts that are batches again. */
    private boolean yieldsBatches(NodeDef step) {
        return calledBy(step)
                .filter(function -> yieldsBatches(
                        Scope.ofFunction(function),
                        function.getRetOrThrow(
                                function.getSignature().getOutputArg(0).getName())))
                .isPresent();
    }

    private static boolean yieldsBatches(Scope body, String ref) {
        Optional<NodeDef> made = body.producer(body.behindIdentities(ref));
        return made.isPresent()
                && switch (OpTraits.of(made.get()).family()) {
                    case BATCH, PADDED_BATCH -> true;
                    case MAP, FILTER, SHUFFLE, TRANSPARENT, CACHE, REPEAT, TAKE, SKIP, SHARD, ASSERT ->
                        yieldsBatches(body, made.get().getInput(0));
                    case ZIP, CONCATENATE ->
                        made.get().getInputList().stream()
                                .filter(input -> !input.startsWith("^"))
                                .anyMatch(input -> yieldsBatches(body, input));
                    default -> made.get().getOp().equals("TensorDataset");
                };
    }

    /** Which components of elements are random numbers that were zipped to batches. */
    Set<Integer> drawn(String ref) {
        NodeDef step = scope.node(Scope.nodeOf(ref));
        if (OpTraits.of(step).family() == OpTraits.Family.TRANSPARENT) {
            return drawn(step.getInput(0));
        }
        Set<Integer> drawn = new HashSet<>();
        DatasetKinds kinds = new DatasetKinds(scope);
        if (OpTraits.of(step).family() == OpTraits.Family.ZIP) {
            int first = 0;
            for (String input : kinds.datasetInputs(step).toList()) {
                int behind = first + scope.components(input).size();
                if (kinds.isChance(input)) {
                    IntStream.range(first, behind).forEach(drawn::add);
                }
                first = behind;
            }
        }
        return drawn;
    }

    /** Whether elements of batches are filled up to the length of the longest. */
    boolean arePadded(String batches) {
        return batching(batches).stream()
                .anyMatch(step -> OpTraits.of(step).family() == OpTraits.Family.REBATCH
                        ? arePadded(step.getInput(0))
                        : OpTraits.of(step).family() == OpTraits.Family.PADDED_BATCH);
    }

    /** Whether they were made as one sparse tensor each, of whose rows nobody can tell where they lie. */
    boolean areSparse(String batches) {
        return batching(batches).stream().anyMatch(step -> OpTraits.of(step).family() == OpTraits.Family.SPARSE_BATCH);
    }

    /** How many elements were asked for, as far as it is known. */
    List<Long> batchSizes(String batches) {
        return batching(batches).stream().flatMap(step -> size(step).stream()).toList();
    }

    /** How many elements a step puts into a batch; empty where it is not known. */
    Optional<Long> size(NodeDef batching) {
        return DatasetOps.batchSize(batching, scope);
    }

    /** How many batches elements are, one in another; those that were taken apart on the way are not counted with. */
    int depth(String ref) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        return switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH -> 1 + depth(node.getInput(0));
            case REBATCH -> depth(node.getInput(0));
            default -> passed(node).mapToInt(this::depth).max().orElse(0);
        };
    }

    /**
     * Whether a node takes apart batches that were put into batches, of which one is only made of such as are alike: what is left of
     * several tasks may be none of them.
     */
    boolean takesInnerApart(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.UNBATCH
                && holdsMoreThan(levels(node.getInput(0)) - 1, node.getInput(0));
    }

    /** Whether somewhere below a dataset batches were made of what was more than so many batches, one in another. */
    private boolean holdsMoreThan(int levels, String ref) {
        Optional<NodeDef> step = madeOfDataset(ref);
        return step.isPresent()
                && ((OpTraits.of(step.get()).isBatch() && levels(step.get().getInput(0)) > levels)
                        || holdsMoreThan(levels, step.get().getInput(0)));
    }

    /** How many batches an element is, one in another. */
    private int levels(String ref) {
        Optional<NodeDef> step = madeOfDataset(ref);
        if (step.isEmpty()) {
            return 0;
        }
        int before = levels(step.get().getInput(0));
        return switch (OpTraits.of(step.get()).family()) {
            case BATCH, PADDED_BATCH -> before + 1;
            case UNBATCH -> Math.max(0, before - 1);
            case GROUP -> batchesInside(step.get()) ? 1 : 0;
            case INTERLEAVE, WINDOW -> 0;
            default -> before;
        };
    }

    private Optional<NodeDef> madeOfDataset(String ref) {
        return scope.producer(ref)
                .filter(step -> step.getInputCount() > 0 && new DatasetKinds(scope).isDataset(step.getInput(0)));
    }
}
