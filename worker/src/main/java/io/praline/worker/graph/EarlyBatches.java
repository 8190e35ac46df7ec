package io.praline.worker.graph;

import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * Batches that the user did not write: they are made for some maps alone, which make of each row one row, and taken apart again
 * behind these. What comes out are the elements that went in, in their order, none more and none less, so that nothing that
 * follows elements through a pipeline has to do with them.
 */
public final class EarlyBatches {
    /** Of both nodes. */
    private static final String MARK = "_praline_early_batch";

    /**
     * Of a function that makes each row of a batch of the same row, whatever shapes say. The Python package marks so what lays a
     * batch's ragged and sparse tensors out in dense ones, as the last step.
     */
    private static final String BY_ROWS = "_praline_rows";

    private static final String BATCH = "BatchDatasetV2";

    private EarlyBatches() {}

    public static NodeDef.Builder marked(NodeDef.Builder node) {
        return node.putAttr(MARK, Protos.bool(true));
    }

    public static FunctionDef.Builder marked(FunctionDef.Builder function) {
        return function.putAttr(BY_ROWS, Protos.bool(true));
    }

    /** Whether a function makes each row of a batch of the same row, and was made for that. */
    public static boolean isByRows(FunctionDef function) {
        return function.containsAttr(BY_ROWS);
    }

    /**
     * What is put together and taken apart again by a node that takes batches apart; empty where it does anything else.
     *
     * @param functions of the pipeline
     */
    public static Optional<String> undone(NodeDef unbatch, Scope scope, Map<String, FunctionDef> functions) {
        if (OpTraits.of(unbatch).family() != OpTraits.Family.UNBATCH || !isMarked(unbatch)) {
            return Optional.empty();
        }
        Optional<NodeDef> at = scope.producer(unbatch.getInput(0));
        while (at.isPresent() && OpTraits.of(at.get()).family() == OpTraits.Family.MAP) {
            FunctionDef function =
                    functions.get(at.get().getAttrOrThrow("f").getFunc().getName());
            if (function == null || !isByRows(function)) {
                return Optional.empty();
            }
            at = scope.producer(at.get().getInput(0));
        }
        return at.filter(node -> node.getOp().equals(BATCH)
                        && isMarked(node)
                        && !DatasetOps.dropsRemainder(node, scope).orElse(true))
                .map(node -> node.getInput(0));
    }

    /** A dataset; where it is early batches that are taken apart again, the one that they are made of. */
    public static String passed(String ref, Scope scope, Map<String, FunctionDef> functions) {
        String at = scope.behindIdentities(ref);
        Optional<String> below = scope.producer(at).flatMap(node -> undone(node, scope, functions));
        return below.map(dataset -> passed(dataset, scope, functions)).orElse(at);
    }

    private static boolean isMarked(NodeDef node) {
        return node.getAttrOrDefault(MARK, AttrValue.getDefaultInstance()).getB();
    }
}
