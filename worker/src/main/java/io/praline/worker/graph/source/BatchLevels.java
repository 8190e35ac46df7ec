package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.EarlyBatches;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GivenElements;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
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
                .flatMap(size -> Constants.integer(Scope.ofFunction(size), Scope.result(size, 0)));
    }

    /** Whether chance has chosen which elements stand where. */
    boolean isShuffled(String ref) {
        return isShuffled(ref, 1);
    }

    /** Whether it has, of more elements than so many. */
    boolean isShuffled(String ref, long among) {
        return chosen.map(byChance -> byChance.test(among)).orElseGet(() -> Batching.isShuffled(ref, among, this));
    }

    /** Whether elements are batches of one element each, also those in them, whatever stands beside them. */
    boolean areOfOne(String ref) {
        return isBatched(ref) && nested(ref).allMatch(made -> made.size().equals(Optional.of(1L)));
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
        return batching(ref, 0);
    }

    /** The same, and those that made the batches which are in these. */
    Stream<Batching> nested(String ref) {
        return IntStream.range(0, Math.max(1, depth(ref)))
                .mapToObj(within -> batching(ref, within))
                .flatMap(List::stream);
    }

    /** Those that made batches which are in so many others. */
    List<Batching> batching(String ref, int within) {
        Optional<Outside> given = outside(ref);
        if (given.isPresent()) {
            return given.get().levels().batching(given.get().dataset(), within);
        }
        Optional<NodeDef> step = made(ref);
        if (step.isEmpty()) {
            return List.of();
        }
        NodeDef node = step.get();
        OpTraits traits = OpTraits.of(node);
        if (traits.makesBatches() && within == 0) {
            return List.of(new Batching(node, this));
        }
        if (traits.isBatch()) {
            return batching(node.getInput(0), within - 1);
        }
        if (traits.family() == OpTraits.Family.GROUP) {
            InGroup made = inGroup(node);
            return made.levels().batching(made.dataset(), within);
        }
        if (yieldsInner(traits, node)) {
            return batching(node.getInput(0), within + 1);
        }
        return (traits.family() == OpTraits.Family.REBATCH ? Stream.of(node.getInput(0)) : passed(node))
                .flatMap(input -> batching(input, within).stream())
                .toList();
    }

    /** Whether of batches that are in others a step yields those. */
    private boolean yieldsInner(OpTraits traits, NodeDef node) {
        return traits.family() == OpTraits.Family.UNBATCH
                || (traits.family() == OpTraits.Family.INTERLEAVE && !yieldsBatches(node));
    }

    /** The datasets whose elements a step yields, one for each of theirs, whatever it makes of them. */
    Stream<String> passed(NodeDef step) {
        DatasetKinds kinds = new DatasetKinds(pipeline, scope);
        return switch (OpTraits.of(step).family()) {
            case MAP, FILTER, SHUFFLE, CACHE, SNAPSHOT, REPEAT, TRANSPARENT, ASSERT, TAKE, SKIP, SHARD, PARSE ->
                Stream.of(step.getInput(0));
            case CONCATENATE -> kinds.datasetInputs(step);
            case CHOOSE -> kinds.datasetInputs(step).skip(1);
            case ZIP -> {
                // what has no end is no data, but a number, a constant or chance beside it, unless the data has none
                // either
                List<String> ending = kinds.datasetInputs(step)
                        .filter(input -> !kinds.endless(input))
                        .toList();
                yield ending.isEmpty()
                        ? kinds.datasetInputs(step).filter(input -> kinds.weight(input) > 0)
                        : ending.stream();
            }
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
                .filter(function -> yieldsBatches(Scope.ofFunction(function), Scope.result(function, 0)))
                .isPresent();
    }

    private static boolean yieldsBatches(Scope body, String ref) {
        Optional<NodeDef> made = body.producer(body.behindIdentities(ref));
        return made.isPresent()
                && switch (OpTraits.of(made.get()).family()) {
                    case BATCH, PADDED_BATCH -> true;
                    case MAP, FILTER, SHUFFLE, TRANSPARENT, CACHE, REPEAT, TAKE, SKIP, SHARD, ASSERT ->
                        yieldsBatches(body, made.get().getInput(0));
                    case ZIP, CONCATENATE -> Scope.given(made.get()).anyMatch(input -> yieldsBatches(body, input));
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

    /** The same batches, where a function may have made more rows of them or fewer than were asked for. */
    RowFlow.Rows ofAnyNumber(RowFlow.Rows rows, String batches) {
        return new RowFlow.Rows(
                scope.components(batches),
                rows.axis(),
                rows.padded(),
                rows.drawn(),
                rows.same(),
                rows.captured(),
                Set.of());
    }

    /** Whether elements of batches are filled up to the length of the longest. */
    boolean arePadded(String batches) {
        return batching(batches).stream().anyMatch(Batching::pads);
    }

    /** Whether they were made as one sparse tensor each, of whose rows nobody can tell where they lie. */
    boolean areSparse(String batches) {
        return batching(batches).stream().anyMatch(made -> made.family() == OpTraits.Family.SPARSE_BATCH);
    }

    /** How many rows elements have, as the graph says, and as the batch was asked for: whoever gives it a fixed shape means that. */
    Set<Long> rowsBefore(String ref) {
        Set<Long> rows = new HashSet<>(batchSizes(ref));
        scope.components(ref).stream()
                .filter(component -> component.rankKnown() && !component.shape().isEmpty())
                .forEach(component -> rows.add(component.shape().get(0)));
        return rows;
    }

    /** What a node gives its function behind an element's components, as far as it is constant, or a variable that begins so. */
    List<Optional<TensorProto>> captured(NodeDef node) {
        return node.getInputList().stream()
                .skip(1)
                .filter(input -> !input.startsWith("^"))
                .map(input -> Constants.value(scope, input).or(() -> Constants.ofVariable(scope, input)))
                .toList();
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
            default ->
                yieldsInner(OpTraits.of(node), node)
                        ? Math.max(0, depth(node.getInput(0)) - 1)
                        : passed(node).mapToInt(this::depth).max().orElse(0);
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
