package io.praline.client;

import io.praline.wire.ElementType;
import io.praline.wire.StringTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One component of a batch: its values in row-major order, where the network put them. All of it is good until the batch
 * is closed: a buffer that is kept longer shows other batches' bytes. Any thread.
 */
public final class BatchComponent {
    private final Batch batch;
    private final String name;
    private final ElementType dtype;
    private final long[] shape;
    private final ByteBuffer data;

    /** @param data positioned at its first byte; taken over */
    BatchComponent(Batch batch, String name, ElementType dtype, long[] shape, ByteBuffer data) {
        this.batch = batch;
        this.name = name;
        this.dtype = dtype;
        this.shape = shape;
        this.data = data;
    }

    public String name() {
        return name;
    }

    public ElementType dtype() {
        return dtype;
    }

    /** Its dimensions; empty for a scalar. */
    public long[] shape() {
        return shape.clone();
    }

    /** How many values it holds: the product of its dimensions. */
    public long size() {
        return Arrays.stream(shape).reduce(1, Math::multiplyExact);
    }

    /** Its bytes: direct, little-endian, read-only; for strings offsets and bytes as the wire has them. */
    public ByteBuffer bytes() {
        batch.requireOpen();
        return data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    public FloatBuffer floats() {
        require(ElementType.FLOAT32);
        return bytes().asFloatBuffer();
    }

    public DoubleBuffer doubles() {
        require(ElementType.FLOAT64);
        return bytes().asDoubleBuffer();
    }

    /** Values of int32 or uint32. */
    public IntBuffer ints() {
        require(ElementType.INT32, ElementType.UINT32);
        return bytes().asIntBuffer();
    }

    /** Values of int64 or uint64. */
    public LongBuffer longs() {
        require(ElementType.INT64, ElementType.UINT64);
        return bytes().asLongBuffer();
    }

    /** The strings as the bytes they are; each access makes a copy. */
    public List<byte[]> byteStrings() {
        StringTensor strings = stringTensor();
        return new AbstractList<>() {
            @Override
            public byte[] get(int index) {
                batch.requireOpen();
                return strings.bytes(index);
            }

            @Override
            public int size() {
                return strings.size();
            }
        };
    }

    /** Copies of the strings, read as UTF-8. */
    public List<String> strings() {
        StringTensor strings = stringTensor();
        return IntStream.range(0, strings.size()).mapToObj(strings::text).toList();
    }

    private StringTensor stringTensor() {
        require(ElementType.STRING);
        return StringTensor.of(bytes(), size());
    }

    private void require(ElementType... readable) {
        for (ElementType one : readable) {
            if (dtype == one) {
                return;
            }
        }
        throw new IllegalStateException("component '" + name + "' is " + dtype + ", not " + Arrays.toString(readable));
    }

    @Override
    public String toString() {
        return name + ": " + dtype + Arrays.toString(shape);
    }
}
