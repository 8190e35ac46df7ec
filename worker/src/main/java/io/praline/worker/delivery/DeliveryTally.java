package io.praline.worker.delivery;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What {@link DeliveryCounters} are read from; added to on every event loop. */
final class DeliveryTally {
    final AtomicInteger connections = new AtomicInteger();
    final LongAdder refusedConnections = new LongAdder();
    final LongAdder refusedVersions = new LongAdder();
    final LongAdder refusedTokens = new LongAdder();
    final LongAdder unknownAttempts = new LongAdder();
    final LongAdder malformedFrames = new LongAdder();
    final LongAdder silentConnections = new LongAdder();
    final LongAdder batchesSent = new LongAdder();
    final LongAdder batchesSentAgain = new LongAdder();
    final LongAdder batchesShared = new LongAdder();
    final LongAdder bytesSent = new LongAdder();

    DeliveryCounters read() {
        return new DeliveryCounters(
                connections.get(),
                refusedConnections.sum(),
                refusedVersions.sum(),
                refusedTokens.sum(),
                unknownAttempts.sum(),
                malformedFrames.sum(),
                silentConnections.sum(),
                batchesSent.sum(),
                batchesSentAgain.sum(),
                batchesShared.sum(),
                bytesSent.sum());
    }
}
