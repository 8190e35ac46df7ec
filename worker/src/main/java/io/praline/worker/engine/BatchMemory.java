package io.praline.worker.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.types.TUint8;

/**
 * Memory for batches that no graph makes, in blocks of one size that are used again: pages that were written to before cost
 * less than new ones. It is TensorFlow's, of which a worker may have more than of Java's own outside the heap. Any thread.
 */
public final class BatchMemory implements AutoCloseable {
    private final long bytes;
    private final Deque<TUint8> free = new ArrayDeque<>(); // guarded by this
    private boolean closed; // guarded by this

    /** @param bytes of a block */
    public BatchMemory(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes must be positive, is " + bytes);
        }
        this.bytes = bytes;
    }

    /** A block, until it is given back. */
    public final class Block {
        private final TUint8 tensor;
        private final ByteBuffer memory;

        private Block(TUint8 tensor) {
            this.tensor = tensor;
            this.memory = NativeTensors.memory(tensor);
        }

        /** All of it; not to be used once it is given back. */
        public ByteBuffer memory() {
            return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }

        /** Nobody reads it any more; once. */
        public void giveBack() {
            BatchMemory.this.giveBack(tensor);
        }
    }

    /**
     * Takes a block.
     *
     * @throws EngineFailure if there is no memory
     */
    public Block take() {
        synchronized (this) {
            if (!free.isEmpty()) {
                return new Block(free.pop());
            }
        }
        try {
            return new Block(TUint8.tensorOf(Shape.of(bytes)));
        } catch (RuntimeException full) {
            throw EngineFailure.of(full);
        }
    }

    private synchronized void giveBack(TUint8 tensor) {
        if (closed) {
            tensor.close();
        } else {
            free.push(tensor);
        }
    }

    /** Frees what is not in use, and the rest when it is given back. */
    @Override
    public synchronized void close() {
        closed = true;
        free.forEach(TUint8::close);
        free.clear();
    }
}
