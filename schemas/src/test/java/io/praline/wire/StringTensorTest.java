package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class StringTensorTest {

    @Property(tries = 200)
    void stringsReadBackAsTheyWereWritten(@ForAll List<byte[]> strings) {
        ByteBuf body = StringTensor.encode(strings, UnpooledByteBufAllocator.DEFAULT);
        StringTensor read = StringTensor.of(body.nioBuffer(), strings.size());
        assertThat(IntStream.range(0, read.size()).mapToObj(read::bytes).toList())
                .usingElementComparator(Arrays::compare)
                .isEqualTo(strings);
        body.release();
    }

    // offsets 0, 2, 5 and "ab" "cde": 24 + 5 bytes
    @Test
    void layoutIsOffsetsThenBytes() {
        ByteBuf body = StringTensor.encode(List.of(utf8("ab"), utf8("cde")), UnpooledByteBufAllocator.DEFAULT);
        assertThat(body.readableBytes()).isEqualTo(29);
        assertThat(body.getLongLE(16)).isEqualTo(5);
        assertThat(StringTensor.of(body.nioBuffer(), 2).text(1)).isEqualTo("cde");
        body.release();
    }

    @Test
    void offsetsThatDoNotCutTheBytesAreMalformed() {
        assertThatThrownBy(() -> StringTensor.of(offsets(0, 9, 1), 2)).hasMessageContaining("must not start at 9");
        assertThatThrownBy(() -> StringTensor.of(offsets(1, 1), 1)).hasMessageContaining("must not start at 1");
        assertThatThrownBy(() -> StringTensor.of(offsets(0, -1), 1)).hasMessageContaining("must not start at -1");
        assertThatThrownBy(() -> StringTensor.of(offsets(0), 1)).hasMessageContaining("do not fit");
        assertThatThrownBy(() -> StringTensor.of(offsets(0, 0), Long.MAX_VALUE)).isInstanceOf(MalformedFrame.class);
    }

    private static ByteBuffer offsets(long... offsets) {
        ByteBuffer body = ByteBuffer.allocate(offsets.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (long offset : offsets) {
            body.putLong(offset);
        }
        return body.flip();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theFirstOffsetIsZeroAndTheLastIsTheEnd() {
        ByteBuffer late = ByteBuffer.allocate(18)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(0, 1)
                .putLong(8, 2);
        assertThatThrownBy(() -> StringTensor.of(late, 1))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage("string 0 of 1 must not start at 1");
        ByteBuffer early = ByteBuffer.allocate(17).order(ByteOrder.LITTLE_ENDIAN);
        assertThatThrownBy(() -> StringTensor.of(early, 1))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage("strings end at 0 of 1 bytes");
        assertThatThrownBy(() -> StringTensor.of(early, -1))
                .isInstanceOf(MalformedFrame.class)
                .hasMessage("-1 strings do not fit in 17 bytes");
        assertThat(StringTensor.of(offsets(0), 0).size()).isZero();
    }

    // 8,193 bytes of offsets for 1,023 strings and 1,023 MiB of strings are below 2^30; with one string more it is
    // beyond
    @Test
    void stringsLargerThanAFrameAreRefused() {
        byte[] large = new byte[1 << 20];
        assertThatThrownBy(
                        () -> StringTensor.encode(Collections.nCopies(1_024, large), UnpooledByteBufAllocator.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("strings of 1073750024 bytes are larger than the channel takes, which is 1073741824");
    }
}
