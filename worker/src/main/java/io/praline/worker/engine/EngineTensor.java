package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * One component of a batch, in TensorFlow's own memory. The body is valid until the batch is released.
 *
 * @param dtype TensorFlow's number of the type
 * @param body the elements row by row, little-endian; strings: int64 offsets, one more than there are elements, the first
 *     one 0, then the bytes of all of them, which the offsets count from the end of the offsets on
 */
public record EngineTensor(int dtype, List<Long> shape, ByteBuf body) {
    public EngineTensor {
        shape = List.copyOf(shape);
    }

    /** One whose body lies in this memory, from its beginning to its end. */
    public static EngineTensor of(int dtype, List<Long> shape, ByteBuffer memory) {
        return new EngineTensor(
                dtype, shape, memory.capacity() == 0 ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(memory));
    }

    /** The body to read from, from its beginning to its end. */
    public ByteBuffer bytes() {
        return body.nioBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }
}
