package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.Scope;
import java.util.List;
import java.util.Set;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/** Rows of a batch in lists, which loops take them from and put into: the arrays of TensorFlow's {@code map_fn}. */
record RowLists(Scope body, NodeDef node, List<RowPlace> inputs) {
    private static final Set<String> OF_LISTS = Set.of(
            "TensorListFromTensor", "TensorListGetItem", "TensorListSetItem", "TensorListStack", "TensorListReserve");

    static boolean isOfLists(NodeDef node) {
        return OF_LISTS.contains(node.getOp());
    }

    RowPlace made() {
        RowPlace first = inputs.get(0);
        return switch (node.getOp()) {
            case "TensorListReserve" -> RowPlace.FREE;
            case "TensorListFromTensor" -> {
                boolean rows = first.isRows() && first.axis() == 0;
                yield rows
                        ? RowPlace.LIST.inOrder(first.order()).numbered(first.numbered() || first.isPadded())
                        : first.isFree() ? first : RowPlace.UNKNOWN;
            }
            case "TensorListGetItem" -> item(first, inputs.get(1));
            case "TensorListSetItem" -> changed(first, inputs.get(1), inputs.get(2));
            default -> stacked(first);
        };
    }

    private static RowPlace item(RowPlace list, RowPlace place) {
        if (list.isFree()) {
            return list.arePlaces() && place.isTurn()
                    ? RowPlace.TURN
                    : list.numbered() || place.numbered() ? RowPlace.NUMBERED : FreeValues.item(list);
        }
        return list.is(RowPlace.Kind.LIST) && place.isTurn()
                ? RowPlace.ROW.numbered(list.numbered())
                : RowPlace.UNKNOWN;
    }

    /** A list of which each turn sets the item of its own row. */
    private static RowPlace changed(RowPlace list, RowPlace place, RowPlace value) {
        boolean empty = list.isFree();
        if (!place.isTurn() || !(empty || list.is(RowPlace.Kind.LIST))) {
            return RowPlace.UNKNOWN;
        }
        boolean numbered = list.numbered() || value.numbered() || value.isSize();
        if (value.is(RowPlace.Kind.ROW)) {
            return RowPlace.LIST.numbered(numbered);
        }
        boolean same = value.isFree();
        return same && (empty || list.order().isEmpty()) ? RowPlace.LIST.numbered(numbered) : RowPlace.UNKNOWN;
    }

    private RowPlace stacked(RowPlace list) {
        if (!list.is(RowPlace.Kind.LIST)) {
            return list.isFree() ? list : RowPlace.UNKNOWN;
        }
        int items = Constants.value(body, node.getInput(1))
                .map(TensorProto::getTensorShape)
                // one number says that nothing is known
                .filter(shape -> shape.getDimCount() == 1)
                .map(shape -> (int) shape.getDim(0).getSize())
                .orElse(-1);
        RowPlace rows = items < 0 ? RowPlace.LEADING : RowPlace.rows(items + 1, 0);
        return rows.inOrder(list.order()).numbered(list.numbered());
    }
}
