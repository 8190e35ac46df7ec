package io.praline.wire.trace;

/** A batch at a client. Each is told when it happens; one that no loop takes says nothing. */
public interface TakenBatch {
    /** The loop took it, or the first of what is packed in it; only the first time counts. */
    void taken();

    /** The loop is done with it, or with the last of what is packed in it. Once, behind {@link #taken}. */
    void done();
}
