package io.praline.deploy.feed;

import io.praline.topics.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Says what a feed waits for that is being opened, where that takes some seconds. A thread of its own, which only looks and says. */
final class Opening implements AutoCloseable {
    /** How long a rank waits for the one that submits their job. */
    private static final Duration SUBMITTED_WITHIN = Duration.ofMinutes(2);

    private static final Duration LOOK = Duration.ofMillis(500);

    private final Consumer<String> said;

    // under this object's lock
    private final Waiting waiting = new Waiting(ZoneId.systemDefault());
    private Optional<String> what = Optional.empty();
    private long sinceNanos;
    private boolean closed;

    Opening(Consumer<String> said) {
        this.said = said;
    }

    /** @param said gets each line, and none once this is closed */
    static Opening begin(Consumer<String> said) {
        Opening opening = new Opening(said);
        Thread thread = new Thread(opening::watch, "opening");
        thread.setDaemon(true);
        thread.start();
        return opening;
    }

    /** Follows jobs. */
    interface Submissions {
        /**
         * Hears of the job as soon as it is submitted, or at once where it was, until what is given back is closed.
         *
         * @param heard told on another thread, perhaps again: empty when the job is there, else what keeps it from being heard of
         */
        Followed follow(String job, Consumer<Optional<RuntimeException>> heard);
    }

    /** A job that is followed. */
    interface Followed {
        void close();
    }

    /**
     * Waits for rank 0, which submits the job that the others share, now or in a while. Whoever joins it then stands in the
     * place of one of its consumers, whom a Python that is gone must not put out of it. The job is followed, and not asked for
     * again and again: hundreds of ranks may wait for minutes.
     *
     * @param there whether Python still is
     * @return whether it is there and wants the feed, of a job that is there or, in the end, is not
     */
    boolean isWanted(FeedSpec feed, Submissions submissions, BooleanSupplier there) throws InterruptedException {
        if (feed.rank() > 0) {
            awaitSubmission(feed.shared(), submissions, there);
        }
        return there.getAsBoolean();
    }

    private void awaitSubmission(String job, Submissions submissions, BooleanSupplier there)
            throws InterruptedException {
        waitsFor("rank 0 to submit job " + job);
        CountDownLatch told = new CountDownLatch(1);
        AtomicReference<Optional<RuntimeException>> failure = new AtomicReference<>(Optional.empty());
        Consumer<Optional<RuntimeException>> heard = failed -> {
            failure.compareAndSet(Optional.empty(), failed);
            told.countDown();
        };
        long deadline = System.nanoTime() + SUBMITTED_WITHIN.toNanos();
        Followed followed = submissions.follow(job, heard);
        try {
            boolean waits = true;
            while (waits && there.getAsBoolean()) {
                waits = !told.await(LOOK.toNanos(), TimeUnit.NANOSECONDS) && System.nanoTime() - deadline < 0;
            }
        } finally {
            followed.close();
        }
        if (failure.get().isPresent()) {
            throw failure.get().get();
        }
    }

    /** From now on it is waited for this. */
    void waitsFor(String now) {
        waitsFor(now, System.nanoTime());
    }

    synchronized void waitsFor(String now, long nowNanos) {
        what = Optional.of(now);
        sinceNanos = nowNanos;
    }

    /** The line to say now. */
    synchronized Optional<String> look(long nowNanos, Instant now) {
        return what.flatMap(known -> waiting.look(known, Duration.ofNanos(nowNanos - sinceNanos), now));
    }

    private synchronized void watch() {
        try {
            while (!closed) {
                look(System.nanoTime(), Instant.now()).ifPresent(said);
                TimeUnit.NANOSECONDS.timedWait(this, LOOK.toNanos());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Nothing is waited for any more. By no interrupt: that would close the pipe that is written to. */
    synchronized void over() {
        closed = true;
        notifyAll();
    }

    @Override
    public void close() {
        over();
    }
}
