package io.praline.deploy.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.page.Statuses;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WaitsTest {
    private final List<String> said = new ArrayList<>();
    private final Waits waits = new Waits(said::add);

    private void told(long second, long elements, JobState state, String reason) {
        JobStatus status = Statuses.of("j", state, "", reason);
        waits.told(new Trainer.Moment(Optional.of(status), elements), TimeUnit.SECONDS.toNanos(second));
    }

    // ten seconds from the last element on
    @Test
    void eachReasonIsSaidOnceWhenNothingCameForTenSeconds() {
        told(0, 0, JobState.WAITING, "no worker in pool x");
        told(9, 0, JobState.WAITING, "no worker in pool x");
        assertThat(said).isEmpty();
        told(10, 0, JobState.WAITING, "no worker in pool x");
        told(11, 0, JobState.WAITING, "no worker in pool x");
        assertThat(said).containsExactly("job j is waiting: no worker in pool x");
        told(12, 8, JobState.RUNNING, "");
        told(21, 8, JobState.WAITING, "it is paused");
        assertThat(said).hasSize(1);
        told(22, 8, JobState.WAITING, "it is paused");
        assertThat(said).containsExactly("job j is waiting: no worker in pool x", "job j is waiting: it is paused");
    }

    @Test
    void nothingIsSaidOfAJobThatHasEnded() {
        told(0, 0, JobState.CANCELLED, "cancelled from the command line");
        told(20, 0, JobState.CANCELLED, "cancelled from the command line");
        waits.told(new Trainer.Moment(Optional.empty(), 0), TimeUnit.SECONDS.toNanos(40));
        assertThat(said).isEmpty();
    }
}
