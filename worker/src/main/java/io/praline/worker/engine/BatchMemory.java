package io.praline.worker.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.IntFunction;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.types.TUint8;

/**
 * Memory for batches that no graph makes: where the client sees it that is to have them, or else blocks of one size that are
 * used again, since pages that were written to before cost less than new ones. These are TensorFlow's, of which a worker may
 * have more than of Java's own outside the heap. Any thread.
 */
public final class BatchMemory implements AutoCloseable {
    private final int bytes;
    private final IntFunction<Optional<Block>> rooms;
    private final Deque<TUint8> free = new ArrayDeque<>(); // guarded by this
    private boolean closed; // guarded by this

    /**
     * @param bytes of a block
     * @param rooms gives blocks of so many bytes where a client sees them, which are preferred; empty where it has none
     */
    public BatchMemory(int bytes, IntFunction<Optional<Block>> rooms) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes must be positive, is " + bytes);
        }
        this.bytes = bytes;
        this.rooms = rooms;
    }

    /** A block, until it is given back; nobody else writes to it. */
    public static final class Block {
        private final ByteBuffer memory;
        private final Runnable back;

        /**
         * @param memory outside the heap, from a multiple of 64 on
         * @param back runs once when it is given back
         */
        public Block(ByteBuffer memory, Runnable back) {
            this.memory = memory;
            this.back = back;
        }

        /** All of it; not to be used once it is given back. */
        public ByteBuffer memory() {
            return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        }

        /** Nobody reads it any more; once. */
        public void giveBack() {
            back.run();
        }
    }

    /**
     * Takes a block.
     *
     * @throws EngineFailure if there is no memory
     */
    public Block take() {
        return rooms.apply(bytes).orElseGet(this::own);
    }

    private Block own() {
        synchronized (this) {
            if (!free.isEmpty()) {
                return block(free.pop());
            }
        }
        try {
            return block(TUint8.tensorOf(Shape.of(bytes)));
        } catch (RuntimeException full) {
            throw EngineFailure.of(full);
        }
    }

    private Block block(TUint8 tensor) {
        return new Block(NativeTensors.memory(tensor), () -> giveBack(tensor));
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
