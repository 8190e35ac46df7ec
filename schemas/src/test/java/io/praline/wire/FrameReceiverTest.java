package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ResourceLeakDetector;
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

    @AfterEach
    void closeBuffers() {
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
}
