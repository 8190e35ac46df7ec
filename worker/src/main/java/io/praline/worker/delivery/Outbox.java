package io.praline.worker.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ReferenceCounted;
import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import io.praline.wire.BatchFrame;
import io.praline.wire.CreditFrame;
import io.praline.wire.EndFrame;
import io.praline.wire.EndOf;
import io.praline.wire.HelloFrame;
import io.praline.wire.MalformedFrame;
import io.praline.wire.RefusalCode;
import io.praline.wire.RefusedFrame;
import io.praline.wire.TensorLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The batches of one attempt between the graph and its consumers. A batch goes to a consumer that has room for it:
 *
 * <pre>
 *   room      held + batch &lt;= capacity / consumers, or nothing held (one consumer: fewer than two batches)
 *   first     a connected one whose credit covers the batch, the most credit left
 *   else      a connected one, the fewest bytes waiting; else any, the fewest bytes waiting
 * </pre>
 *
 * Equals take turns. So a slow consumer fills its own share and no other's, and each gets batches as fast as it takes
 * them. Consumers come and go ({@link Lanes}): what counts are those that are there, and while none is, batches wait. Any
 * thread.
 */
public final class Outbox {
    private final AttemptKey attempt;
    private final Lanes lanes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean sealed;
    private boolean ended;
    private EndOf endOf = EndOf.ATTEMPT;
    private Optional<RefusedFrame> over = Optional.empty();

