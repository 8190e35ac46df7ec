package io.praline.worker.graph.source;

import io.praline.worker.graph.Cardinality;
import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GivenElements;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.rows.PaddedSizes;
import io.praline.worker.graph.source.rows.RowFlow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * Whether elements are batches, or batches of batches, and by which steps they are: those of a pipeline, or of a function that is
 * given a group of its elements or a batch.
 *
 * @param scope of the pipeline, or of the function
 * @param chosen whether chance has chosen what is in the group or the batch that the function is given, of more elements than so
 *     many; empty for the pipeline
 * @param outside where what the function is given comes from, which may be batches itself; empty for the pipeline
 */
record BatchLevels(PipelineGraph pipeline, Scope scope, Optional<LongPredicate> chosen, Optional<Outside> outside) {

    /** A step that makes batches, and the levels of where it stands: of the pipeline, or of a function that makes them of groups. */
    record Batching(NodeDef step, BatchLevels at) {
        OpTraits.Family family() {
            return OpTraits.of(step).family();
        }

        /**
         * Whether chance has chosen which elements share a batch: not where it has no more of them to choose from than a batch
         * holds, which then is made of all, or of neighbours.
         */
        boolean byChance() {
            long among = size().orElse(1L);
            return at.isShuffled(step.getInput(0), among) && !at.areAtMost(step.getInput(0), among);
        }

        /** How many elements were asked for; empty where it is not known. */
        Optional<Long> size() {
            return DatasetOps.wholeSize(step, at.scope);
        }

        /** Whether one that comes short may be left out. */
        boolean drops() {
            return DatasetOps.dropsRemainder(step, at.scope).orElse(true);
        }

        /** Whether elements are filled up to the length of the longest. */
        private boolean pads() {
            return switch (family()) {
                case REBATCH -> at.arePadded(step.getInput(0));
                case PADDED_BATCH -> new PaddedSizes(step, at.scope).areOfTheLongest();
                default -> false;
            };
        }
    }

    /** What a group is made into, by a function that is given it: a dataset, and the levels within that function. */
    record InGroup(String dataset, BatchLevels levels) {}

    /** What a function is given, and the levels of where it is called. */
    record Outside(BatchLevels levels, GivenElements given) {
        String dataset() {
            return given.dataset();
        }
    }

    static BatchLevels of(PipelineGraph pipeline) {
        return new BatchLevels(pipeline, pipeline.scope(), Optional.empty(), Optional.empty());
    }

    /** Those within a function that is given something of which chance may have chosen what is in it. */
    BatchLevels within(Scope function, LongPredicate byChance, GivenElements given) {
        return new BatchLevels(pipeline, function, Optional.of(byChance), Optional.of(new Outside(this, given)));
    }

    /** The same where chance has chosen nothing of what the function is given. */
    BatchLevels inOrder() {
        return new BatchLevels(pipeline, scope, Optional.of(among -> false), outside);
    }

    /** Where the elements of a dataset come from, if they are what the function is given. */
    Optional<Outside> outside(String ref) {
        return outside.filter(from -> from.given().are(ref, scope));
    }

    /** What a step that groups makes of each group. */
    InGroup inGroup(NodeDef group) {
        FunctionDef reduce = pipeline.functions()
                .get(group.getAttrOrThrow("reduce_func").getFunc().getName());
        String window = reduce.getSignature().getInputArg(1).getName();
        Scope body = Scope.ofFunction(reduce, Map.of(window, scope.components(group.getInput(0))));
        String result = reduce.getSignature().getOutputArg(0).getName();
        // of one that has room for all that the shuffle has open chance has left nothing out
        long room = windowSize(group).orElse(1L);
        LongPredicate byChance = among -> isShuffled(group.getInput(0), Math.min(among, room));
        GivenElements given = GivenElements.asGroup(group.getInput(0), window);
        return new InGroup(reduce.getRetOrThrow(result), within(body, byChance, given));
    }

    /** How many elements make a group full; empty where that hangs on its key. */
    Optional<Long> windowSize(NodeDef group) {
        return Optional.ofNullable(pipeline.functions()
                        .get(group.getAttrOrThrow("window_size_func").getFunc().getName()))
                .flatMap(size -> Constants.integer(
                        Scope.ofFunction(size),
                        size.getRetOrThrow(size.getSignature().getOutputArg(0).getName())));
    }

    /** Whether chance has chosen which elements stand where. */
    boolean isShuffled(String ref) {
        return isShuffled(ref, 1);
    }

