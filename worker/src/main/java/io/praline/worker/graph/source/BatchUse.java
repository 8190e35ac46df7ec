package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.GivenElements;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.rows.RowFlow;
import io.praline.worker.graph.source.rows.RowGrid;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Whether what a node makes of an element or a batch depends on which elements are in it together, came before, or in which order. */
final class BatchUse {
    private static final String SHARED = " depends on which elements share a batch or a group";

    /** Make something of all that is in a dataset which is no dataset. */
    private static final Set<String> AS_A_WHOLE =
            Set.of("ReduceDataset", "DatasetCardinality", "ExperimentalDatasetCardinality", "DatasetToSingleElement");

    private final PipelineGraph pipeline;
    private final Scope scope;
    private final BatchLevels levels;

    /** What a function may do with the rows of batches that it is given. */
    private enum Change {
        /** Lay them along another dimension than the first. */
        MOVES,
        /** Make more of them, or fewer. */
        COUNTS_ANEW
    }

    // what is known of datasets, by their names: a step is asked for by all behind it
    private final Map<String, Set<Integer>> padded = new HashMap<>();
    private final Map<Change, Map<String, Boolean>> before = new EnumMap<>(Change.class);

    BatchUse(PipelineGraph pipeline) {
        this(BatchLevels.of(pipeline));
    }

    private BatchUse(BatchLevels levels) {
        this.pipeline = levels.pipeline();
        this.scope = levels.scope();
        this.levels = levels;
    }

    /** Why what a node makes depends on which elements came before, or what it opens on which share a batch or a group. */
    Optional<String> hangsOnOthers(NodeDef node) {
        return pipeline.remembers(node)
                ? Optional.of(" remembers what came before")
                : levels.takesApart(node).or(() -> Optional.of(SHARED).filter(shared -> opensBatches(node)));
    }

    /** Why what a node makes depends on which elements share a batch or a group, or on where they lie in it. */
    Optional<String> looksAcross(NodeDef node) {
        boolean shared = sumsUp(node) || cutsBatches(node) || cutsGroups(node) || takesOtherRows(node);
        return levels.takesApart(node)
                .or(() -> Remainders.leftOut(node, levels))
                .or(() -> Optional.of(SHARED).filter(why -> shared && !levels.makesRowsByRows(node)));
    }

