package io.praline.worker.delivery;

import io.netty.channel.ChannelHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.praline.wire.FrameDecoder;
import io.praline.wire.FrameEncoder;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** A worker's end of the batch channel without sockets: what stands in the pipeline of each connection. */
public final class VirtualServer {
    private static final int MAX_CONNECTIONS = 1_000;

    private final Outboxes attempts = new Outboxes();
    private final DeliveryTally tally = new DeliveryTally();
    private final Welcome welcome;

    public VirtualServer(byte[] secret, String incarnation, InstantSource time) {
        welcome = new Welcome(
                secret, incarnation, true, MAX_CONNECTIONS, DeliveryTimeouts.DEFAULT, time, attempts, tally);
    }

    public Outboxes attempts() {
        return attempts;
    }

    public DeliveryCounters counters() {
        return tally.read();
    }

    /** Of one connection. */
    public ChannelHandler[] handlers() {
        DeliveryTimeouts timeouts = welcome.timeouts();
        return new ChannelHandler[] {
            new IdleStateHandler(timeouts.silence().toMillis(), timeouts.alive().toMillis(), 0, TimeUnit.MILLISECONDS),
            new FrameDecoder(),
            FrameEncoder.INSTANCE,
            new Connection(welcome)
        };
    }
}
