package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class BatchFrameTest {
    private static final int FLOAT32 = 1;
    private static final int UINT8 = 4;
    private static final int STRING = 7;

    @Property(tries = 300)
    void everyHeaderReadsBackAsItWasWritten(@ForAll("batches") BatchFrame frame) {
        assertThat(BatchFrame.read(payload(frame))).isEqualTo(frame);
    }

    @Property(tries = 1_000)
    void anyChangedByteGivesAnotherBatchOrIsMalformed(
            @ForAll("batches") BatchFrame frame, @ForAll int where, @ForAll byte what) {
        ByteBuf payload = payload(frame);
        payload.setByte(Math.floorMod(where, payload.readableBytes()), what);
        try {
            BatchFrame read = BatchFrame.read(payload);
            assertThat(read.payloadBytes()).isEqualTo(payload.readableBytes());
        } catch (MalformedFrame malformed) {
            assertThat(malformed).hasMessageNotContaining("\n");
        }
    }

    // header: 32 fixed + (16 + 8) of the first tensor + (16 + 16) of the second + 2 of tickets = 90, so 128
    // tensors: 128 + 12 = 140, the next multiple of 64 is 192; 192 + 6 = 198
    @Test
    void tensorsStartAtMultiplesOf64() {
        BatchFrame frame = batch(0, List.of(floats(3), new TensorLayout(UINT8, new long[] {2, 3}, 6)), new long[] {5});
        assertThat(frame.headerBytes()).isEqualTo(128);
        assertThat(frame.payloadBytes()).isEqualTo(198);
    }

    @Test
    void aBatchLargerThanAFrameIsRefusedNamingBoth() {
        TensorLayout large = new TensorLayout(UINT8, new long[] {FrameLimits.MAX_BATCH_PAYLOAD_BYTES}, 1 << 30);
        assertThatThrownBy(() -> batch(0, List.of(large), new long[0]).writeHeader(Unpooled.buffer()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1073741888")
                .hasMessageContaining("1073741824");
    }

    @Test
    void aTensorWhoseBytesAreNotThoseOfItsShapeIsRefused() {
        assertThatThrownBy(() -> new TensorLayout(FLOAT32, new long[] {3}, 13)).hasMessageContaining("float32[3]");
        assertThatThrownBy(() -> new TensorLayout(FLOAT32, new long[] {1L << 40, 1L << 40}, 0))
                .hasMessageContaining("must not have 0 bytes");
        assertThatThrownBy(() -> new TensorLayout(21, new long[0], 0)).hasMessageContaining("data type 21");
        assertThatThrownBy(() -> new TensorLayout(STRING, new long[] {2}, 16)).hasMessageContaining("string[2]");
        assertThat(new TensorLayout(FLOAT32, new long[] {1L << 40, 0}, 0).elements())
                .isZero();
    }

    @Test
    void packedBatchesHaveTheirNumberInEveryTensor() {
        assertThatThrownBy(() -> batch(4, List.of(floats(3)), new long[0])).hasMessageContaining("packed 4 times");
    }

    @Provide
    Arbitrary<BatchFrame> batches() {
        Arbitrary<TensorLayout> tensors = Arbitraries.longs()
                .between(0, 9)
                .array(long[].class)
                .ofMaxSize(3)
                .map(shape -> new TensorLayout(
                        FLOAT32, shape, 4 * new TensorLayout(UINT8, shape, product(shape)).elements()));
        Arbitrary<long[]> tickets =
                Arbitraries.longs().between(0, 1L << 40).array(long[].class).ofMaxSize(10);
        return Combinators.combine(
                        Arbitraries.longs().greaterOrEqual(0), tensors.list().ofMaxSize(4), tickets)
                .as((sequence, layouts, elements) ->
                        new BatchFrame(3, 4, sequence, 0, layouts, ByteBuffer.wrap(TicketRuns.encode(elements))));
    }

    private static long product(long[] shape) {
        long product = 1;
        for (long dimension : shape) {
            product *= dimension;
        }
        return product;
    }

    private static TensorLayout floats(int count) {
        return new TensorLayout(FLOAT32, new long[] {count}, 4L * count);
    }

    private static BatchFrame batch(int packed, List<TensorLayout> tensors, long[] tickets) {
        return new BatchFrame(0, 0, 0, packed, tensors, ByteBuffer.wrap(TicketRuns.encode(tickets)));
    }

    /** The header, and zeroes for the tensors. */
    private static ByteBuf payload(BatchFrame frame) {
        ByteBuf out = Unpooled.buffer();
        frame.writeHeader(out);
        int bytes = out.readIntLE();
        out.writeZero(bytes - out.readableBytes());
        return out.slice();
    }
}
