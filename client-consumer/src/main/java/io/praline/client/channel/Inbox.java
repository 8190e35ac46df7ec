package io.praline.client.channel;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.praline.wire.AliveFrame;
import io.praline.wire.CreditFrame;
import io.praline.wire.EndFrame;
import io.praline.wire.Frame;
import io.praline.wire.HelloFrame;
import io.praline.wire.MalformedFrame;
import io.praline.wire.RefusedFrame;
import io.praline.wire.SharedFrame;
import io.praline.wire.WelcomeFrame;
import io.praline.wire.memory.LandedBatch;
import io.praline.wire.memory.SharedSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntConsumer;

/** One connection of a channel: says HELLO, hands on what comes, keeps the worker assured of life. Owned by its event loop. */
@SuppressWarnings("FutureReturnValueIgnored") // of closes, which cannot fail
final class Inbox extends ChannelInboundHandlerAdapter {
    private final HelloFrame hello;
    private final Optional<SharedSegment> segment;
    private final IntConsumer admission;
    private final Events events;
    private final Queue<Long> freed = new ConcurrentLinkedQueue<>();
    private ChannelHandlerContext ctx;
    private boolean welcomed;
    private boolean over;

    /**
     * @param segment what the HELLO names; released when the connection is no more
     * @param admission asked with a batch's bytes before it is taken, from wherever it comes
     */
    Inbox(HelloFrame hello, Optional<SharedSegment> segment, IntConsumer admission, Events events) {
        this.hello = hello;
        this.segment = segment;
        this.admission = admission;
        this.events = events;
    }

    /** What a channel hears of its connection. */
    interface Events {
        void welcome(String workerIncarnation);

        /** Takes the batch over. */
        void batch(LandedBatch batch);

        void end(EndFrame end);

        void refused(RefusedFrame refused);

        /** Nothing more comes from this connection. */
        void lost(Inbox connection, String reason);

        /** Nothing came for too long; nothing more comes from this connection. */
        void silent(Inbox connection);

        /** Nothing was written for a while. */
        void assureOfLife();

        /** The worker sent what it must not, or what came could not be taken. */
        void broken(String reason);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
        if (over) {
            added.close();
        }
    }

    /** Batches that lie in the segment keep it until they are closed. */
    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        segment.ifPresent(SharedSegment::discard);
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        active.writeAndFlush(hello).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        active.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        lose("the worker closed the connection");
        inactive.fireChannelInactive();
    }

    private void lose(String reason) {
        if (!over) {
            over = true;
            ctx.close();
            events.lost(this, reason);
        }
    }

    /** Closes the connection; its channel hears nothing of it. */
    void close() {
        over = true;
        if (ctx != null) { // else as soon as there is something to close
            ctx.close();
        }
    }

    /** Tells the worker the end came, and closes the connection behind it. */
    void finish(CreditFrame credit) {
        over = true;
        ctx.writeAndFlush(credit).addListener(ChannelFutureListener.CLOSE);
    }

    void send(CreditFrame credit) {
        if (welcomed && !over) {
            CreditFrame next = credit.freeing(takeFreed());
            while (next.freed().size() == CreditFrame.MAX_FREED) {
                ctx.write(next).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
                next = CreditFrame.nothing(credit.receivedThrough(), credit.confirmedThrough())
                        .freeing(takeFreed());
            }
            ctx.writeAndFlush(next).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        }
    }

    private List<Long> takeFreed() {
        List<Long> offsets = new ArrayList<>();
        while (offsets.size() < CreditFrame.MAX_FREED && !freed.isEmpty()) {
            offsets.add(freed.remove());
        }
        return offsets;
    }

    IntConsumer admission() {
        return admission;
    }

    boolean isWelcomed() {
        return welcomed;
    }

    @Override
    public void channelRead(ChannelHandlerContext on, Object message) {
        if (message instanceof LandedBatch batch) {
            if (over || !welcomed) {
                batch.memory().free();
                requireWelcome("BATCH");
            } else {
                events.batch(batch);
            }
        } else if (!over) {
            ((Frame) message).match(new FromWorker());
        }
    }

    private void requireWelcome(String what) {
        if (!welcomed && !over) {
            throw new MalformedFrame(what + " before WELCOME");
        }
    }

    private final class FromWorker implements Frame.Cases<Void> {
        @Override
        public Void welcome(WelcomeFrame frame) {
            if (welcomed) {
                throw new MalformedFrame("a second WELCOME");
            }
            welcomed = true;
            segment.ifPresent(SharedSegment::unname);
            events.welcome(frame.workerIncarnation());
            return null;
        }

        @Override
        public Void end(EndFrame frame) {
            requireWelcome("END");
            events.end(frame);
            return null;
        }

        @Override
        public Void refused(RefusedFrame frame) {
            over = true;
            ctx.close();
            events.refused(frame);
            return null;
        }

        @Override
        public Void alive(AliveFrame frame) {
            return null; // that something was read is what counts
        }

        @Override
        public Void shared(SharedFrame frame) {
            requireWelcome("SHARED");
            SharedSegment memory =
                    segment.orElseThrow(() -> new MalformedFrame("SHARED on a channel that shares no segment"));
            admission.accept(frame.bytes());
            events.batch(memory.batch(frame.offset(), frame.bytes(), () -> freed.add(frame.offset())));
            return null;
        }

        @Override
        public Void hello(HelloFrame frame) {
            throw new MalformedFrame("a worker must not send HELLO");
        }

        @Override
        public Void credit(CreditFrame frame) {
            throw new MalformedFrame("a worker must not send CREDIT");
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext on, Object event) {
        if (!(event instanceof IdleStateEvent idle)) {
            on.fireUserEventTriggered(event);
        } else if (idle.state() == IdleState.READER_IDLE && !over) {
            over = true;
            ctx.close();
            events.silent(this);
        } else if (welcomed && !over) {
            events.assureOfLife();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext on, Throwable cause) {
        if (cause instanceof IOException) {
            lose(String.valueOf(cause.getMessage()));
        } else if (!over) {
            over = true;
            on.close();
            events.broken(cause.toString());
        }
    }
}
