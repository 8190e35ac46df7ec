package io.praline.worker.metrics;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptProgress;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the heartbeat: once a second, and at once when an attempt becomes ready, ends, fails, runs short of splits, begins
 * one whose elements it numbers as they come out or takes which consumers it serves, when there is more to tell than a beat
 * holds, and when the worker begins or drains. One beat is on its way at a time, so that what they tell arrives in order;
 * what a failed one told is told again, in smaller beats and without what is only for people where Kafka found it too large: a
 * worker that is not heard is lost. An attempt is listed from its start until it is fenced: the dispatcher compares. Its own
 * thread sends.
 */
public final class WorkerReporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerReporter.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** How often splits that run short are looked for: a split is seconds of work. */
    private static final Duration LOOK = Duration.ofMillis(50);

    /** Kafka's default limit for a record is 1 MiB; an exclusion beyond this goes into the next beat. */
    private static final int TICKET_BYTES_PER_BEAT = 384 * 1024;

    private final String pool;
    private final Supplier<WorkerHeartbeat.Builder> self;
    private final Sender sender;
    private final LongSupplier nanoTime;
    private final Map<AttemptKey, AttemptReport> reports = new TreeMap<>();
    private final TreeSet<String> planning = new TreeSet<>();
    private final Thread thread;
    private boolean urgent;
    private boolean draining;
    private boolean closing;
    private boolean failing;
    private BeatSize size = BeatSize.WHOLE;

    /** Where beats go. */
    @FunctionalInterface
    public interface Sender {
        /** Sends, and returns once it is in the log. */
        void send(WorkerEvent beat) throws Exception;
    }

    /** @param self what the worker says of itself, without draining, leaving, planning and attempts */
    public WorkerReporter(String pool, Supplier<WorkerHeartbeat.Builder> self, Sender sender) {
        this(pool, self, sender, System::nanoTime);
    }

    /** By another clock: whoever moves it looks with {@link #due} whether to {@link #send}, in place of {@link #start}. */
    public WorkerReporter(String pool, Supplier<WorkerHeartbeat.Builder> self, Sender sender, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.pool = pool;
        this.self = self;
        this.sender = sender;
        this.thread = new Thread(this::beat, "heartbeat");
    }

    /** Sends the first beat and goes on. */
    public void start() {
        urgent();
        thread.start();
    }

    public synchronized void add(AttemptReport report) {
        reports.put(report.key(), report);
    }

    /** The attempt was fenced: nothing more is told of it. */
    public synchronized void remove(AttemptKey key) {
        reports.remove(key);
    }

    /** A plan is being made, and must be made anew elsewhere if this worker is lost. */
    public synchronized void planning(String job) {
        planning.add(job);
    }

    public synchronized void planned(String job) {
        planning.remove(job);
    }

    /** Tells that this worker is about to leave. */
    public synchronized void drain() {
        draining = true;
        urgent();
    }

    /** Asks for a beat at once. Any thread; does not block. */
    public synchronized void urgent() {
        urgent = true;
        notifyAll();
    }

    /** Whether each attempt is over, and all of it was told once at least. */
    public synchronized boolean allTold() {
        return reports.values().stream().allMatch(AttemptReport::told);
    }

    private void beat() {
        try {
            while (awaitTurn()) {
                if (!send(false)) {
                    Thread.sleep(LOOK.toMillis());
                }
            }
            send(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean awaitTurn() throws InterruptedException {
        long since = nanoTime.getAsLong();
        while (!closing && !urgent && nanoTime.getAsLong() - since < PERIOD.toNanos()) {
            wait(LOOK.toMillis());
            urgent |= runsShort();
        }
        return !closing;
    }

    private boolean runsShort() {
        return reports.values().stream().anyMatch(report -> report.runsShort() || report.hurries());
    }

    /** Whether a beat is to be sent, so long after the one before. */
    public synchronized boolean due(Duration since) {
        return urgent || since.compareTo(PERIOD) >= 0 || runsShort();
    }

    /**
     * Sends a beat, and returns once it is in the log. False where that failed and is to be tried again in a moment.
     *
     * @param leaving whether it is the last
     */
    public boolean send(boolean leaving) throws InterruptedException {
        List<AttemptReport> told;
        WorkerHeartbeat.Builder beat = self.get();
        synchronized (this) {
            urgent = false;
            told = new ArrayList<>(reports.values());
            beat.setDraining(draining || leaving).setLeaving(leaving).setPlanning(new ArrayList<>(planning));
        }
        List<AttemptProgress> progress = new ArrayList<>();
        for (AttemptReport report : told) {
            AttemptProgress each = report.take(TICKET_BYTES_PER_BEAT / told.size(), nanoTime.getAsLong());
            progress.add(each);
        }
        List<AttemptProgress> fitted = size.fitted(progress);
        beat.setAttempts(fitted);
        try {
            sender.send(new WorkerEvent(pool, beat.build()));
            if (failing) {
                failing = false;
                LOG.info("heartbeats arrive again");
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            for (int i = 0; i < told.size(); i++) {
                told.get(i).putBack(progress.get(i));
            }
            if (!failing) {
                failing = true;
                LOG.warn("heartbeats do not arrive: {}", e.getMessage());
            }
            if (tooLarge(e) && size != BeatSize.smallest()) {
                size = size.smaller();
                urgent(); // a second for each would be as long as it takes to be lost
                return true;
            }
            return false;
        }
        for (int i = 0; i < told.size(); i++) {
            if (fitted.get(i).getFacts() != progress.get(i).getFacts()) {
                told.get(i).putBack(progress.get(i));
            }
        }
        synchronized (this) {
            if (told.stream().anyMatch(AttemptReport::more)) {
                urgent = true;
            } else {
                size = BeatSize.WHOLE;
            }
        }
        return true;
    }

    private static boolean tooLarge(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof RecordTooLargeException) {
                return true;
            }
        }
        return false;
    }

    /** Sends the last beat, which says that the worker leaves. */
    @Override
    public void close() {
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        try {
            thread.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
