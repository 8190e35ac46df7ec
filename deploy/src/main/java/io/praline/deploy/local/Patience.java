package io.praline.deploy.local;

import io.praline.topics.ServiceUnreachable;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * For services that are known to be there, since this process runs them: one that does not answer in time is slow, as on
 * a machine that is busy with other things, and is asked again.
 *
 * @param most after this time the next failure is the last
 * @param pause between two attempts
 */
public record Patience(Duration most, Duration pause) {

    /** With a cluster of one's own. */
    public static final Patience USUAL = new Patience(Duration.ofSeconds(60), Duration.ofMillis(200));

    /**
     * What the attempt gives, once it does.
     *
     * @throws ServiceUnreachable the last one, when patience is at its end
     */
    public <T> T with(Supplier<T> attempt) throws InterruptedException {
        long deadline = System.nanoTime() + most.toNanos();
        while (true) {
            try {
                return attempt.get();
            } catch (ServiceUnreachable slow) {
                if (System.nanoTime() - deadline >= 0) {
                    throw slow;
                }
                Thread.sleep(pause.toMillis());
            }
        }
    }
}
