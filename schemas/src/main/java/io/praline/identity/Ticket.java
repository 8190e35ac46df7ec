package io.praline.identity;

/**
 * The identity of an element within a plan, as one int64:
 *
 * <pre>
 *   ticket = split ordinal &lt;&lt; 36 | record index        27 bits of splits, 36 bits of records
 * </pre>
 *
 * The highest record index stands for no element but for the end of its split.
 */
public final class Ticket {
    /** Bits of a ticket that hold the record's index within its split. */
    public static final int RECORD_BITS = 36;

    /** The highest split ordinal a ticket can hold. */
    public static final long MAX_ORDINAL = (1L << (63 - RECORD_BITS)) - 1;

    private static final long RECORD_MASK = (1L << RECORD_BITS) - 1;

    private Ticket() {}

    /** The ticket of a record of a split. */
    public static long of(long ordinal, long record) {
        if (ordinal < 0 || ordinal > MAX_ORDINAL) {
            throw new IllegalArgumentException("ordinal must be in 0.." + MAX_ORDINAL + ", is " + ordinal);
        }
        if (record < 0 || record >= RECORD_MASK) {
            throw new IllegalArgumentException("record must be in 0.." + (RECORD_MASK - 1) + ", is " + record);
        }
        return (ordinal << RECORD_BITS) | record;
    }

    /** What stands for the end of a split. */
    public static long endOf(long ordinal) {
        return of(ordinal, 0) | RECORD_MASK;
    }

    /** Whether a ticket stands for the end of its split. */
    public static boolean isEnd(long ticket) {
        return (ticket & RECORD_MASK) == RECORD_MASK;
    }

    /** The split's ordinal within its plan. */
    public static long ordinal(long ticket) {
        return ticket >>> RECORD_BITS;
    }

    /** The record's index within its split. */
    public static long record(long ticket) {
        return ticket & RECORD_MASK;
    }
}
