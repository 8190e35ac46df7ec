package io.praline.deploy.feed;

import io.praline.client.stream.Moment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * Tells Python whether it may still take what was offered, where that lay there until the lease was over: once it is known, on a
 * thread of its own, since commands are read meanwhile and the next batch may be long in coming.
 */
final class Renewal implements AutoCloseable {
    private final String job;
    private final Supplier<Moment> lease;
    private final Pipe pipe;

    // under this object's lock
    private boolean waits;
    private boolean closed;

    /**
     * @param lease waits until it is known until when what was offered may be taken; throws {@link NoSuchElementException} where
     *     that is never
     */
    Renewal(String job, Supplier<Moment> lease, Pipe pipe) {
        this.job = job;
        this.lease = lease;
        this.pipe = pipe;
    }

    /** Python asks; twice is once while the answer is waited for. */
    synchronized void asked() {
        if (waits || closed) {
            return;
        }
        waits = true;
        Thread waiting = new Thread(this::answer, "lease of " + job);
        waiting.setDaemon(true);
        waiting.start();
    }

    private void answer() {
        try {
            Moment until = lease.get();
            told();
            pipe.write(Event.LEASE, body(until));
        } catch (NoSuchElementException never) {
            told();
            pipe.write(Event.LEASE);
        } catch (RuntimeException
                | Error failed) { // by which this thread would end without a word, and the loop wait for ever
            if (told()) {
                pipe.write(Event.ERROR, Told.failure(failed, job));
            }
        }
    }

    /** Before the answer is written: who asks behind it is answered by another one. False where the feed is closed. */
    private synchronized boolean told() {
        waits = false;
        return !closed;
    }

    private static ByteBuffer body(Moment until) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(until.nanos())
                .putLong(until.wallMillis())
                .flip();
    }

    /** Nothing is told of what ends by that. The stream is to be closed, which ends the waiting. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
