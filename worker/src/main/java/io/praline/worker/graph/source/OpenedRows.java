package io.praline.worker.graph.source;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.GivenElements;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.rows.RowGrid;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.tensorflow.proto.NodeDef;

/**
 * What a function opens of a batch that it is given.
 *
 * @param body of the function
 * @param given the batch
 * @param rows of which the batch has so many or these
 */
record OpenedRows(Scope body, GivenElements given, Set<Long> rows) {

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
        return dataset.getInputList().stream()
                .filter(input -> !input.startsWith("^"))
                .allMatch(this::are);
    }

    /** What the datasets consist of slice by slice that a dataset is made of. */
    private Stream<String> slicesOf(NodeDef dataset) {
        return OpTraits.of(dataset).family() == OpTraits.Family.SLICES
                ? dataset.getInputList().stream().filter(input -> !input.startsWith("^"))
                : BatchUse.datasetsOf(dataset)
                        .flatMap(input -> body.producer(body.behindIdentities(input)).stream())
                        .flatMap(this::slicesOf);
    }
}