    /** Whether it has, of more elements than so many. */
    private boolean isShuffled(String ref, long among) {
        return chosen.map(byChance -> byChance.test(among)).orElseGet(() -> {
            NodeDef node = made(ref).orElseThrow();
            DatasetKinds kinds = new DatasetKinds(pipeline, scope);
            return switch (OpTraits.of(node).family()) {
                // those of one that is not shuffled stand where they stand, unless chance says whose turn it is
                case CONCATENATE -> kinds.datasetInputs(node).allMatch(input -> isShuffled(input, among));
                case CHOOSE -> {
                    List<String> others = kinds.datasetInputs(node).skip(1).toList();
                    boolean byTurns = kinds.isChance(node.getInput(0));
                    yield byTurns
                            ? others.stream().anyMatch(input -> isShuffled(input, among))
                            : others.stream().allMatch(input -> isShuffled(input, among));
                }
                case MAP, FILTER, SHUFFLE, CACHE, SNAPSHOT, TRANSPARENT, ASSERT, REPEAT, TAKE, SKIP, SHARD ->
                    shuffles(node, among) || isShuffled(node.getInput(0), among);
                // one of what it makes several elements of, a file, may hold more than a batch
                default -> BatchUse.datasetsOf(node).anyMatch(this::isShuffled);
            };
        });
    }

    /** Whether a step lets chance choose among more than so many; without a number it has all to choose from. */
    private boolean shuffles(NodeDef node, long among) {
        return OpTraits.of(node).family() == OpTraits.Family.SHUFFLE
                && DatasetOps.number(node, OpTraits.Input.SIZE, scope)
                        .filter(size -> size > 0 && size <= among)
                        .isEmpty();
    }

    /** Whether it is known that a dataset has no more elements than so many, in each of its repetitions. */
    private boolean areAtMost(String ref, long many) {
        Optional<NodeDef> made = made(ref);
        if (made.isEmpty()) {
            return false;
        }
        NodeDef node = made.get();
        return switch (OpTraits.of(node).family()) {
            case MAP, FILTER, SHUFFLE, CACHE, SNAPSHOT, TRANSPARENT, ASSERT, REPEAT ->
                areAtMost(node.getInput(0), many);
            case RANGE, SLICES ->
                Cardinality.written(node, scope).filter(count -> count <= many).isPresent();
            default -> false;
        };
    }

    /** Whether elements are batches of one element each, whatever stands beside them. */
    boolean areOfOne(String ref) {
        List<Batching> batching = batching(ref);
        return !batching.isEmpty()
                && batching.stream().allMatch(made -> made.size().equals(Optional.of(1L)));
    }

    /** Whether elements are batches, whatever was made of them meanwhile. */
    boolean isBatched(String ref) {
        return !batching(ref).isEmpty();
    }

    /** Whether elements are batches, or what groups were made into. */
    boolean isBatchOrGroup(String ref) {
        Optional<NodeDef> step = made(ref);
        while (step.filter(node -> OpTraits.of(node).family() == OpTraits.Family.MAP)
                .isPresent()) {
            step = made(step.get().getInput(0));
        }
        return isBatched(ref)
                || step.filter(node -> OpTraits.of(node).family() == OpTraits.Family.GROUP && batchesInside(node))
                        .isPresent();
    }

    /** Whether a node's function says of itself that it makes each row of a batch of the same row. */
    boolean makesRowsByRows(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.MAP
                && calledBy(node).filter(EarlyBatches::isByRows).isPresent();
    }

    boolean batchesInside(NodeDef node) {
        return pipeline.workOf(node).anyMatch(inner -> OpTraits.of(inner).isBatch());
    }

    /** The steps that make batches of elements, several where datasets of batches meet; none of other elements. */
    List<Batching> batching(String ref) {
        Optional<Outside> given = outside(ref);
        if (given.isPresent()) {
            return given.get().levels().batching(given.get().dataset());
        }
        Optional<NodeDef> step = made(ref);
        if (step.isEmpty()) {
            return List.of();
        }
        if (OpTraits.of(step.get()).makesBatches()) {
            return List.of(new Batching(step.get(), this));
        }
        if (OpTraits.of(step.get()).family() == OpTraits.Family.GROUP) {
            InGroup made = inGroup(step.get());
            return made.levels().batching(made.dataset());
        }
        return passed(step.get()).flatMap(input -> batching(input).stream()).toList();
    }

