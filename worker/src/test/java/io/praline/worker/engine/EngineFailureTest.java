package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EngineFailureTest {
    @Test
    void aMessageIsOneLineWithoutNodes() {
        assertThat(EngineFailure.of(new IllegalStateException("{{node a}} no [[b]]\nhere"))
                        .getMessage())
                .isEqualTo("no");
    }

    // an op may put all of its data into what it says; seconds, where each brace is not held against all behind it
    @Test
    void aMessageThatHoldsAllOfTheDataIsCut() {
        String told = EngineFailure.of(new IllegalStateException("expected a number, got " + "{{".repeat(3 << 20)))
                .getMessage();
        assertThat(told).startsWith("expected a number, got {{").endsWith("...");
        assertThat(told.getBytes(StandardCharsets.UTF_8)).hasSize(4_096);
    }
}
