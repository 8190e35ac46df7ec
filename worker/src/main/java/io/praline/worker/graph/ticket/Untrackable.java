package io.praline.worker.graph.ticket;

/** An element cannot be followed through a transformation. The message says which and why, in one line. */
public final class Untrackable extends RuntimeException {
    Untrackable(String reason) {
        super(reason);
    }
}
