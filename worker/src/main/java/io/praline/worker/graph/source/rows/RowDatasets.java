package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.OpTraits;
import java.util.List;
import org.tensorflow.proto.NodeDef;

/** Datasets that a function makes of rows; which of these they leave out, or pair with something, is asked elsewhere. */
final class RowDatasets {
    /** In the order of rows, or of a list of them: beside them, or in their place, stands what is made of none. */
    private static final String OTHERS = "(others)";

    private RowDatasets() {}

    /**
     * Whether rows, or a list of them, hold what is made of none, so that it comes once for each batch, as rows do that chance
     * has chosen, and not one for each.
     */
    static boolean holdOthers(RowPlace place) {
        boolean rows = place.isRows() || place.is(RowPlace.Kind.LIST);
        return place.isChosen() || (rows && place.order().contains(OTHERS));
    }

    /** What is joined to rows, the same text for the same rows. */
    static String inWords(RowPlace part) {
        if (FreeValues.areForEach(part)) {
            return RowPlace.Kind.ROWS.name();
        }
        return part.isFree() ? OTHERS : part.kind() + part.order();
    }

    static RowPlace made(NodeDef node, List<RowPlace> inputs) {
        RowPlace made = ofRows(node, inputs);
        return made.is(RowPlace.Kind.LIST) && holdsOthers(node, inputs) ? made.inOrder(OTHERS) : made;
    }

    private static boolean holdsOthers(NodeDef node, List<RowPlace> inputs) {
        boolean none = inputs.stream().allMatch(input -> input.isFree() && !FreeValues.areForEach(input));
        return none
                || switch (OpTraits.of(node).family()) {
                    case CONCATENATE -> inputs.stream().anyMatch(input -> input.isFree() || holdOthers(input));
                    case ZIP, SLICES -> inputs.stream().anyMatch(RowDatasets::holdOthers);
                    default ->
                        node.getOp().equals("TensorDataset")
                                ? inputs.stream().anyMatch(RowDatasets::holdOthers)
                                : holdOthers(inputs.get(0));
                };
    }

    private static RowPlace ofRows(NodeDef node, List<RowPlace> inputs) {
        if (inputs.stream().anyMatch(input -> input.is(RowPlace.Kind.UNKNOWN))) {
            return RowPlace.UNKNOWN;
        }
        boolean numbered = inputs.stream().anyMatch(input -> input.numbered() || FreeValues.areAcross(input));
        if (OpTraits.of(node).family() == OpTraits.Family.SLICES) {
            if (inputs.stream().anyMatch(RowPlace::isPadded)) {
                return RowPlace.MIXED;
            }
            boolean rows = inputs.stream().allMatch(input -> input.isRows() ? input.axis() == 0 : input.isFree());
            // what is the same for all batches, slice by slice
            boolean beside = inputs.stream().anyMatch(RowPlace::mayVary)
                    && inputs.stream().anyMatch(RowPlace::isRows);
            RowPlace list = RowPlace.differ(inputs) ? RowPlace.MIXED : RowPlace.LIST.numbered(numbered || beside);
            return rows ? list : RowPlace.UNKNOWN;
        }
        if (node.getOp().equals("TensorDataset")) {
            return RowPlace.differ(inputs) ? RowPlace.MIXED : RowPlace.LIST.numbered(numbered);
        }
        // what a function of the dataset's elements is given besides is all of the batch to each of them
        long lists =
                inputs.stream().filter(input -> input.is(RowPlace.Kind.LIST)).count();
        boolean captured = inputs.stream().anyMatch(input -> !input.is(RowPlace.Kind.LIST) && !input.isFree());
        if (captured || (lists > 1 && takesOne(node))) {
            return RowPlace.MIXED;
        }
        // no element tells among how many is mixed, or how many are put together; which are left out is asked elsewhere
        boolean counted =
                (lists == 0 || !keepsElements(node)) && inputs.stream().anyMatch(FreeValues::tell);
        return RowPlace.LIST.numbered(numbered || counted);
    }

    private static boolean takesOne(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case ZIP, CONCATENATE, CHOOSE -> false;
            default -> true;
        };
    }

    private static boolean keepsElements(NodeDef node) {
        return switch (OpTraits.of(node).family()) {
            case SHUFFLE, BATCH, PADDED_BATCH, TRANSPARENT, TAKE, SKIP, SHARD -> true;
            default -> false;
        };
    }
}
