package io.praline.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.topics.ServiceUnreachable;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void asksAServiceThatIsSlowAgain() throws InterruptedException {
        Patience patience = new Patience(Duration.ofHours(1), Duration.ZERO);
        assertThat(patience.<String>with(() -> {
                    if (asked.incrementAndGet() < 3) {
                        throw unreachable();
                    }
                    return "here";
                }))
                .isEqualTo("here");
        assertThat(asked).hasValue(3);
    }

    @Test
    void givesUpAtItsEnd() {
        Patience patience = new Patience(Duration.ZERO, Duration.ZERO);
        assertThatThrownBy(() -> patience.with(() -> {
                    asked.incrementAndGet();
                    throw unreachable();
                }))
                .isInstanceOf(ServiceUnreachable.class);
        assertThat(asked).hasValue(1);
    }

    @Test
    void doesNotTryAgainWhatIsWrong() {
        assertThatThrownBy(() -> Patience.USUAL.with(() -> {
                    asked.incrementAndGet();
                    throw new IllegalStateException("topics differ");
                }))
                .hasMessage("topics differ");
        assertThat(asked).hasValue(1);
    }

    private static ServiceUnreachable unreachable() {
        return new ServiceUnreachable("Kafka does not answer", new TimeoutException());
    }
}