    /** The datasets whose elements a step yields, one for each of theirs, whatever it makes of them. */
    Stream<String> passed(NodeDef step) {
        DatasetKinds kinds = new DatasetKinds(pipeline, scope);
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
    boolean yieldsBatches(NodeDef step) {
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
    private Set<Integer> drawn(String ref) {
        return beside(ref, DatasetKinds::isChance);
    }

    /** Which components of elements are one element, the same for all batches, that was zipped to them. */
    Set<Integer> same(String ref) {
        return beside(ref, DatasetKinds::isOne);
    }

    private Set<Integer> beside(String ref, BiPredicate<DatasetKinds, String> kind) {
        Optional<Outside> given = outside(ref);
        if (given.isPresent()) {
            return given.get().levels().beside(given.get().dataset(), kind);
        }
        Optional<NodeDef> made = made(ref);
        if (made.isEmpty()) {
            return Set.of();
        }
        NodeDef step = made.get();
        return switch (OpTraits.of(step).family()) {
            case FILTER, SHUFFLE, CACHE, SNAPSHOT, REPEAT, TRANSPARENT, ASSERT, TAKE, SKIP, SHARD ->
                beside(step.getInput(0), kind);
            case ZIP -> zipped(step, kind);
            case GROUP -> {
                InGroup group = inGroup(step);
                yield group.levels().beside(group.dataset(), kind);
            }
            default -> Set.of();
        };
    }

    private Set<Integer> zipped(NodeDef zip, BiPredicate<DatasetKinds, String> kind) {
        DatasetKinds kinds = new DatasetKinds(pipeline, scope);
        Set<Integer> zipped = new HashSet<>();
        int first = 0;
        for (String input : kinds.datasetInputs(zip).toList()) {
            int behind = first + scope.components(input).size();
            if (kind.test(kinds, input)) {
                IntStream.range(first, behind).forEach(zipped::add);
            }
            first = behind;
        }
        return zipped;
    }

    /**
     * Batches as a function is given them.
     *
     * @param padded which components have rows that are filled up to the longest
     * @param captured what it is given behind them, as far as it is constant
     */
    RowFlow.Rows rows(String batches, int axis, Set<Integer> padded, List<Optional<TensorProto>> captured) {
        List<Long> asked = batchSizes(batches).stream().distinct().toList();
        // the graph leaves open how many rows there are, since the last batch may be short
        List<ElementComponent> components = scope.components(batches).stream()
                .map(component -> axis == 0 && asked.size() == 1 ? component.leading(asked.get(0)) : component)
                .toList();
        Set<Long> sizes = axis == 0 ? Set.copyOf(asked) : Set.of();
        return new RowFlow.Rows(components, axis, padded, drawn(batches), same(batches), captured, sizes);
    }

    /** Whether elements of batches are filled up to the length of the longest. */
    boolean arePadded(String batches) {
        return batching(batches).stream().anyMatch(Batching::pads);
    }

    /** Whether they were made as one sparse tensor each, of whose rows nobody can tell where they lie. */
    boolean areSparse(String batches) {
        return batching(batches).stream().anyMatch(made -> made.family() == OpTraits.Family.SPARSE_BATCH);
    }

    /** How many elements were asked for, as far as it is known. */
    List<Long> batchSizes(String batches) {
        return batching(batches).stream().flatMap(made -> made.size().stream()).toList();
    }

    /** How many batches elements are, one in another; those that were taken apart on the way are not counted with. */
    int depth(String ref) {
        Optional<Outside> given = outside(ref);
        if (given.isPresent()) {
            return given.get().levels().depth(given.get().dataset());
        }
        Optional<NodeDef> made = made(ref);
        if (made.isEmpty()) {
            return 0;
        }
        NodeDef node = made.get();
        return switch (OpTraits.of(node).family()) {
            case BATCH, PADDED_BATCH -> 1 + depth(node.getInput(0));
            // also of batches that a function made of what it opened
            case REBATCH -> Math.max(1, depth(node.getInput(0)));
            case GROUP -> {
                InGroup group = inGroup(node);
                yield group.levels().depth(group.dataset());
            }
            default -> passed(node).mapToInt(this::depth).max().orElse(0);
        };
    }

    /** Why which rows there are behind a node that takes batches apart depends on all that came before; empty where it does not. */
    Optional<String> takesApart(NodeDef node) {
        if (WholeBatches.takesInnerApart(node, this)) {
            return Optional.of(" takes batches apart that are in batches of whole ones");
        }
        if (OpenedRows.holdOthers(node, this)) {
            return Optional.of(OpenedRows.ONCE_FOR_EACH);
        }
        return WholeBatches.areTakenApart(node, this)
                ? Optional.of(" takes batches apart that must be whole")
                : Optional.empty();
    }

    /** What makes a dataset; where it is early batches that are taken apart again, what made their elements. */
    Optional<NodeDef> made(String ref) {
        return scope.producer(EarlyBatches.passed(ref, scope, pipeline.functions()));
    }
}
