package io.praline.worker.graph.source;

import io.praline.worker.graph.Cardinality;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.source.rows.PaddedSizes;
import java.util.List;
import java.util.Optional;
import org.tensorflow.proto.NodeDef;

/**
 * A step that makes batches, and whether chance has chosen what is in them.
 *
 * @param at the levels of where it stands: of the pipeline, or of a function that makes them of groups
 */
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
        String from = step.getInput(0);
        boolean mixed =
                family() == OpTraits.Family.REBATCH ? rowsAreShuffled(from, among, at) : at.isShuffled(from, among);
        return mixed && !areAtMost(from, among, at);
    }

    /** Whether which elements share a batch follows from their places, and any do. */
    boolean followsFromPlaces() {
        return !byChance() && size().filter(size -> size == 1).isEmpty();
    }

    /** How many elements were asked for; empty where it is not known. */
    Optional<Long> size() {
        return DatasetOps.wholeSize(step, at.scope());
    }

    /** Whether one that comes short may be left out. */
    boolean drops() {
        return DatasetOps.dropsRemainder(step, at.scope()).orElse(true);
    }

    /** Whether elements are filled up to the length of the longest. */
    boolean pads() {
        return switch (family()) {
            case REBATCH -> at.arePadded(step.getInput(0));
            case PADDED_BATCH -> new PaddedSizes(step, at.scope()).areOfTheLongest();
            default -> false;
        };
    }

    /** Whether chance has chosen, of more elements than so many, which of a pipeline's stand where. */
    static boolean isShuffled(String ref, long among, BatchLevels at) {
        NodeDef node = at.made(ref).orElseThrow();
        DatasetKinds kinds = new DatasetKinds(at.pipeline(), at.scope());
        return switch (OpTraits.of(node).family()) {
            // those of one that is not shuffled stand where they stand, unless chance says whose turn it is
            case CONCATENATE -> kinds.datasetInputs(node).allMatch(input -> at.isShuffled(input, among));
            case CHOOSE -> {
                List<String> others = kinds.datasetInputs(node).skip(1).toList();
                boolean byTurns = kinds.isChance(node.getInput(0));
                yield byTurns
                        ? others.stream().anyMatch(input -> at.isShuffled(input, among))
                        : others.stream().allMatch(input -> at.isShuffled(input, among));
            }
            case MAP, FILTER, SHUFFLE, CACHE, SNAPSHOT, TRANSPARENT, ASSERT, REPEAT, TAKE, SKIP, SHARD ->
                shuffles(node, among, at) || at.isShuffled(node.getInput(0), among);
            // also where a function opens them
            case UNBATCH, INTERLEAVE -> rowsAreShuffled(node.getInput(0), among, at);
            // one of what it makes several elements of, a file, may hold more than a batch
            default -> BatchUse.datasetsOf(node).anyMatch(at::isShuffled);
        };
    }

    /**
     * Whether chance has chosen which rows of batches stand where, of more than so many: where it has mixed batches alone, those of
     * one still stand together, and so do those of any that fit into one without a rest.
     */
    private static boolean rowsAreShuffled(String batches, long among, BatchLevels at) {
        List<Batching> made = at.batching(batches);
        boolean together = among > 1
                && !made.isEmpty()
                && made.stream()
                        .allMatch(each ->
                                each.size().filter(size -> size % among == 0).isPresent());
        return together
                ? made.stream()
                        .anyMatch(each -> each.at().isShuffled(each.step().getInput(0), among))
                : at.isShuffled(batches);
    }

    /** Whether a step lets chance choose among more than so many; without a number it has all to choose from. */
    private static boolean shuffles(NodeDef node, long among, BatchLevels at) {
        return OpTraits.of(node).family() == OpTraits.Family.SHUFFLE
                && DatasetOps.number(node, OpTraits.Input.SIZE, at.scope())
                        .filter(size -> size > 0 && size <= among)
                        .isEmpty();
    }

    /** Whether it is known that a dataset has no more elements than so many, in each of its repetitions. */
    private static boolean areAtMost(String ref, long many, BatchLevels at) {
        Optional<NodeDef> made = at.made(ref);
        if (made.isEmpty()) {
            return false;
        }
        NodeDef node = made.get();
        return switch (OpTraits.of(node).family()) {
            case MAP, FILTER, SHUFFLE, CACHE, SNAPSHOT, TRANSPARENT, ASSERT, REPEAT ->
                areAtMost(node.getInput(0), many, at);
            case RANGE, SLICES ->
                Cardinality.written(node, at.scope())
                        .filter(count -> count <= many)
                        .isPresent();
            default -> false;
        };
    }
}
