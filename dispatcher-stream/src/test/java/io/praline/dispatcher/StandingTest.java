package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a status says of where a job stands, as its workers tell. */
class StandingTest {
    private static final String WHY = "the store at http://store:9000 asks to be asked less (503) for s3://b/a";

    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    private List<String> standing() {
        return List.of(
                rig.status("job").getState().name(),
                rig.status("job").getWaitingFor(),
                rig.status("job").getReason());
    }

    // the one task has 10,000 of its splits and is fenced: another begins when it is known what its consumer has of it
    @Test
    void aSingleTaskThatWaitsForAnAnswerSaysSoThoughSplitsAreLeft() {
        int files = 10_050;
        PretendWorker one = new PretendWorker(rig, "w1", 1, files);
        one.plans(Guarantee.EXACTLY_ONCE, true);
        one.beat();
        rig.submit("job", Rig.submit().build());
        PretendClient client = new PretendClient(rig, "job", 0, Map.of("w1", one));
        rig.seconds(6, List.of(one), client);
        client.hold(one);
        one.kill();
        PretendWorker other = new PretendWorker(rig, "w2", 1, files);
        rig.seconds(12, List.of(other));

        assertThat(standing())
                .containsExactly(
                        "WAITING", "consumers", "its consumers must tell what they took from a worker that was lost");
    }

    @Test
    void aJobWhoseStoreGivesNothingToAnyWorkerWaitsForItAndGoesOnWhenItDoes() {
        PretendWorker one = new PretendWorker(rig, "w1", 1, 50);
        PretendWorker other = new PretendWorker(rig, "w2", 1, 50);
        one.beat();
        other.beat();
        rig.submit("job", Rig.submit().setPolicy("every-worker").build());
        PretendClient client = new PretendClient(rig, "job", 0, Map.of("w1", one, "w2", other));
        rig.seconds(4, List.of(one, other), client);
        assertThat(one.started()).isNotEmpty();
        assertThat(other.started()).isNotEmpty();
        assertThat(standing()).containsExactly("RUNNING", "", "");

        one.waitsFor(WHY);
        rig.seconds(1, List.of(one, other));
        assertThat(standing()).containsExactly("RUNNING", "", WHY);
        other.waitsFor(WHY);
        rig.seconds(1, List.of(one, other));
        assertThat(standing()).containsExactly("WAITING", "storage", WHY);
        one.waitsFor("");
        other.waitsFor("");
        rig.seconds(1, List.of(one, other));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status("job").getReason()).isEmpty();
    }
}
