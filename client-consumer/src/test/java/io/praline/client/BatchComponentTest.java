package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.praline.client.StreamCore.Turn;
import io.praline.client.stream.Frames;
import io.praline.wire.ElementType;
import io.praline.wire.StringTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchComponentTest {
    @Test
    void readsLittleEndianValuesOfItsOwnType() {
        ByteBuffer data = ByteBuffer.allocateDirect(16).order(ByteOrder.LITTLE_ENDIAN);
        data.putLong(0, 7).putLong(8, -1);
        BatchComponent labels = only(ElementType.INT64, 2, data);

        assertThat(labels.longs().get(0)).isEqualTo(7);
        assertThat(labels.longs().get(1)).isEqualTo(-1);
        assertThat(labels.bytes().isDirect()).isTrue();
        assertThat(labels.size()).isEqualTo(2);
        assertThatThrownBy(labels::floats)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("component 'x' is int64, not [float32]");
    }

    @Test
    void readsStrings() {
        List<byte[]> names = List.of(utf8("Mandel"), utf8(""), utf8("Nuß"));
        ByteBuf body = StringTensor.encode(names, UnpooledByteBufAllocator.DEFAULT);
        BatchComponent component = only(ElementType.STRING, 3, body.nioBuffer());

        assertThat(component.strings()).containsExactly("Mandel", "", "Nuß");
        assertThat(component.byteStrings().get(2)).isEqualTo(utf8("Nuß"));
        body.release();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static BatchComponent only(ElementType type, int length, ByteBuffer data) {
        StreamFixture stream = new StreamFixture();
        stream.status(StatusOf.running().attempt(0, 0));
        stream.core.batch(Frames.of(Frames.key(0, 0), type, new long[] {length}, data, 1, 2));
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        return stream.take().component("x");
    }
}
