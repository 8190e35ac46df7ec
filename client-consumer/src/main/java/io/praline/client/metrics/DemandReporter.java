package io.praline.client.metrics;

import io.praline.schema.ClientHeartbeat;
import io.praline.schema.MeasurementWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the training loop would take and how long it waited, in windows; and the beat that carries them once a second.
 *
 * <pre>
 *   a window closes when it is full (usually: 500 batches or 10 s), or when the tasks that serve it change
 *   seconds   = taking of its first batch .. taking of the next window's first
 *   waitShare = time in next() in which no batch was there / seconds
 * </pre>
 *
 * <p>Owned by its stream's lock. Times are {@code System.nanoTime} of whoever calls.
 */
public final class DemandReporter {
    private static final long SHORTEST_NANOS = WindowLimits.SHORTEST.toNanos();
    private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

    private final ConsumerIdentity identity;
    private final WindowLimits limits;
    private final List<MeasurementWindow> closed = new ArrayList<>();
    private boolean beaten;
    private long beats;
    private long beatenAtNanos;

    private int localTasks;
    private int remoteTasks;
    private int nextLocalTasks;
    private int nextRemoteTasks;

    private boolean open;
    private long openedAtNanos;
    private long batches;
    private long elements;
    private long bytes;
    private long waitNanos;
    private long readySum;
    private boolean straddles;

    public DemandReporter(ConsumerIdentity identity, WindowLimits limits) {
        this.identity = identity;
        this.limits = limits;
    }

    /**
     * How many tasks serve the loop from now on. The open window ends with the batch that is taken next; a piece of less
     * than a second is left out. While there are none at all, the window goes on, and is not to be taken for a steady one.
     */
    public void tasks(int local, int remote) {
        if (local + remote == 0) {
            straddles = open;
            return;
        }
        nextLocalTasks = local;
        nextRemoteTasks = remote;
    }

    /**
     * The loop takes a batch.
     *
     * @param waitedNanos how long it waited for it
     * @param ready how many batches lay ready, this one included
     */
    public void taken(long nowNanos, long batchElements, long batchBytes, long waitedNanos, long ready) {
        boolean cut = localTasks != nextLocalTasks || remoteTasks != nextRemoteTasks;
        if (open && (cut || limits.full(batches, nowNanos - openedAtNanos))) {
            // the wait that ends now lies before this batch's taking, and so in the window that closes
            waitNanos += waitedNanos;
            close(nowNanos);
        }
        localTasks = nextLocalTasks;
        remoteTasks = nextRemoteTasks;
        if (!open) {
            open = true;
            openedAtNanos = nowNanos;
            batches = 1;
            elements = batchElements;
            bytes = batchBytes;
            waitNanos = 0;
            readySum = ready;
            straddles = false;
            return;
        }
        batches++;
        elements += batchElements;
        bytes += batchBytes;
        waitNanos += waitedNanos;
        readySum += ready;
    }

    /** The beat, if one is due. */
    public Optional<ClientHeartbeat> due(long nowNanos) {
        if (beaten && nowNanos - beatenAtNanos < BEAT_NANOS) {
            return Optional.empty();
        }
        return Optional.of(beat(nowNanos, false));
    }

    /** The last beat: the consumer leaves in order. */
    public ClientHeartbeat farewell(long nowNanos) {
        return beat(nowNanos, true);
    }

    private ClientHeartbeat beat(long nowNanos, boolean closing) {
        beaten = true;
        beatenAtNanos = nowNanos;
        List<MeasurementWindow> windows = List.copyOf(closed);
        closed.clear();
        return new ClientHeartbeat(
                identity.pool(),
                identity.job(),
                identity.consumer(),
                identity.incarnation(),
                identity.host(),
                closing,
                windows,
                ++beats);
    }

    private void close(long nowNanos) {
        open = false;
        long nanos = nowNanos - openedAtNanos;
        if (nanos < SHORTEST_NANOS) {
            return;
        }
        closed.add(new MeasurementWindow(
                batches,
                elements,
                bytes,
                nanos / 1e9,
                Math.min(1, (double) waitNanos / nanos),
                (double) readySum / batches,
                localTasks,
                remoteTasks,
                straddles));
    }
}
