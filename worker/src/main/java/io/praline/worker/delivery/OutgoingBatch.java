package io.praline.worker.delivery;

import io.praline.wire.trace.SentBatch;
import java.util.List;
import java.util.Optional;

/**
 * A batch on its way out. It owns its memory until {@code release} is run, which happens exactly once and frees the
 * bodies too: whoever takes the batch runs it and does nothing else to them.
 *
 * @param tickets the elements it holds, in their order; empty where they are not tracked
 * @param packed 0: one batch as the user made it; k: every tensor has a leading dimension k, each index a batch
 * @param way is told how it goes; empty where nobody traces it
 */
@SuppressWarnings("ArrayRecordComponent") // identity is all that is asked of it
public record OutgoingBatch(
        long[] tickets, int packed, List<OutgoingTensor> tensors, Runnable release, Optional<SentBatch> way) {
    /** One that nobody traces. */
    public OutgoingBatch(long[] tickets, int packed, List<OutgoingTensor> tensors, Runnable release) {
        this(tickets, packed, tensors, release, Optional.empty());
    }
}
