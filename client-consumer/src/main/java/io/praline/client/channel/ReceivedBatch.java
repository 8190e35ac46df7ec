package io.praline.client.channel;

import io.praline.identity.AttemptKey;
import io.praline.wire.LandedBatch;
import io.praline.wire.TensorLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/** A batch that came. Whoever has it closes it: that frees its memory and gives its credit back to the worker. Any thread, one at a time. */
public final class ReceivedBatch implements AutoCloseable {
    private final AttemptKey attempt;
    private final LandedBatch landed;
    private final List<ReceivedTensor> tensors;
    private final LongConsumer giveBack;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param giveBack told the bytes when the batch is closed */
    ReceivedBatch(AttemptKey attempt, LandedBatch landed, LongConsumer giveBack) {
        this.attempt = attempt;
        this.landed = landed;
        this.giveBack = giveBack;
        List<TensorLayout> layouts = landed.frame().tensors();
        List<ByteBuffer> bodies = landed.bodies();
        List<ReceivedTensor> made = new ArrayList<>(layouts.size());
        for (int i = 0; i < layouts.size(); i++) {
            made.add(new ReceivedTensor(layouts.get(i).dtype(), layouts.get(i).shape(), bodies.get(i)));
        }
        this.tensors = List.copyOf(made);
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

    public List<ReceivedTensor> tensors() {
        return tensors;
    }

    /** Bytes of the frame it came in: what it takes of the credit window. */
    public long bytes() {
        return landed.memory().length();
    }

    /** Frees its memory, which must not be touched any more, and gives its credit back. Closing twice does nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            long bytes = bytes();
            landed.memory().free();
            giveBack.accept(bytes);
        }
    }
}
