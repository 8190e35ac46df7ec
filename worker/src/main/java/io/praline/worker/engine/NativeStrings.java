package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * The strings of a tensor, in TensorFlow's memory: a cell of three words for each, as its {@code ctstring_internal.h} lays
 * them out on little-endian machines. The lowest two bits of the first word say how the cell is to be read, those above
 * how long the string is. Read as memory, a string costs a copy of its bytes; through TensorFlow's Java objects it costs
 * several calls and objects more, which together take ten times as long for a hundred bytes.
 */
final class NativeStrings {
    private static final int CELL_WORDS = 3;
    static final int CELL_BYTES = CELL_WORDS * Long.BYTES;

    /** Above it a pool would ask the virtual machine, whose direct memory is bounded: by one batch the worker would end. */
    static final int POOLED_BYTES = 4 << 20;

    /** Up to 22 bytes, within the cell behind the byte that says so. */
    private static final int SMALL = 0;
    /** Memory of its own, to which the third word points. */
    private static final int LARGE = 1;
    /** As far behind the cell's own address as the upper half of the first word says; the lower half has the length. */
    private static final int OFFSET = 2;

    private final long address;
    private final LongBuffer words;
    private final int count;

    /** Valid as long as the tensor is open; the address is not read where there are none. */
    NativeStrings(long address, int count) {
        this.address = address;
        this.count = count;
        this.words = count == 0
                ? LongBuffer.allocate(0)
                : words(NativeMemory.at(address, (long) count * CELL_BYTES).asByteBuffer());
    }

    private static LongBuffer words(ByteBuffer bytes) {
        return bytes.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }

    /** Offsets of all strings, one more than there are, then their bytes. Who calls releases it. */
    ByteBuf encoded() {
        long bytes = (count + 1L) * Long.BYTES;
        for (int i = 0; i < count; i++) {
            bytes += length(i);
        }
        ByteBuf body = bytes > POOLED_BYTES
                ? new Unpooled(Math.toIntExact(bytes))
                : PooledByteBufAllocator.DEFAULT.directBuffer((int) bytes);
        write(body.nioBuffer(0, (int) bytes));
        return body.writerIndex((int) bytes);
    }

    private void write(ByteBuffer body) {
        LongBuffer offsets = words(body);
        NativeMemory from = NativeMemory.at(address, 0);
        NativeMemory to = NativeMemory.of(body);
        long start = to.address() + (count + 1L) * Long.BYTES;
        long offset = 0;
        offsets.put(offset);
        for (int i = 0; i < count; i++) {
            long length = length(i);
            Pointer.memcpy(to.moved(start + offset), from.moved(place(i)), length);
            offset += length;
            offsets.put(offset);
        }
    }

    private long length(int string) {
        long first = words.get(string * CELL_WORDS);
        return switch ((int) first & 3) {
            case SMALL -> (first & 0xff) >>> 2;
            case OFFSET -> (first & 0xffff_ffffL) >>> 2;
            default -> first >>> 2;
        };
    }

    private long place(int string) {
        int cell = string * CELL_WORDS;
        long here = address + (long) string * CELL_BYTES;
        return switch ((int) words.get(cell) & 3) {
            case SMALL -> here + 1;
            case LARGE -> words.get(cell + 2);
            case OFFSET -> here + (words.get(cell) >>> 32);
            // somebody else's memory, to which the second word points
            default -> words.get(cell + 1);
        };
    }

    /** Memory beside the virtual machine's, as TensorFlow's own tensors lie in. */
    private static final class Unpooled extends UnpooledDirectByteBuf {
        private final BytePointer memory;

        Unpooled(int bytes) {
            this(new BytePointer(bytes), bytes);
        }

        private Unpooled(BytePointer memory, int bytes) {
            super(UnpooledByteBufAllocator.DEFAULT, memory.asByteBuffer(), bytes);
            this.memory = memory;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            memory.deallocate();
        }
    }
}
