package io.praline.worker.graph.source.rows;

import java.util.List;
import org.tensorflow.proto.TensorProto;

/** Where the rows of a batch lie in products. */
record RowProducts(OpInputs told, List<RowPlace> inputs) {
    private static final String ELLIPSIS = "...";

    /** Behind it are letters that no equation has. */
    private static final char FIRST_HIDDEN = '\uE000';

    /** Rows lie in one of the two last dimensions, of which one is summed over; or in one before them. */
    RowPlace multiplied() {
        RowPlace first = inputs.get(0);
        RowPlace second = inputs.get(1);
        if (inputs.stream().anyMatch(each -> each.isRows() && each.rank() < 0)) {
            return RowPlace.UNKNOWN;
        }
        if (first.isRows() && second.isRows()) {
            boolean before = first.fromLast() > 2 && second.fromLast() > 2;
            boolean within = first.fromLast() <= 2 && second.fromLast() <= 2;
            return before ? RowPlace.together(inputs).ofEach(-1) : within ? RowPlace.MIXED : RowPlace.UNKNOWN;
        }
        boolean left = first.isRows();
        RowPlace rows = left ? first : second;
        int rank = Math.max(first.rank(), second.rank());
        if (rows.fromLast() > 2) {
            boolean byPlace = inputs.stream().anyMatch(each -> each.differsBetween(rows));
            return rows.at(rank, rank - rows.fromLast())
                    .numbered(rows.numbered() || byPlace)
                    .ofEach(-1);
        }
        if (!told.node().getOp().equals("MatMul") && (left ? second : first).rank() < 0) {
            return RowPlace.UNKNOWN;
        }
        boolean turned = told.flag(left ? "transpose_a" : "transpose_b") || told.flag(left ? "adj_x" : "adj_y");
        int summed = left != turned ? 1 : 2;
        // a row of the product has as many values as the other one has columns
        boolean counted = FreeValues.tell(left ? second : first);
        return rows.fromLast() == summed
                ? RowPlace.MIXED
                : rows.at(rank, rank - (left ? 2 : 1))
                        .numbered(rows.numbered() || counted)
                        .ofEach(left && rank == 2 ? columns() : -1);
    }

    /** Of the second matrix, if it is a constant; -1 else. */
    private long columns() {
        return told.constant(1)
                .map(TensorProto::getTensorShape)
                .filter(shape -> shape.getDimCount() == 2)
                .map(shape -> shape.getDim(told.flag("transpose_b") || told.flag("adj_y") ? 0 : 1)
                        .getSize())
                .orElse(-1L);
    }

    RowPlace summed() {
        String equation = told.node().getAttrOrThrow("equation").getS().toStringUtf8();
        String[] sides = equation.split("->", -1);
        String[] operands = sides[0].split(",", -1);
        if (sides.length != 2 || operands.length != inputs.size() || !spelledOut(operands, sides)) {
            return RowPlace.UNKNOWN;
        }
        RowPlace made = RowPlace.FREE;
        for (int i = 0; i < operands.length; i++) {
            RowPlace place = inputs.get(i);
            if (place.isFree()) {
                continue;
            }
            if (!place.isRows() || place.axis() >= operands[i].length()) {
                return RowPlace.UNKNOWN;
            }
            int axis = sides[1].indexOf(operands[i].charAt(place.axis()));
            char rows = operands[i].charAt(place.axis());
            // on a diagonal each gives what stands in its own place
            boolean diagonal = operands[i].indexOf(rows) != operands[i].lastIndexOf(rows);
            RowPlace behind = axis < 0 || diagonal ? RowPlace.MIXED : place.at(sides[1].length(), axis);
            if (behind.isMixed() || (made.isRows() && !made.equals(behind))) {
                return RowPlace.MIXED;
            }
            made = behind;
        }
        return made.isRows() && hasValuesByPlace(operands, sides[1].charAt(made.axis())) ? made.numbered(true) : made;
    }

    /**
     * Gives each dimension that an ellipsis stands for a letter of its own, by its distance from the ellipsis' end.
     *
     * @return whether it is known how many they are
     */
    private boolean spelledOut(String[] operands, String[] sides) {
        int most = 0;
        for (int i = 0; i < operands.length; i++) {
            if (operands[i].contains(ELLIPSIS)) {
                int hidden = inputs.get(i).rank() - (operands[i].length() - ELLIPSIS.length());
                if (inputs.get(i).rank() < 0 || hidden < 0) {
                    return false;
                }
                operands[i] = operands[i].replace(ELLIPSIS, letters(hidden));
                most = Math.max(most, hidden);
            }
        }
        sides[1] = sides[1].replace(ELLIPSIS, letters(most));
        return true;
    }

    private static String letters(int dimensions) {
        StringBuilder letters = new StringBuilder();
        for (int fromLast = dimensions; fromLast > 0; fromLast--) {
            letters.append((char) (FIRST_HIDDEN + fromLast));
        }
        return letters.toString();
    }

    /** Whether something that is the same for all batches differs along the dimension in which rows lie, or is as long along another. */
    private boolean hasValuesByPlace(String[] operands, char rows) {
        for (int i = 0; i < operands.length; i++) {
            int at = operands[i].indexOf(rows);
            RowPlace place = inputs.get(i);
            boolean beside = FreeValues.areForEach(place) && at == 0;
            boolean across = FreeValues.areCounted(place) && !place.isDrawn() && !beside;
            boolean differs = at >= 0 && (place.varies() < 0 || place.varies() >= operands[i].length() - at);
            if (place.isFree() && (across || differs)) {
                return true;
            }
        }
        return false;
    }
}
