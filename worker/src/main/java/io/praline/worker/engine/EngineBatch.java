package io.praline.worker.engine;

import java.util.List;

/**
 * One element of the user's pipeline, or several packed ones. Whoever takes it calls {@link #close} once; the bodies are
 * TensorFlow's memory until then.
 */
public final class EngineBatch implements AutoCloseable {
    private final long[] tickets;
    private final int packed;
    private final List<EngineTensor> tensors;
    private final Runnable release;
    private boolean closed;

    /**
     * A batch.
     *
     * @param release runs when it is closed, and its bodies are released
     */
    public EngineBatch(long[] tickets, int packed, List<EngineTensor> tensors, Runnable release) {
        this.tickets = tickets;
        this.packed = packed;
        this.tensors = List.copyOf(tensors);
        this.release = release;
    }

    /** The elements it holds, in their order; empty where elements are not tracked. Not to be changed. */
    public long[] tickets() {
        return tickets;
    }

    /** How many elements are stacked along the leading dimension; 0: it is one element as the user made it. */
    public int packed() {
        return packed;
    }

    /** The components in the graph's order, the ticket left out. */
    public List<EngineTensor> tensors() {
        return tensors;
    }

    /** Bytes of all bodies. */
    public long bytes() {
        return tensors.stream().mapToLong(tensor -> tensor.body().writerIndex()).sum();
    }

    /**
     * Releases the bodies and gives their memory back; any thread. Later calls do nothing. Who writes a body to
     * a socket, which releases what it has written, hands it a retained duplicate.
     */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            tensors.forEach(tensor -> tensor.body().release());
            release.run();
        }
    }
}
