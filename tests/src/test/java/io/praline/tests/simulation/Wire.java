package io.praline.tests.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A connection between a client and a worker: each end has a pipeline of its own, bytes arrive late and in order, and wait
 * while the two are cut off from each other.
 */
final class Wire {
    /** How often a cut is looked at, as retransmissions do. */
    private static final long RETRY_MICROS = 200_000;

    private final World world;
    private final End client;
    private final End worker;

    Wire(World world, Host client, Host worker) {
        this.world = world;
        this.client = new End(client);
        this.worker = new End(worker);
    }

    End client() {
        return client;
    }

    End worker() {
        return worker;
    }

    boolean isOver() {
        return client.isOver() && worker.isOver();
    }

    boolean joins(String one, String other) {
        return client.owner.name().equals(one) && worker.owner.name().equals(other);
    }

    /** Both ends hear that it is no more. */
    void reset() {
        client.lose();
        worker.lose();
    }

    private boolean isCut() {
        return world.isCut(client.owner.name(), worker.owner.name());
    }

    /** One side of it. Owned by its process. */
    final class End {
        private final Host owner;
        private final Deque<Optional<ByteBuf>> underway = new ArrayDeque<>();
        private Optional<EmbeddedChannel> channel = Optional.empty();
        private boolean closeSent;
        private boolean arriving;

        private End(Host owner) {
            this.owner = owner;
        }

        private End peer() {
            return this == client ? worker : client;
        }

        /** Makes the channel; it is not connected yet. */
        EmbeddedChannel make(ChannelHandler... handlers) {
            EmbeddedChannel made = EmbeddedChannel.builder()
                    .ticker(world.ticker())
                    .register(false)
                    .handlers(handlers)
                    .build();
            channel = Optional.of(made);
            return made;
        }

        /** It is connected; its handlers hear of it at once. */
        void connect() {
            owner.add(this);
            try {
                channel.orElseThrow().register();
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        /** Has it do what is due and send what is written; false where that was nothing. */
        boolean flush() {
            if (channel.isEmpty()) {
                return false;
            }
            EmbeddedChannel open = channel.get();
            boolean busy = false;
            open.runScheduledPendingTasks(); // else it would be done amid the writes of a pending one, as on no
            // event loop
            open.runPendingTasks();
            for (ByteBuf out = open.readOutbound(); out != null; out = open.readOutbound()) {
                peer().send(Optional.of(out));
                busy = true;
            }
            if (!open.isOpen() && !closeSent) {
                closeSent = true;
                peer().send(Optional.empty());
            }
            return busy;
        }

        long nextNanos() {
            long in = channel.map(EmbeddedChannel::runScheduledPendingTasks).orElse(-1L);
            return in < 0 ? Long.MAX_VALUE : world.nanos() + in;
        }

        boolean isOver() {
            return closeSent;
        }

        /** Bytes on their way to this end; empty for the other's close. */
        private void send(Optional<ByteBuf> bytes) {
            underway.add(bytes);
            if (!arriving) {
                arriving = true;
                world.after(world.micros(50, 2_000), this::arrive);
            }
        }

        private void arrive() {
            if (isCut()) {
                world.after(RETRY_MICROS, this::arrive);
                return;
            }
            arriving = false;
            Deque<Optional<ByteBuf>> came = new ArrayDeque<>(underway);
            underway.clear();
            if (owner.isDead()) {
                came.forEach(bytes -> bytes.ifPresent(ByteBuf::release));
                return;
            }
            owner.run(() -> came.forEach(this::take));
        }

        private void take(Optional<ByteBuf> bytes) {
            channel.filter(EmbeddedChannel::isOpen).ifPresent(EmbeddedChannel::runScheduledPendingTasks);
            boolean open = channel.filter(EmbeddedChannel::isOpen).isPresent();
            if (bytes.isPresent() && open) {
                channel.get().writeInbound(bytes.get());
            } else if (bytes.isPresent()) {
                bytes.get().release();
            } else if (open) {
                channel.get().close().awaitUninterruptibly(1, TimeUnit.SECONDS);
            }
        }

        private void lose() {
            owner.run(() -> take(Optional.empty()));
        }

        /** Its process is killed: the other side hears of it when it can. */
        void die() {
            if (!closeSent) {
                closeSent = true;
                channel.ifPresent(EmbeddedChannel::finishAndReleaseAll);
                peer().send(Optional.empty());
            }
        }
    }
}
