package io.praline.worker.engine;

import io.praline.identity.Ticket;

/**
 * How far a split was read whose elements are numbered as they come out: to one of its first elements, to any other of which
 * nothing more is told, or to its end.
 *
 * @param ticket of a first element, or what stands for the split's end; of another element the complement
 * @param fingerprint of what a first element consists of; of an end the ticket of the last element that came out and was left
 *     out since nobody wanted it, -1 where there was none; else 0
 */
public record ReadMark(long ticket, long fingerprint) {
    /** Whether it tells of an element only that it came. */
    public boolean isOther() {
        return ticket < 0;
    }

    /** The ticket of an element of which only that is told. */
    public long other() {
        return ~ticket;
    }

    /** Whether the split was read to its end. */
    public boolean isEnd() {
        return Ticket.isEnd(ticket);
    }

    /** How many elements a split has at least that was read to its end, for so many were left out or came before one that was. */
    public long atLeast() {
        return fingerprint < 0 ? 0 : Ticket.record(fingerprint) + 1;
    }

    /** The split's. */
    public long ordinal() {
        return Ticket.ordinal(ticket);
    }
}
