package io.praline.worker.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import io.praline.wire.BatchFrame;
import io.praline.wire.ConsumerToken;
import io.praline.wire.CreditFrame;
import io.praline.wire.EndFrame;
import io.praline.wire.Frame;
import io.praline.wire.FrameDecoder;
import io.praline.wire.FrameEncoder;
import io.praline.wire.FrameLimits;
import io.praline.wire.HelloFrame;
import io.praline.wire.RefusedFrame;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The client's end of a worker's connection, with neither socket nor threads: what comes is read when it is asked for. */
final class ChannelClient {
    private static final byte[] SECRET = "a secret for these tests".getBytes(StandardCharsets.US_ASCII);
    private static final int BATCH = 4;

    private final AttemptKey attempt;
    private final int consumer;
    private final int generation;
    private final EmbeddedChannel channel;
    private final ByteBuf in = Unpooled.buffer();
    private final List<Received> batches = new ArrayList<>();
    private Optional<EndFrame> end = Optional.empty();
    private Optional<RefusedFrame> refused = Optional.empty();
    private long through;
    private long outBytes;
    private int outBatches;

    /** A batch that came. */
    record Received(long sequence, List<Long> tickets) {}

    ChannelClient(Outboxes attempts, AttemptKey attempt, int consumer, int generation) {
        this.attempt = attempt;
        this.consumer = consumer;
        this.generation = generation;
        this.channel = new EmbeddedChannel(
                new FrameDecoder(),
                FrameEncoder.INSTANCE,
                new Connection(new Welcome(
                        SECRET,
                        "w-1",
                        true,
                        1_000,
                        DeliveryTimeouts.DEFAULT,
                        InstantSource.system(),
                        attempts,
                        new DeliveryTally())));
    }

    /** Says HELLO, as one that has the batches up to {@code receivedThrough} and holds none of them. */
    ChannelClient hello(long receivedThrough, long windowBytes) {
        through = receivedThrough;
        byte[] token = ConsumerToken.mint(
                SECRET, attempt.job(), consumer, generation, Instant.now().plusSeconds(3_600));
        send(new HelloFrame(
                FrameLimits.VERSION,
                attempt,
                consumer,
                generation,
                "c",
                "",
                token,
                receivedThrough,
                windowBytes,
                0,
                0,
                ""));
        return this;
    }

    /** Gives all credit back, and says that the batches up to this one came. */
    void credit(long receivedThrough) {
        credit(receivedThrough, -1);
    }

    /** As {@link #credit(long)}, and says that the accounts have the batches up to another one. */
    void credit(long receivedThrough, long confirmedThrough) {
        read();
        CreditFrame credit =
                new CreditFrame(outBatches, outBytes, receivedThrough, confirmedThrough, end.isPresent(), List.of());
        outBatches = 0;
        outBytes = 0;
        send(credit);
    }

    private void send(Frame frame) {
        if (channel.isOpen()) {
            ByteBuf bytes = Unpooled.buffer();
            frame.write(bytes);
            channel.writeInbound(bytes);
        }
    }

    /** Takes what the connection has sent by now. */
    ChannelClient read() {
        channel.runPendingTasks();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            in.writeBytes(part);
            part.release();
        }
        while (in.isReadable()) {
            ByteBuf payload = in.readSlice(in.readIntLE());
            if (payload.getUnsignedByte(0) == BATCH) {
                batch(payload);
            } else {
                frame(Frame.read(payload));
            }
        }
        return this;
    }

    private void batch(ByteBuf payload) {
        BatchFrame frame = BatchFrame.read(payload);
        through = frame.sequence();
        outBatches++;
        outBytes += payload.readableBytes();
        List<Long> tickets = new ArrayList<>();
        TicketRuns.forEach(frame.ticketRuns(), tickets::add);
        batches.add(new Received(frame.sequence(), tickets));
    }

    private void frame(Frame frame) {
        if (frame instanceof EndFrame came) {
            end = Optional.of(came);
        } else if (frame instanceof RefusedFrame came) {
            refused = Optional.of(came);
        }
    }

    /** The connection is lost. */
    void lose() {
        read();
        channel.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    int consumer() {
        return consumer;
    }

    int generation() {
        return generation;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** The last batch that came. */
    long through() {
        return through;
    }

    /** What came on this connection since it was asked last. */
    List<Received> takeBatches() {
        List<Received> taken = List.copyOf(batches);
        batches.clear();
        return taken;
    }

    Optional<EndFrame> end() {
        return end;
    }

    Optional<RefusedFrame> refused() {
        return refused;
    }
}
