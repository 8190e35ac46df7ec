package io.praline.deploy.feed;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Asks for a feed's batches, one ahead of its loop, shows each to Python, and remembers which are not acknowledged. Its own
 * thread asks; the feed's says what the loop does.
 */
final class Offers implements Runnable, AutoCloseable {
    private final BatchStream stream;
    private final Shown shown;
    private final Pipe pipe;
    private final Renewal renewal;

    // under this object's lock
    private final Deque<Unacknowledged> unacknowledged = new ArrayDeque<>();
    private long offered;
    private long taken;
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
        this.renewal = new Renewal(stream.job(), stream::awaitHandsOn, pipe);
        stream.waitingIs(this::waitedNanos);
    }

    /** Until the stream ends, fails or is closed. Closed is not its end: a loop that is told of one takes the job for complete. */
    @Override
    public void run() {
        try {
            while (awaitTurn() && stream.hasNext()) {
                offer(stream.next());
            }
            if (!isClosing()) {
                pipe.write(Event.END);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException
                | Error failed) { // by which this thread would end without a word, and the loop wait for ever
            if (!isClosing()) {
                pipe.write(Event.ERROR, Told.failure(failed, stream.job()));
            }
        }
    }

    /** Until no more than one batch lies ahead of the loop with the next one; false where the feed is closed. */
    private synchronized boolean awaitTurn() throws InterruptedException {
        while (!closing && offered > taken) {
            wait();
        }
        return !closing;
    }

    private void offer(Batch batch) {
        if (!batch.names().equals(names)) {
            names = batch.names();
            pipe.write(Event.COMPONENTS, Told.of(Map.of("names", names)));
        }
        long number;
        synchronized (this) {
            number = offered++;
            unacknowledged.add(new Unacknowledged(number, batch));
            waiting = false;
        }
        shown.show(Offer.of(number, batch, stream.handsOnUntil()));
    }

    private synchronized long waitedNanos() {
        return waiting ? System.nanoTime() - waitingSince : 0;
    }

    private synchronized boolean isClosing() {
        return closing;
    }

    /** The loop waits for the next batch from now on, and takes it or does not. */
    synchronized void loopWaits() {
        waitsFor(taken);
    }

    /** The loop has the batch, or waits for it and has it once it is offered: the next one is asked for. */
    synchronized void taken(long number) {
        taken = Math.max(taken, number + 1);
        waitsFor(number);
        notifyAll();
    }

    /** The loop takes nothing of what is offered before it hears that it may: its last word on that is over. */
    void renew() {
        renewal.asked();
    }

    private void waitsFor(long number) {
        waiting = number >= offered; // else it is under way
        waitingSince = System.nanoTime();
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
    public synchronized void close() {
        closing = true;
        renewal.close();
        notifyAll();
    }
}
