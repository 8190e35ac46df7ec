package io.praline.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.buffer.ByteBuf;
import io.praline.wire.FrameLimits;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlignedBuffersTest {
    private final AlignedBuffers buffers = new AlignedBuffers();

    @AfterEach
    void closeBuffers() {
        buffers.close();
        assertThat(buffers.bytes()).isZero();
    }

    // 32,769 in steps of 32,768 / 8 = 4,096: 36,864
    @Test
    void upTo32KiBComeFromThePoolAndAreNotCounted() {
        AlignedBuffers.Memory small = buffers.take(32_768);
        assertThat(buffers.bytes()).isZero();
        ByteBuf payload = small.payload();
        small.free();
        assertThat(payload.refCnt()).isZero();
        assertThat(buffers.bytes()).isZero();

        AlignedBuffers.Memory large = buffers.take(32_769);
        assertThat(buffers.bytes()).isEqualTo(36_864);
        large.free();
    }

    @Test
    void aSizeThatIsAStepTakesNoMore() {
        AlignedBuffers.Memory memory = buffers.take(106_496);
        assertThat(buffers.bytes()).isEqualTo(106_496);
        assertThat(memory.length()).isEqualTo(106_496);
        ByteBuffer all = memory.slice(0, 106_496);
        assertThat(all.alignmentOffset(0, FrameLimits.ALIGNMENT)).isZero();
        assertThat(memory.payload().writableBytes() + memory.payload().readableBytes())
                .isEqualTo(106_496);
        memory.free();
    }

    // limit: 9/8 of two of the largest. Of 106,496: 239,616, so both are kept. Of 122,880: 276,480, so with it one of
    // them
    @Test
    void whatIsKeptMakesRoomBeforeMoreIsTaken() {
        buffers.addWindow(1);
        AlignedBuffers.Memory one = buffers.take(106_496);
        AlignedBuffers.Memory two = buffers.take(106_496);
        one.free();
        two.free();
        assertThat(buffers.bytes()).isEqualTo(2 * 106_496);
        AlignedBuffers.Memory larger = buffers.take(122_880);
        assertThat(buffers.bytes()).isEqualTo(106_496 + 122_880);
        larger.free();
        buffers.addWindow(-1);
    }

    // 9/8 of 141,995 is 159,744, which is three of 53,248; of 141,994 it is one byte less
    @Test
    void asMuchIsKeptAsTheLimitAllowsToTheByte() {
        buffers.addWindow(141_995);
        List<AlignedBuffers.Memory> three = List.of(buffers.take(53_248), buffers.take(53_248), buffers.take(53_248));
        three.forEach(AlignedBuffers.Memory::free);
        assertThat(buffers.bytes()).isEqualTo(3 * 53_248);
        buffers.addWindow(-1);
        assertThat(buffers.bytes()).isEqualTo(2 * 53_248);
        buffers.addWindow(-141_994);
        assertThat(buffers.bytes()).isZero();
    }

    // while one is in use, its size is remembered: 9/8 * 2 * 106,496 = 239,616
    @Test
    void theLargestIsForgottenOnlyWhenNobodyIsLeft() {
        AlignedBuffers.Memory inUse = buffers.take(106_496);
        AlignedBuffers.Memory back = buffers.take(106_496);
        back.free();
        assertThat(buffers.bytes()).isEqualTo(2 * 106_496);
        inUse.free();
        assertThat(buffers.bytes()).isZero();
    }

    @Test
    void closingFreesWhatIsKeptAndWhatComesBackLater() {
        buffers.addWindow(1_000_000);
        AlignedBuffers.Memory back = buffers.take(100_000);
        AlignedBuffers.Memory later = buffers.take(100_000);
        ByteBuf backPayload = back.payload();
        ByteBuf laterPayload = later.payload();
        back.free();
        assertThat(backPayload.refCnt()).isEqualTo(1);

        buffers.close();
        assertThat(backPayload.refCnt()).isZero();
        assertThat(laterPayload.refCnt()).isEqualTo(1);

        later.free();
        assertThat(laterPayload.refCnt()).isZero();
        assertThat(buffers.bytes()).isZero();
        buffers.close(); // once more does nothing
    }

    @Test
    void whatTheHostDoesNotHaveIsNotCounted() {
        assumeThat(Runtime.getRuntime().maxMemory())
                .as("the limit of direct memory, unless another is set")
                .isLessThan(FrameLimits.MAX_BATCH_PAYLOAD_BYTES);
        assertThatThrownBy(() -> buffers.take(FrameLimits.MAX_BATCH_PAYLOAD_BYTES))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(buffers.bytes()).isZero();
    }
}
