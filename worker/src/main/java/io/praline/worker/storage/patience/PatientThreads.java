package io.praline.worker.storage.patience;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for work that asks file systems ({@link Asking}), a few at a time. Work that a file system does not answer for 2 s
 * gives its turn to the next, on another thread, up to a bound; where so many are held up, what waits waits for them. Whoever
 * had it done ({@link Patient}) hears of it each second, and may give it up: its thread stays where it is until there is an
 * answer, which nothing can change.
 */
public final class PatientThreads implements Executor, AutoCloseable {
    /** A disk answers in milliseconds, and a network's file system that is busy within a second. */
    static final Duration HELD_UP = Duration.ofSeconds(2);

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration GOODBYE = Duration.ofSeconds(2);
    private static final Logger LOG = LoggerFactory.getLogger(PatientThreads.class);

    private final String name;
    private final int usual;
    private final int most;
    private final LongSupplier nanoTime;
    private final ExecutorService threads;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Deque<Work> waiting = new ArrayDeque<>();
    private final List<Work> running = new ArrayList<>();

    /** Work whose owner wants to know where it is held up. */
    public interface Patient extends Runnable {
        /**
         * There is no answer, which this waits for itself, or behind whom it waits for a thread. On a thread of its own, beside
         * the work.
         *
         * @param file that was asked about
         * @param time since then
         * @return whether it is given up: its owner waits for it no longer, and hears of it no more
         */
        boolean heldUp(String file, Duration time);
    }

    private final class Work {
        private final Runnable what;
        private final Asking asking = new Asking(nanoTime);
        private boolean givenUp;

        Work(Runnable what) {
            this.what = what;
        }

        Optional<Asking.Silence> silence() {
            return asking.silence().filter(silence -> silence.time().compareTo(HELD_UP) >= 0);
        }
    }

    /**
     * Begins.
     *
     * @param name of its threads
     * @param usual how much is done at a time, where nothing is held up
     * @param most threads that there are at a time
     * @param nanoTime the clock, {@code System::nanoTime}
     */
    public PatientThreads(String name, int usual, int most, LongSupplier nanoTime) {
        this.name = name;
        this.usual = usual;
        this.most = most;
        this.nanoTime = nanoTime;
        this.threads = Executors.newCachedThreadPool(work -> daemon(work, name));
        daemon(this::watch, name + " watch").start();
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Does this when it is its turn; not at all where this was closed. */
    @Override
    public synchronized void execute(Runnable what) {
        waiting.add(new Work(what));
        startWhatMay();
    }

    private synchronized void startWhatMay() {
        while (!waiting.isEmpty()
                && !threads.isShutdown()
                && running.size() < most
                && running.stream().filter(work -> work.silence().isEmpty()).count() < usual) {
            Work next = waiting.poll();
            running.add(next);
            threads.execute(() -> take(next));
        }
    }

    private void take(Work work) {
        work.asking.begin();
        try {
            work.what.run();
        } finally {
            Asking.end();
            synchronized (this) {
                running.remove(work);
            }
            startWhatMay();
        }
    }

    private void watch() {
        try {
            while (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    look();
                } catch (RuntimeException e) {
                    LOG.warn("{}: what is held up cannot be told", name, e);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks once who is held up. */
    void look() {
        startWhatMay();
        for (Work work : snapshot(running)) {
            work.silence().ifPresent(silence -> tell(work, silence));
        }
        Optional<Asking.Silence> before = behind();
        if (before.isPresent()) {
            for (Work work : snapshot(waiting)) {
                tell(work, before.get());
            }
        }
    }

    private synchronized List<Work> snapshot(Iterable<Work> some) {
        List<Work> all = new ArrayList<>();
        some.forEach(all::add);
        return all;
    }

    /** Behind whom all that waits waits, who was not answered for the shortest time; empty where somebody gets on. */
    private synchronized Optional<Asking.Silence> behind() {
        return running.size() < most
                ? Optional.empty()
                : running.stream()
                        .map(Work::silence)
                        .reduce((one, other) -> one.isEmpty() || other.isEmpty()
                                ? Optional.empty()
                                : one.get().time().compareTo(other.get().time()) < 0 ? one : other)
                        .orElseThrow();
    }

    private void tell(Work work, Asking.Silence silence) {
        if (!work.givenUp && work.what instanceof Patient patient && patient.heldUp(silence.file(), silence.time())) {
            work.givenUp = true;
            LOG.warn(
                    "{}: {} has not answered for {} s",
                    name,
                    silence.file(),
                    silence.time().toSeconds());
            synchronized (this) {
                waiting.remove(work);
            }
        }
    }

    /** Begins nothing more, interrupts what runs, and waits two seconds for it. */
    @Override
    public void close() {
        closed.countDown();
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{}: something is still done while this worker stops", name);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
