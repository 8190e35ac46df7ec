package io.praline.worker.graph.source.rows;

import java.util.List;

/**
 * Where in a tensor the rows of a batch lie, as far as that is followed.
 *
 * @param kind whether it has them
 * @param rank dimensions of the tensor; of one that has rows always known, else -1 where it is not
 * @param axis along which they lie
 * @param order in which they lie, as against that of the batch; the same text for the same order
 * @param numbered whether it tells, or its rows were made with, the places of rows in the batch
 */
record RowPlace(Kind kind, int rank, int axis, String order, boolean numbered) {
    enum Kind {
        /** It is made of nothing of the batch but sizes. */
        FREE,
        /** Each row is made of the same row, and of what is free. */
        ROWS,
        /** It is made of the batch, and nothing is known of how. */
        UNKNOWN,
        /** Something in it is made of several rows. */
        MIXED
    }

    static final RowPlace UNKNOWN = new RowPlace(Kind.UNKNOWN, -1, -1, "", false);
    static final RowPlace MIXED = new RowPlace(Kind.MIXED, -1, -1, "", false);
    static final RowPlace FREE = free(-1);

    /** A number of rows, or what is made of it. */
    static final RowPlace SIZE = new RowPlace(Kind.FREE, -1, -1, "size", false);

    /** Numbers of rows: the first, the second and so on. */
    static final RowPlace PLACES = new RowPlace(Kind.FREE, -1, -1, "places", true);

    static RowPlace free(int rank) {
        return new RowPlace(Kind.FREE, rank, -1, "", false);
    }

    static RowPlace rows(int rank, int axis) {
        return new RowPlace(Kind.ROWS, rank, axis, "", false);
    }

    boolean isRows() {
        return kind == Kind.ROWS;
    }

    boolean isFree() {
        return kind == Kind.FREE;
    }

    boolean isMixed() {
        return kind == Kind.MIXED;
    }

    /** Of the same rows in a tensor of other dimensions; of one that cannot be, nothing is known. */
    RowPlace at(int newRank, int newAxis) {
        return newAxis < 0 || newAxis >= newRank ? UNKNOWN : new RowPlace(kind, newRank, newAxis, order, numbered);
    }

    RowPlace inOrder(String other) {
        return new RowPlace(kind, rank, axis, other, numbered);
    }

    private RowPlace numbered(boolean now) {
        return new RowPlace(kind, rank, axis, order, now);
    }

    /** Whether each of its rows, if it has any, is surely made of the same row of the batch, wherever that lies in it. */
    boolean isFollowed() {
        return kind != Kind.UNKNOWN && kind != Kind.MIXED && !numbered;
    }

    /** The other way round. */
    RowPlace reversed() {
        String mark = "reversed ";
        return inOrder(order.startsWith(mark) ? order.substring(mark.length()) : mark + order);
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
        RowPlace made = FREE;
        int rank = places.stream().mapToInt(RowPlace::rank).max().orElse(-1);
        for (RowPlace place : places) {
            if (place.kind == Kind.UNKNOWN) {
                return UNKNOWN;
            }
            if (place.isRows()) {
                if (made.isRows() && (made.fromLast() != place.fromLast() || !made.order.equals(place.order))) {
                    return MIXED;
                }
                made = place;
            }
        }
        boolean any = places.stream().anyMatch(RowPlace::numbered);
        return made.isRows() ? made.at(rank, rank - made.fromLast()).numbered(made.numbered || any) : free(rank);
    }

    /** Of what is one or the other. */
    static RowPlace either(RowPlace one, RowPlace other) {
        if (one.isMixed() || other.isMixed()) {
            return MIXED;
        }
        if (one.isFree()) {
            return other;
        }
        return other.isFree() || one.equals(other) ? one : UNKNOWN;
    }

    /** Whether these, which stand beside each other, hold different rows at the same places, or one of them mixes them. */
    static boolean differ(List<RowPlace> places) {
        return places.stream().anyMatch(RowPlace::isMixed)
                || places.stream()
                                .filter(RowPlace::isRows)
                                .map(RowPlace::order)
                                .distinct()
                                .count()
                        > 1;
    }
}
