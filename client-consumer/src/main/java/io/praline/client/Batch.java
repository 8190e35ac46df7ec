package io.praline.client;

import io.praline.client.stream.ComponentNames;
import io.praline.client.stream.Frame;
import io.praline.wire.ElementType;
import io.praline.wire.TensorLayout;
import io.praline.wire.memory.SharedPlace;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A batch in the hands of the training loop: claimed when {@code next()} gave it, acknowledged by the loop's next question,
 * or by {@link #acknowledge} where the stream is set to that.
 *
 * <p>Its values lie in the client's receive memory, which is bounded: what is not closed is not given back to the
 * workers as credit, and a loop that keeps as many batches open as the memory budget holds gets no more. Any thread.
 */
public final class Batch implements AutoCloseable {
    private final StreamCore stream;
    private final Frame frame;
    private final int part;
    private final ComponentNames names;
    private final AtomicBoolean closed = new AtomicBoolean();
    // owned by the stream's lock
    private boolean acknowledged;

    Batch(StreamCore stream, Frame frame, int part, ComponentNames names) {
        this.stream = stream;
        this.frame = frame;
        this.part = part;
        this.names = names;
    }

    /** The epoch it belongs to, counted from 0. */
    public int epoch() {
        return frame.attempt().epoch();
    }

    /** How many components it has. */
    public int size() {
        return frame.layouts().size();
    }

    /** The names of its components, in order. */
    public List<String> names() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            all.add(names.name(i));
        }
        return all;
    }

    /**
     * A component by its name, or by its number in words where it has none.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public BatchComponent component(String name) {
        return component(names.indexOf(name, size()));
    }

    /** A component by its place, counted from 0. */
    public BatchComponent component(int index) {
        requireOpen();
        TensorLayout tensor = frame.layouts().get(index);
        ElementType dtype = ElementType.of(tensor.dtype());
        String name = names.name(index);
        ByteBuffer data = frame.data(index).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        if (!frame.isPacked()) {
            return new BatchComponent(this, name, dtype, tensor.shape(), data);
        }
        int bytes = data.remaining() / frame.parts();
        ByteBuffer slice = data.slice(data.position() + part * bytes, bytes).order(ByteOrder.LITTLE_ENDIAN);
        long[] shape = Arrays.copyOfRange(tensor.shape(), 1, tensor.shape().length);
        return new BatchComponent(this, name, dtype, shape, slice);
    }

    /**
     * Where a component's bytes lie, if that is memory that another process of this host may map too: the batch came from a
     * worker here. Good until it is closed. What was packed for the journey has no place of its own.
     */
    public Optional<SharedPlace> shared(int index) {
        requireOpen();
        return frame.isPacked() ? Optional.empty() : frame.shared(index);
    }

    /** Its elements; empty where the job does not track them. */
    public long[] tickets() {
        return stream.tickets(this);
    }

    /**
     * How many elements it counts for: as many as it has tickets, or where the job does not track them the leading dimension
     * that all components share, else 1.
     */
    public long elements() {
        return stream.elements(this);
    }

    /** Bytes it counts for: its share of the frame it came in. */
    public long bytes() {
        return frame.bytes(part);
    }

    /**
     * The loop is done with it: what is lost after this will not bring it again. Twice is once. Only for streams with
     * {@code manualAcknowledge} does anything depend on it; others acknowledge a batch when the loop asks for the next.
     */
    public void acknowledge() {
        stream.acknowledge(this);
    }

    /** Frees its memory, which gives credit back to its worker. It does not acknowledge. Twice is once. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            frame.close(1);
        }
    }

    void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    Frame frame() {
        return frame;
    }

    int part() {
        return part;
    }

    /** True the first time. Called under the stream's lock. */
    boolean acknowledgeOnce() {
        boolean first = !acknowledged;
        acknowledged = true;
        return first;
    }

    @Override
    public String toString() {
        return "batch " + frame.attempt() + "/" + frame.sequence() + (frame.isPacked() ? "[" + part + "]" : "");
    }
}