    Outbox(AttemptKey attempt, Membership membership, long capacityBytes) {
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("capacityBytes must not be negative, is " + capacityBytes);
        }
        this.attempt = attempt;
        this.lanes = new Lanes(attempt, capacityBytes);
        serve(membership);
    }

    /**
     * Consumers came or went. One that is older than what was taken, or the same again, changes nothing. Where the attempt is
     * over, what was sent on lanes that close is still told.
     */
    public void serve(Membership membership) {
        List<HeldBatch> released;
        lock.lock();
        try {
            released = lanes.serve(membership, ended);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        released.forEach(ReferenceCounted::release);
    }

    /** The newest membership that was taken. */
    public int membership() {
        lock.lock();
        try {
            return lanes.membership();
        } finally {
            lock.unlock();
        }
    }

    /** Lanes that closed since this was asked last. */
    public List<LaneClosed> takeClosed() {
        lock.lock();
        try {
            return lanes.takeClosed();
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that it takes to remember what was sent, about. */
    public long trailBytes() {
        lock.lock();
        try {
            return lanes.trailBytes();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody will ask any more what was sent, nor which lanes closed. */
    public void forgetSent() {
        lock.lock();
        try {
            lanes.forgetSent();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the batch over: it is released when the client has it, or when the attempt is closed; also when this throws.
     * Blocks while full: capacity, but never less than two batches, and one for each consumer; and while no consumer is
     * there.
     *
     * @throws OutboxClosed if the attempt was sealed, closed, failed or ended
     * @throws IllegalArgumentException if the batch is larger than the channel's limit, naming both, or not well formed
     */
    public Placed put(OutgoingBatch batch) throws InterruptedException {
        ByteBuf header = PooledByteBufAllocator.DEFAULT.directBuffer();
        try {
            BatchFrame frame = frame(batch);
            frame.writeHeader(header); // refuses what is too large before anything waits; numbered in its lane
            return place(batch, frame, header);
        } catch (Throwable refused) {
            header.release();
            batch.release().run();
            throw refused;
        }
    }

    private BatchFrame frame(OutgoingBatch batch) {
        List<TensorLayout> layouts = batch.tensors().stream()
                .map(tensor -> new TensorLayout(
                        tensor.dtype(), tensor.shape(), tensor.body().readableBytes()))
                .toList();
        ByteBuffer runs = ByteBuffer.wrap(TicketRuns.encode(batch.tickets()));
        return new BatchFrame(attempt.epoch(), attempt.attempt(), 0, batch.packed(), layouts, runs);
    }

    private Placed place(OutgoingBatch batch, BatchFrame frame, ByteBuf header) throws InterruptedException {
        long weightBytes = frame.payloadBytes();
        lock.lockInterruptibly();
        try {
            Optional<Lane> chosen = lanes.choose(weightBytes);
            while (isOpen() && chosen.isEmpty()) {
                changed.await();
                chosen = lanes.choose(weightBytes);
            }
            if (!isOpen()) {
                throw new OutboxClosed("attempt " + attempt + " takes no more batches: "
                        + over.map(RefusedFrame::reason).orElse(sealed ? "it was stopped" : "it has ended"));
            }
            return lanes.add(chosen.orElseThrow(), new HeldBatch(weightBytes, frame.ticketRuns(), header, batch));
        } finally {
            lock.unlock();
        }
    }

    private boolean isOpen() {
        return !sealed && !ended && over.isEmpty();
    }

    /**
     * No batch follows: every consumer gets END behind its last one. Blocks while batches wait for a consumer to come; does
     * nothing where the attempt was sealed, closed, failed or ended.
     *
     * @param of what is over with this attempt
     */
    public void end(EndOf of) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (isOpen() && lanes.anyHomeless()) {
                changed.await();
            }
            if (isOpen()) {
                ended = true;
                // what another consumer has, or had, may come back and be read once more, behind this attempt's end
                endOf = of == EndOf.JOB && !lanes.areOfOne() ? EndOf.EPOCH : of;
                lanes.open().forEach(lane -> lane.connection().ifPresent(Connection::wake));
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Memory to make a batch in that the client sees to whom it is likely to go, for tensors of so many bytes; the caller gives
     * it back when the batch is released. Empty where there is none: then the batch is made elsewhere, and copied.
     */
    public Optional<BatchRoom> room(int bytes) {
        Optional<Connection> likely;
        lock.lock();
        try {
            likely = isOpen() ? lanes.likely(bytes).flatMap(Lane::connection) : Optional.empty();
        } finally {
            lock.unlock();
        }
        return likely.flatMap(connection -> connection.room(bytes));
    }

    /** Whether {@link #put} would not wait with a batch of so many bytes. */
    public boolean hasRoom(long bytes) {
        lock.lock();
        try {
            return !isOpen() || lanes.choose(bytes).isPresent();
        } finally {
            lock.unlock();
        }
    }

    /** Whether {@link #end} would not wait. */
    public boolean mayEnd() {
        lock.lock();
        try {
            return !isOpen() || !lanes.anyHomeless();
        } finally {
            lock.unlock();
        }
    }

    /** The attempt makes no more batches and comes to no end: what it made is delivered, and nobody is told of one. */
    public void seal() {
        lock.lock();
        try {
            sealed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The attempt failed: clients get the reason at once, in one line; what was not delivered is released. */
    public void fail(String reason) {
        stop(new RefusedFrame(RefusalCode.FAILED, reason));
    }

    /** Fenced, or given up: clients are told, what was not delivered is released. */
    void close() {
        stop(new RefusedFrame(RefusalCode.CLOSED, "attempt " + attempt + " was closed"));
    }

    private void stop(RefusedFrame reason) {
        List<HeldBatch> left;
        lock.lock();
        try {
            if (over.isPresent()) {
                return;
            }
            over = Optional.of(reason);
            left = lanes.clear(reason);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(ReferenceCounted::release);
    }

    /** Bytes that are held: waiting, or sent and not yet known to be received. */
    public long bytes() {
        lock.lock();
        try {
            return lanes.heldBytes();
        } finally {
            lock.unlock();
        }
    }

    /** The last batch of each consumer that is there. */
    public List<LastSequence> lastSequences() {
        lock.lock();
        try {
            return lanes.open().stream()
                    .map(lane -> new LastSequence(lane.consumer(), lane.generation(), lane.lastSequence()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the attempt ended, the consumers that are there have every batch, and those that are connected have END. */
    public boolean delivered() {
        lock.lock();
        try {
            return ended && over.isEmpty() && lanes.open().stream().allMatch(Lane::delivered);
        } finally {
            lock.unlock();
        }
    }

    /** A client's HELLO, its token checked: gives it the lane, or says why not. On the connection's event loop. */
    Optional<RefusedFrame> attach(HelloFrame hello, Connection connection) {
        List<HeldBatch> released;
        lock.lock();
        try {
            Optional<RefusedFrame> refusal = over.or(() -> lanes.refusal(hello));
            if (refusal.isPresent()) {
                return refusal;
            }
            released = lanes.attach(hello, connection, ended);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        released.forEach(ReferenceCounted::release);
        return Optional.empty();
    }

    /** The connection is no more. */
    void detach(int consumer, Connection connection) {
        lock.lock();
        try {
            lanes.of(consumer, connection).ifPresent(Lane::detach);
        } finally {
            lock.unlock();
        }
    }

    /** A client's CREDIT. */
    void credit(int consumer, Connection connection, CreditFrame credit) {
        List<HeldBatch> received;
        lock.lock();
        try {
            Optional<Lane> its = lanes.of(consumer, connection);
            if (its.isEmpty() || over.isPresent()) {
                return; // a frame of a connection that was replaced, or whose lane closed, meanwhile
            }
            Lane lane = its.get();
            if (!lane.giveBack(credit.bytes(), credit.batches()) || !lane.canResumeAfter(credit.receivedThrough())) {
                throw new MalformedFrame("a client must not give back what was not sent: " + credit);
            }
            received = lane.acknowledge(credit.receivedThrough());
            lane.confirmed(credit.confirmedThrough());
            if (credit.endReceived()) {
                lane.endReceived();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        received.forEach(ReferenceCounted::release);
    }

    /** The next batch that may be sent on this connection, with a reference for the write. */
    Optional<Sending> nextToSend(int consumer, Connection connection) {
        lock.lock();
        try {
            if (over.isPresent()) {
                return Optional.empty();
            }
            return lanes.of(consumer, connection)
                    .flatMap(lane -> lane.nextToSend().map(batch -> new Sending(batch, !lane.isFirstTime(batch))));
        } finally {
            lock.unlock();
        }
    }

    /** END, when it is due on this connection. */
    Optional<EndFrame> endToSend(int consumer, Connection connection) {
        lock.lock();
        try {
            return lanes.of(consumer, connection)
                    .filter(lane -> ended && over.isEmpty() && lane.takeEnd())
                    .map(lane -> new EndFrame(lane.lastSequence(), endOf));
        } finally {
            lock.unlock();
        }
    }

    /** @param again whether it was sent before, on a connection that was lost */
    record Sending(HeldBatch batch, boolean again) {}
}
