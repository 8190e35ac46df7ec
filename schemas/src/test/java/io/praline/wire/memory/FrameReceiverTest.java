package io.praline.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ResourceLeakDetector;
import io.praline.wire.AliveFrame;
import io.praline.wire.BatchFrame;
import io.praline.wire.EndFrame;
import io.praline.wire.EndOf;
import io.praline.wire.Frame;
import io.praline.wire.FrameType;
import io.praline.wire.MalformedFrame;
import io.praline.wire.TensorLayout;
import io.praline.wire.WelcomeFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FrameReceiverTest {
    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    private static final int UINT8 = 4;

    private final AlignedBuffers buffers = new AlignedBuffers();

    private final List<EmbeddedChannel> opened = new ArrayList<>();

    @AfterEach
    void closeBuffers() {
        opened.forEach(EmbeddedChannel::finishAndReleaseAll);
        buffers.close();
        assertThat(buffers.bytes()).isZero();
    }

    @Property(tries = 50)
    void framesComeWholeHoweverTheBytesAreCut(@ForAll long seed, @ForAll @IntRange(min = 200, max = 40_000) int most) {
        Random random = new Random(seed);
        ByteBuf bytes = Unpooled.buffer();
        new WelcomeFrame("w", false).write(bytes);
        writeBatch(bytes, 0, 40_000);
        writeBatch(bytes, 1, 10);
        new EndFrame(1, EndOf.JOB).write(bytes);
        EmbeddedChannel channel = new EmbeddedChannel(new FrameReceiver(buffers, size -> {}));
        while (bytes.isReadable()) {
            channel.writeInbound(bytes.readBytes(Math.min(bytes.readableBytes(), 1 + random.nextInt(most))));
        }
        assertThat(channel.<Frame>readInbound()).isEqualTo(new WelcomeFrame("w", false));
        assertBatch(channel.readInbound(), 0, 40_000);
        assertBatch(channel.readInbound(), 1, 10);
        assertThat(channel.<Frame>readInbound()).isEqualTo(new EndFrame(1, EndOf.JOB));
        assertThat(channel.finish()).isFalse();
    }

    /** As a socket does it: what the allocator gives is filled as far as there are bytes, and handed on. */
    @Property(tries = 50)
    void theSocketsBytesLandInTheBatchWithoutAnotherBuffer(
            @ForAll long seed, @ForAll @IntRange(min = 200, max = 40_000) int most) {
        Random random = new Random(seed);
        ByteBuf bytes = Unpooled.buffer();
        writeBatch(bytes, 0, 40_000);
        writeBatch(bytes, 1, 70_000);
        new AliveFrame().write(bytes);
        FrameReceiver receiver = new FrameReceiver(buffers, size -> {});
        EmbeddedChannel channel = new EmbeddedChannel(receiver);
        RecvByteBufAllocator.ExtendedHandle handle = receiver.newHandle();
        while (bytes.isReadable()) {
            ByteBuf into = handle.allocate(channel.alloc());
            assertThat(into.isDirect()).isTrue();
            into.writeBytes(
                    bytes, Math.min(Math.min(bytes.readableBytes(), into.writableBytes()), 1 + random.nextInt(most)));
            channel.writeInbound(into);
        }
        assertBatch(channel.readInbound(), 0, 40_000);
        assertBatch(channel.readInbound(), 1, 70_000);
        assertThat(channel.<Frame>readInbound()).isEqualTo(new AliveFrame());
        assertThat(channel.finish()).isFalse();
    }

    @Test
    void anEndlessLengthTakesNoMemory() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameReceiver(buffers, size -> {}));
        ByteBuf endless = Unpooled.buffer().writeIntLE(-1).writeByte(FrameType.BATCH);
        assertThatThrownBy(() -> channel.writeInbound(endless))
                .isInstanceOf(MalformedFrame.class)
                .hasMessageContaining("4294967295");
        assertThat(buffers.bytes()).isZero();
        channel.writeInbound(Unpooled.buffer().writeZero(100)); // what follows is ignored
        assertThat(channel.finish()).isFalse();
    }

    @Test
    void aBatchBeyondTheCreditTakesNoMemory() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameReceiver(buffers, size -> {
            throw new MalformedFrame("no credit for " + size);
        }));
        ByteBuf bytes = Unpooled.buffer();
        writeBatch(bytes, 0, 100_000);
        assertThatThrownBy(() -> channel.writeInbound(bytes)).hasMessageContaining("no credit for 100064");
        assertThat(buffers.bytes()).isZero();
        assertThat(channel.finish()).isFalse();
    }

    @Test
    void aConnectionLostInABatchFreesItsMemory() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameReceiver(buffers, size -> {}));
        ByteBuf bytes = Unpooled.buffer();
        writeBatch(bytes, 0, 100_000);
        channel.writeInbound(bytes.readBytes(5_000));
        assertThat(buffers.bytes()).isPositive();
        channel.finish();
    }

    @Test
    void memoryThatWasGivenBackIsUsedAgain() {
        buffers.addWindow(1_048_576);
        List<Long> sizes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            AlignedBuffers.Memory memory = buffers.take(100_000 + i);
            memory.free();
            sizes.add(buffers.bytes());
        }
        assertThat(sizes).containsOnly(106_496L); // 100,009 rounded up to the eighths of 65,536
        buffers.addWindow(-1_048_576);
    }

    // limit: 9/8 of 1,000,000 = 1,125,000; ten pieces of 106,496 are less, and eleven too many
    @Test
    void noMoreIsKeptThanTheWindowsNeed() {
        buffers.addWindow(1_000_000);
        List<AlignedBuffers.Memory> taken = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            taken.add(buffers.take(100_000));
        }
        assertThat(buffers.bytes()).isEqualTo(20 * 106_496L);
        taken.forEach(AlignedBuffers.Memory::free);
        assertThat(buffers.bytes()).isEqualTo(10 * 106_496L);
        buffers.addWindow(-1_000_000);
        assertThat(buffers.bytes()).isZero();
    }

    private static void writeBatch(ByteBuf out, long sequence, int bytes) {
        TensorLayout layout = new TensorLayout(UINT8, new long[] {bytes}, bytes);
        new BatchFrame(0, 0, sequence, 0, List.of(layout), ByteBuffer.allocate(0)).writeHeader(out);
        for (int i = 0; i < bytes; i++) {
            out.writeByte((int) (i * 31L + sequence));
        }
    }

    private static void assertBatch(LandedBatch batch, long sequence, int bytes) {
        assertThat(batch.frame().sequence()).isEqualTo(sequence);
        ByteBuffer body = batch.bodies().get(0);
        assertThat(body.alignmentOffset(0, 64)).isZero();
        assertThat(body.remaining()).isEqualTo(bytes);
        int wrong = 0;
        for (int i = 0; i < bytes; i++) {
            wrong += body.get(i) == (byte) (i * 31L + sequence) ? 0 : 1;
        }
        assertThat(wrong).isZero();
        batch.memory().free();
    }

    private static ByteBuf head(long bytes, int type) {
        return Unpooled.buffer().writeIntLE((int) bytes).writeByte(type);
    }

    private EmbeddedChannel receiving() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameReceiver(buffers, size -> {}));
        opened.add(channel);
        return channel;
    }

    @Test
    void aFramesLengthIsWithinTheLimitsOfItsKind() {
        String batches = "a frame of type 4 must have 64 to 1073741824 bytes, has ";
        String others = "a frame of type 7 must have 1 to 4096 bytes, has ";
        assertThatThrownBy(() -> receiving().writeInbound(head(63, FrameType.BATCH)))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage(batches + 63);
        assertThatThrownBy(() -> receiving().writeInbound(head((1L << 30) + 1, FrameType.BATCH)))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage(batches + 1_073_741_825);
        assertThatThrownBy(() -> receiving().writeInbound(head(0, FrameType.ALIVE)))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage(others + 0);
        assertThatThrownBy(() -> receiving().writeInbound(head(4_097, FrameType.ALIVE)))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage(others + 4_097);
        assertThatThrownBy(() -> receiving().writeInbound(head(1, FrameType.ALIVE)))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage("a frame is cut off");
        assertThatThrownBy(() -> receiving()
                        .writeInbound(
                                head(4_096, FrameType.ALIVE), Unpooled.buffer().writeZero(4_095)))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage("4092 bytes follow a frame of type 7");
    }

    @Test
    void creditIsAskedForBatchesOfAllSizesThatTheLimitsAllow() {
        List<Integer> asked = new ArrayList<>();
        for (int bytes : new int[] {64, 1 << 30}) {
            EmbeddedChannel channel = new EmbeddedChannel(new FrameReceiver(buffers, size -> {
                asked.add(size);
                throw new MalformedFrame("no credit");
            }));
            opened.add(channel);
            assertThatThrownBy(() -> channel.writeInbound(head(bytes, FrameType.BATCH)))
                    .hasMessage("no credit");
        }
        assertThat(asked).containsExactly(64, 1 << 30);
    }

    @Test
    void theSmallestBatchIsAHeader() {
        EmbeddedChannel channel = receiving();
        ByteBuf bytes = Unpooled.buffer();
        new BatchFrame(0, 0, 7, 0, List.of(), ByteBuffer.allocate(0)).writeHeader(bytes);
        channel.writeInbound(bytes);
        LandedBatch batch = channel.readInbound();
        assertThat(batch.frame().sequence()).isEqualTo(7);
        assertThat(batch.bodies()).isEmpty();
        batch.memory().free();
    }

    // tensors at 128 and, 70 bytes later, at 256
    @Test
    void eachTensorIsGivenWhereItLies() {
        EmbeddedChannel channel = receiving();
        ByteBuf bytes = Unpooled.buffer();
        BatchFrame frame = new BatchFrame(
                0,
                0,
                0,
                0,
                List.of(new TensorLayout(UINT8, new long[] {70}, 70), new TensorLayout(UINT8, new long[] {2}, 2)),
                ByteBuffer.allocate(0));
        frame.writeHeader(bytes);
        bytes.writeByte(1).writeZero(68).writeByte(2);
        bytes.writeZero(58).writeByte(3).writeByte(4);
        channel.writeInbound(bytes);
        LandedBatch batch = channel.readInbound();
        assertThat(batch.bodies().get(0).get(0)).isEqualTo((byte) 1);
        assertThat(batch.bodies().get(0).get(69)).isEqualTo((byte) 2);
        assertThat(batch.bodies().get(1)).isEqualTo(ByteBuffer.wrap(new byte[] {3, 4}));
        batch.memory().free();
    }

    @Test
    void aBatchUnderWayIsFreedHoweverItsChannelEnds() {
        ByteBuf bytes = Unpooled.buffer();
        writeBatch(bytes, 0, 100_000);

        EmbeddedChannel removed = receiving();
        removed.writeInbound(bytes.copy(0, 5_000));
        removed.pipeline().remove(FrameReceiver.class);
        assertThat(buffers.bytes()).isZero();

        EmbeddedChannel inactive = receiving();
        inactive.writeInbound(bytes.copy(0, 5_000));
        inactive.pipeline().fireChannelInactive();
        assertThat(buffers.bytes()).isZero();
        inactive.writeInbound(bytes.copy(5_000, 5_000)); // what still comes is ignored
        assertThat(inactive.finish()).isFalse();

        EmbeddedChannel malformed = receiving();
        ByteBuf wrong = bytes.copy().setIntLE(8, 192); // bytes of the header
        assertThatThrownBy(() -> malformed.writeInbound(wrong)).isInstanceOf(MalformedFrame.class);
        assertThat(buffers.bytes()).isZero();
    }

    @Test
    void whatTheSocketReadIntoTheBatchIsNotCopied() {
        EmbeddedChannel channel = receiving();
        RecvByteBufAllocator.ExtendedHandle handle =
                channel.pipeline().get(FrameReceiver.class).newHandle();
        ByteBuf bytes = Unpooled.buffer();
        writeBatch(bytes, 0, 40_000);

        ByteBuf between = handle.allocate(channel.alloc());
        assertThat(between.writableBytes()).isEqualTo(16 * 1024).isEqualTo(handle.guess());
        channel.writeInbound(between.writeBytes(bytes, between.writableBytes()));
        ByteBuf landing = handle.allocate(channel.alloc());
        int missing = bytes.readableBytes();
        assertThat(landing.writableBytes()).isEqualTo(missing);
        channel.writeInbound(landing.writeBytes(bytes));
        assertThat(landing.readableBytes()).isEqualTo(missing); // nobody read them
        assertBatch(channel.readInbound(), 0, 40_000);
    }

    @Test
    void theSocketIsReadAgainWhileItFillsWhatItIsGivenAndAtMost16Times() {
        EmbeddedChannel channel = receiving();
        RecvByteBufAllocator.ExtendedHandle handle =
                channel.pipeline().get(FrameReceiver.class).newHandle();
        handle.reset(channel.config());
        handle.attemptedBytesRead(100);
        handle.lastBytesRead(100);
        handle.incMessagesRead(15);
        assertThat(handle.attemptedBytesRead()).isEqualTo(100);
        assertThat(handle.lastBytesRead()).isEqualTo(100);
        assertThat(handle.continueReading()).isTrue();
        assertThat(handle.continueReading(() -> false)).isTrue();
        handle.lastBytesRead(99);
        assertThat(handle.continueReading()).isFalse();
        assertThat(handle.continueReading(() -> true)).isFalse();
        handle.lastBytesRead(100);
        handle.incMessagesRead(1);
        assertThat(handle.continueReading()).isFalse();
        handle.reset(channel.config());
        assertThat(handle.continueReading()).isTrue();
        channel.config().setAutoRead(false);
        assertThat(handle.continueReading()).isFalse();
    }
}
