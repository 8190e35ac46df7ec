package io.praline.deploy.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UndisturbedTest {

    @Test
    void whoIsInterruptedWaitsForTheEndAndIsInterruptedThen() {
        Thread caller = Thread.currentThread();
        String made = Undisturbed.make("work", () -> {
            caller.interrupt();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return "made";
        });
        assertThat(made).isEqualTo("made");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatTheWorkThrowsIsThrown() {
        assertThatThrownBy(() -> Undisturbed.run("work", () -> {
                    throw new ClusterRefused("no room");
                }))
                .isInstanceOf(ClusterRefused.class)
                .hasMessage("no room");
    }
}
