package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

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
