package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.GivenElements;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.rows.RowFlow;
import io.praline.worker.graph.source.rows.RowGrid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * What a function opens of a batch that it is given.
 *
 * @param body of the function
 * @param given the batch
 * @param rows of which the batch has so many or these
 */
record OpenedRows(Scope body, GivenElements given, Set<Long> rows) {
    static final String ONCE_FOR_EACH = " opens batches that hold what comes once for each batch";

    /**
     * Whether a node takes batches apart, or opens them, that hold what comes once for each of them, or makes it: how often it
     * comes hangs on how many they are.
     */
    static boolean holdOthers(NodeDef node, BatchLevels levels) {
        OpTraits.Family family = OpTraits.of(node).family();
        boolean opens = family == OpTraits.Family.INTERLEAVE;
        if (!opens && family != OpTraits.Family.UNBATCH && family != OpTraits.Family.REBATCH) {
            return false;
        }
        String batches = node.getInput(0);
        return levels.isBatched(batches)
                && !levels.areOfOne(batches)
                && ((opens && addsTo(node, levels))
                        || (!(opens && levels.yieldsBatches(node)) && hold(batches, levels, new HashMap<>())));
    }

    /** Whether a function that opens a batch as one element, or makes one of it, has values for its places beside it. */
    static boolean tellPlaces(FunctionDef function, List<RowFlow.Rows> batches, BatchLevels levels) {
        return function.getNodeDefList().stream()
                .filter(node -> node.getOp().equals("TensorDataset"))
                .anyMatch(one -> batches.stream()
                        .anyMatch(rows -> RowFlow.hasPlaces(
                                consisting(function, one),
                                rows,
                                DatasetOps.components(one),
                                levels.pipeline().functions())));
    }

    /** A function that gives what a dataset of one element consists of that another makes. */
    private static FunctionDef consisting(FunctionDef function, NodeDef one) {
        FunctionDef.Builder given = function.toBuilder().clearRet();
        given.getSignatureBuilder().clearOutputArg();
        Scope.given(one).forEach(input -> {
            String name = "part_" + given.getRetCount();
            given.putRet(name, input).getSignatureBuilder().addOutputArg(Protos.arg(name, DataType.DT_INVALID));
        });
        return given.build();
    }

    /** Whether a dataset within a function is made by nothing but steps of datasets, and once of nothing but the group that it is given. */
    static boolean isFollowed(String ref, BatchLevels function) {
        Optional<NodeDef> step = function.scope().producer(function.scope().behindIdentities(ref));
        return step.isEmpty()
                ? function.outside(ref).isPresent()
                : DatasetOps.isDataset(step.get())
                        && OpTraits.of(step.get()).grain() != OpTraits.Grain.SOURCE
                        && BatchUse.datasetsOf(step.get()).allMatch(input -> isFollowed(input, function))
                        && capturedBy(step.get()).noneMatch(input -> isOfThem(input, function));
    }

    private static Stream<String> capturedBy(NodeDef step) {
        return Scope.given(step).skip(BatchUse.datasetsOf(step).count());
    }

    /** Whether something is made of the group that a function is given. */
    private static boolean isOfThem(String ref, BatchLevels function) {
        return function.outside(ref).isPresent()
                || function.scope().producer(ref).stream()
                        .flatMap(node -> node.getInputList().stream())
                        .filter(input -> !input.startsWith("^"))
                        .anyMatch(input -> isOfThem(input, function));
    }

    /** Whether any function on the way to batches adds to them what comes once for each. */
    private static boolean hold(String batches, BatchLevels levels, Map<String, Boolean> known) {
        Optional<BatchLevels.Outside> given = levels.outside(batches);
        if (given.isPresent()) {
            return hold(given.get().dataset(), given.get().levels(), new HashMap<>());
        }
        Optional<NodeDef> made = levels.scope().producer(levels.scope().behindIdentities(batches));
        if (made.isEmpty()) {
            return false;
        }
        NodeDef step = made.get();
        Boolean before = known.get(step.getName());
        if (before != null) {
            return before;
        }
        boolean holds =
                switch (OpTraits.of(step).family()) {
                    case MAP ->
                        (levels.isBatched(step.getInput(0)) && addsTo(step, levels))
                                || hold(step.getInput(0), levels, known);
                    case GROUP -> {
                        BatchLevels.InGroup group = levels.inGroup(step);
                        yield hold(group.dataset(), group.levels(), new HashMap<>());
                    }
                    case BATCH, PADDED_BATCH -> hold(step.getInput(0), levels, known);
                    default -> levels.passed(step).anyMatch(input -> hold(input, levels, known));
                };
        known.put(step.getName(), holds);
        return holds;
    }

    private static boolean addsTo(NodeDef step, BatchLevels levels) {
        Optional<FunctionDef> function = levels.calledBy(step).filter(called -> !levels.makesRowsByRows(step));
        return function.isPresent()
                && IntStream.range(0, levels.depth(step.getInput(0)))
                        .mapToObj(axis -> levels.rows(step.getInput(0), axis, Set.of(), List.of()))
                        .anyMatch(rows -> RowFlow.addsRows(
                                function.get(), rows, levels.pipeline().functions()));
    }

    /** Whether a dataset of the function's yields rows of the batch, all of them, or what is made of each. */
    boolean are(String ref) {
        Optional<NodeDef> node = body.producer(body.behindIdentities(ref));
        if (node.isEmpty()) {
            return false;
        }
        NodeDef dataset = node.get();
        return switch (OpTraits.of(dataset).family()) {
            case SLICES, TFRECORD, TEXT_LINES, FIXED_LENGTH -> true;
            case MAP, FILTER, INTERLEAVE -> are(dataset.getInput(0)) && !isOneThatWasMade(dataset.getInput(0));
            case SHUFFLE, TRANSPARENT, UNBATCH, CACHE, REPEAT -> are(dataset.getInput(0));
            case BATCH, PADDED_BATCH ->
                !DatasetOps.dropsRemainder(dataset, body).orElse(true) && are(dataset.getInput(0));
            case CONCATENATE -> allAre(dataset);
            // of rows that were moved one would be paired with another's
            case ZIP -> allAre(dataset) && slicesOf(dataset).allMatch(body::isArgument);
            // the batch itself, or what has a row for each of its
            default -> dataset.getOp().equals("TensorDataset") && !RowGrid.isNone(DatasetOps.components(dataset), rows);
        };
    }

    /** Whether elements are no rows but one thing, which was made of the batch: where rows lie in it, a further step does not know. */
    private boolean isOneThatWasMade(String ref) {
        return body.producer(body.behindIdentities(ref))
                .filter(node -> switch (OpTraits.of(node).family()) {
                    case MAP, FILTER, SHUFFLE, TRANSPARENT, CACHE, REPEAT, ZIP, CONCATENATE ->
                        BatchUse.datasetsOf(node).anyMatch(this::isOneThatWasMade);
                    default -> node.getOp().equals("TensorDataset") && !given.are(ref, body);
                })
                .isPresent();
    }

    private boolean allAre(NodeDef dataset) {
        return Scope.given(dataset).allMatch(this::are);
    }

    /** What the datasets consist of slice by slice that a dataset is made of. */
    private Stream<String> slicesOf(NodeDef dataset) {
        return OpTraits.of(dataset).family() == OpTraits.Family.SLICES
                ? Scope.given(dataset)
                : BatchUse.datasetsOf(dataset)
                        .flatMap(input -> body.producer(body.behindIdentities(input)).stream())
                        .flatMap(this::slicesOf);
    }
}
