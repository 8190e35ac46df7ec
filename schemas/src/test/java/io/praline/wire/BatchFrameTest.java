package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.praline.identity.TicketRuns;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
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

    @Test
    void theSameBatchUnderAnotherSequenceIsOtherwiseTheSame() {
        ByteBuf frame = Unpooled.buffer().writeZero(3).skipBytes(3); // it need not stand at the beginning
        ByteBuf expected = Unpooled.buffer();
        TensorLayout floats = new TensorLayout(FLOAT32, new long[] {2}, 8);
        new BatchFrame(1, 2, 3, 2, List.of(floats), ByteBuffer.wrap(new byte[] {2, 1})).writeHeader(frame);
        new BatchFrame(1, 2, 9L << 40, 2, List.of(floats), ByteBuffer.wrap(new byte[] {2, 1})).writeHeader(expected);
        BatchFrame.renumber(frame, 9L << 40);
        assertThat(frame).isEqualTo(expected);
    }

    // 4 | uint16 tensors | H = 64 | epoch 1 | attempt 2 | sequence 3 | packed 2 | 2 of tickets | float32, rank 1, 8
    // bytes, [2]
    @Test
    void aHeaderIsWrittenAsItIsDrawn() {
        ByteBuf out = Unpooled.buffer();
        TensorLayout floats = new TensorLayout(FLOAT32, new long[] {2}, 8);
        new BatchFrame(1, 2, 3, 2, List.of(floats), ByteBuffer.wrap(new byte[] {2, 1})).writeHeader(out);
        assertThat(ByteBufUtil.hexDump(out))
                .isEqualTo(("48000000" + "04 00 0100 40000000 01000000 02000000 0300000000000000 02000000 02000000"
                                        + "01000000 01000000 0800000000000000 0200000000000000" + "0201")
                                .replace(" ", "")
                        + "00".repeat(6));
    }

    @Test
    void headersThatCannotBeAreMalformedAndSayWhy() {
        assertMalformed(header -> header.setByte(0, 5), "a BATCH's type, less 4, must be 0, is 1");
        assertMalformed(header -> header.setByte(1, 1), "a BATCH's second byte must be 0, is 1");
        assertMalformed(header -> header.setShortLE(2, 1_025), "a batch must not have 1025 tensors");
        assertMalformed(header -> header.setShortLE(2, 1_024), "a tensor must not have -2139062144 dimensions");
        assertMalformed(
                header -> header.setIntLE(4, 192),
                "a batch says it has 192 of 136 bytes before its tensors, its tensors make that 128 of 136");
        assertMalformed(
                header -> header.writeZero(1),
                "a batch says it has 128 of 137 bytes before its tensors, its tensors make that 128 of 136");
        assertMalformed(
                header -> header.setIntLE(8, -1), "epoch, attempt and sequence must not be negative, are -1, 2, 3");
        assertMalformed(header -> header.setIntLE(24, -1), "packed must not be negative, is -1");
        assertMalformed(header -> header.setIntLE(28, -1), "a batch must not have -1 bytes of ticket runs");
        assertMalformed(header -> header.setIntLE(28, 81), "a batch must not have 81 bytes of ticket runs");
        assertMalformed(header -> header.setIntLE(36, -1), "a tensor must not have -1 dimensions");
        assertMalformed(header -> header.setIntLE(36, 255), "a tensor must not have 255 dimensions");
        assertMalformed(header -> header.setIntLE(36, 254), "the header of a batch is cut off");
    }

    /** One batch: the tensor's layout ends at 56, so there are 136 - 56 = 80 bytes in which tickets could be. */
    private static void assertMalformed(Consumer<ByteBuf> change, String why) {
        TensorLayout floats = new TensorLayout(FLOAT32, new long[] {2}, 8);
        byte[] tickets = new byte[66];
        Arrays.fill(tickets, (byte) 0x80); // where a second tensor would lie: no rank at all
        BatchFrame frame = new BatchFrame(1, 2, 3, 2, List.of(floats), ByteBuffer.wrap(tickets));
        ByteBuf payload = Unpooled.buffer().writeBytes(payload(frame));
        change.accept(payload);
        assertThatThrownBy(() -> BatchFrame.read(payload))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage(why);
    }

    @Test
    void aBatchMayHaveAsManyBytesTensorsAndDimensionsAsTheLimitsSay() {
        TensorLayout large = new TensorLayout(UINT8, new long[] {(1 << 30) - 64}, (1 << 30) - 64);
        ByteBuf out = Unpooled.buffer();
        batch(0, List.of(large), new long[0]).writeHeader(out);
        assertThat(out.readIntLE()).isEqualTo(FrameLimits.MAX_BATCH_PAYLOAD_BYTES);

        long[] ones = new long[254];
        Arrays.fill(ones, 1);
        TensorLayout deep = new TensorLayout(UINT8, ones, 1);
        BatchFrame most = batch(0, Collections.nCopies(1_024, deep), new long[0]);
        assertThat(BatchFrame.read(payload(most))).isEqualTo(most);

        assertThatThrownBy(() -> batch(0, Collections.nCopies(1_025, deep), new long[0]))
                .hasMessage("a batch must have at most 1024 tensors, has 1025");
        assertThatThrownBy(() -> new TensorLayout(UINT8, new long[255], 0))
                .hasMessage("a tensor must have at most 254 dimensions, has 255");
    }

    @Test
    void ticketsMayTakeAllThatIsLeftOfThePayload() {
        byte[] tickets = new byte[32];
        Arrays.fill(tickets, (byte) 1);
        BatchFrame frame = new BatchFrame(1, 2, 3, 0, List.of(), ByteBuffer.wrap(tickets));
        assertThat(frame.payloadBytes()).isEqualTo(64);
        assertThat(BatchFrame.read(payload(frame))).isEqualTo(frame);
    }

    // 2^32 * 2^31 = 2^63: one more than a long holds, with no bit above its 64
    @Test
    void aShapeWithoutBoundOrBelowZeroIsRefused() {
        assertThatThrownBy(() -> new TensorLayout(STRING, new long[] {1L << 32, 1L << 31}, 8))
                .hasMessage("a tensor of string[4294967296, 2147483648] must not have 8 bytes");
        assertThatThrownBy(() -> new TensorLayout(UINT8, new long[] {-3}, 1))
                .hasMessage("a dimension must not be negative, is -3");
        assertThatThrownBy(() -> new TensorLayout(UINT8, new long[] {1}, -1))
                .hasMessage("a tensor must have 0..2147483647 bytes, has -1");
    }

    @Test
    void layoutsAreEqualByTheirDimensions() {
        TensorLayout layout = new TensorLayout(FLOAT32, new long[] {2, 3}, 24);
        assertThat(layout)
                .isEqualTo(new TensorLayout(FLOAT32, new long[] {2, 3}, 24))
                .hasSameHashCodeAs(new TensorLayout(FLOAT32, new long[] {2, 3}, 24))
                .isNotEqualTo(new TensorLayout(FLOAT32, new long[] {3, 2}, 24))
                .isNotEqualTo(new TensorLayout(3, new long[] {2, 3}, 24))
                .hasToString("TensorLayout[float32[2, 3], 24 bytes]");
        assertThat(layout.hashCode()).isNotEqualTo(new TensorLayout(FLOAT32, new long[] {3, 2}, 24).hashCode());
    }
}
