package io.praline.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.praline.identity.AttemptKey;
import io.praline.wire.ConsumerToken;
import io.praline.wire.CreditFrame;
import io.praline.wire.Frame;
import io.praline.wire.FrameDecoder;
import io.praline.wire.FrameEncoder;
import io.praline.wire.FrameLimits;
import io.praline.wire.HelloFrame;
import io.praline.wire.RefusalCode;
import io.praline.wire.RefusedFrame;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

final class ConnectionTest {
    private static final HelloFrame OF_ANOTHER_VERSION = new HelloFrame(
            FrameLimits.VERSION + 1, new AttemptKey("job", 0, 0), 0, 0, "c", "", new byte[0], -1, 1_000, 0, 0, "");

    private final DeliveryTally tally = new DeliveryTally();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new FrameDecoder(),
            FrameEncoder.INSTANCE,
            new Connection(new Welcome(
                    new byte[] {1},
                    "w-1",
                    true,
                    10,
                    DeliveryTimeouts.DEFAULT,
                    InstantSource.system(),
                    new Outboxes(),
                    tally)));

    /** What a client sends at once. */
    private static ByteBuf together(Frame... frames) {
        ByteBuf bytes = Unpooled.buffer();
        for (Frame frame : frames) {
            frame.write(bytes);
        }
        return bytes;
    }

    /** Frames of one byte, of a kind that there is not. */
    private static ByteBuf rubbish(int frames) {
        ByteBuf bytes = Unpooled.buffer();
        for (int frame = 0; frame < frames; frame++) {
            bytes.writeIntLE(1).writeByte(0xFF);
        }
        return bytes;
    }

    // what had come before the connection was closed is still decoded when it is
    @Test
    void aConnectionThatIsClosedForItsBytesIsCountedOnceHoweverManyThereAre() {
        channel.writeInbound(rubbish(3));

        assertThat(channel.isOpen()).isFalse();
        assertThat(tally.read()).isEqualTo(new DeliveryCounters(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
    }

    @Test
    void aConnectionThatIsClosedForItsOrderOfFramesIsCountedOnceToo() {
        channel.writeInbound(together(CreditFrame.nothing(-1, -1), CreditFrame.nothing(-1, -1)));

        assertThat(channel.isOpen()).isFalse();
        assertThat(tally.read()).isEqualTo(new DeliveryCounters(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0));
    }

    @Test
    void aConnectionThatIsRefusedIsCountedAsThatWhateverComesAfter() {
        channel.writeInbound(Unpooled.wrappedBuffer(together(OF_ANOTHER_VERSION), rubbish(2)));

        assertThat(channel.isOpen()).isFalse();
        assertThat(tally.read()).isEqualTo(new DeliveryCounters(0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    // an hour, and a clock that takes its own time for universal time; a day is no mistake of that kind
    @Test
    void aTokenIsGoodForAWorkerWhoseClockIsHoursAhead() {
        assertThat(answer(Duration.ofHours(1)).code()).isEqualTo(RefusalCode.UNKNOWN_ATTEMPT);
        assertThat(answer(Duration.ofHours(14)).code()).isEqualTo(RefusalCode.UNKNOWN_ATTEMPT);
        assertThat(answer(Duration.ofHours(-14)).code()).isEqualTo(RefusalCode.UNKNOWN_ATTEMPT);
        assertThat(answer(Duration.ofHours(24)))
                .isEqualTo(new RefusedFrame(
                        RefusalCode.TOKEN,
                        "the token is not good for consumer 0 of job job: it has expired, for it is"
                                + " 2026-11-25T12:00:00Z on the worker's host; set the clocks of both hosts"));
    }

    /** What a worker whose clock is so far ahead of the client's says to a HELLO. */
    private static RefusedFrame answer(Duration ahead) {
        byte[] secret = "sixteen bytes or more".getBytes(StandardCharsets.US_ASCII);
        Instant clients = Instant.parse("2026-11-24T12:00:00Z");
        AttemptKey attempt = new AttemptKey("job", 0, 0);
        byte[] token = ConsumerToken.mint(secret, attempt.job(), 0, 0, clients.plus(ConsumerToken.LIFE));
        EmbeddedChannel worker = new EmbeddedChannel(
                new FrameDecoder(),
                FrameEncoder.INSTANCE,
                new Connection(new Welcome(
                        secret,
                        "w-1",
                        true,
                        10,
                        DeliveryTimeouts.DEFAULT,
                        () -> clients.plus(ahead),
                        new Outboxes(),
                        new DeliveryTally())));
        worker.writeInbound(
                together(new HelloFrame(FrameLimits.VERSION, attempt, 0, 0, "c", "", token, -1, 1_000, 0, 0, "")));
        EmbeddedChannel client = new EmbeddedChannel(new FrameDecoder());
        for (ByteBuf bytes = worker.readOutbound(); bytes != null; bytes = worker.readOutbound()) {
            client.writeInbound(bytes);
        }
        return client.readInbound();
    }
}
