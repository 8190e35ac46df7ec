package io.praline.worker.engine;

import io.praline.identity.Ticket;

/**
 * How far a split was read whose elements are numbered as they come out: to one of its first elements, or to its end.
 *
 * @param ticket of the element, or what stands for the split's end
 * @param fingerprint of what the element consists of; 0 at the end
 */
public record ReadMark(long ticket, long fingerprint) {
    /** Whether the split was read to its end. */
    public boolean isEnd() {
        return Ticket.isEnd(ticket);
    }

    /** The split's. */
    public long ordinal() {
        return Ticket.ordinal(ticket);
    }
}
