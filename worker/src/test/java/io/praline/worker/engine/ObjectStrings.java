package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.types.TString;

/** Strings by TensorFlow's Java objects, one by one: slow, and known to be right. */
final class ObjectStrings {
    private ObjectStrings() {}

    /** What {@link NativeStrings#encoded} gives of the same tensor. */
    static ByteBuf encoded(TString strings) {
        List<byte[]> values = new ArrayList<>();
        strings.asBytes().scalars().forEach(value -> values.add(value.getObject()));
        long bytes = values.stream().mapToLong(value -> value.length).sum();
        int offsets = (values.size() + 1) * Long.BYTES;
        ByteBuf body = Unpooled.directBuffer(Math.toIntExact(offsets + bytes));
        long offset = 0;
        body.writeLongLE(offset);
        for (byte[] value : values) {
            offset += value.length;
            body.writeLongLE(offset);
        }
        values.forEach(body::writeBytes);
        return body;
    }
}
