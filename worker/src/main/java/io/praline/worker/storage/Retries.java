package io.praline.worker.storage;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Asks a store again where it may answer the next time, after pauses that double and are drawn anew each time, so that many who
 * were refused together do not come back together.
 *
 * @param busy for how long without anything gained, where a store answers and gives nothing
 * @param unreachable the same where nobody answers
 * @param times how time passes
 * @param retried counts
 * @param told of each time that it is asked again
 */
public record Retries(
        Duration busy, Duration unreachable, Times times, AtomicLong retried, Consumer<StoreFailed> told) {
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 5_000;

    /** For questions that somebody waits for: a plan. */
    private static final Duration PLANNING = Duration.ofSeconds(30);

    /** For bytes: a throttled store is waited for, while another worker would not fare better. */
    private static final Duration READING = Duration.ofMinutes(3);

    private static final Duration NOBODY_THERE = Duration.ofSeconds(5);

    /** The clock, the dice, and sleep. */
    public interface Times {
        Times SYSTEM = new Times() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public void pause(long mostMillis) throws InterruptedException {
                TimeUnit.MILLISECONDS.sleep(1 + RandomGenerator.getDefault().nextLong(mostMillis));
            }
        };

        long nanoTime();

        /** Waits for some part of so long. */
        void pause(long mostMillis) throws InterruptedException;
    }

    static Retries planning() {
        return new Retries(PLANNING, NOBODY_THERE, Times.SYSTEM, new AtomicLong(), again -> {});
    }

    public static Retries reading(Times times, Consumer<StoreFailed> told) {
        return new Retries(READING, READING, times, new AtomicLong(), told);
    }

    /** The same, of which somebody else is told too. */
    public Retries telling(Consumer<StoreFailed> too) {
        return new Retries(busy, unreachable, times, retried, told.andThen(too));
    }

    /** Something that a store may fail at for now. */
    public interface Question<T> {
        T ask() throws IOException, InterruptedException;
    }

    /** What came of asking so far: a number that grows as something is gained. */
    public interface Gained {
        long bytes();
    }

    public <T> T answer(String name, Question<T> question) {
        try {
            return answer(name, () -> 0, question);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreFailed(StoreFailed.Kind.BUSY, name + " is no longer waited for", e);
        }
    }

    public <T> T answer(String name, Gained gained, Question<T> question) throws InterruptedException {
        long since = times.nanoTime();
        long had = gained.bytes();
        long pause = FIRST_PAUSE_MS;
        while (true) {
            StoreFailed failed;
            try {
                return question.ask();
            } catch (IOException broken) {
                failed = new StoreFailed(
                        StoreFailed.Kind.BUSY, name + " cannot be read for now: " + broken.getMessage(), broken);
            } catch (StoreFailed told) {
                failed = told;
            }
            if (gained.bytes() > had) {
                had = gained.bytes();
                since = times.nanoTime();
                pause = FIRST_PAUSE_MS;
            }
            Duration patience = failed.kind() == StoreFailed.Kind.UNREACHABLE ? unreachable : busy;
            if (!failed.kind().passing() || times.nanoTime() - since >= patience.toNanos()) {
                throw failed;
            }
            retried.incrementAndGet();
            told.accept(failed);
            times.pause(pause);
            pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
        }
    }
}
