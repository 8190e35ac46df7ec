package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import org.junit.jupiter.api.Test;

/** What a worker has at its end of a channel. */
class FrameCodecTest {
    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(), FrameEncoder.INSTANCE);

    @Test
    void framesAreReadHoweverTheirBytesAreCutAndTheirMemoryIsGivenBack() {
        ByteBuf bytes = Unpooled.buffer();
        CreditFrame.nothing(3, -1).write(bytes);
        new AliveFrame().write(bytes);
        ByteBuf second = bytes.copy(10, bytes.readableBytes() - 10);
        ByteBuf first = bytes.slice(0, 10);
        channel.writeInbound(first);
        assertThat(channel.<Frame>readInbound()).isNull();
        channel.writeInbound(second);
        assertThat(channel.<Frame>readInbound()).isEqualTo(CreditFrame.nothing(3, -1));
        assertThat(channel.<Frame>readInbound()).isEqualTo(new AliveFrame());
        assertThat(channel.finish()).isFalse();
        assertThat(bytes.refCnt()).isZero();
        assertThat(second.refCnt()).isZero();
    }

    @Test
    void aFrameIsWrittenWithItsLength() {
        channel.writeOutbound(new AliveFrame());
        ByteBuf written = channel.readOutbound();
        assertThat(ByteBufUtil.hexDump(written)).isEqualTo("04000000" + "07000000");
        written.release();
    }

    @Test
    void aClientsFrameBeyondTheLimitIsMalformedBeforeItsBytesCome() {
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.buffer().writeIntLE(2_049)))
                .isInstanceOf(DecoderException.class)
                .rootCause()
                .isInstanceOf(MalformedFrame.class)
                .hasMessage("a client's frame must have at most 2048 bytes");
    }

    @Test
    void aClientsFrameAtTheLimitIsRead() {
        ByteBuf longest = Unpooled.buffer().writeIntLE(2_048).writeByte(FrameType.ALIVE);
        longest.writeZero(2_047);
        assertThatThrownBy(() -> channel.writeInbound(longest))
                .rootCause()
                .hasMessage("2044 bytes follow a frame of type 7");
    }
}