    /** Whether a node makes one element of all that is in a batch or a group: it depends on what is in it. */
    private boolean sumsUp(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case MAP ->
                levels.isBatchOrGroup(node.getInput(0))
                        && RowGrid.isNone(DatasetOps.components(node), levels.rowsBefore(node.getInput(0)));
            case GROUP ->
                (RowGrid.areSingle(DatasetOps.components(node)) && levels.batchesInside(node))
                        || pipeline.workOf(node).anyMatch(inner -> AS_A_WHOLE.contains(inner.getOp()))
                        || mixesInside(levels.inGroup(node))
                        || tellsKeysOfBatches(node);
            // what it says of a batch is one value made of all that is in it
            case FILTER -> levels.isBatchOrGroup(node.getInput(0)) && !levels.areOfOne(node.getInput(0));
            // with one that fails the others are left out that share its batch
            case TRANSPARENT -> DatasetOps.ignoresErrors(node) && followsFromPlaces(node.getInput(0));
            default -> false;
        };
    }

    /** Whether a group of batches is told its key, which is one value that is made of all that is in a batch. */
    private boolean tellsKeysOfBatches(NodeDef group) {
        FunctionDef reduce = pipeline.functions()
                .get(group.getAttrOrThrow("reduce_func").getFunc().getName());
        String key = reduce.getSignature().getInputArg(0).getName();
        return followsFromPlaces(group.getInput(0))
                && reduce.getNodeDefList().stream()
                        .flatMap(node -> node.getInputList().stream())
                        .anyMatch(key::equals);
    }

    /** Whether any step of a function that is given a group depends on what is in it, or cannot be followed. */
    private static boolean mixesInside(BatchLevels.InGroup group) {
        return !OpenedRows.isFollowed(group.dataset(), group.levels())
                || new BatchUse(group.levels()).mixesSomewhere(group.dataset());
    }

    /** Whether any step on the way to a dataset depends on which elements share a batch or a group. */
    private boolean mixesSomewhere(String ref) {
        return scope.producer(scope.behindIdentities(ref))
                .filter(DatasetOps::isDataset)
                .filter(step -> opensBatches(step)
                        || looksAcross(step).isPresent()
                        || datasetsOf(step).anyMatch(this::mixesSomewhere))
                .isPresent();
    }

    /** What a step of datasets takes its elements from. */
    static Stream<String> datasetsOf(NodeDef step) {
        long datasets =
                switch (OpTraits.of(step).family()) {
                    case ZIP, CONCATENATE, CHOOSE -> step.getInputCount();
                    default -> OpTraits.of(step).grain() == OpTraits.Grain.SOURCE ? 0 : 1;
                };
        return step.getInputList().stream().limit(datasets).filter(input -> !input.startsWith("^"));
    }

    /**
     * Whether a node takes some elements of a group by their places in it, or pairs them with something: that depends on where
     * the group begins and ends.
     */
    private boolean cutsGroups(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.GROUP
                && pipeline.workOf(node)
                        .map(OpTraits::of)
                        .anyMatch(inner -> inner.position() || inner.family() == OpTraits.Family.ZIP);
    }

    /** Whether any node on the way to a dataset remembers what came before. */
    boolean rememberedBelow(String ref, DatasetKinds kinds) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        return pipeline.remembers(node) || kinds.datasetInputs(node).anyMatch(input -> rememberedBelow(input, kinds));
    }

    /** Whether a node makes something of a batch that is no row for a row: there the batch is a stretch of a sequence. */
    private boolean cutsBatches(NodeDef node) {
        if (OpTraits.of(node).family() != OpTraits.Family.MAP || !levels.isBatched(node.getInput(0))) {
            return false;
        }
        List<ElementComponent> batched = scope.components(node.getInput(0));
        long size =
                batched.get(0).shape().isEmpty() ? -1 : batched.get(0).shape().get(0);
        boolean otherwise = size > 0
                && DatasetOps.components(node).stream().anyMatch(component -> RowGrid.lacks(component.shape(), size));
        return otherwise
                || LeadingSlices.takenBy(levels.calledBy(node), batched.size())
                || mixesRows(node, DatasetOps.components(node));
    }

    /**
     * Whether a function may make a row of a batch of others, or of its place, where those that are in a batch follow from their
     * places.
     */
    private boolean mixesRows(NodeDef node, List<ElementComponent> results) {
        return course(node, results) == RowFlow.Course.MIXED;
    }

    /** Whether a node makes rows of others, which chance chooses among those of a batch that follow from their elements' places. */
    boolean mixesByChance(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case MAP -> course(node, DatasetOps.components(node)) == RowFlow.Course.CHANCE;
            case GROUP -> {
                BatchLevels.InGroup group = levels.inGroup(node);
                yield new BatchUse(group.levels()).chooses(group.dataset());
            }
            default -> false;
        };
    }

    /** Whether a node may make a row of a batch or a group of others that chance has brought into it: of all, where it holds all. */
    boolean mixesShuffled(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case MAP ->
                levels.isBatchOrGroup(node.getInput(0))
                        && !levels.areOfOne(node.getInput(0))
                        && !levels.makesRowsByRows(node)
                        && courseOf(node, DatasetOps.components(node), axis -> !follow(node, axis))
                                == RowFlow.Course.MIXED;
            case GROUP -> {
                BatchLevels.InGroup group = levels.inGroup(node);
                yield levels.isShuffled(node.getInput(0))
                        && new BatchUse(group.levels().inOrder()).mixesSomewhere(group.dataset());
            }
            default -> false;
        };
    }

    /** Whether a node lays the rows of batches that follow from their elements' places out in a grid of several rows. */
    boolean laysInAGrid(NodeDef node) {
        return OpTraits.of(node).family() == OpTraits.Family.MAP
                && followsFromPlaces(node.getInput(0))
                && RowGrid.isAny(DatasetOps.components(node), levels.rowsBefore(node.getInput(0)));
    }

    /** Whether any step on the way to a dataset makes rows of others, which chance chooses. */
    private boolean chooses(String ref) {
        return scope.producer(scope.behindIdentities(ref))
                .filter(DatasetOps::isDataset)
                .filter(step -> mixesByChance(step) || datasetsOf(step).anyMatch(this::chooses))
                .isPresent();
    }

    /**
     * What becomes of the rows of batches, if those that are in a batch follow from their places.
     *
     * @param node whose function is given batches
     */
    private RowFlow.Course course(NodeDef node, List<ElementComponent> results) {
        boolean asked = followsFromPlaces(node.getInput(0)) && !levels.makesRowsByRows(node);
        return asked ? courseOf(node, results, axis -> follow(node, axis)) : RowFlow.Course.KEPT;
    }

    /** @param which of batches that are in each other are asked for */
    private RowFlow.Course courseOf(NodeDef node, List<ElementComponent> results, IntPredicate which) {
        Optional<FunctionDef> function = levels.calledBy(node);
        String batches = node.getInput(0);
        if (levels.areSparse(batches)) {
            return RowFlow.Course.MIXED;
        }
        // where rows lie, a function is not told
        return passed(batches, Change.MOVES)
                ? RowFlow.Course.MIXED
                : rows(node)
                        .filter(rows -> which.test(rows.axis()))
                        .map(rows -> RowFlow.course(function.get(), rows, results, pipeline.functions()))
                        .max(Comparator.naturalOrder())
                        .orElse(RowFlow.Course.KEPT);
    }

    /** The batches that a node gives its function, for each batch that is in another: what is in each of them follows from places. */
    private Stream<RowFlow.Rows> rows(NodeDef node) {
        String batches = node.getInput(0);
        int depth = levels.calledBy(node).isPresent() ? levels.depth(batches) : 0;
        return IntStream.range(0, depth)
                .mapToObj(axis -> levels.rows(batches, axis, padded(batches), levels.captured(node)))
                .map(rows -> passed(batches, Change.COUNTS_ANEW) ? levels.ofAnyNumber(rows, batches) : rows);
    }

    /**
     * Which components of batches have rows that are filled up to the length of the longest, where their shape leaves it open: by
     * a padded batch, or by a function on the way.
     */
    private Set<Integer> padded(String batches) {
        Optional<BatchLevels.Outside> given = levels.outside(batches);
        if (given.isPresent()) {
            return new BatchUse(given.get().levels()).padded(given.get().dataset());
        }
        Optional<NodeDef> step = scope.producer(scope.behindIdentities(batches));
        if (step.isEmpty()) {
            return Set.of();
        }
        Set<Integer> known = padded.get(step.get().getName());
        if (known == null) {
            known = paddedBy(step.get(), batches);
            padded.put(step.get().getName(), known);
        }
        return known;
    }

    private Set<Integer> paddedBy(NodeDef step, String batches) {
        int components = scope.components(batches).size();
        Set<Integer> all = IntStream.range(0, components).boxed().collect(Collectors.toSet());
        if (levels.arePadded(batches)) {
            return all;
        }
        if (OpTraits.of(step).family() == OpTraits.Family.MAP) {
            return rows(step)
                    .flatMap(rows -> RowFlow.padded(levels.calledBy(step).get(), rows, pipeline.functions()).stream())
                    .collect(Collectors.toSet());
        }
        Optional<BatchLevels.InGroup> group = within(step);
        if (group.isPresent()) {
            return new BatchUse(group.get().levels()).padded(group.get().dataset());
        }
        List<String> passed = OpTraits.of(step).isBatch()
                ? List.of(step.getInput(0))
                : levels.passed(step).toList();
        boolean alone = passed.size() == 1 && scope.components(passed.get(0)).size() == components;
        if (alone) {
            return padded(passed.get(0));
        }
        return passed.stream().allMatch(input -> padded(input).isEmpty()) ? Set.of() : all;
    }

    private boolean followsFromPlaces(String batches) {
        return levels.nested(batches).anyMatch(Batching::followsFromPlaces);
    }

    /** Whether what is in those batches does that are in so many others, of what a node is given. */
    private boolean follow(NodeDef node, int within) {
        return levels.batching(node.getInput(0), within).stream().anyMatch(Batching::followsFromPlaces);
    }

    /** What a step makes of each group, if it groups. */
    private Optional<BatchLevels.InGroup> within(NodeDef step) {
        return Optional.of(step)
                .filter(node -> OpTraits.of(node).family() == OpTraits.Family.GROUP)
                .map(levels::inGroup);
    }

    private boolean is(Change what, NodeDef step) {
        boolean map = OpTraits.of(step).family() == OpTraits.Family.MAP;
        return switch (what) {
            case MOVES -> map && course(step, DatasetOps.components(step)) == RowFlow.Course.MOVED;
            case COUNTS_ANEW -> map ? !keepsPlaces(step) : OpTraits.of(step).family() == OpTraits.Family.INTERLEAVE;
        };
    }

    /** Whether any step on the way from where batches were made does this. */
    private boolean passed(String batches, Change does) {
        Optional<BatchLevels.Outside> given = levels.outside(batches);
        if (given.isPresent()) {
            return new BatchUse(given.get().levels()).passed(given.get().dataset(), does);
        }
        Optional<NodeDef> step = scope.producer(batches);
        if (step.isEmpty()) {
            return false;
        }
        Map<String, Boolean> memory = before.computeIfAbsent(does, any -> new HashMap<>());
        Boolean known = memory.get(step.get().getName());
        if (known == null) {
            known = levels.passed(step.get()).anyMatch(input -> passed(input, does))
                    || within(step.get())
                            .filter(group -> new BatchUse(group.levels()).passed(group.dataset(), does))
                            .isPresent()
                    || is(does, step.get());
            memory.put(step.get().getName(), known);
        }
        return known;
    }

    /** Whether the function of a map makes as many rows as a batch has, each in its place. */
    private boolean keepsPlaces(NodeDef map) {
        RowFlow.Rows rows = levels.rows(map.getInput(0), 0, Set.of(), levels.captured(map));
        return levels.makesRowsByRows(map)
                || levels.calledBy(map)
                        .filter(function -> RowFlow.keepsPlaces(function, rows, pipeline.functions()))
                        .isPresent();
    }

    /**
     * Whether a node takes batches apart whose rows are not their elements, or hold besides how long the longest of the batch is.
     */
    private boolean takesOtherRows(NodeDef node) {
        if (OpTraits.of(node).family() != OpTraits.Family.UNBATCH || !followsFromPlaces(node.getInput(0))) {
            return false;
        }
        List<ElementComponent> components = scope.components(node.getInput(0));
        boolean filledUp = padded(node.getInput(0)).stream()
                .map(components::get)
                .anyMatch(component -> !component.rankKnown()
                        || component.shape().stream().skip(1).anyMatch(size -> size < 0));
        return passed(node.getInput(0), Change.MOVES)
                || filledUp
                || !levels.same(node.getInput(0)).isEmpty();
    }

    /**
     * Whether a node makes of a batch a dataset that depends on which elements are in it together, and not one of its rows or
     * of what is made of each of them.
     */
    private boolean opensBatches(NodeDef node) {
        if (OpTraits.of(node).family() != OpTraits.Family.INTERLEAVE || !levels.isBatchOrGroup(node.getInput(0))) {
            return false;
        }
        Optional<FunctionDef> called = levels.calledBy(node);
        int components = scope.components(node.getInput(0)).size();
        return LeadingSlices.takenBy(called, components)
                || mixesRows(node, List.of())
                || called.filter(function -> followsFromPlaces(node.getInput(0))
                                && OpenedRows.tellPlaces(function, rows(node).toList(), levels))
                        .isPresent()
                || called.filter(function ->
                                opensOthers(function, GivenElements.oneByOne(node.getInput(0), function, components)))
                        .isPresent();
    }

    private boolean opensOthers(FunctionDef function, GivenElements given) {
        Scope body = Scope.ofFunction(function);
        String opened = Scope.result(function, 0);
        boolean byChance = levels.isShuffled(given.dataset());
        return new BatchUse(levels.within(body, among -> byChance, given)).mixesSomewhere(opened)
                || !new OpenedRows(body, given, levels.rowsBefore(given.dataset())).are(opened);
    }
}
