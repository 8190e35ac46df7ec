package io.praline.client.stream;

import io.praline.client.channel.ReceivedBatch;
import io.praline.client.metrics.BatchClaims;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.identity.TicketRuns;
import io.praline.wire.TensorLayout;
import io.praline.wire.memory.SharedPlace;
import io.praline.wire.trace.TakenBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What came over a channel in one piece: one batch, or as many as were packed for the journey. Its memory is freed, and
 * its credit given back, when all of its parts are closed.
 */
public final class Frame {
    private static final long[] UNTRACKED = {};

    private final ReceivedBatch batch;
    private final LaneKey lane;
    private final AtomicInteger open;
    private final Optional<TakenBatch> way;

    // from here on: owned by the stream's lock
    private BatchClaims claims;
    private int offered;
    private int counted;
    private int partsDone;

    /**
     * @param batch closed by whoever closes the last part
     * @param generation of the consumer that it was made for
     * @param way is told how it goes; empty where nobody traces it
     */
    public Frame(ReceivedBatch batch, int generation, Optional<TakenBatch> way) {
        this.batch = batch;
        this.lane = new LaneKey(batch.attempt(), generation);
        this.open = new AtomicInteger(parts());
        this.way = way;
    }

    /** The loop takes its first part, or another one. */
    void taken() {
        way.ifPresent(TakenBatch::taken);
    }

    /** The loop is done with one more part. */
    void done() {
        partsDone++;
        if (partsDone == parts()) {
            way.ifPresent(TakenBatch::done);
        }
    }

    public LaneKey lane() {
        return lane;
    }

    public AttemptKey attempt() {
        return batch.attempt();
    }

    public long sequence() {
        return batch.sequence();
    }

    public boolean isPacked() {
        return batch.packed() > 0;
    }

    public int parts() {
        return Math.max(1, batch.packed());
    }

    /** What its tensors are; those of a packed frame have a leading dimension for the parts. */
    public List<TensorLayout> layouts() {
        return batch.layouts();
    }

    /** A tensor's bytes; good until the last part is closed. */
    public ByteBuffer data(int tensor) {
        return batch.data(tensor);
    }

    /** Where a tensor's bytes lie, if that is memory that other processes may map too; good until the last part is closed. */
    public Optional<SharedPlace> shared(int tensor) {
        return batch.shared(tensor);
    }

    /** Bytes that a part counts for: all parts together count for all. */
    public long bytes(int part) {
        return batch.bytes() * (part + 1) / parts() - batch.bytes() * part / parts();
    }

    /** What is claimed of it; its tickets are read on first use. */
    public BatchClaims claims() {
        if (claims == null) {
            ByteBuffer ticketRuns = batch.tickets();
            long[] tickets = ticketRuns.hasRemaining() ? TicketRuns.decode(ticketRuns) : UNTRACKED;
            claims = new BatchClaims(lane, sequence(), parts(), tickets, untrackedElements());
        }
        return claims;
    }

    /** The tickets of a part, copied; empty where they are not tracked. */
    public long[] tickets(int part) {
        long[] all = claims().tickets();
        int until = part + 1 == parts() ? all.length : claims.firstTicket(part + 1);
        return Arrays.copyOfRange(all, claims.firstTicket(part), until);
    }

    /** The next part that has not been offered to the loop. */
    public int offer() {
        return offered++;
    }

    public boolean allOffered() {
        return offered == parts();
    }

    public int unoffered() {
        return parts() - offered;
    }

    /** The parts up to {@code until} that were not counted into the coverage yet start here. */
    public int countedUpTo(int until) {
        int from = counted;
        counted = until;
        return from;
    }

    /** Closes some parts. */
    public void close(int parts) {
        if (parts > 0 && open.addAndGet(-parts) == 0) {
            batch.close();
        }
    }

    /**
     * How many elements it counts for where they are not tracked: the leading dimension that all components share, or
     * one.
     */
    private long untrackedElements() {
        if (isPacked()) {
            return parts();
        }
        long shared = -1;
        for (TensorLayout tensor : batch.layouts()) {
            long leading = tensor.shape().length == 0 ? 1 : tensor.shape()[0];
            if (shared >= 0 && leading != shared) {
                return 1;
            }
            shared = leading;
        }
        return Math.max(1, shared);
    }
}
