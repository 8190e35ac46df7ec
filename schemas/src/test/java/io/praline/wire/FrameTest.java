package io.praline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.praline.identity.AttemptKey;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class FrameTest {

    @Property(tries = 300)
    void everyFrameReadsBackAsItWasWritten(@ForAll("frames") Frame frame) {
        ByteBuf bytes = Unpooled.buffer();
        frame.write(bytes);
        assertThat(bytes.readIntLE()).isEqualTo(bytes.readableBytes());
        assertThat(Frame.read(bytes)).isEqualTo(frame);
    }

    @Property(tries = 300)
    void aFrameThatIsCutOffIsMalformed(@ForAll("frames") Frame frame) {
        ByteBuf bytes = Unpooled.buffer();
        frame.writePayload(bytes);
        assertThatThrownBy(() -> Frame.read(bytes.slice(0, bytes.readableBytes() - 1)))
                .isInstanceOf(MalformedFrame.class);
    }

    @Property(tries = 1_000)
    void anyBytesAreAFrameOrMalformed(@ForAll byte[] bytes) {
        try {
            Frame.read(Unpooled.wrappedBuffer(bytes));
        } catch (MalformedFrame malformed) {
            assertThat(malformed).hasMessageNotContaining("\n");
        }
    }

    @Test
    void theLongestHelloFitsTheLimitOfClientFrames() {
        HelloFrame longest = new HelloFrame(
                FrameLimits.VERSION,
                new AttemptKey("j".repeat(FrameLimits.MAX_JOB_BYTES), 0, 0),
                0,
                0,
                "c".repeat(FrameLimits.MAX_INCARNATION_BYTES),
                "w".repeat(FrameLimits.MAX_INCARNATION_BYTES),
                new byte[FrameLimits.MAX_TOKEN_BYTES],
                -1,
                1,
                0,
                0,
                "s".repeat(FrameLimits.MAX_SEGMENT_BYTES));
        ByteBuf payload = Unpooled.buffer();
        longest.writePayload(payload);
        assertThat(payload.readableBytes()).isLessThanOrEqualTo(FrameLimits.MAX_CLIENT_PAYLOAD_BYTES);
    }

    @Test
    void aHelloOfAnotherVersionTellsOnlyItsVersion() {
        ByteBuf payload = Unpooled.buffer();
        payload.writeByte(1).writeByte(0).writeShortLE(7).writeBytes("PRLN".getBytes(StandardCharsets.US_ASCII));
        payload.writeBytes("whatever the future brings".getBytes(StandardCharsets.US_ASCII));
        assertThat(((HelloFrame) Frame.read(payload)).version()).isEqualTo(7);
    }

    @Test
    void aReasonIsCutToOneLineThatFits() {
        RefusedFrame refused = new RefusedFrame(RefusalCode.FAILED, "first\n  second \u00e9" + "\u00e9".repeat(4_000));
        assertThat(refused.reason()).startsWith("first second").doesNotContain("\n", "\ufffd");
        assertThat(refused.reason().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4_000);
    }

    @Provide
    Arbitrary<Frame> frames() {
        Arbitrary<String> text = Arbitraries.strings()
                .ofMaxLength(20)
                .filter(s -> s.indexOf('\ufffd') < 0)
                .map(s -> new String(s.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
        Arbitrary<Integer> number = Arbitraries.integers().greaterOrEqual(0);
        Arbitrary<Long> bytes = Arbitraries.longs().greaterOrEqual(0);
        Arbitrary<Long> sequence = Arbitraries.longs().greaterOrEqual(-1);
        Arbitrary<Frame> hellos = Combinators.combine(
                        text.filter(job -> !job.isEmpty()),
                        number,
                        number,
                        text,
                        Arbitraries.bytes().array(byte[].class).ofMaxSize(60),
                        sequence,
                        bytes,
                        number)
                .as((job, epoch, other, name, token, through, held, batches) -> new HelloFrame(
                        FrameLimits.VERSION,
                        new AttemptKey(job, epoch, other),
                        other,
                        epoch,
                        name,
                        job,
                        token,
                        through,
                        Math.max(1, held),
                        held,
                        batches,
                        other % 2 == 0 ? "" : job));
        return Arbitraries.oneOf(
                hellos,
                Combinators.combine(text, Arbitraries.of(true, false)).as(WelcomeFrame::new),
                Combinators.combine(
                                number,
                                bytes,
                                sequence,
                                sequence,
                                Arbitraries.of(true, false),
                                bytes.list().ofMaxSize(CreditFrame.MAX_FREED))
                        .as((batches, of, through, other, last, freed) -> new CreditFrame(
                                batches, of, Math.max(through, other), Math.min(through, other), last, freed)),
                Combinators.combine(sequence, Arbitraries.of(EndOf.class)).as(EndFrame::new),
                Combinators.combine(Arbitraries.of(RefusalCode.class), text).as(RefusedFrame::new),
                Arbitraries.just(new AliveFrame()),
                Combinators.combine(
                                Arbitraries.integers()
                                        .between(FrameLimits.ALIGNMENT, FrameLimits.MAX_BATCH_PAYLOAD_BYTES),
                                Arbitraries.longs().between(0, 1L << 40))
                        .as((length, lines) -> new SharedFrame(length, lines * FrameLimits.ALIGNMENT)));
    }
}
