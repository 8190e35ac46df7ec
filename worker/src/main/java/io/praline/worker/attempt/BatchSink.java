package io.praline.worker.attempt;

import io.praline.wire.EndOf;
import io.praline.worker.delivery.BatchRoom;
import io.praline.worker.delivery.LaneClosed;
import io.praline.worker.delivery.LastSequence;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.Placed;
import java.util.List;
import java.util.Optional;

/** Where one attempt's batches go: the channel's outbox, or what stands for it in a test. */
interface BatchSink {
    /** Takes the batch over and blocks while full. */
    Placed put(OutgoingBatch batch) throws InterruptedException;

    /** Memory to make a batch in that a client sees, see {@link Outbox#room}; empty where there is none. */
    default Optional<BatchRoom> room(int bytes) {
        return Optional.empty();
    }

    /** Consumers came or went. */
    void serve(Membership membership);

    /** The newest membership that was taken. */
    int membership();

    /** Lanes that closed since this was asked last. */
    List<LaneClosed> takeClosed();

    /** Whether batches wait for a consumer to come, and with them whoever makes more, or comes to the end. */
    default boolean waitsForConsumer() {
        return false;
    }

    /** No batch follows; what is over with that. Blocks while batches wait for a consumer to come. */
    void end(EndOf of) throws InterruptedException;

    /** No batch is taken any more, and none is waited with; what was taken is still delivered. */
    void seal();

    /** Whoever waits for batches is told why there are none. */
    void fail(String reason);

    /** Bytes made and not yet taken by a client. */
    long bytes();

    /** The last batch of each consumer that is there. */
    List<LastSequence> lastSequences();

    /** Whether all was taken. */
    boolean delivered();

    /** Nothing more is delivered, not even what waits. */
    void close();

    /** The outbox of the channel. */
    static BatchSink of(Outbox outbox, Runnable close) {
        return new BatchSink() {
            @Override
            public Placed put(OutgoingBatch batch) throws InterruptedException {
                return outbox.put(batch);
            }

            @Override
            public Optional<BatchRoom> room(int bytes) {
                return outbox.room(bytes);
            }

            @Override
            public void serve(Membership membership) {
                outbox.serve(membership);
            }

            @Override
            public int membership() {
                return outbox.membership();
            }

            @Override
            public List<LaneClosed> takeClosed() {
                return outbox.takeClosed();
            }

            @Override
            public boolean waitsForConsumer() {
                return !outbox.mayEnd();
            }

            @Override
            public void end(EndOf of) throws InterruptedException {
                outbox.end(of);
            }

            @Override
            public void seal() {
                outbox.seal();
            }

            @Override
            public void fail(String reason) {
                outbox.fail(reason);
            }

            @Override
            public long bytes() {
                return outbox.bytes();
            }

            @Override
            public List<LastSequence> lastSequences() {
                return outbox.lastSequences();
            }

            @Override
            public boolean delivered() {
                return outbox.delivered();
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }
}
