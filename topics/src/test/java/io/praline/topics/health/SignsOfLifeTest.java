package io.praline.topics.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.JobState;
import io.praline.topics.health.SignsOfLife.Heard;
import io.praline.topics.health.SignsOfLife.Open;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SignsOfLifeTest {
    private static final long TOLD = 1_000_000;
    private static final SortedMap<String, Open> OPEN =
            new TreeMap<>(Map.of("job", new Open(JobState.RUNNING, 2, TOLD)));

    @Test
    void aJobOfWhichItsDispatcherTellsIsFine() {
        assertThat(SignsOfLife.lostJobs(OPEN, new Heard(Set.of(2), Map.of(2, TOLD + 59_999))))
                .isEmpty();
    }

    @Test
    void aJobOfWhichADispatcherThatGoesOnSaysNothingIsLost() {
        assertThat(SignsOfLife.lostJobs(OPEN, new Heard(Set.of(2), Map.of(2, TOLD + 60_000))))
                .containsExactly(Finding.of(
                        "state",
                        "job job is told as RUNNING, and the dispatcher of its pool, which goes on, knows nothing of it:"
                                + " its state is lost",
                        "submit it again, under another id"));
    }

    // a dispatcher that knows of nobody writes no clock
    @Test
    void aJobOfWhosePoolNobodyIsHeardIsNamed() {
        assertThat(SignsOfLife.lostJobs(OPEN, new Heard(Set.of(), Map.of(1, TOLD + 60_000))))
                .containsExactly(
                        Finding.of(
                                "state",
                                "job job is told as RUNNING, and no clock came for 10 s in partition 2 of worker-heartbeats,"
                                        + " where a dispatcher writes one that knows of a job: it is starting, stands still, or"
                                        + " its state is lost",
                                "its log says what it waits for; where that is nothing, submit the job again, under another id"));
    }

    @Test
    void whereSomebodyBeatsThatNobodyServesHimIsSaidInstead() {
        assertThat(SignsOfLife.lostJobs(OPEN, new Heard(Set.of(2), Map.of()))).isEmpty();
    }
}
