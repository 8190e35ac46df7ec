package io.praline.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The body of a tensor of strings:
 *
 * <pre>
 *   int64 offset, n + 1 times | bytes        string i lies in offset i .. offset i+1 of the bytes, the first offset is 0
 * </pre>
 *
 * A view: it reads where the bytes lie, and is good as long as they are.
 */
public final class StringTensor {
    private final ByteBuffer body;
    private final int count;

    private StringTensor(ByteBuffer body, int count) {
        this.body = body;
        this.count = count;
    }

    /** The strings laid out in direct memory, which the caller releases. */
    public static ByteBuf encode(List<byte[]> strings, ByteBufAllocator allocator) {
        long bytes = (strings.size() + 1L) * Long.BYTES;
        for (byte[] string : strings) {
            bytes += string.length;
        }
        if (bytes > FrameLimits.MAX_BATCH_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("strings of " + bytes
                    + " bytes are larger than the channel takes, which is " + FrameLimits.MAX_BATCH_PAYLOAD_BYTES);
        }
        ByteBuf out = allocator.directBuffer((int) bytes, (int) bytes);
        long offset = 0;
        out.writeLongLE(0);
        for (byte[] string : strings) {
            offset += string.length;
            out.writeLongLE(offset);
        }
        for (byte[] string : strings) {
            out.writeBytes(string);
        }
        return out;
    }

    /**
     * The strings of a body.
     *
     * @param count how many, by the tensor's shape
     * @throws MalformedFrame if the offsets do not cut all of the bytes into that many strings
     */
    public static StringTensor of(ByteBuffer body, long count) {
        ByteBuffer view = body.slice().order(ByteOrder.LITTLE_ENDIAN);
        long room = view.remaining() / Long.BYTES - 1L;
        if (count < 0 || count > room) {
            throw new MalformedFrame(count + " strings do not fit in " + view.remaining() + " bytes");
        }
        long bytes = view.remaining() - (count + 1) * Long.BYTES;
        long last = 0;
        for (int i = 0; i <= count; i++) {
            long offset = view.getLong(i * Long.BYTES);
            if (offset < last || offset > bytes || (i == 0 && offset != 0)) {
                throw new MalformedFrame("string " + i + " of " + count + " must not start at " + offset);
            }
            last = offset;
        }
        if (last != bytes) {
            throw new MalformedFrame("strings end at " + last + " of " + bytes + " bytes");
        }
        return new StringTensor(view, (int) count);
    }

    /** How many strings there are. */
    public int size() {
        return count;
    }

    /** The bytes of a string, where they lie. */
    public ByteBuffer view(int index) {
        int start = start(index);
        return body.slice(start, start(index + 1) - start);
    }

    /** A copy of the bytes of a string. */
    public byte[] bytes(int index) {
        ByteBuffer view = view(index);
        byte[] bytes = new byte[view.remaining()];
        view.get(bytes);
        return bytes;
    }

    /** A string as UTF-8. */
    public String text(int index) {
        return StandardCharsets.UTF_8.decode(view(index)).toString();
    }

    private int start(int index) {
        return (count + 1) * Long.BYTES + (int) body.getLong(index * Long.BYTES);
    }
}
