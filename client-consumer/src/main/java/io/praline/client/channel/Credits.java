package io.praline.client.channel;

import io.praline.wire.CreditFrame;
import io.praline.wire.MalformedFrame;
import java.util.List;

/**
 * What a channel holds of its window, and what it owes the worker: closed batches to give back, and received ones to
 * confirm. Batches are closed on any thread.
 *
 * <pre>
 *   CREDIT at once  owed bytes &gt;= window / 8, or fewer than two batches and less than half the window left to the worker
 *   else            within a millisecond: one CREDIT for many small batches
 * </pre>
 */
final class Credits {
    /** A window is never less than this many batches, however large. */
    private static final int LEAST_BATCHES = 2;

    private final long windowBytes;
    private long heldBytes;
    private int heldBatches;
    private long closedBytes;
    private int closedBatches;
    private long unconfirmedBytes;
    private long confirmedThrough = -1;

    Credits(long windowBytes) {
        if (windowBytes < 1) {
            throw new IllegalArgumentException("creditBytes must be positive, is " + windowBytes);
        }
        this.windowBytes = windowBytes;
    }

    long windowBytes() {
        return windowBytes;
    }

    /** What goes into a HELLO: the worker takes it for out, so nothing that was closed before is owed any more. */
    synchronized Held startAgain() {
        closedBytes = 0;
        closedBatches = 0;
        unconfirmedBytes = 0;
        return new Held(heldBytes, heldBatches);
    }

    /** Memory is about to be taken for a batch: the worker must have had the credit. */
    synchronized void admit(int bytes) {
        if (heldBytes + bytes > windowBytes && heldBatches >= LEAST_BATCHES) {
            throw new MalformedFrame("the worker sent a batch of " + bytes + " bytes, beyond the window of "
                    + windowBytes + " of which " + heldBytes + " are held");
        }
    }

    /** A batch came. */
    synchronized void received(long bytes) {
        heldBytes += bytes;
        heldBatches++;
        unconfirmedBytes += bytes;
    }

    /** A batch was closed. */
    synchronized void closed(long bytes) {
        heldBytes -= bytes;
        heldBatches--;
        closedBytes += bytes;
        closedBatches++;
    }

    /** The accounts have the batches up to this one. */
    synchronized void confirmed(long through) {
        confirmedThrough = Math.max(confirmedThrough, through);
    }

    synchronized boolean isPressing() {
        long owed = closedBytes + unconfirmedBytes;
        long out = heldBytes + closedBytes;
        boolean workerMayWait = closedBatches > 0 && heldBatches < LEAST_BATCHES && out > windowBytes / 2;
        return owed >= Math.max(1, windowBytes / 8) || workerMayWait;
    }

    synchronized boolean isOwing() {
        return closedBatches > 0 || unconfirmedBytes > 0;
    }

    /** What is owed, which is not owed any more then. */
    synchronized CreditFrame take(long receivedThrough, boolean endReceived) {
        CreditFrame frame =
                new CreditFrame(closedBatches, closedBytes, receivedThrough, confirmedThrough, endReceived, List.of());
        closedBytes = 0;
        closedBatches = 0;
        unconfirmedBytes = 0;
        return frame;
    }

    synchronized long heldBytes() {
        return heldBytes;
    }

    /** What the client has and is not done with. */
    record Held(long bytes, int batches) {}
}
