package io.praline.worker.engine;

import java.nio.ByteBuffer;
import org.bytedeco.javacpp.Pointer;

/**
 * Memory of TensorFlow's as a buffer. JavaCPP makes it through the virtual machine's own native interface, which needs no
 * flag to open the JDK's internals, as Netty's wrapping of an address does.
 */
final class NativeMemory extends Pointer {
    private NativeMemory(long address, long bytes) {
        this.address = address;
        this.limit = bytes;
        this.capacity = bytes;
    }

    private NativeMemory(ByteBuffer direct) {
        super(direct);
    }

    /** Limit and capacity count bytes. */
    @Override
    public int sizeof() {
        return 1;
    }

    /** Valid as long as the tensor is open; frees nothing. */
    static NativeMemory at(long address, long bytes) {
        return new NativeMemory(address, Math.toIntExact(bytes));
    }

    /** The memory of a direct buffer, from its beginning on; valid as long as the buffer is. */
    static NativeMemory of(ByteBuffer direct) {
        return new NativeMemory(direct);
    }

    /** This object at another place, which is faster than an object for each one. */
    NativeMemory moved(long place) {
        address = place;
        return this;
    }
}
