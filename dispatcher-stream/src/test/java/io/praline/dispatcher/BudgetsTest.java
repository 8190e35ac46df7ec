package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptPlace;
import io.praline.schema.AttemptProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.PlanSplits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is tolerated is counted over time, and what does not work is tried elsewhere. */
class BudgetsTest {
    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id, int files) {
        PretendWorker worker = new PretendWorker(rig, id, 1, files);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    /** The worker tells that the attempt broke. */
    private void fails(int attempt) {
        fails(attempt, "out of memory", Duration.ZERO);
    }

    private void fails(int attempt, String reason, Duration still) {
        beat(attempt, AttemptPhase.FAILED, new AttemptFailure(FailureKind.FAILED, reason, still.toSeconds()));
    }

    private void beat(int attempt, AttemptPhase phase, AttemptFailure failure) {
        rig.beat(Rig.worker("w1", 1)
                .setAttempts(List.of(AttemptProgress.newBuilder()
                        .setJob("job")
                        .setEpoch(0)
                        .setAttempt(attempt)
                        .setPhase(phase)
                        .setAssignedThrough(1)
                        .setUnopened(0)
                        .setSplitSeconds(1)
                        .setOpened(List.of())
                        .setExcluded(List.of())
                        .setBatches(0)
                        .setElements(0)
                        .setBytes(0)
                        .setOutboxBytes(0)
                        .setFailure(failure)
                        .build()))
                .build());
    }

    private void live(Duration time) {
        for (long second = 0; second < time.toSeconds(); second += 2) {
            beat(attempt(), AttemptPhase.RUNNING, null);
            rig.clientBeat("job", 0, "c");
            rig.pass(Duration.ofSeconds(2));
        }
    }

    private int attempt() {
        List<AttemptPlace> open = rig.status("job").getAttempts().stream()
                .filter(place -> !place.getFenced())
                .toList();
        assertThat(open).hasSize(1);
        return open.get(0).getAttempt();
    }

    // three now, three an hour later, and then one too many; a consumer that never came has nothing to answer for 5 s
    @Test
    void aJobFailsByTheFourthAttemptThatBreaksWithinAnHour() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.plan("job", plan("w1"), "w1", 100);
        rig.attach("job", 0, "c");
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3; i++) {
                fails(attempt());
                assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
            }
            if (round == 0) {
                live(Duration.ofMinutes(61));
            }
        }
        fails(attempt());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo("an attempt on worker w1 broke, the 4th of this job within an hour: out of memory");
    }

    // each of them takes half an hour before its worker says that it is stuck: the fourth is two hours behind the first
    @Test
    void whatStandsStillForLongFailsItsJobByTheFourthTooHoweverLongThatTakes() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        rig.plan("job", plan("w1"), "w1", 100);
        rig.attach("job", 0, "c");
        for (int i = 0; i < 4; i++) {
            assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
            live(Duration.ofMinutes(30));
            fails(attempt(), "it is stuck", Duration.ofMinutes(30));
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo(
                        "an attempt on worker w1 broke, the 4th of this job within an hour in which something came of"
                                + " it: it is stuck");
    }

    private PlanSplits plan(String worker) {
        return plans(worker).get(0);
    }

    private List<PlanSplits> plans(String worker) {
        return rig.commands(worker).stream()
                .filter(PlanSplits.class::isInstance)
                .map(PlanSplits.class::cast)
                .toList();
    }

    // w2 has one slot, which is taken; w1 has seven left, and never lists the plan: it is given up after 5 s
    @Test
    void aPlanThatAWorkerDoesNotMakeIsOrderedOfAnotherThoughThatHasMoreToDo() {
        PretendWorker busy = worker("w2", 4_000);
        rig.submit("other", Rig.submit().build());
        PretendClient client = new PretendClient(rig, "other", 0, workers);
        rig.seconds(4, workers.values(), client);
        assertThat(busy.running()).isEqualTo(1);
        rig.beat(Rig.worker("w1", 8).build());
        rig.submit("job", Rig.submit().build());
        assertThat(plans("w1")).extracting(PlanSplits::getJob).containsExactly("job");
        for (int second = 0; second < 8; second++) {
            rig.beat(Rig.worker("w1", 8).build());
            rig.seconds(1, workers.values(), client);
        }
        assertThat(plans("w1")).isEmpty();
        assertThat(rig.status("job").getPlan()).isEqualTo(2);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }

    /** The worker is started anew. */
    private void anew(int life) {
        rig.beat(Rig.worker("w1", 1).setIncarnation("life-" + life).build());
    }

    @Test
    void aJobFailsByTheFifthWorkerThatIsLostWithinAnHourWhileItPlans() {
        anew(0);
        rig.submit("job", Rig.submit().build());
        for (int life = 1; life <= 3; life++) {
            anew(life);
        }
        rig.pass(Duration.ofMinutes(61)); // the fourth is silent, and lost at the beginning of that
        anew(4);
        rig.pass(Duration.ofSeconds(1));
        for (int life = 5; life <= 8; life++) {
            anew(life);
            assertThat(rig.status("job").getState())
                    .as(rig.status("job").getReason())
                    .isEqualTo(JobState.PLANNING);
        }
        anew(9);
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo(
                        "5 workers were lost within an hour while they planned it, at last worker w1 was started anew:"
                                + " look for the cause in their logs");
    }

    // it lives, and never lists the plan; whoever goes in order is no fault of the job's either
    @Test
    void aPlanMayBeOrderedAnewAsOftenAsNeedBe() {
        anew(0);
        rig.submit("job", Rig.submit().build());
        for (int second = 0; second < 60; second++) {
            anew(0);
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(rig.status("job").getState())
                .as(rig.status("job").getReason())
                .isEqualTo(JobState.PLANNING);
        assertThat(rig.status("job").getPlan()).isGreaterThan(7);
    }

    /** Its channel to the worker's newest attempt breaks. */
    private static void loses(PretendClient client, PretendWorker worker) {
        List<AttemptKey> started = worker.started();
        client.lose(started.get(started.size() - 1), worker.id() + "-1");
        client.report();
    }

    // it breaks twice; ten seconds later the worker is tried again, and where it breaks twice again, twenty seconds
    // later
    @Test
    void aWorkerThatAConsumerCannotReachIsAvoidedForTheJobAndThatIsSaid() {
        PretendWorker unreached = worker("w1", 4_000);
        PretendClient client = new PretendClient(rig, "job", 0, workers);
        rig.submit("job", Rig.submit().build());
        rig.seconds(5, workers.values(), client);
        loses(client, unreached);
        rig.seconds(5, workers.values(), client);
        assertThat(unreached.started()).hasSize(2);
        loses(client, unreached);
        rig.seconds(9, workers.values(), client);
        assertThat(unreached.started()).hasSize(2);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("workers");
        assertThat(rig.status("job").getReason()).isEqualTo("consumer 0 cannot reach worker w1: connection reset");

        rig.seconds(3, workers.values(), client);
        assertThat(unreached.started()).hasSize(3);
        assertThat(rig.status("job").getReason()).isEmpty();
        loses(client, unreached);
        rig.seconds(3, workers.values(), client);
        assertThat(unreached.started()).hasSize(4);
        loses(client, unreached);
        PretendWorker other = worker("w2", 4_000);
        rig.seconds(18, workers.values(), client);
        assertThat(other.started()).hasSize(1);
        assertThat(unreached.started()).hasSize(4);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status("job").getReason()).isEqualTo("consumer 0 cannot reach worker w1: connection reset");

        rig.seconds(4, workers.values(), client);
        assertThat(rig.status("job").getReason()).isEmpty();
        assertThat(unreached.started()).hasSize(5);
    }

    // who dies breaks the channels of all of its attempts, and of those that are started there before it is lost
    @Test
    void aWorkerThatWasNotReachedSinceItDiedIsNotAvoidedWhenItIsThereAgain() {
        PretendWorker dead = worker("w1", 4_000);
        PretendClient client = new PretendClient(rig, "job", 0, workers);
        rig.submit("job", Rig.submit().build());
        rig.seconds(5, workers.values(), client);
        loses(client, dead);
        rig.seconds(3, workers.values(), client);
        loses(client, dead);
        dead.kill();
        rig.seconds(8, workers.values(), client);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("workers");
        assertThat(rig.status("job").getReason()).isEqualTo("no worker in pool default");
        int told = rig.commands("w1", "w1-2").size();

        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());

        assertThat(rig.commands("w1", "w1-2")).hasSizeGreaterThan(told);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }
}
