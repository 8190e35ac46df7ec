package io.praline.worker.delivery;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A part of the memory that a client sees, in which a batch is made before it is put into the outbox, so that it need not be
 * copied there. Who owns it:
 *
 * <pre>
 *   taken                        whoever took it, and nobody else, writes to it; the client does not know of it
 *   put into the outbox          nobody writes to it any more
 *   sent to that client          the client reads it too, until its CREDIT says that it is done with it
 *   given back                   whoever took it is done: a batch that is in the outbox does so when it is released
 * </pre>
 *
 * It is used again when both are done, the taker and the client that it was sent to, and the memory stays mapped until then. A
 * batch that goes to another client, or to this one by another connection, is copied from it. One thread at a time.
 */
public final class BatchRoom {
    private final ClientMemory of;
    private final long at;
    private final ByteBuf part;

    // both guarded by the memory
    private long from;
    private boolean taken = true;
    private boolean sent;

    /**
     * @param from where what is reserved begins
     * @param at where the tensors begin, behind the room for a header
     */
    BatchRoom(ClientMemory of, long from, long at, ByteBuf part) {
        this.of = of;
        this.from = from;
        this.at = at;
        this.part = part;
    }

    /** All of it, from a multiple of 64 on; for tensors as a frame has them, see {@link io.praline.wire}. */
    public ByteBuffer memory() {
        return part.nioBuffer(0, part.capacity()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Whoever took it does not touch it any more; once. */
    public void giveBack() {
        of.givenBack(this);
    }

    long at() {
        return at;
    }

    long from() {
        return from;
    }

    /** What lies before the batch is used otherwise. */
    void begins(long batch) {
        from = batch;
    }

    void sent(boolean now) {
        sent = now;
    }

    void notTaken() {
        taken = false;
    }

    boolean inUse() {
        return taken || sent;
    }
}
