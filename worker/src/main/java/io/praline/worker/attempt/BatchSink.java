package io.praline.worker.attempt;

import io.praline.wire.EndOf;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.delivery.OutgoingBatch;
import io.praline.worker.delivery.Placed;
import java.util.List;

/** Where one attempt's batches go: the channel's outbox, or what stands for it in a test. */
interface BatchSink {
    /** Takes the batch over and blocks while full. */
    Placed put(OutgoingBatch batch) throws InterruptedException;

    /** No batch follows; what is over with that. */
    void end(EndOf of);

    /** No batch is taken any more, and none is waited with; what was taken is still delivered. */
    void seal();

    /** Whoever waits for batches is told why there are none. */
    void fail(String reason);

    /** Bytes made and not yet taken by a client. */
    long bytes();

    /** The sequence of the last batch of each consumer; -1 where it has none. */
    List<Long> lastSequences();

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
            public void end(EndOf of) {
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
            public List<Long> lastSequences() {
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
