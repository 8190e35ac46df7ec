package io.praline.wire.trace;

/** A batch on a worker, on its way to a client. Each is told when it happens. */
public interface SentBatch {
    /** It has a lane, and a number there; again where it gets another. */
    void placed(int consumer, int generation, long sequence);

    /** It is being written to its client; only the first time counts. */
    void written();

    /** Its worker has it no more: the client has it, or nobody wants it. Once. */
    void released();
}
