package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.Pause;
import io.praline.schema.Submit;
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

    private PretendWorker worker(String id) {
        PretendWorker worker = new PretendWorker(rig, id, 1, 400);
        worker.beat();
        return worker;
    }

    private static Submit.Builder fixed(int remote, int local) {
        return Rig.submit()
                .setPolicy("fixed")
                .setPolicySettings(Map.of("remote", Integer.toString(remote), "local", Integer.toString(local)))
                .setMaxLocal(4);
    }

    private List<String> standing(String job) {
        return List.of(
                rig.status(job).getState().name(),
                rig.status(job).getWaitingFor(),
                rig.status(job).getReason());
    }

    @Test
    void aPoolWhoseWorkersAllLeaveIsNotSaidToHaveNone() {
        PretendWorker one = worker("w1");
        one.drain();
        one.beat();
        rig.submit("job", Rig.submit().build());
        rig.seconds(2, List.of(one));

        assertThat(standing()).containsExactly("WAITING", "workers", "every worker of pool default is about to leave");
    }

    // one slot for two jobs, and whoever starts workers would start a second one
    @Test
    void whereSlotsAreFewAndNoMoreWorkersCanBeStartedBothAreSaid() {
        PretendWorker one = worker("w1");
        rig.submit("a", fixed(1, 0).build());
        rig.submit("b", fixed(1, 0).build());
        PretendClient a = new PretendClient(rig, "a", 0, Map.of("w1", one));
        PretendClient b = new PretendClient(rig, "b", 0, Map.of("w1", one));
        rig.seconds(3, List.of(one), a, b);
        assertThat(standing("b"))
                .containsExactly("WAITING", "slots", "the only slot of pool default serves another job");

        rig.actuator(Rig.POOL, 2, 1, "the quota is one pod");
        rig.seconds(1, List.of(one), a, b);
        assertThat(standing("b"))
                .containsExactly(
                        "WAITING",
                        "capacity",
                        "the only slot of pool default serves another job, and no more can be started: the quota is one pod");
        rig.actuator(Rig.POOL, 2, 2, "the quota is one pod");
        rig.seconds(1, List.of(one), a, b);
        assertThat(standing("b"))
                .containsExactly("WAITING", "slots", "the only slot of pool default serves another job");
    }

    @Test
    void aJobThatWantsWorkersOnItsTrainersHostAloneSaysWhichHostHasNone() {
        PretendWorker one = worker("w1");
        rig.submit("job", fixed(0, 2).build());
        PretendClient client = new PretendClient(rig, "job", 0, Map.of("w1", one));
        rig.seconds(3, List.of(one), client);

        assertThat(standing()).containsExactly("WAITING", "workers", "no worker on its trainer's host trainer");
    }

    @Test
    void aPausedJobSaysSoWhateverElseItLacks() {
        PretendWorker one = worker("w1");
        rig.submit("job", Rig.submit().build());
        PretendClient client = new PretendClient(rig, "job", 0, Map.of("w1", one));
        rig.seconds(3, List.of(one), client);
        rig.request("job", "client", Pause.newBuilder().setPaused(true).build());
        rig.seconds(20, List.of(one), client);
        assertThat(standing()).containsExactly("WAITING", "paused", "it is paused");
        one.kill();
        rig.seconds(20, List.of(), client);
        assertThat(standing()).containsExactly("WAITING", "paused", "it is paused");
    }

    // two slots for three jobs of one task each
    @Test
    void whereSeveralSlotsServeOtherJobsAllAreSaid() {
        PretendWorker one = new PretendWorker(rig, "w1", 2, 400);
        one.beat();
        PretendClient[] clients = List.of("a", "b", "c").stream()
                .map(job -> {
                    rig.submit(job, fixed(1, 0).build());
                    return new PretendClient(rig, job, 0, Map.of("w1", one));
                })
                .toArray(PretendClient[]::new);
        rig.seconds(3, List.of(one), clients);

        assertThat(standing("a")).containsExactly("RUNNING", "", "");
        assertThat(standing("b")).containsExactly("RUNNING", "", "");
        assertThat(standing("c")).containsExactly("WAITING", "slots", "all 2 slots of pool default serve other jobs");
    }

    // the 7 records of two files are one batch, which the loop has in its hands when its worker is gone
    @Test
    void whereNothingIsLeftToReadItsConsumersMustAcknowledge() {
        PretendWorker one = new PretendWorker(rig, "w1", 1, 2);
        one.beat();
        rig.submit("job", Rig.submit().build());
        PretendClient client = new PretendClient(rig, "job", 0, Map.of("w1", one));
        for (int second = 0; second < 5; second++) {
            client.beat();
            client.fetch(4);
            rig.seconds(1, List.of(one));
        }
        client.next();
        client.report();
        one.kill();
        PretendWorker other = new PretendWorker(rig, "w2", 1, 2);
        for (int second = 0; second < 15; second++) {
            client.beat();
            client.fetch(4);
            client.report();
            rig.seconds(1, List.of(other));
        }

        assertThat(standing()).containsExactly("WAITING", "consumers", "its consumers must acknowledge what they hold");
    }
}
