package io.praline.topics;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a program waits, before it can begin, for a cluster that does not answer: it asks again, says so after five
 * seconds, and gives up in the end. What the cluster answers, also that it lets nobody in, is no reason to wait.
 *
 * @param most after this time the next failure is the last; empty: it never is
 * @param pause between two attempts
 */
public record Patience(Optional<Duration> most, Duration pause) {
    /** Of programs and commands that cannot do without a cluster: whoever restarts it may take some minutes. */
    public static final Patience USUAL = of(Optional.of(Duration.ofMinutes(10)));

    /** With a cluster of one's own, which is slow at most, as on a machine that is busy with other things. */
    public static final Patience OWN_CLUSTER =
            new Patience(Optional.of(Duration.ofSeconds(60)), Duration.ofMillis(200));

    /** The first failure is the last. */
    public static final Patience NONE = of(Optional.of(Duration.ZERO));

    private static final String CLUSTER = "the cluster";
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

    /** For so long, or for ever. */
    public static Patience of(Optional<Duration> most) {
        return new Patience(most, Duration.ofSeconds(1));
    }

    /** Time, which a test moves. */
    interface Times {
        Times OF_THE_SYSTEM = new Times() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public Instant now() {
                return Instant.now();
            }

            @Override
            public void sleep(Duration time) throws InterruptedException {
                Thread.sleep(time.toMillis());
            }
        };

        long nanoTime();

        Instant now();

        void sleep(Duration time) throws InterruptedException;
    }

    /**
     * What the attempt gives, once it does. That it is waited for is logged.
     *
     * @throws ServiceUnreachable the last one, when patience is at its end, or the first that is an answer
     */
    public <T> T with(Supplier<T> attempt) throws InterruptedException {
        return with(attempt, LOG::warn);
    }

    /**
     * The same for who has another way to say that it is waited for.
     *
     * @param said gets each line
     */
    public <T> T with(Supplier<T> attempt, Consumer<String> said) throws InterruptedException {
        return with(attempt, said, new Waiting(ZoneId.systemDefault()), Times.OF_THE_SYSTEM);
    }

    <T> T with(Supplier<T> attempt, Consumer<String> said, Waiting waiting, Times times) throws InterruptedException {
        long from = times.nanoTime();
        while (true) {
            try {
                T given = attempt.get();
                waiting.look(CLUSTER, Duration.ZERO, times.now()).ifPresent(said);
                return given;
            } catch (ServiceUnreachable away) {
                Duration waited = Duration.ofNanos(times.nanoTime() - from);
                if (away.isAnswer() || isOver(waited)) {
                    throw away;
                }
                waiting.look(CLUSTER, waited, times.now())
                        .ifPresent(line -> said.accept(line + ": " + away.getMessage()));
                times.sleep(pause);
            }
        }
    }

    private boolean isOver(Duration waited) {
        return most.filter(longest -> waited.compareTo(longest) >= 0).isPresent();
    }
}
