package io.praline.client.channel;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.praline.identity.AttemptKey;
import io.praline.wire.BatchFrame;
import io.praline.wire.EndFrame;
import io.praline.wire.FrameLimits;
import io.praline.wire.HelloFrame;
import io.praline.wire.MalformedFrame;
import io.praline.wire.RefusalCode;
import io.praline.wire.RefusedFrame;
import io.praline.wire.memory.LandedBatch;
import io.praline.wire.memory.SharedSegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One consumer's channel to one attempt. Any thread; what changes is owned by one event loop.
 *
 * <pre>
 *   dialling --WELCOME--&gt; open --connection lost--&gt; dialling again, with what was received so far
 *   dialling --not in time--&gt; down                     open --END--&gt; over, and closed by itself
 *   either --REFUSED--&gt; over; an attempt that the worker does not know yet is asked for again
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // of timers, which check what they find
public final class AttemptChannel implements AutoCloseable {
    /** How long what is owed to the worker may wait for more of it. */
    private static final long CREDIT_DELAY_MS = 1;

    /** A client dials one connection after the other, each try at most once behind its follower. */
    private static final int MOST_REPLACED = 3;

    private final ChannelRequest request;
    private final ChannelListener listener;
    private final List<WorkerAddress> addresses;
    private final EventLoop eventLoop;
    private final Dialer dialer;
    private final Runnable onOver;
    private final Credits credits;
    private final Inbox.Events events = new ConnectionEvents();
    private final AtomicBoolean creditScheduled = new AtomicBoolean();
    private volatile boolean over;

    private Optional<Inbox> connection = Optional.empty();
    private Optional<String> welcomedBy = Optional.empty();
    private long receivedThrough = -1;
    private int round;
    private int nextAddress;
    private long dialDeadlineNanos;
    private Duration welcomeWithin = Duration.ZERO;
    private long unknownDeadlineNanos;
    private boolean askedAgain;
    private int replaced;
    private String lastFailure;

    /** @param onOver run once, when the channel is over for whatever reason */
    AttemptChannel(
            ChannelRequest request, ChannelListener listener, EventLoop eventLoop, Dialer dialer, Runnable onOver) {
        this.request = request;
        this.listener = listener;
        this.addresses = WorkerAddress.reachable(request.worker().addresses());
        this.lastFailure = "none of its addresses can be used on this host: "
                + String.join(", ", request.worker().addresses());
        this.eventLoop = eventLoop;
        this.dialer = dialer;
        this.onOver = onOver;
        this.credits = new Credits(request.creditBytes());
    }

    void start() {
        onEventLoop(this::dialFirst);
    }

    public AttemptKey attempt() {
        return request.attempt();
    }

    /** Bytes of the batches that were received and are not closed. */
    public long heldBytes() {
        return credits.heldBytes();
    }

    /** The accounts have what was claimed of batches up to this one: the worker hears it with what it is told next. Any thread. */
    public void confirmed(long through) {
        credits.confirmed(through);
    }

    /** Closes the connection and frees what the listener does not own. Closing twice does nothing. */
    @Override
    public void close() {
        onEventLoop(this::finish);
    }

    private void onEventLoop(Runnable task) {
        if (eventLoop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            eventLoop.execute(task);
        } catch (RejectedExecutionException e) {
            over = true; // the pool was closed, and every channel with it
        }
    }

    /** The listener hears nothing after this. */
    private void finish() {
        if (!over) {
            over = true;
            connection.ifPresent(Inbox::close);
            connection = Optional.empty();
            onOver.run();
        }
    }

    private void down(String reason) {
        if (!over) {
            finish();
            listener.down(attempt(), reason);
        }
    }

    // dialling

    private void dialFirst() {
        dialWithin(ChannelTimeouts.FIRST_DIAL, ChannelTimeouts.FIRST_WELCOME);
    }

    private void dialWithin(Duration connected, Duration welcomed) {
        dialDeadlineNanos = now() + connected.toNanos();
        welcomeWithin = welcomed;
        nextAddress = 0;
        dial();
    }

    private void dial() {
        if (over) {
            return;
        }
        if (nextAddress == addresses.size()) {
            if (isPast(dialDeadlineNanos)) {
                down("cannot reach the worker of attempt " + attempt() + ": " + lastFailure);
                return;
            }
            nextAddress = 0;
            later(this::dial, ChannelTimeouts.PAUSE);
            return;
        }
        WorkerAddress address = addresses.get(nextAddress++);
        Optional<SharedSegment> segment = segment(address);
        Inbox inbox;
        try {
            inbox = new Inbox(hello(segment), segment, credits::admit, events);
        } catch (RuntimeException noToken) { // from the supplier, which is the client's
            segment.ifPresent(SharedSegment::discard);
            down("cannot greet the worker of attempt " + attempt() + ": " + noToken.getMessage());
            return;
        }
        int thisRound = ++round;
        connection = Optional.of(inbox);
        dialer.dial(eventLoop, address, inbox).addListener((ChannelFuture done) -> dialled(done, address, thisRound));
    }

    /** Room for the window, and an eighth for gaps between batches that differ in size. */
    private Optional<SharedSegment> segment(WorkerAddress address) {
        long bytes = credits.windowBytes() + credits.windowBytes() / 8;
        return address.isUnix() && request.worker().shares() ? SharedSegment.create(bytes) : Optional.empty();
    }

