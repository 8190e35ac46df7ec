package io.praline.deploy.feed;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * Asks for a feed's batches, one ahead of its loop, shows each to Python, and remembers which are not acknowledged. Its own thread asks; the feed's says what the loop does.
 */
final class Offers implements Runnable, AutoCloseable {
    private final BatchStream stream;
    private final Shown shown;
    private final Pipe pipe;
    private final Semaphore mayOffer = new Semaphore(1);

    // under this object's lock
    private final Deque<Unacknowledged> unacknowledged = new ArrayDeque<>();
    private long waitingSince;
    private boolean waiting;
    private boolean closing;

    // owned by the thread that asks
    private List<String> names = List.of();

    /** A batch that the loop is not done with. */
    private record Unacknowledged(long number, Batch batch) {}

    Offers(BatchStream stream, Shown shown, Pipe pipe) {
        this.stream = stream;
        this.shown = shown;
        this.pipe = pipe;
        stream.waitingIs(this::waitedNanos);
    }

    /** Until the stream ends, fails or is closed. */
    @Override
    public void run() {
        try {
            long number = 0;
            mayOffer.acquire();
            while (!isClosing() && stream.hasNext()) {
                offer(number++, stream.next());
                mayOffer.acquire();
            }
            pipe.write(Event.END);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            if (!isClosing()) {
                pipe.write(Event.ERROR, Told.failure(failed, stream.job()));
            }
        }
    }

    private void offer(long number, Batch batch) {
        if (!batch.names().equals(names)) {
            names = batch.names();
            pipe.write(Event.COMPONENTS, Told.of(Map.of("names", names)));
        }
        synchronized (this) {
            unacknowledged.add(new Unacknowledged(number, batch));
            waiting = false;
        }
        shown.show(number, batch);
    }

    private synchronized long waitedNanos() {
        return waiting ? System.nanoTime() - waitingSince : 0;
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    /** The loop waits for the next batch from now on. */
    synchronized void loopWaits() {
        waiting = true;
        waitingSince = System.nanoTime();
    }

    /** The loop has the batch: the next one is asked for. */
    void taken() {
        synchronized (this) {
            // it may have waited for this one when the offer was under way
            waiting = false;
        }
        mayOffer.release();
    }

    /** The loop is done with the batch and all before it. */
    void acknowledged(long number) {
        for (Batch batch : upTo(number)) {
            batch.acknowledge();
        }
    }

    private synchronized List<Batch> upTo(long number) {
        List<Batch> done = new ArrayList<>();
        while (!unacknowledged.isEmpty() && unacknowledged.peek().number() <= number) {
            done.add(unacknowledged.remove().batch());
        }
        return done;
    }

    /** Nothing more is offered. The stream is to be closed, which ends a question that is under way. */
    @Override
    public void close() {
        synchronized (this) {
            closing = true;
        }
        mayOffer.release();
    }
}
