package io.praline.worker.engine;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.tensorflow.ndarray.NdArray;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TString;

class NativeStringsTest {
    private static final int MEBIBYTE = 1 << 20;

    // a cell holds 22 bytes itself
    @Property(tries = 200)
    void isWhatObjectsSay(@ForAll @Size(max = 40) List<@IntRange(max = 70) Integer> lengths, @ForAll long seed) {
        assertEqual(Shape.of(lengths.size()), strings(lengths, seed));
    }

    @Property(tries = 100)
    void isWhatObjectsSayOfEveryShape(
            @ForAll @Size(max = 4) List<@IntRange(max = 4) Integer> shape, @ForAll long seed) {
        int count = shape.stream().reduce(1, (a, b) -> a * b);
        List<Integer> lengths = new Random(seed).ints(count, 0, 30).boxed().toList();

        assertEqual(Shape.of(shape.stream().mapToLong(Integer::longValue).toArray()), strings(lengths, seed));
    }

    @Test
    void isWhatObjectsSayOfLongOnes() {
        List<Integer> lengths = List.of(0, 1, 21, 22, 23, 24, 255, 256, 65_535, MEBIBYTE - 1, MEBIBYTE, 0, 22);

        assertEqual(Shape.of(lengths.size()), strings(lengths, 7));
    }

    // cells of 24 bytes, of which the first holds "one"; "three" lies at 104, that is 80 behind the second cell
    @Test
    void readsEveryKindOfCell() {
        ByteBuffer elsewhere = direct(16).put("largeview".getBytes(US_ASCII));
        ByteBuffer cells = direct(4 * 24 + 8 + 5);
        long address = NativeMemory.of(elsewhere.rewind()).address();
        cells.put(0, (byte) (3 << 2)).put(1, "one".getBytes(US_ASCII));
        cells.putInt(24, 5 << 2 | 2).putInt(28, 3 * 24 + 8).putInt(32, 1);
        cells.putLong(48, 5 << 2 | 1).putLong(56, 15).putLong(64, address);
        cells.putLong(72, 4 << 2 | 3).putLong(80, address + 5);
        cells.put(104, "three".getBytes(US_ASCII));

        ByteBuf body = new NativeStrings(NativeMemory.of(cells).address(), 4).encoded();

        assertThat(body.readLongLE()).isZero();
        assertThat(List.of(body.readLongLE(), body.readLongLE(), body.readLongLE(), body.readLongLE()))
                .isEqualTo(List.of(3L, 8L, 13L, 17L));
        assertThat(body.toString(US_ASCII)).isEqualTo("onethreelargeview");
        body.release();
    }

    // the direct memory that a worker may have would be less than one such batch
    @Test
    void takesNoneOfJavasDirectMemoryForManyBytes() {
        byte[] text = new byte[NativeStrings.POOLED_BYTES];
        new Random(3).nextBytes(text);
        try (TString tensor = TString.tensorOfBytes(NdArrays.scalarOfObject(text))) {
            long before = directBytes();
            ByteBuf body = NativeTensors.of(tensor, DataType.DT_STRING).body();

            assertThat(directBytes()).isLessThan(before + text.length);
            assertThat(ByteBufUtil.getBytes(body.slice(2 * Long.BYTES, text.length)))
                    .isEqualTo(text);
            assertThat(body.release()).isTrue();
        }
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Of any bytes: zeros and what is no UTF-8 among them. */
    private static byte[][] strings(List<Integer> lengths, long seed) {
        Random random = new Random(seed);
        return lengths.stream()
                .map(length -> {
                    byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    return bytes;
                })
                .toArray(byte[][]::new);
    }

    private static void assertEqual(Shape shape, byte[][] strings) {
        NdArray<byte[]> values = NdArrays.ofObjects(byte[].class, shape);
        int[] next = {0};
        values.scalars().forEach(value -> value.setObject(strings[next[0]++]));
        try (TString tensor = TString.tensorOfBytes(values)) {
            EngineTensor found = NativeTensors.of(tensor, DataType.DT_STRING);
            ByteBuf expected = ObjectStrings.encoded(tensor);

            assertThat(found.shape())
                    .isEqualTo(Arrays.stream(shape.asArray()).boxed().toList());
            assertThat(ByteBufUtil.getBytes(found.body())).isEqualTo(ByteBufUtil.getBytes(expected));
            found.body().release();
            expected.release();
        }
    }
}