    private HelloFrame hello(Optional<SharedSegment> segment) {
        Credits.Held held = credits.startAgain();
        return new HelloFrame(
                FrameLimits.VERSION,
                attempt(),
                request.consumer().number(),
                request.consumer().generation(),
                request.consumer().incarnation(),
                request.worker().incarnation(),
                request.consumer().token().get(),
                receivedThrough,
                credits.windowBytes(),
                held.bytes(),
                held.batches(),
                segment.map(SharedSegment::name).orElse(""));
    }

    private void dialled(ChannelFuture done, WorkerAddress address, int ofRound) {
        if (over || ofRound != round) {
            done.channel().close();
        } else if (!done.isSuccess()) {
            lastFailure = address.text() + ": " + done.cause().getMessage();
            dial();
        } else {
            Duration within = welcomeWithin;
            later(
                    () -> {
                        if (!over
                                && ofRound == round
                                && connection.filter(Inbox::isWelcomed).isEmpty()) {
                            connection.ifPresent(Inbox::close);
                            lastFailure = address.text() + ": no answer within " + within.toMillis() + " ms";
                            dial();
                        }
                    },
                    within);
        }
    }

    private void later(Runnable task, Duration delay) {
        eventLoop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private boolean isPast(long deadlineNanos) {
        return now() - deadlineNanos >= 0;
    }

    private long now() {
        return eventLoop.ticker().nanoTime();
    }

    // what happens on the connection

    private final class ConnectionEvents implements Inbox.Events {
        @Override
        public void welcome(String workerIncarnation) {
            if (welcomedBy.isPresent() && !welcomedBy.get().equals(workerIncarnation)) {
                down("another incarnation answers in place of the worker of attempt " + attempt());
                return;
            }
            welcomedBy = Optional.of(workerIncarnation);
        }

        @Override
        public void batch(LandedBatch landed) {
            BatchFrame frame = landed.frame();
            if (frame.epoch() != attempt().epoch()
                    || frame.attempt() != attempt().attempt()
                    || frame.sequence() > receivedThrough + 1) {
                landed.memory().free();
                throw new MalformedFrame("batch " + frame.sequence() + " of attempt " + frame.epoch() + "/"
                        + frame.attempt() + " came behind " + receivedThrough + " of " + attempt());
            }
            ReceivedBatch batch = new ReceivedBatch(attempt(), landed, AttemptChannel.this::closed);
            credits.received(batch.bytes());
            if (frame.sequence() <= receivedThrough) {
                batch.close(); // came before the connection was lost
                return;
            }
            receivedThrough = frame.sequence();
            listener.batch(batch);
            announceCredit();
        }

        @Override
        public void end(EndFrame end) {
            if (end.lastSequence() != receivedThrough) {
                throw new MalformedFrame("END behind batch " + end.lastSequence() + " came behind " + receivedThrough);
            }
            listener.end(attempt(), end.lastSequence(), end.of()); // a loop waits for it
            connection.ifPresent(inbox -> inbox.finish(credits.take(receivedThrough, true)));
            connection = Optional.empty();
            finish();
        }

        @Override
        public void refused(RefusedFrame refused) {
            RefusalCode code = refused.code();
            boolean mayPass = code == RefusalCode.UNKNOWN_ATTEMPT || code == RefusalCode.BUSY;
            if (code == RefusalCode.INCARNATION) { // another worker's address: the next one may be right
                lastFailure = refused.reason();
                dial();
            } else if (mayPass && welcomedBy.isEmpty() && mayAskAgain()) {
                later(AttemptChannel.this::dialFirst, ChannelTimeouts.PAUSE);
            } else if (code == RefusalCode.REPLACED && replaced++ < MOST_REPLACED) {
                // a HELLO of an earlier try, which the worker came to after the one of this connection
                lastFailure = refused.reason();
                dialWithin(ChannelTimeouts.REDIAL, ChannelTimeouts.WELCOME);
            } else {
                finish();
                listener.refused(attempt(), code, refused.reason());
            }
        }

        private boolean mayAskAgain() {
            if (!askedAgain) {
                askedAgain = true;
                unknownDeadlineNanos = now() + ChannelTimeouts.UNKNOWN.toNanos();
            }
            return !isPast(unknownDeadlineNanos);
        }

        @Override
        public void lost(Inbox lost, String reason) {
            if (over || connection.filter(lost::equals).isEmpty()) {
                return;
            }
            lastFailure = reason;
            if (lost.isWelcomed()) {
                dialWithin(ChannelTimeouts.REDIAL, ChannelTimeouts.WELCOME);
            } else {
                dial();
            }
        }

        @Override
        public void silent(Inbox silent) {
            lost(silent, "nothing came for " + ChannelTimeouts.SILENCE.toMillis() + " ms");
        }

        @Override
        public void assureOfLife() {
            connection.ifPresent(inbox -> inbox.send(credits.take(receivedThrough, false)));
        }

        @Override
        public void broken(String reason) {
            down("the channel of attempt " + attempt() + " broke: " + reason);
        }
    }

    // credit

    /** A batch was closed, on any thread. */
    private void closed(long bytes) {
        credits.closed(bytes);
        if (!over) {
            announceCredit();
        }
    }

    private void announceCredit() {
        if (credits.isPressing()) {
            onEventLoop(this::sendCredit);
        } else if (creditScheduled.compareAndSet(false, true)) {
            try {
                eventLoop.schedule(this::sendCredit, CREDIT_DELAY_MS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                over = true; // the pool was closed
            }
        }
    }

    private void sendCredit() {
        creditScheduled.set(false);
        if (!over && credits.isOwing()) {
            connection.filter(Inbox::isWelcomed).ifPresent(inbox -> inbox.send(credits.take(receivedThrough, false)));
        }
    }
}
