package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Where in a tensor the rows of a batch lie, as far as that is followed.
 *
 * @param kind what it is made of
 * @param rank dimensions of the tensor, -1 where it is not known; of rows it may be unknown only where they lie along the first
 * @param axis along which they lie, or those that chance has chosen where these are as many; of what is free, {@link FreeValues}
 *     says what it tells of how many they are
 * @param order in which they lie, as against that of the batch, the same text for the same order; of what is free, what it tells
 *     of the batch, one of the texts below
 * @param numbered whether its values hang on the places of rows in the batch, or on how many there are
 * @param each how many values a row has, -1 where that is not known, -2 where it is filled up to as many as the longest of its
 *     batch
 * @param varies of what is free, along how many of its last dimensions its values differ, as far as that is known; -1 where it is
 *     not
 */
record RowPlace(Kind kind, int rank, int axis, String order, boolean numbered, long each, int varies) {
    enum Kind {
        /** It is made of nothing of the batch but sizes and numbers of rows. */
        FREE,
        /** Each row is made of the same row, and of what is free. */
        ROWS,
        /** All values of the first row, then all of the second, as many each as {@link #PARTS} say. */
        VALUES,
        /** Which values belong to which row. */
        PARTS,
        /** Numbers of some rows, which each row says of itself whether it is one of. */
        CHOSEN,
        /** A list, or a dataset, of rows. */
        LIST,
        /** One row, that of a loop's turn. */
        ROW,
        /** It is made of rows that chance has chosen, as it does in one process. */
        CHANCE,
        /** It is made of the batch, and nothing is known of how. */
        UNKNOWN,
        /** Something in it is made of several rows. */
        MIXED
    }

    private static final long AS_THE_LONGEST = -2;

    private static final String SHAPE_OF_ALL = "shape";
    private static final String COUNT_OF_ALL = "count";
    private static final String SIZE_OF_ALL = "size";
    private static final String LENGTH_OF_ALL = "length";
    private static final String FIRST_TO_LAST = "places";
    private static final String OF_THE_TURN = "turn";
    private static final String BY_CHANCE = "drawn";
    private static final String REVERSED = "reversed ";
    private static final String LINES_OF_ALL = "lines";
    private static final String CUT = "cut into ";

    private static final Set<String> SIZES =
            Set.of(SHAPE_OF_ALL, COUNT_OF_ALL, LINES_OF_ALL, SIZE_OF_ALL, LENGTH_OF_ALL);

    static final RowPlace UNKNOWN = of(Kind.UNKNOWN, -1, -1, "");
    static final RowPlace MIXED = of(Kind.MIXED, -1, -1, "");
    static final RowPlace CHANCE = of(Kind.CHANCE, -1, -1, "");

    /** As many of them as there are rows. */
    static final RowPlace CHANCE_FOR_EACH = of(Kind.CHANCE, -1, 0, "");

    static final RowPlace FREE = free(-1);

    /** The shape of something that has rows along its first dimension. */
    static final RowPlace SHAPE = of(Kind.FREE, -1, -1, SHAPE_OF_ALL);

    /** The number of rows. */
    static final RowPlace COUNT = of(Kind.FREE, -1, -1, COUNT_OF_ALL);

    /** The number of rows times a number that is the same for all batches. */
    static final RowPlace LINES = of(Kind.FREE, -1, -1, LINES_OF_ALL);

    /** What is made of the number of rows. */
    static final RowPlace SIZE = of(Kind.FREE, -1, -1, SIZE_OF_ALL);

    /** What is made of how long the longest row is. */
    static final RowPlace LENGTH = of(Kind.FREE, -1, -1, LENGTH_OF_ALL);

    /** Numbers of rows: the first, the second and so on, to the last. */
    static final RowPlace PLACES = of(Kind.FREE, -1, -1, FIRST_TO_LAST).numbered(true);

    /** The number of a loop's turn, which is that of a row. */
    static final RowPlace TURN = of(Kind.FREE, 0, -1, OF_THE_TURN).numbered(true);

    /** What is made of numbers of rows. */
    static final RowPlace NUMBERED = FREE.numbered(true);

    /** What chance decides. */
    static final RowPlace DRAWN = of(Kind.FREE, -1, -1, BY_CHANCE);

    static final RowPlace PARTS = of(Kind.PARTS, -1, -1, "");
    static final RowPlace LIST = of(Kind.LIST, -1, -1, "");
    static final RowPlace ROW = of(Kind.ROW, -1, -1, "");

    /** Rows along the first dimension of several that are not known. */
    static final RowPlace LEADING = of(Kind.ROWS, -1, 0, "");

    private static RowPlace of(Kind kind, int rank, int axis, String order) {
        return new RowPlace(kind, rank, axis, order, false, -1, -1);
    }

    static RowPlace free(int rank) {
        return of(Kind.FREE, rank, -1, "").varying(rank == 0 ? 0 : -1);
    }

