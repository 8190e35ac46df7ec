package io.praline.worker.graph.source.rows;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where the rows of a batch lie behind ops that make something of the last dimensions of a tensor, of each stretch of them by
 * itself: of vectors or matrices. Rows that lie along these meet in them.
 */
record RowMatrices(OpInputs told, List<RowPlace> inputs) {
    /** Give a matrix of each, or several. */
    private static final Set<String> OF_A_MATRIX = Set.of(
            "BatchFFT2D",
            "BatchIFFT2D",
            "Cholesky",
            "FFT2D",
            "IFFT2D",
            "MatrixBandPart",
            "MatrixExponential",
            "MatrixInverse",
            "MatrixLogarithm",
            "MatrixSquareRoot",
            "Qr");

    /** Give a matrix of one and of another beside it. */
    private static final Set<String> OF_TWO_MATRICES =
            Set.of("CholeskySolve", "MatrixSolve", "MatrixSolveLs", "MatrixTriangularSolve");

    /** Give a value of each vector. */
    private static final Set<String> OF_A_VECTOR = Set.of("Lbeta", "NthElement");

    private static final Set<String> DIAGONALS = Set.of("MatrixDiag", "MatrixDiagV2", "MatrixDiagV3");

    private static final Set<String> OF_DIAGONALS =
            Set.of("MatrixDiagPart", "MatrixDiagPartV2", "MatrixDiagPartV3", "MatrixDeterminant");

    private static final Set<String> OTHERS =
            Set.of("Cross", "InTopK", "InTopKV2", "MatrixSetDiagV3", "ResourceGather", "ReverseSequence");

    static boolean isOne(String op) {
        return Stream.of(OF_A_MATRIX, OF_TWO_MATRICES, OF_A_VECTOR, DIAGONALS, OF_DIAGONALS, OTHERS)
                .anyMatch(ops -> ops.contains(op));
    }

    RowPlace made() {
        boolean followed = inputs.stream().allMatch(each -> each.isFree() || (each.isRows() && !each.isPadded()));
        if (!followed) {
            return RowPlace.UNKNOWN;
        }
        boolean hangs = inputs.stream().anyMatch(each -> each.numbered() || each.isSize());
        RowPlace made = placed();
        return made.isRows() ? made.numbered(hangs).ofEach(-1) : made;
    }

    private RowPlace placed() {
        String op = told.node().getOp();
        RowPlace first = inputs.get(0);
        if (op.equals("ResourceGather")) {
            // rows say what is taken of a variable, of which nobody knows how many dimensions it has
            RowPlace indices = inputs.get(1);
            boolean each = first.isFree() && indices.isRows() && indices.axis() == 0;
            return each && told.attribute("batch_dims") == 0
                    ? RowPlace.LEADING.inOrder(indices.order())
                    : RowPlace.UNKNOWN;
        }
        if (op.equals("Cross")) {
            return besideEachOther(2) ? RowPlace.together(inputs) : RowPlace.UNKNOWN;
        }
        if (op.startsWith("InTopK")) {
            boolean rows = first.isRows() && first.axis() == 0 && first.rank() == 2;
            RowPlace targets = inputs.get(1);
            boolean beside = targets.isRows() ? targets.order().equals(first.order()) : isTheSame(targets);
            return rows && beside ? first.at(1, 0) : RowPlace.UNKNOWN;
        }
        if (op.equals("ReverseSequence")) {
            return turned();
        }
        if (OF_TWO_MATRICES.contains(op)) {
            // what says how exactly is the same for all
            boolean each = inputs.stream().skip(2).allMatch(this::isTheSame);
            return each && matricesBesideEachOther() ? first : RowPlace.UNKNOWN;
        }
        if (op.equals("MatrixSetDiagV3")) {
            RowPlace diagonal = inputs.get(1);
            boolean own = diagonal.isRows()
                    && diagonal.order().equals(first.order())
                    && diagonal.axis() == first.axis()
                    && diagonal.rank() == first.rank() - 1;
            boolean one = inputs.get(2).isFree() && inputs.get(2).rank() == 0;
            return first.isRows() && first.fromLast() > 2 && one && (own || isTheSame(diagonal))
                    ? first
                    : RowPlace.UNKNOWN;
        }
        boolean one =
                first.isRows() && first.rank() >= 0 && inputs.stream().skip(1).allMatch(this::isTheSame);
        if (!one) {
            return RowPlace.UNKNOWN;
        }
        if (DIAGONALS.contains(op)) {
            return first.fromLast() > 1 && isOfOneDiagonal()
                    ? first.at(first.rank() + 1, first.axis())
                    : RowPlace.UNKNOWN;
        }
        if (OF_DIAGONALS.contains(op)) {
            int less = op.equals("MatrixDeterminant") ? 2 : 1;
            return first.fromLast() > 2 && isOfOneDiagonal()
                    ? first.at(first.rank() - less, first.axis())
                    : RowPlace.UNKNOWN;
        }
        if (OF_A_VECTOR.contains(op)) {
            return first.fromLast() > 1 ? first.at(first.rank() - 1, first.axis()) : RowPlace.UNKNOWN;
        }
        return first.fromLast() > 2 ? first : RowPlace.UNKNOWN;
    }

    /** How much of each is turned, each says itself. */
    private RowPlace turned() {
        RowPlace first = inputs.get(0);
        RowPlace lengths = inputs.get(1);
        boolean rows = first.isRows()
                && first.rank() > 0
                && told.attribute("batch_dim") == first.axis()
                && told.attribute("seq_dim") != first.axis();
        boolean beside = lengths.isRows() ? lengths.order().equals(first.order()) : isTheSame(lengths);
        return rows && beside ? first : RowPlace.UNKNOWN;
    }

    private boolean matricesBesideEachOther() {
        RowPlace one = inputs.get(0);
        RowPlace other = inputs.get(1);
        return one.isRows()
                && other.isRows()
                && one.fromLast() > 2
                && other.rank() == one.rank()
                && other.axis() == one.axis()
                && other.order().equals(one.order());
    }

    private boolean besideEachOther(int fromLast) {
        return inputs.stream().allMatch(each -> each.isRows() && each.rank() > 0 && each.fromLast() >= fromLast);
    }

    private boolean isTheSame(RowPlace place) {
        return place.isFree() && !place.isDrawn() && !place.numbered() && (place.rank() == 0 || place.varies() == 0);
    }

    /** Of several diagonals as many values come, behind which others stand. */
    private boolean isOfOneDiagonal() {
        boolean first = inputs.size() == 1;
        return first || inputs.get(1).rank() == 0;
    }
}
