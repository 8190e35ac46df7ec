package io.praline.client.tasks;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StatusPaceTest {
    private final AtomicLong now = new AtomicLong(-7);
    private final StatusPace lull = new StatusPace(now::get);

    @Test
    void newsIsUrgentBeforeTheFirstBatch() {
        pass(Duration.ofMinutes(1));
        assertThat(lull.isOn()).isFalse();
    }

    @Test
    void newsCanWaitWhileBatchesCome() {
        pass(StatusPace.HURRY);
        lull.batch();
        assertThat(lull.isOn()).isTrue();
        pass(StatusPace.FLOW.minusNanos(1));
        assertThat(lull.isOn()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(lull.isOn()).isFalse();
    }

    @Test
    void newsIsUrgentForASecondAfterSomebodyAsked() {
        pass(StatusPace.HURRY);
        lull.hurry();
        pass(StatusPace.HURRY.minusNanos(1));
        lull.batch();
        assertThat(lull.isOn()).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(lull.isOn()).isTrue();
    }

    @Test
    void nobodyRestsAfterSomebodyAsked() throws Exception {
        pass(StatusPace.HURRY);
        lull.batch();
        CompletableFuture<Void> rested = CompletableFuture.runAsync(() -> {
            try {
                while (lull.isOn()) {
                    lull.rest();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        lull.hurry();
        rested.get(10, SECONDS);
        assertThat(lull.isOn()).isFalse();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
