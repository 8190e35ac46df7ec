package io.praline.deploy.page;

import io.praline.topics.ServiceUnreachable;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Asks from time to time how far the dispatchers are behind. What keeps it from knowing is told in place of that, whatever it
 * is: an old number would pass for a new one. Any thread asks for {@link #lags}; the one that runs it ends when interrupted.
 */
final class LagWatch implements Runnable {
    private final Supplier<Health> connecting;
    private final Duration pause;
    private volatile Picture.Lags lags = Picture.Lags.UNKNOWN;

    /** Who knows how far they are behind. */
    interface Health extends AutoCloseable {
        /** Records, by topic. */
        SortedMap<String, Long> lag();

        @Override
        void close();
    }

    LagWatch(Supplier<Health> connecting, Duration pause) {
        this.connecting = connecting;
        this.pause = pause;
    }

    /** As it was told last. */
    Picture.Lags lags() {
        return lags;
    }

    @Override
    public void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try (Health health = connecting.get()) {
                    while (!Thread.currentThread().isInterrupted()) {
                        lags = new Picture.Lags(health.lag(), Optional.empty());
                        Thread.sleep(pause.toMillis());
                    }
                } catch (RuntimeException | Error unknown) {
                    lags = new Picture.Lags(new TreeMap<>(), Optional.of(ServiceUnreachable.oneLine(unknown)));
                    Thread.sleep(pause.toMillis());
                }
            }
        } catch (InterruptedException closing) {
            // whoever interrupts it wants it closed
        }
    }
}
