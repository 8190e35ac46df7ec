package io.praline.worker.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One generation of a consumer's part of an outbox: its batches in order, its credit, and the connection it has just now.
 * Guarded by the outbox's lock.
 *
 * <pre>
 *   AWAITED -> OPEN -> CLOSED        the consumer was not there yet, is there, is no more
 * </pre>
 */
final class Lane {
    /** A window is never less than this many batches, however large. */
    private static final int LEAST_BATCHES_OUT = 2;

    private final int consumer;
    private final int generation;
    private final ArrayDeque<HeldBatch> waiting = new ArrayDeque<>();
    private final ArrayDeque<HeldBatch> sent = new ArrayDeque<>();
    private State state = State.AWAITED;
    private TicketTrail trail = new TicketTrail();
    private long heldBytes;
    private long waitingBytes;
    private long nextSequence;
    private long nextUnsent;
    private long acknowledged = -1;
    private Optional<Connection> connection = Optional.empty();
    private boolean everAttached;
    private long givenBytes;
    private long windowBytes;
    private long outBytes;
    private int outBatches;
    private boolean endSent;
    private boolean endReceived;

    private enum State {
        AWAITED,
        OPEN,
        CLOSED
    }

    /**
     * What a lane that closed leaves behind.
     *
     * @param sent once at least: they go nowhere else
     * @param unsent never
     * @param trail the elements of all that were sent since the lane opened, but for those that the accounts are known to have
     */
    record Left(List<HeldBatch> sent, List<HeldBatch> unsent, TicketTrail trail) {}

    /** @param givenBytes what it counts as given already, so that it does not catch up with those that were there before */
    Lane(int consumer, int generation, long givenBytes) {
        this.consumer = consumer;
        this.generation = generation;
        this.givenBytes = givenBytes;
    }

    int consumer() {
        return consumer;
    }

    int generation() {
        return generation;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Batches may come. One that was closed stays it. */
    void open() {
        if (state == State.AWAITED) {
            state = State.OPEN;
        }
    }

    /** No batch goes on it any more; what it held is the caller's. */
    Left close() {
        state = State.CLOSED;
        connection = Optional.empty();
        Predicate<HeldBatch> isSent = batch -> batch.sequence() < nextUnsent;
        List<HeldBatch> unsent = waiting.stream().filter(isSent.negate()).toList();
        waiting.removeIf(isSent.negate());
        Left left = new Left(clear(), unsent, trail);
        trail = new TicketTrail();
        return left;
    }

    long lastSequence() {
        return nextSequence - 1;
    }

    long heldBytes() {
        return heldBytes;
    }

    int heldBatches() {
        return waiting.size() + sent.size();
    }

    long waitingBytes() {
        return waitingBytes;
    }

    /** Of all batches that were put into it. */
    long givenBytes() {
        return givenBytes;
    }

    /** Whether its consumer has come to this worker, also if its connection has gone since. */
    boolean wasAttached() {
        return everAttached;
    }

    Optional<Connection> connection() {
        return connection;
    }

    /** What may still be sent when all that waits has gone; negative where that is already more than the window. */
    long creditLeftBytes() {
        return windowBytes - outBytes - waitingBytes;
    }

    /** A batch that was sent on no lane yet; it gets its number here. */
    void add(HeldBatch batch) {
        batch.number(consumer, generation, nextSequence);
        nextSequence++;
        waiting.add(batch);
        givenBytes += batch.weightBytes();
        heldBytes += batch.weightBytes();
        waitingBytes += batch.weightBytes();
        connection.ifPresent(Connection::wake);
    }

    /** The next batch that the credit allows, with a reference of its own for the write. */
    Optional<HeldBatch> nextToSend() {
        HeldBatch next = waiting.peek();
        if (next == null || (outBytes + next.weightBytes() > windowBytes && outBatches >= LEAST_BATCHES_OUT)) {
            return Optional.empty();
        }
        waiting.remove();
        waitingBytes -= next.weightBytes();
        sent.add(next);
        outBytes += next.weightBytes();
        outBatches++;
        next.retain();
        return Optional.of(next);
    }

    /** Whether this batch was never sent before; called once for each that is sent, which is remembered. */
    boolean isFirstTime(HeldBatch batch) {
        boolean first = batch.sequence() >= nextUnsent;
        if (first) {
            nextUnsent = batch.sequence() + 1;
            trail.add(batch.sequence(), batch.tickets());
        }
        return first;
    }

    /** Whether a client that has batches up to here can go on. */
    boolean canResumeAfter(long receivedThrough) {
        return receivedThrough >= acknowledged && receivedThrough < nextUnsent;
    }

    /**
     * A client is there: what it has is released, what is beyond waits again.
     *
     * @return the batches to release, outside the lock
     */
    List<HeldBatch> attach(
            Connection now, long receivedThrough, long window, long heldByClientBytes, int heldByClient) {
        connection = Optional.of(now);
        everAttached = true;
        windowBytes = window;
        outBytes = heldByClientBytes;
        outBatches = heldByClient;
        endSent = false;
        List<HeldBatch> received = acknowledge(receivedThrough);
        while (!sent.isEmpty()) {
            HeldBatch again = sent.removeLast();
            waiting.addFirst(again);
            waitingBytes += again.weightBytes();
        }
        return received;
    }

    void detach() {
        connection = Optional.empty();
    }

    /** What CREDIT gave back; false if that is more than was out. */
    boolean giveBack(long bytes, int batches) {
        if (bytes > outBytes || batches > outBatches) {
            return false;
        }
        outBytes -= bytes;
        outBatches -= batches;
        return true;
    }

    /**
     * The client has these.
     *
     * @return the batches to release, outside the lock
     */
    List<HeldBatch> acknowledge(long receivedThrough) {
        List<HeldBatch> received = new ArrayList<>();
        while (!sent.isEmpty() && sent.peek().sequence() <= receivedThrough) {
            HeldBatch batch = sent.remove();
            heldBytes -= batch.weightBytes();
            received.add(batch);
        }
        acknowledged = Math.max(acknowledged, receivedThrough);
        return received;
    }

    /** The accounts have these: nobody will ask what was sent with them. */
    void confirmed(long through) {
        trail.confirmed(through);
    }

    /** Whether END is due: everything was sent, and END was not on this connection. True once a connection. */
    boolean takeEnd() {
        boolean due = waiting.isEmpty() && !endSent;
        endSent |= due;
        return due;
    }

    void endReceived() {
        endReceived = true;
    }

    boolean delivered() {
        return waiting.isEmpty() && sent.isEmpty() && (connection.isEmpty() || endReceived);
    }

    /** Bytes that it takes to remember what was sent, about. */
    long trailBytes() {
        return trail.bytes();
    }

    /** Nobody will ask any more what was sent. */
    void forgetSent() {
        trail = new TicketTrail();
    }

    /** Empties it; the batches are released by the caller, outside the lock. */
    List<HeldBatch> clear() {
        List<HeldBatch> all = new ArrayList<>(sent);
        all.addAll(waiting);
        sent.clear();
        waiting.clear();
        heldBytes = 0;
        waitingBytes = 0;
        return all;
    }
}
