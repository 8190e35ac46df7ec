package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LagWatchTest {
    private final AtomicInteger asked = new AtomicInteger();
    private LagWatch watch;
    private Thread thread;

    /** Asks who answers its Nth question so. */
    private void ask(IntFunction<SortedMap<String, Long>> answers) {
        watch = new LagWatch(
                () -> new LagWatch.Health() {
                    @Override
                    public SortedMap<String, Long> lag() {
                        return answers.apply(asked.incrementAndGet());
                    }

                    @Override
                    public void close() {}
                },
                Duration.ofMillis(1));
        thread = new Thread(watch);
        thread.start();
    }

    @AfterEach
    void ends() throws InterruptedException {
        thread.interrupt();
        thread.join();
    }

    private static SortedMap<String, Long> records(long records) {
        SortedMap<String, Long> lag = new TreeMap<>();
        lag.put("jobs", records);
        return lag;
    }

    @Test
    void asksAgainWhateverKeptItFromKnowing() {
        ask(times -> {
            if (times == 1) {
                throw new IllegalStateException("the client was closed");
            }
            if (times == 2) {
                throw new StackOverflowError();
            }
            return records(times);
        });
        await().atMost(Duration.ofSeconds(90)).until(() -> asked.get() > 3);
        assertThat(watch.lags().unknown()).isEmpty();
    }

    @Test
    void saysWhyNothingIsKnownInPlaceOfWhatWasKnown() {
        ask(times -> {
            if (times > 3) {
                throw new IllegalStateException("the client was closed");
            }
            return records(times);
        });
        await().atMost(Duration.ofSeconds(90)).until(() -> asked.get() > 5);
        assertThat(watch.lags()).isEqualTo(new Picture.Lags(new TreeMap<>(), Optional.of("the client was closed")));
    }
}
