package io.praline.worker.delivery;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.praline.identity.AttemptKey;
import io.praline.wire.AliveFrame;
import io.praline.wire.ConsumerToken;
import io.praline.wire.CreditFrame;
import io.praline.wire.EndFrame;
import io.praline.wire.Frame;
import io.praline.wire.FrameLimits;
import io.praline.wire.HelloFrame;
import io.praline.wire.MalformedFrame;
import io.praline.wire.RefusalCode;
import io.praline.wire.RefusedFrame;
import io.praline.wire.SharedFrame;
import io.praline.wire.WelcomeFrame;
import io.praline.wire.memory.SharedSegment;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One client's connection: checks its HELLO, then sends what its lane has while there is credit and the socket takes it.
 * Owned by its event loop; {@link #wake}, {@link #refuse} and {@link #room} may be called on any thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // of closes, which cannot fail, and of timers, which check what they find
final class Connection extends SimpleChannelInboundHandler<Frame> {
    /** Smaller ones share a flush, and a frame of their own for each would cost more than their bytes. */
    private static final int LEAST_SHARED_BYTES = 64 * 1024;

    private final Welcome welcome;
    private final AtomicBoolean woken = new AtomicBoolean();
    private ChannelHandlerContext ctx;
    private volatile Optional<ClientMemory> shared = Optional.empty();
    private Optional<Attached> attached = Optional.empty();
    private volatile boolean over;
    private boolean alivePending;

    Connection(Welcome welcome) {
        super(Frame.class);
        this.welcome = welcome;
    }

    /** The lane that this connection serves. */
    private record Attached(Outbox outbox, int consumer) {}

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        ctx = added;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        int open = welcome.tally().connections.incrementAndGet();
        if (open > welcome.maxConnections()) {
            welcome.tally().refusedConnections.increment();
            end(new RefusedFrame(
                    RefusalCode.BUSY, "the worker has " + welcome.maxConnections() + " connections already"));
        }
        long helloMs = welcome.timeouts().hello().toMillis();
        ctx.executor().schedule(this::closeIfStranger, helloMs, TimeUnit.MILLISECONDS);
    }

    private void closeIfStranger() {
        if (attached.isEmpty() && !over) {
            welcome.tally().silentConnections.increment();
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext inactive) {
        welcome.tally().connections.decrementAndGet();
        over = true;
        attached.ifPresent(lane -> lane.outbox().detach(lane.consumer(), this));
        attached = Optional.empty();
        shared.ifPresent(ClientMemory::close);
        shared = Optional.empty();
        inactive.fireChannelInactive();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext on, Frame frame) {
        if (!over) {
            frame.match(new FromClient());
        }
    }

    private final class FromClient implements Frame.Cases<Void> {
        @Override
        public Void hello(HelloFrame hello) {
            if (attached.isPresent()) {
                throw new MalformedFrame("a second HELLO");
            }
            greet(hello);
            return null;
        }

        @Override
        public Void credit(CreditFrame credit) {
            Attached lane = attached.orElseThrow(() -> new MalformedFrame("CREDIT before HELLO"));
            for (long offset : credit.freed()) {
                if (shared.filter(memory -> memory.free(offset)).isEmpty()) {
                    throw new MalformedFrame("a client must not free what it was not given, at " + offset);
                }
            }
            lane.outbox().credit(lane.consumer(), Connection.this, credit);
            send();
            return null;
        }

        @Override
        public Void welcome(WelcomeFrame frame) {
            throw new MalformedFrame("a client must not send WELCOME");
        }

        @Override
        public Void end(EndFrame frame) {
            throw new MalformedFrame("a client must not send END");
        }

        @Override
        public Void refused(RefusedFrame frame) {
            throw new MalformedFrame("a client must not send REFUSED");
        }

        @Override
        public Void alive(AliveFrame frame) {
            throw new MalformedFrame("a client must not send ALIVE");
        }

        @Override
        public Void shared(SharedFrame frame) {
            throw new MalformedFrame("a client must not send SHARED");
        }
    }

    private String whyNot(HelloFrame hello) {
        String job = hello.attempt().job();
        Instant now = welcome.time().instant();
        boolean expired = ConsumerToken.isExpired(
                welcome.secret(), job, hello.consumer(), hello.generation(), hello.token(), now);
        return "the token is not good for consumer " + hello.consumer() + " of job " + job
                + (expired
                        ? ": it has expired, for it is " + now.truncatedTo(ChronoUnit.SECONDS)
                                + " on the worker's host; set the clocks of both hosts"
                        : ": give the client the secret that the workers have");
    }

    private void greet(HelloFrame hello) {
        AttemptKey attempt = hello.attempt();
        if (hello.version() != FrameLimits.VERSION) {
            welcome.tally().refusedVersions.increment();
            end(new RefusedFrame(
                    RefusalCode.VERSION,
                    "the worker speaks version " + FrameLimits.VERSION + " of the channel, the client "
                            + hello.version()));
            return;
        }
        if (!ConsumerToken.verify(
                welcome.secret(),
                attempt.job(),
                hello.consumer(),
                hello.generation(),
                hello.token(),
                welcome.time().instant())) {
            welcome.tally().refusedTokens.increment();
            end(new RefusedFrame(RefusalCode.TOKEN, whyNot(hello)));
            return;
        }
        String meant = hello.workerIncarnation();
        if (!meant.isEmpty() && welcome.refusesOthers() && !meant.equals(welcome.incarnation())) {
            end(new RefusedFrame(
                    RefusalCode.INCARNATION,
                    "this worker is " + welcome.incarnation() + ", the client wants " + meant));
            return;
        }
        Optional<Outbox> outbox = welcome.attempts().find(attempt);
        if (outbox.isEmpty()) {
            welcome.tally().unknownAttempts.increment();
            end(new RefusedFrame(RefusalCode.UNKNOWN_ATTEMPT, "the worker has no attempt " + attempt));
            return;
        }
        Optional<RefusedFrame> refusal = outbox.get().attach(hello, this);
        if (refusal.isPresent()) {
            end(refusal.get());
            return;
        }
        attached = Optional.of(new Attached(outbox.get(), hello.consumer()));
        shared = SharedSegment.open(hello.segment()).map(ClientMemory::new);
        ctx.write(new WelcomeFrame(welcome.incarnation(), shared.isPresent()))
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
        send();
        ctx.flush();
    }

    /** There may be something to send. */
    void wake() {
        if (woken.compareAndSet(false, true)) {
            onEventLoop(this::send);
        }
    }

    /** Small batches that wait together leave in one flush. */
    private void send() {
        woken.set(false); // before the lane is read: what is put after this wakes again
        if (attached.isEmpty() || over) {
            return;
        }
        Attached lane = attached.get();
        while (ctx.channel().isWritable()) {
            Optional<Outbox.Sending> next = lane.outbox().nextToSend(lane.consumer(), this);
            if (next.isEmpty()) {
                break;
            }
            write(next.get());
        }
        lane.outbox().endToSend(lane.consumer(), this).ifPresent(end -> ctx.write(end)
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE));
        ctx.flush();
    }

    private void write(Outbox.Sending sending) {
        welcome.tally().batchesSent.increment();
        welcome.tally().bytesSent.add(sending.batch().weightBytes());
        if (sending.again()) {
            welcome.tally().batchesSentAgain.increment();
        }
        HeldBatch batch = sending.batch();
        share(batch)
                .map(frame -> ctx.writeAndFlush(frame).addListener(written -> batch.release()))
                .orElseGet(() -> batch.write(ctx))
                .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }

    /** Puts the batch where the client sees it, if it is worth that and there is room. */
    private Optional<SharedFrame> share(HeldBatch batch) {
        if (shared.isEmpty() || batch.weightBytes() < LEAST_SHARED_BYTES) {
            return Optional.empty();
        }
        OptionalLong offset = shared.get().send(batch);
        offset.ifPresent(at -> welcome.tally().batchesShared.increment());
        return offset.stream()
                .mapToObj(at -> new SharedFrame((int) batch.weightBytes(), at))
                .findFirst();
    }

    /** Memory that the client sees, to make a batch in; empty where it sees none, or the batch is not worth it. Any thread. */
    Optional<BatchRoom> room(int bytes) {
        return bytes < LEAST_SHARED_BYTES ? Optional.empty() : shared.flatMap(memory -> memory.room(bytes));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext on) {
        if (on.channel().isWritable()) {
            send();
        }
    }

    /** The channel ends, and the client is told why. */
    void refuse(RefusedFrame reason) {
        onEventLoop(() -> end(reason));
    }

    private void onEventLoop(Runnable task) {
        try {
            ctx.executor().execute(task);
        } catch (RejectedExecutionException e) {
            over = true; // the server was closed, and this connection with it
        }
    }

    private void end(RefusedFrame reason) {
        if (over) {
            return;
        }
        over = true;
        // half-closed first: closing while the client's frames are unread would reset the connection under the refusal
        ctx.writeAndFlush(reason).addListener((ChannelFuture written) -> {
            if (written.isSuccess() && written.channel() instanceof DuplexChannel duplex) {
                ChannelPromise ignored = duplex.voidPromise();
                duplex.shutdownOutput(ignored);
            } else {
                written.channel().close();
            }
        });
        ctx.executor().schedule(() -> ctx.close(), welcome.timeouts().goodbye().toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext on, Object event) {
        if (event instanceof IdleStateEvent idle) {
            if (idle.state() == IdleState.READER_IDLE) {
                welcome.tally().silentConnections.increment();
                on.close();
            } else if (attached.isPresent() && !over && !alivePending) {
                alivePending = true;
                on.writeAndFlush(new AliveFrame()).addListener(written -> alivePending = false);
            }
        } else {
            on.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext on, Throwable cause) {
        Throwable root = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        on.close();
        if (root instanceof MalformedFrame) {
            if (!over) { // what came with it is still decoded when the channel closes, and is no better
                over = true;
                welcome.tally().malformedFrames.increment();
            }
        } else if (!(root instanceof IOException)) { // lost connections are daily life; the lane keeps what they had
            on.fireExceptionCaught(cause);
        }
    }
}
