package io.praline.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Attach;
import io.praline.schema.GiveUp;
import io.praline.schema.JobRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a stream asks again for its job and its place. */
class AskedTest {
    // any body stands for a submission here
    private static final JobRequest JOB = new JobRequest("main", "j", "me", new GiveUp(0));
    private static final JobRequest PLACE =
            new JobRequest("main", "j", "me", new Attach(0, "me", "host", false, "", ""));

    @Test
    void asksForBothWhileNothingIsToldOfTheJobLessAndLessOften() {
        Asked asked = new Asked(List.of(JOB, PLACE), at(0));
        List<Long> seconds = new ArrayList<>();
        for (long second = 1; second <= 200; second++) {
            List<JobRequest> due = asked.due(() -> true, () -> false, at(second));
            if (!due.isEmpty()) {
                assertThat(due).containsExactly(JOB, PLACE);
                seconds.add(second);
            }
        }
        assertThat(seconds).containsExactly(5L, 15L, 35L, 75L, 135L, 195L);
    }

    @Test
    void asksForItsPlaceAloneWhileTheJobKnowsNothingOfIt() {
        Asked asked = new Asked(List.of(JOB, PLACE), at(0));
        assertThat(asked.due(() -> false, () -> true, at(4))).isEmpty();
        assertThat(asked.due(() -> false, () -> true, at(5))).containsExactly(PLACE);
        assertThat(asked.due(() -> false, () -> true, at(9))).isEmpty();
        assertThat(asked.due(() -> false, () -> true, at(10))).containsExactly(PLACE);
    }

    @Test
    void asksNothingMoreOnceItIsKnown() {
        assertThat(new Asked(List.of(JOB, PLACE), at(0)).due(() -> false, () -> false, at(100)))
                .isEmpty();
    }

    // whoever submits the job may come later, or never
    @Test
    void doesNotAskForAPlaceInAJobOfWhichNothingIsTold() {
        assertThat(new Asked(List.of(PLACE), at(0)).due(() -> true, () -> false, at(100)))
                .isEmpty();
    }

    private static long at(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
