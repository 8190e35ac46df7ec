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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

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
 * them. Any thread.
 */
public final class Outbox {
    private final AttemptKey attempt;
    private final long shareBytes;
    private final int leastBatches;
    private final List<Lane> lanes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int turn;
    private boolean sealed;
    private boolean ended;
    private EndOf endOf = EndOf.ATTEMPT;
    private Optional<RefusedFrame> over = Optional.empty();

    Outbox(AttemptKey attempt, int consumers, long capacityBytes) {
        if (consumers < 1) {
            throw new IllegalArgumentException("consumers must be positive, is " + consumers);
        }
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("capacityBytes must not be negative, is " + capacityBytes);
        }
        this.attempt = attempt;
        this.shareBytes = capacityBytes / consumers;
        this.leastBatches = consumers == 1 ? 2 : 1;
        this.lanes = IntStream.range(0, consumers).mapToObj(Lane::new).toList();
    }

    /**
     * Takes the batch over: it is released when the client has it, or when the attempt is closed; also when this throws.
     * Blocks while full: capacity, but never less than two batches, and one for each consumer.
     *
     * @throws OutboxClosed if the attempt was sealed, closed, failed or ended
     * @throws IllegalArgumentException if the batch is larger than the channel's limit, naming both, or not well formed
     */
    public Placed put(OutgoingBatch batch) throws InterruptedException {
        ByteBuf header = PooledByteBufAllocator.DEFAULT.directBuffer();
        try {
            BatchFrame frame = frame(batch);
            frame.writeHeader(header); // refuses what is too large before anything waits
            header.clear();
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
            Optional<Lane> chosen = choose(weightBytes);
            while (isOpen() && chosen.isEmpty()) {
                changed.await();
                chosen = choose(weightBytes);
            }
            if (!isOpen()) {
                throw new OutboxClosed("attempt " + attempt + " takes no more batches: "
                        + over.map(RefusedFrame::reason).orElse(sealed ? "it was stopped" : "it has ended"));
            }
            Lane lane = chosen.orElseThrow();
            frame.numbered(lane.nextSequence()).writeHeader(header);
            HeldBatch held = new HeldBatch(lane.nextSequence(), weightBytes, header, batch);
            lane.add(held);
            turn = lane.consumer() + 1;
            lane.connection().ifPresent(Connection::wake);
            return new Placed(lane.consumer(), held.sequence());
        } finally {
            lock.unlock();
        }
    }

    private boolean isOpen() {
        return !sealed && !ended && over.isEmpty();
    }

    private Optional<Lane> choose(long weightBytes) {
        Comparator<Lane> byConnection = Comparator.comparingInt(
                lane -> lane.connection().isEmpty() ? 2 : lane.creditLeftBytes() >= weightBytes ? 0 : 1);
        Comparator<Lane> byCredit = Comparator.comparingLong(
                lane -> -Math.max(lane.connection().isEmpty() ? 0 : lane.creditLeftBytes() - weightBytes, 0));
        Comparator<Lane> byTurn = Comparator.comparingInt(lane -> Math.floorMod(lane.consumer() - turn, lanes.size()));
        return lanes.stream()
                .filter(lane -> lane.heldBytes() + weightBytes <= shareBytes || lane.heldBatches() < leastBatches)
                .min(byConnection
                        .thenComparing(byCredit)
                        .thenComparingLong(Lane::waitingBytes)
                        .thenComparing(byTurn));
    }

    /**
     * No batch follows: every consumer gets END behind its last one.
     *
     * @param of what is over with this attempt
     */
    public void end(EndOf of) {
        lock.lock();
        try {
            if (isOpen()) {
                ended = true;
                endOf = of;
                wakeAll();
            }
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
        List<HeldBatch> left = new ArrayList<>();
        lock.lock();
        try {
            if (over.isPresent()) {
                return;
            }
            over = Optional.of(reason);
            for (Lane lane : lanes) {
                left.addAll(lane.clear());
                lane.connection().ifPresent(connection -> connection.refuse(reason));
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        left.forEach(ReferenceCounted::release);
    }

    private void wakeAll() {
        lanes.forEach(lane -> lane.connection().ifPresent(Connection::wake));
        changed.signalAll();
    }

    /** Bytes that are held: waiting, or sent and not yet known to be received. */
    public long bytes() {
        lock.lock();
        try {
            return lanes.stream().mapToLong(Lane::heldBytes).sum();
        } finally {
            lock.unlock();
        }
    }

    /** The sequence of the last batch of each consumer; -1 where it has none. */
    public List<Long> lastSequences() {
        lock.lock();
        try {
            return lanes.stream().map(Lane::lastSequence).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the attempt ended, its consumers have every batch, and those that are connected have END. */
    public boolean delivered() {
        lock.lock();
        try {
            return ended && over.isEmpty() && lanes.stream().allMatch(Lane::delivered);
        } finally {
            lock.unlock();
        }
    }

    /** A client's HELLO, its token checked: gives it the lane, or says why not. On the connection's event loop. */
    Optional<RefusedFrame> attach(HelloFrame hello, Connection connection) {
        List<HeldBatch> received;
        lock.lock();
        try {
            if (over.isPresent()) {
                return over;
            }
            if (hello.consumer() >= lanes.size()) {
                return Optional.of(new RefusedFrame(
                        RefusalCode.UNKNOWN_CONSUMER,
                        "attempt " + attempt + " has " + lanes.size() + " consumers, not one numbered "
                                + hello.consumer()));
            }
            Lane lane = lanes.get(hello.consumer());
            if (!lane.canResumeAfter(hello.receivedThrough())) {
                return Optional.of(new RefusedFrame(
                        RefusalCode.OUT_OF_STEP,
                        "attempt " + attempt + " cannot go on behind batch " + hello.receivedThrough()
                                + " for consumer " + hello.consumer()));
            }
            lane.connection()
                    .ifPresent(older -> older.refuse(new RefusedFrame(
                            RefusalCode.REPLACED, "a newer channel took the place of consumer " + hello.consumer())));
            received = lane.attach(
                    connection, hello.receivedThrough(), hello.windowBytes(), hello.heldBytes(), hello.heldBatches());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        received.forEach(ReferenceCounted::release);
        return Optional.empty();
    }

    /** The connection is no more. */
    void detach(int consumer, Connection connection) {
        lock.lock();
        try {
            Lane lane = lanes.get(consumer);
            if (isOf(lane, connection)) {
                lane.detach();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A client's CREDIT. */
    void credit(int consumer, Connection connection, CreditFrame credit) {
        List<HeldBatch> received;
        lock.lock();
        try {
            Lane lane = lanes.get(consumer);
            if (!isOf(lane, connection) || over.isPresent()) {
                return; // a frame of a connection that was replaced meanwhile
            }
            if (!lane.giveBack(credit.bytes(), credit.batches()) || !lane.canResumeAfter(credit.receivedThrough())) {
                throw new MalformedFrame("a client must not give back what was not sent: " + credit);
            }
            received = lane.acknowledge(credit.receivedThrough());
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
            Lane lane = lanes.get(consumer);
            if (!isOf(lane, connection) || over.isPresent()) {
                return Optional.empty();
            }
            return lane.nextToSend().map(batch -> new Sending(batch, !lane.isFirstTime(batch)));
        } finally {
            lock.unlock();
        }
    }

    /** END, when it is due on this connection. */
    Optional<EndFrame> endToSend(int consumer, Connection connection) {
        lock.lock();
        try {
            Lane lane = lanes.get(consumer);
            boolean due = ended && over.isEmpty() && isOf(lane, connection) && lane.takeEnd();
            return due ? Optional.of(new EndFrame(lane.lastSequence(), endOf)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static boolean isOf(Lane lane, Connection connection) {
        return lane.connection().filter(connection::equals).isPresent();
    }

    /** @param again whether it was sent before, on a connection that was lost */
    record Sending(HeldBatch batch, boolean again) {}
}
