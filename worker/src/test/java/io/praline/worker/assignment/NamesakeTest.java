package io.praline.worker.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.FenceAttempt;
import io.praline.schema.WorkerCommand;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NamesakeTest {
    private final Namesake namesake = new Namesake("w1", "i1");

    private Optional<String> second(long second, String worker, String incarnation) {
        return namesake.look(
                new WorkerCommand(worker, incarnation, new FenceAttempt("j", 0, 0, "", false)),
                Instant.ofEpochSecond(1_700_000_000L + second));
    }

    @Test
    void aProcessOfTheSameIdThatIsHeardInItsPlaceIsSaidOnceAMinute() {
        assertThat(second(0, "w1", "i1")).isEmpty();
        assertThat(second(10, "w1", "i2")).isEmpty();
        assertThat(second(39, "w1", "i2")).isEmpty();
        assertThat(second(40, "w1", "i2"))
                .contains("what is wanted of worker w1 has gone to another process for 30 s, and nothing to this one:"
                        + " of several that are started by one id the last one is heard, and the others do nothing;"
                        + " end one of them, or give it an id of its own");
        assertThat(second(99, "w1", "i2")).isEmpty();
        assertThat(second(100, "w1", "i2")).isPresent();
    }

    @Test
    void whatIsStillWantedOfTheOneBeforeAndWhatOthersAreToDoSayNothing() {
        assertThat(second(0, "w1", "i0")).isEmpty();
        assertThat(second(20, "w1", "i1")).isEmpty();
        assertThat(second(40, "w1", "i0")).isEmpty();
        assertThat(second(60, "w2", "i2")).isEmpty();
        assertThat(second(100, "w2", "i2")).isEmpty();
    }
}
