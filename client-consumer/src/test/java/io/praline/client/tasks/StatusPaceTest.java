package io.praline.client.tasks;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StatusPaceTest {
    private final AtomicLong now = new AtomicLong(-7);
    private final StatusPace pace = new StatusPace(now::get);

    @Test
    void newsIsUrgentBeforeTheFirstBatch() {
        pass(Duration.ofMinutes(1));
        assertThat(pace.newsMayWait()).isFalse();
    }

    @Test
    void newsCanWaitWhileBatchesCome() {
        pass(StatusPace.HURRY);
        pace.batch();
        assertThat(pace.newsMayWait()).isTrue();
        pass(StatusPace.FLOW.minusNanos(1));
        assertThat(pace.newsMayWait()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(pace.newsMayWait()).isFalse();
    }

    @Test
    void newsIsUrgentForASecondAfterSomebodyAsked() {
        pass(StatusPace.HURRY);
        pace.hurry();
        pass(StatusPace.HURRY.minusNanos(1));
        pace.batch();
        assertThat(pace.newsMayWait()).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(pace.newsMayWait()).isTrue();
    }

    @Test
    void nobodyRestsAfterSomebodyAsked() throws Exception {
        pass(StatusPace.HURRY);
        pace.batch();
        CompletableFuture<Void> rested = CompletableFuture.runAsync(() -> {
            try {
                while (pace.newsMayWait()) {
                    pace.rest();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        pace.hurry();
        rested.get(90, SECONDS);
        assertThat(pace.newsMayWait()).isFalse();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