    static RowPlace constant(TensorProto value) {
        List<TensorShapeProto.Dim> sizes = value.getTensorShape().getDimList();
        int ones = 0;
        while (ones < sizes.size() && sizes.get(ones).getSize() == 1) {
            ones++;
        }
        return free(sizes.size()).varying(Constants.areAlike(value) ? 0 : sizes.size() - ones);
    }

    static RowPlace rows(int rank, int axis) {
        return of(Kind.ROWS, rank, axis, "");
    }

    /** @param of which rows' values they are, and how many each has; the same text for the same */
    static RowPlace values(int rank, String of) {
        return of(Kind.VALUES, rank, -1, of);
    }

    /** @param by what they say it; the same text for the same rows */
    static RowPlace chosen(String by) {
        return of(Kind.CHOSEN, -1, -1, by);
    }

    boolean isRows() {
        return kind == Kind.ROWS;
    }

    boolean isFree() {
        return kind == Kind.FREE;
    }

    /** Whether chance has chosen some rows, and not one for each. */
    boolean isChosen() {
        return kind == Kind.CHANCE && axis != 0;
    }

    boolean isMixed() {
        return kind == Kind.MIXED;
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /** Whether it is made of the number of rows, or of how long the longest is, and of no place of one. */
    boolean isSize() {
        return isFree() && SIZES.contains(order);
    }

    boolean isLength() {
        return isFree() && (order.equals(LENGTH_OF_ALL) || (isSize() && isPadded()));
    }

    boolean isCount() {
        return isFree() && order.equals(COUNT_OF_ALL);
    }

    /** Whether it is the number of all lines, where each row is cut into as many. */
    boolean isLines() {
        return isFree() && order.equals(LINES_OF_ALL);
    }

    boolean isShape() {
        return isFree() && order.equals(SHAPE_OF_ALL);
    }

    boolean arePlaces() {
        return isFree() && order.equals(FIRST_TO_LAST);
    }

    boolean isTurn() {
        return isFree() && order.equals(OF_THE_TURN);
    }

    boolean isDrawn() {
        return isFree() && order.equals(BY_CHANCE);
    }

    /** Of the same rows in a tensor of other dimensions; of one that cannot be, nothing is known. */
    RowPlace at(int newRank, int newAxis) {
        return newAxis < 0 || newAxis >= newRank
                ? UNKNOWN
                : new RowPlace(
                        kind, newRank, newAxis, order, numbered, newRank == rank || isPadded() ? each : -1, varies);
    }

    /**
     * Of each row so many lines in its place, each made of that row alone.
     *
     * @param lines how many; other text where that is not known
     */
    RowPlace cut(String lines) {
        return inOrder(CUT + lines);
    }

    /** Whether a row may lie in several places, one behind another. */
    boolean isCut() {
        return isRows() && order.contains(CUT);
    }

    /** Into how many lines each is cut, where all lie as they were cut. */
    Optional<String> lines() {
        return isRows() && order.startsWith(CUT) ? Optional.of(order.substring(CUT.length())) : Optional.empty();
    }

    RowPlace inOrder(String other) {
        return new RowPlace(kind, rank, axis, other, numbered, each, varies);
    }

    RowPlace numbered(boolean now) {
        return new RowPlace(kind, rank, axis, order, now, each, varies);
    }

    /** Of so many values, unless it is known that it is filled up. */
    RowPlace ofEach(long values) {
        return isPadded() ? this : new RowPlace(kind, rank, axis, order, numbered, values, varies);
    }

    /** Filled up to as many as the longest row of the batch has. */
    RowPlace padded() {
        return new RowPlace(kind, rank, axis, order, numbered, AS_THE_LONGEST, varies);
    }

    RowPlace varying(int dimensions) {
        return new RowPlace(kind, rank, axis, order, numbered, each, dimensions);
    }

    /**
     * Whether what is free may have another value for each row of these, beside which it stands, or makes as many of each as there
     * are: of what nothing is known but how many dimensions it has, the values may differ along all of them.
     */
    boolean differsBetween(RowPlace rows) {
        if (!isFree() || isDrawn() || rows.rank < 0) {
            return false;
        }
        return mostVarying() < 0 || mostVarying() >= rows.fromLast() || FreeValues.spread(this, rows);
    }

    boolean isPadded() {
        return each == AS_THE_LONGEST;
    }

    /** Whether it is surely made, where it has rows, of the same row of the batch each, wherever that lies in it. */
    boolean isFollowed() {
        return switch (kind) {
            case FREE -> !numbered && !isSize() && !FreeValues.areAcross(this);
            // of cut ones there are more than the batch has
            case ROWS, LIST, CHANCE -> !numbered && !isCut();
            case VALUES, PARTS, CHOSEN, ROW, UNKNOWN, MIXED -> false;
        };
    }

    /** The other way round. */
    RowPlace reversed() {
        return inOrder(order.startsWith(REVERSED) ? order.substring(REVERSED.length()) : REVERSED + order);
    }

    /** Whether they are all rows of the batch, each once. */
    boolean isWholeBatch() {
        return isRows() && (order.isEmpty() || order.equals(REVERSED));
    }

    /** How far from the last dimension: this is what broadcasting keeps. */
    int fromLast() {
        return rank - axis;
    }

    /** An axis counted from the first, of an axis that may be counted from the last. */
    int from(long given) {
        return (int) (given < 0 ? given + rank : given);
    }

    /** Of what is made value by value of several tensors that broadcast. */
    static RowPlace together(List<RowPlace> places) {
        if (places.stream().anyMatch(place -> place.is(Kind.UNKNOWN) || place.is(Kind.LIST) || place.is(Kind.CHOSEN))) {
            return UNKNOWN;
        }
        if (places.stream().anyMatch(place -> place.is(Kind.CHANCE))) {
            return CHANCE;
        }
        boolean numbered = places.stream().anyMatch(place -> place.numbered || place.isSize());
        if (places.stream().anyMatch(place -> place.is(Kind.VALUES) || place.is(Kind.PARTS))) {
            return flat(places).numbered(numbered);
        }
        List<RowPlace> rows = places.stream().filter(RowPlace::isRows).toList();
        if (rows.isEmpty()) {
            return FreeValues.together(places);
        }
        RowPlace first = rows.get(0);
        if (rows.stream().anyMatch(place -> place.rank < 0)) {
            // rows may be single values
            boolean beside = places.stream().anyMatch(RowPlace::mayVary);
            return leading(places, rows).numbered(numbered || beside);
        }
        if (rows.stream().anyMatch(place -> place.fromLast() != first.fromLast() || !place.order.equals(first.order))) {
            return MIXED;
        }
        int rank = places.stream().mapToInt(RowPlace::rank).max().getAsInt();
        // beside a row of several values along one dimension nothing makes more of them
        boolean stays = first.rank == 2 && first.each > 1;
        long each = places.stream()
                        .allMatch(place -> place.isRows()
                                ? place.equals(first)
                                : place.rank == 0 || (stays && place.rank >= 0 && place.rank <= 2))
                ? first.each
                : -1;
        boolean byPlace = places.stream().anyMatch(place -> place.differsBetween(first));
        RowPlace made = first.at(rank, rank - first.fromLast())
                .numbered(numbered || byPlace)
                .ofEach(each);
        return rows.stream().anyMatch(RowPlace::isPadded) ? made.padded() : made;
    }

    /** Whether it is free, and may have other values for other places. */
    boolean mayVary() {
        return isFree() && !isDrawn() && varies != 0;
    }

    /** Along how many of its last dimensions values may differ of what is free; -1 where that is not known. */
    int mostVarying() {
        return varies < 0 ? rank : varies;
    }

    /** Rows along the first dimension of several stay there, unless what they are broadcast with may have more dimensions. */
    private static RowPlace leading(List<RowPlace> places, List<RowPlace> rows) {
        boolean beside = places.stream().allMatch(place -> place.isRows() ? place.axis == 0 : place.isFlat());
        boolean alike = rows.stream().map(RowPlace::order).distinct().count() == 1;
        boolean oneRank = rows.stream().map(RowPlace::rank).distinct().count() == 1;
        RowPlace made = rows.stream().filter(RowPlace::isPadded).findFirst().orElse(rows.get(0));
        return beside && alike && oneRank ? made : UNKNOWN;
    }

    private boolean isFlat() {
        return isFree() && (rank == 0 || rank == 1);
    }

    private static RowPlace flat(List<RowPlace> places) {
        boolean one = places.stream()
                        .filter(place -> !place.isFree())
                        .map(place -> place.kind + place.order)
                        .distinct()
                        .count()
                == 1;
        return one && places.stream().allMatch(place -> !place.isFree() || place.rank == 0)
                ? places.stream().filter(place -> !place.isFree()).findFirst().orElseThrow()
                : UNKNOWN;
    }

    /** Of what is one or the other. */
    static RowPlace either(RowPlace one, RowPlace other) {
        if (one.isMixed() || other.isMixed()) {
            return MIXED;
        }
        if (one.isFree() && other.isFree()) {
            return FreeValues.either(one, other);
        }
        if (one.is(Kind.CHANCE) && other.is(Kind.CHANCE)) {
            return one.axis == other.axis ? one : CHANCE;
        }
        if (one.tellsNothing()) {
            return one.differsBetween(other) ? other.numbered(true) : other;
        }
        if (other.tellsNothing()) {
            return other.differsBetween(one) ? one.numbered(true) : one;
        }
        return one.equals(other) ? one : UNKNOWN;
    }

    /** Whether it is made of nothing of the batch, not even of how many rows there are. */
    private boolean tellsNothing() {
        return isFree() && !numbered && !isSize();
    }

    /** Whether these, which stand beside each other, hold different rows at the same places, or one of them mixes them. */
    static boolean differ(List<RowPlace> places) {
        return places.stream().anyMatch(RowPlace::isMixed)
                || places.stream()
                                .filter(place -> place.isRows() || place.is(Kind.LIST))
                                .map(RowPlace::order)
                                .distinct()
                                .count()
                        > 1;
    }
}
