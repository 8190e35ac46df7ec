package io.praline.client.channel;

import io.praline.identity.AttemptKey;
import io.praline.wire.TensorLayout;
import io.praline.wire.memory.LandedBatch;
import io.praline.wire.memory.SharedPlace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** A batch that came. Whoever has it closes it: that frees its memory and gives its credit back to the worker. Any thread, one at a time. */
public final class ReceivedBatch implements AutoCloseable {
    private final AttemptKey attempt;
    private final LandedBatch landed;
    private final List<ByteBuffer> bodies;
    // the memory is another batch's when this one is closed
    private final long bytes;
    private final LongConsumer giveBack;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param landed taken over
     * @param giveBack called with the bytes when the batch is closed
     */
    public ReceivedBatch(AttemptKey attempt, LandedBatch landed, LongConsumer giveBack) {
        this.attempt = attempt;
        this.landed = landed;
        this.bodies = landed.bodies();
        this.bytes = landed.memory().length();
        this.giveBack = giveBack;
    }

    public AttemptKey attempt() {
        return attempt;
    }

    /** Its number among the batches of this attempt for this consumer, from 0. */
    public long sequence() {
        return landed.frame().sequence();
    }

    /** 0: one batch as the user made it; k: every tensor has a leading dimension k, each index a batch. */
    public int packed() {
        return landed.frame().packed();
    }

    /** The elements it holds, as {@code TicketRuns}; empty where they are not tracked. Good until the batch is closed. */
    public ByteBuffer tickets() {
        return landed.frame().ticketRuns().duplicate();
    }

    /** What its tensors are. */
    public List<TensorLayout> layouts() {
        return landed.frame().tensors();
    }

    /**
     * A tensor's bytes: direct, little-endian, starting at a multiple of 64; strings as {@code StringTensor} lays them out.
     * Good until the batch is closed, not one access longer.
     */
    public ByteBuffer data(int tensor) {
        return bodies.get(tensor);
    }

    /** Where a tensor's bytes lie, if that is memory that other processes may map too. Good until the batch is closed. */
    public Optional<SharedPlace> shared(int tensor) {
        return landed.shared(tensor);
    }

    /** Bytes of the frame it came in: what it takes of the credit window. */
    public long bytes() {
        return bytes;
    }

    /** Frees its memory, which must not be touched any more, and gives its credit back. Closing twice does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            landed.memory().free();
            giveBack.accept(bytes);
        }
    }
}
