package io.praline.worker.storage.patience;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a thread asks of a file system just now. Nothing ends a thread that waits for one which does not answer, and nothing but
 * what it said before tells where it is. Said by the thread itself, which need not know whether anybody looks; looked at by any.
 */
public final class Asking {
    private static final ThreadLocal<Asking> HERE = new ThreadLocal<>();

    private final LongSupplier nanoTime;
    private volatile Optional<Question> question = Optional.empty();

    private record Question(String file, long sinceNanos) {}

    Asking(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** What is said on this thread from now on is about this. */
    void begin() {
        HERE.set(this);
    }

    static void end() {
        HERE.remove();
    }

    /** Something is asked from now on, about this file, folder or pattern. */
    public static void about(String file) {
        Asking here = HERE.get();
        if (here != null) {
            here.question = Optional.of(new Question(file, here.nanoTime.getAsLong()));
        }
    }

    /** There was an answer, and the next one is asked for. */
    public static void goesOn() {
        Asking here = HERE.get();
        if (here != null) {
            here.question.ifPresent(before -> about(before.file()));
        }
    }

    /** Nothing is asked any more. */
    public static void nothing() {
        Asking here = HERE.get();
        if (here != null) {
            here.question = Optional.empty();
        }
    }

    /** About what there has been no answer, and for how long; empty where nothing is asked. */
    Optional<Silence> silence() {
        return question.map(
                asked -> new Silence(asked.file(), Duration.ofNanos(nanoTime.getAsLong() - asked.sinceNanos())));
    }

    /** @param file that was asked about */
    record Silence(String file, Duration time) {}
}
