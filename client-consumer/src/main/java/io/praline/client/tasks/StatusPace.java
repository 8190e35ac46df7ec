package io.praline.client.tasks;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Tells when news of a job can wait: while batches keep coming, and nobody waits for what the ledger says of them. Each
 * look for news is a request to the broker, which takes its time from the cores that make batches. Any thread.
 */
public final class StatusPace {
    /** How long news waits where it may: with the look that follows, four looks a second. */
    static final Duration REST = Duration.ofMillis(200);

    /** A batch has come within this time: batches keep coming. */
    static final Duration FLOW = Duration.ofMillis(250);

    /** Somebody asked for news within this time: they wait for them. */
    static final Duration HURRY = Duration.ofSeconds(1);

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hurried = lock.newCondition();
    private volatile long lastBatchNanos;
    private volatile long lastHurryNanos;

    /** @param nanoTime the clock, {@code System::nanoTime} */
    public StatusPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        long now = nanoTime.getAsLong();
        this.lastBatchNanos = now - FLOW.toNanos();
        this.lastHurryNanos = now;
    }

    /** A batch came. */
    public void batch() {
        lastBatchNanos = nanoTime.getAsLong();
    }

    /** News is waited for, from now on for a second. */
    public void hurry() {
        lock.lock();
        try {
            lastHurryNanos = nanoTime.getAsLong();
            hurried.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits while news may wait, at most a fifth of a second. */
    public void rest() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = newsMayWait() ? REST.toNanos() : 0;
            while (left > 0 && newsMayWait()) {
                left = hurried.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether news may wait. */
    boolean newsMayWait() {
        long now = nanoTime.getAsLong();
        return now - lastBatchNanos < FLOW.toNanos() && now - lastHurryNanos >= HURRY.toNanos();
    }
}
