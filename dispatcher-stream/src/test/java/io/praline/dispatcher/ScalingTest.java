package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.replay.JobJournal;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.policy.Target;
import io.praline.policy.scaling.Policies;
import io.praline.schema.ActuatorReport;
import io.praline.schema.AttemptPlace;
import io.praline.schema.Decided;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.schema.ScalingTarget;
import io.praline.schema.Submit;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many workers a job gets, and where: by its policy, its limits, a pin, and what there is. */
class ScalingTest {
    private static final int FILES = 400;

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id) {
        return joined(id, new PretendWorker(rig, id, 1, FILES));
    }

    private PretendWorker localWorker(String id, String job) {
        return joined(id, new PretendWorker(rig, id, 1, FILES).onlyFor(job));
    }

    private PretendWorker joined(String id, PretendWorker worker) {
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    private PretendClient client(String job) {
        return new PretendClient(rig, job, 0, workers);
    }

    private void seconds(int count, PretendClient... clients) {
        rig.seconds(count, workers.values(), clients);
    }

    private static Submit.Builder fixed(int remote, int local) {
        return Rig.submit()
                .setPolicy("fixed")
                .setPolicySettings(Map.of("remote", Integer.toString(remote), "local", Integer.toString(local)))
                .setMaxLocal(4);
    }

    private void pin(String job, int remote, int local) {
        rig.request(
                job,
                "client",
                Pin.newBuilder()
                        .setPinned(true)
                        .setRemote(remote)
                        .setLocal(local)
                        .build());
    }

    /** Workers that take new splits of the job. */
    private List<String> serving(String job) {
        return rig.status(job).getAttempts().stream()
                .filter(place -> workers.get(place.getWorker()).running() > 0)
                .map(AttemptPlace::getWorker)
                .distinct()
                .sorted()
                .toList();
    }

    /** What was last told to whoever carries out targets of the subject; -1 where nothing was. */
    private int target(String subject) {
        return targets(subject).stream().reduce((first, last) -> last).orElse(-1);
    }

    private List<Integer> targets(String subject) {
        return rig.targets().stream()
                .filter(target -> target.getSubject().equals(subject))
                .map(ScalingTarget::getWorkers)
                .toList();
    }

    private List<JournalEntry> journal(String job, String kind) {
        return rig.journal().stream()
                .filter(entry -> entry.getJob().equals(job)
                        && entry.getObservation().getKind().equals(kind))
                .toList();
    }

    @Test
    void aJobHasThePolicyThatItsSubmissionNamesAndTheFirstEntryHoldsASnapshotOfIt() {
        for (String id : List.of("w1", "w2", "w3")) {
            worker(id);
        }
        rig.submit("job", fixed(2, 0).build());
        seconds(3, client("job"));
        assertThat(serving("job")).containsExactly("w1", "w2");
        JournalEntry first = journal("job", JournalKind.TERMS_SET.text()).get(0);
        assertThat(first.getSequence()).isZero();
        assertThat(first.getSnapshot()).isPresent();
        assertThat(first.getSnapshot().get().getPolicy()).isEqualTo("fixed");
        assertThat(first.getSnapshot().get().getParameters()).isEqualTo(Map.of("remote", "2", "local", "0"));
    }

    @Test
    void whatASubmissionTellsOfMoneyAndLimitsIsWhatItsPolicySees() {
        worker("w1");
        rig.submit(
                "job",
                Rig.submit()
                        .setGoal("time")
                        .setRemotePerHour(0.5)
                        .setCap(20)
                        .setMaxRemote(3)
                        .setMaxLocal(2)
                        .build());
        JournalEntry terms = journal("job", JournalKind.TERMS_SET.text()).get(0);
        assertThat(terms.getObservation().getTexts()).isEqualTo(Map.of("goal", "TIME"));
        assertThat(terms.getObservation().getNumbers())
                .isEqualTo(Map.of(
                        "clientPerHour",
                        4.96,
                        "remotePerHour",
                        0.5,
                        "egressPerGb",
                        0.0,
                        "maxRemote",
                        3.0,
                        "maxLocal",
                        2.0,
                        "cap",
                        20.0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            policy        | there is no policy 'best': there are
            shadow        | there is no policy 'best': there are
            setting       | policy fixed has no parameter
            goal          | goal must be one of [COST, TIME, BALANCED], is 'CHEAP'
            clientPerHour | clientPerHour must not be negative, is -5.0
            remotePerHour | remotePerHour must not be negative, is NaN
            egressPerGb   | egressPerGb must not be negative, is Infinity
            cap           | cap must be above 0, is -3.0
            tenantCap     | tenantCap must be above 0, is NaN
            nobody        | maxRemote and maxLocal are both 0: nobody could serve the job
            maxLocal      | limits must not be negative, are maxRemote 20 and maxLocal -2
            """)
    void whatCannotBeIsRefusedInOneLine(String wrong, String reason) {
        Submit.Builder submit = Rig.submit();
        switch (wrong) {
            case "policy" -> submit.setPolicy("best");
            case "shadow" -> submit.setShadow("best");
            case "setting" -> submit.setPolicy("fixed").setPolicySettings(Map.of("remotes", "3"));
            case "goal" -> submit.setGoal("CHEAP");
            case "clientPerHour" -> submit.setClientPerHour(-5);
            case "remotePerHour" -> submit.setRemotePerHour(Double.NaN);
            case "egressPerGb" -> submit.setEgressPerGb(Double.POSITIVE_INFINITY);
            case "cap" -> submit.setCap(-3);
            case "tenantCap" -> submit.setTenantCap(Double.NaN);
            case "nobody" -> submit.setMaxRemote(0);
            default -> submit.setMaxLocal(-2);
        }
        worker("w1");
        rig.submit("job", submit.build());
        JobStatus status = rig.status("job");
        assertThat(status.getState()).isEqualTo(JobState.FAILED);
        assertThat(status.getFailure()).isEqualTo(FailureKind.REFUSED);
        assertThat(status.getReason()).startsWith(reason).doesNotContain("\n");
        rig.restart();
        seconds(1);
        rig.cancel("job", "");
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
    }

    // five workers; two by policy, four pinned, two again
    @Test
    void aPinTakesTheNumberOutOfThePolicysHandsAndUnpinningGivesItBack() {
        for (String id : List.of("w1", "w2", "w3", "w4", "w5")) {
            worker(id);
        }
        rig.submit("job", fixed(2, 0).build());
        PretendClient client = client("job");
        seconds(3, client);
        pin("job", 4, 0);
        seconds(3, client);
        assertThat(serving("job")).containsExactly("w1", "w2", "w3", "w4");
        assertThat(target(Rig.POOL)).isEqualTo(4);
        rig.request(
                "job",
                "client",
                Pin.newBuilder().setPinned(false).setRemote(0).setLocal(0).build());
        seconds(8, client);
        assertThat(serving("job")).hasSize(2);
        assertThat(journal("job", JournalKind.PINNED.text())).hasSize(2);
    }

    @Test
    void aPinThatCannotBeIsQuarantined() {
        worker("w1");
        rig.submit("job", Rig.submit().build());
        pin("job", -1, 0);
        assertThat(rig.quarantined()).singleElement().satisfies(record -> assertThat(record.getReason())
                .isEqualTo("pinned workers must not be negative, are -1 remote and 0 local"));
    }

    @Test
    void aPausedJobGivesItsSlotsToAnotherAndSaysThatItIsPaused() {
        worker("w1");
        worker("w2");
        rig.submit("a", Rig.submit().build());
        PretendClient a = client("a");
        seconds(3, a);
        rig.submit("b", Rig.submit().build());
        PretendClient b = client("b");
        rig.request("a", "client", Pause.newBuilder().setPaused(true).build());
        seconds(12, a, b);
        assertThat(rig.status("a").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("a").getWaitingFor()).isEqualTo("paused");
        assertThat(serving("b")).containsExactly("w1", "w2");
        assertThat(journal("a", JournalKind.GRANTED.text())).last().satisfies(entry -> assertThat(
                        entry.getObservation().getNumbers())
                .isEqualTo(Map.of("remote", 0.0, "local", 0.0)));
    }

    private static MeasurementWindow window(double seconds, double waitShare) {
        return new MeasurementWindow(100L, 800L, 0L, seconds, waitShare, 2.5, 0, 1, false);
    }

    // of three windows two cannot be: the policy sees one, and the journal has one entry of the two
    @Test
    void garbageIsWrittenDownAndCountedAndReachesNoPolicy() {
        worker("w1");
        rig.submit("job", Rig.submit().build());
        seconds(2, client("job"));
        rig.clientBeat("job", 0, "consumer-0", List.of(window(-4, 0.1), window(4, 0.1), window(4, Double.NaN)));
        assertThat(journal("job", JournalKind.WINDOW_CLOSED.text())).hasSize(1);
        assertThat(journal("job", JournalKind.WINDOW_REFUSED.text()))
                .singleElement()
                .satisfies(refused -> {
                    assertThat(refused.getReason())
                            .isEqualTo("2 windows of consumer 0 are left out, the first of them: "
                                    + "seconds must be above 0 and at most a day, is -4.0");
                    assertThat(refused.getObservation().getNumbers())
                            .containsEntry("refused", 2.0)
                            .containsEntry("seconds", -4.0)
                            .containsEntry("batches", 100.0);
                });
        assertThat(rig.ignored(Ignored.GARBAGE_WINDOW)).isEqualTo(2);
    }

    @Test
    void aBeatFullOfGarbageIsOneEntryOfTheJournal() {
        worker("w1");
        rig.submit("job", Rig.submit().build());
        seconds(2, client("job"));
        rig.clientBeat("job", 0, "consumer-0", Collections.nCopies(10_000, window(4, 1.5)));
        assertThat(journal("job", JournalKind.WINDOW_REFUSED.text()))
                .singleElement()
                .satisfies(refused -> assertThat(refused.getReason())
                        .isEqualTo("10000 windows of consumer 0 are left out, the first of them: "
                                + "waitShare must be from 0 to 1, is 1.5"));
        rig.clientBeat("job", 0, "consumer-0", List.of(window(4, Double.NaN)));
        assertThat(journal("job", JournalKind.WINDOW_REFUSED.text())).last().satisfies(refused -> assertThat(
                        refused.getReason())
                .isEqualTo("a window of consumer 0 is left out: waitShare must be from 0 to 1, is NaN"));
    }

    // 16 elements in a busy second, and later 4
    @Test
    void aPolicyLearnsWhatATaskCanMakeBeforeAnyWindowClosesAndAgainOnlyWhenItChanged() {
        PretendWorker worker = worker("w1");
        worker.busy(1 / 16.0);
        rig.submit("job", Rig.submit().build());
        PretendClient client = client("job");
        seconds(40, client);
        assertThat(journal("job", JournalKind.RATE_MEASURED.text()))
                .singleElement()
                .satisfies(entry -> assertThat(entry.getObservation().getNumbers())
                        .isEqualTo(Map.of("local", 0.0, "beside", 1.0, "elementsPerSecond", 16.0)));
        worker.busy(1 / 4.0);
        seconds(40, client);
        assertThat(journal("job", JournalKind.RATE_MEASURED.text()))
                .hasSizeBetween(2, 3)
                .last()
                .satisfies(entry ->
                        assertThat(entry.getObservation().getNumbers()).containsEntry("elementsPerSecond", 4.0));
    }

    // one of the pool and two on the host, of which three came: the last to come gets nothing
    @Test
    void localWorkersServeTheirJobAloneAndNoMoreOfThemThanItsPolicyWants() {
        worker("w1");
        localWorker("l1", "job");
        localWorker("l2", "job");
        localWorker("l3", "job");
        rig.submit("job", fixed(1, 2).build());
        rig.submit("other", fixed(4, 0).build());
        PretendClient job = client("job");
        PretendClient other = client("other");
        seconds(4, job, other);
        assertThat(rig.status("job").getAttempts())
                .filteredOn(AttemptPlace::getLocal)
                .extracting(AttemptPlace::getWorker)
                .containsExactlyInAnyOrder("l1", "l2");
        assertThat(rig.status("other").getAttempts()).noneMatch(AttemptPlace::getLocal);
        assertThat(journal("job", JournalKind.GRANTED.text())).last().satisfies(entry -> assertThat(
                        entry.getObservation().getNumbers())
                .containsEntry("local", 2.0));
        assertThat(journal("pool:default", JournalKind.WORKER_JOINED.text())).hasSize(4);
        assertThat(journal("job", JournalKind.POOL_CHANGED.text()))
                .allSatisfy(
                        entry -> assertThat(entry.getObservation().getNumbers()).containsEntry("workers", 1.0));
    }

    @Test
    void whatIsMoreThanTheLocalTargetIsDrainedLastComeFirst() {
        localWorker("l1", "job");
        localWorker("l2", "job");
        rig.submit("job", fixed(1, 2).setMaxRemote(0).build());
        PretendClient client = client("job");
        seconds(4, client);
        assertThat(serving("job")).containsExactly("l1", "l2");
        assertThat(targets("job@trainer")).endsWith(2);
        pin("job", 0, 1);
        seconds(12, client);
        assertThat(serving("job")).containsExactly("l1");
        assertThat(target("job@trainer")).isEqualTo(1);
        rig.cancel("job", "");
        assertThat(target("job@trainer")).isZero();
        seconds(5, client);
        assertThat(targets("job@trainer")).endsWith(2, 1, 0);
    }

    // twenty splits that two workers share in 13 s: one beside the other until all is read, and nobody then
    @Test
    void aTrainersHostKeepsAsManyAsServeUntilTheyAreDone() {
        joined("w1", new PretendWorker(rig, "w1", 1, 20));
        joined("l1", new PretendWorker(rig, "l1", 1, 20).onlyFor("job"));
        rig.submit("job", fixed(1, 1).build());
        PretendClient client = client("job");
        seconds(40, client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(workers.values())
                .allSatisfy(worker -> assertThat(worker.given()).isPositive());
        assertThat(targets("job@trainer")).containsExactly(1, 0);
    }

    @Test
    void aJobThatMayHaveNoRemoteWorkerIsPlannedOnItsTrainersHost() {
        worker("w1");
        rig.submit("job", fixed(1, 1).setMaxRemote(0).build());
        PretendClient client = client("job");
        seconds(2, client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("workers");
        assertThat(rig.status("job").getReason()).isEqualTo("no worker on its trainer's host trainer");
        assertThat(target("job@trainer")).isEqualTo(1);
        assertThat(target(Rig.POOL)).isEqualTo(-1);
        localWorker("l1", "job");
        seconds(3, client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }

    // 3 + 4 by policy, then one job ends: 3 after a minute, none another minute after the last
    @Test
    void aPoolHasWhatItsJobsWantTogetherAndNobodyAfterAGraceWithoutJobs() {
        worker("w1");
        rig.submit("a", fixed(3, 0).build());
        rig.submit("b", fixed(4, 0).build());
        PretendClient a = client("a");
        PretendClient b = client("b");
        seconds(3, a, b);
        assertThat(targets(Rig.POOL)).containsExactly(1, 3, 7);
        rig.cancel("b", "");
        seconds(50, a);
        assertThat(target(Rig.POOL)).isEqualTo(7);
        seconds(20, a);
        assertThat(target(Rig.POOL)).isEqualTo(3);
        rig.cancel("a", "");
        seconds(70, a);
        assertThat(targets(Rig.POOL)).containsExactly(1, 3, 7, 3, 0);
        assertThat(journal("pool:default", JournalKind.POOL_NEEDS.text()))
                .extracting(JournalEntry::getReason)
                .last()
                .isEqualTo("no job of pool default has been open for 60 s");
    }

    // what takes every worker that there is must not make the pool grow
    @Test
    void jobsThatLiveOnWhatThereIsDoNotMakeThePoolGrow() {
        worker("w1");
        worker("w2");
        rig.submit("a", Rig.submit().build());
        rig.submit("b", Rig.submit().build());
        seconds(5, client("a"), client("b"));
        assertThat(target(Rig.POOL)).isEqualTo(2);
    }

    @Test
    void aPoolThatNobodyCanStartWorkersForIsSaidToLackCapacityUntilSomebodyCan() {
        rig.submit("job", fixed(2, 0).build());
        PretendClient client = client("job");
        seconds(1, client);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("workers");
        rig.actuator(Rig.POOL, 1, 0, "may not patch deployments in namespace ml; bind the role praline-scaler");
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("capacity");
        assertThat(rig.status("job").getReason())
                .isEqualTo("no worker in pool default, and none can be started:"
                        + " may not patch deployments in namespace ml; bind the role praline-scaler");
        int told = targets(Rig.POOL).size();
        for (int i = 0; i < 5; i++) {
            seconds(10, client);
            rig.actuator(Rig.POOL, 1, 0, "may not patch deployments in namespace ml; bind the role praline-scaler");
        }
        assertThat(targets(Rig.POOL)).hasSize(told);
        rig.actuator(Rig.POOL, 1, 0, "");
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("workers");
        worker("w1");
        seconds(2, client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }

    // an actuator tells every ten seconds which target it follows
    @Test
    void aTargetWhoseRecordIsLostIsToldAgainWhereAnotherOneIsFollowed() {
        rig.submit("job", fixed(2, 0).build());
        PretendClient client = client("job");
        seconds(1, client);
        assertThat(targets(Rig.POOL)).containsExactly(1);
        rig.actuator(Rig.POOL, 0, 0, "");
        assertThat(targets(Rig.POOL)).containsExactly(1); // which may be on its way
        seconds(10, client);
        rig.actuator(Rig.POOL, 0, 0, "");
        assertThat(targets(Rig.POOL)).containsExactly(1, 1);
        seconds(10, client);
        rig.actuator(Rig.POOL, 1, 0, "");
        assertThat(targets(Rig.POOL)).containsExactly(1, 1);
    }

    @Test
    void soIsATargetOfATrainersHost() {
        rig.submit("job", fixed(0, 2).setMaxRemote(0).build());
        PretendClient client = client("job");
        seconds(1, client);
        int told = targets("job@trainer").size();
        int target = target("job@trainer");
        assertThat(target).isPositive();
        rig.actuator("job@trainer", 0, 0, "");
        assertThat(targets("job@trainer")).hasSize(told); // which may be on its way
        seconds(6, client);
        rig.actuator("job@trainer", 0, 0, "");
        assertThat(targets("job@trainer")).hasSize(told + 1).last().isEqualTo(target);
        seconds(10, client);
        rig.actuator("job@trainer", target, 0, "");
        assertThat(targets("job@trainer")).hasSize(told + 1);
        // where the trainer is not, nobody is to have any
        rig.actuator("job@elsewhere", 0, 0, "");
        rig.actuator("another@trainer", 2, 0, "");
        assertThat(targets("job@elsewhere")).isEmpty();
        assertThat(targets("another@trainer")).isEmpty();
        rig.actuator("job@elsewhere", 2, 2, "");
        assertThat(targets("job@elsewhere")).containsExactly(0);
    }

    private void bounded(int most) {
        rig.actuator(new ActuatorReport(Rig.POOL, "actuator-1", 0, 0, "", most));
    }

    // both want 4; the actuator starts at most 3, and then 2
    @Test
    void noTargetExceedsWhatWhoeverStartsWorkersStartsAtMost() {
        bounded(3);
        worker("w1");
        rig.submit("a", fixed(4, 0).setMaxRemote(9).build());
        rig.submit("b", fixed(4, 0).build());
        PretendClient a = client("a");
        PretendClient b = client("b");
        seconds(3, a, b);
        assertThat(targets(Rig.POOL)).containsExactly(1, 3);
        assertThat(journal("a", JournalKind.PLANNED.text()).get(0).getReason())
                .endsWith("; its limits allow " + new Target(3, 4));
        assertThat(journal("pool:default", JournalKind.POOL_NEEDS.text()))
                .last()
                .extracting(JournalEntry::getReason)
                .isEqualTo("the 2 open jobs of pool default need 3 workers, the most that it may have");
        bounded(2);
        assertThat(target(Rig.POOL)).isEqualTo(2);
        assertThat(journal("b", JournalKind.TERMS_SET.text())).hasSize(2).last().satisfies(entry -> assertThat(
                        entry.getObservation().getNumbers())
                .containsEntry("maxRemote", 2.0));
        bounded(1);
        seconds(1, a, b);
        assertThat(rig.status("b").getWaitingFor()).isEqualTo("slots");
        assertThat(rig.status("b").getReason())
                .isEqualTo("the only slot of pool default serves another job, and it may have no more than 1 worker");
    }

    @Test
    void aBoundOutlivesTheDispatcherAndEndsWhenWhoeverToldItFallsSilent() {
        worker("w1");
        bounded(2);
        rig.submit("job", fixed(4, 0).build());
        PretendClient client = client("job");
        seconds(20, client);
        rig.restart();
        seconds(20, client);
        bounded(2);
        seconds(20, client);
        assertThat(target(Rig.POOL)).isEqualTo(2);
        seconds(20, client);
        assertThat(target(Rig.POOL)).isEqualTo(4);
        assertThat(journal("job", JournalKind.TERMS_SET.text())).hasSize(2);
    }

    @Test
    void aBoundThatTheNextDispatcherNeverHearsOfEndsToo() {
        worker("w1");
        bounded(2);
        rig.submit("job", fixed(4, 0).build());
        PretendClient client = client("job");
        seconds(2, client);
        rig.restart();
        seconds(28, client);
        assertThat(target(Rig.POOL)).isEqualTo(2);
        seconds(4, client);
        assertThat(target(Rig.POOL)).isEqualTo(4);
    }

    @Test
    void aBoundIsNoNewsToAJobThatHasEnded() {
        rig.submit("ended", fixed(4, 0).build());
        rig.submit("open", fixed(4, 0).build());
        rig.cancel("ended", "");
        bounded(2);
        assertThat(journal("open", JournalKind.TERMS_SET.text())).hasSize(2);
        assertThat(journal("ended", JournalKind.TERMS_SET.text())).hasSize(1);
    }

    @Test
    void whatAnActuatorToldIsForgottenWhenItFallsSilent() {
        rig.submit("job", fixed(2, 0).build());
        PretendClient client = client("job");
        rig.actuator(Rig.POOL, 1, 0, "the quota is used up");
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("capacity");
        seconds(32, client);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("workers");
    }

    // the cap is a cent: with the usual 4.96 + 0.43 an hour that is less than 7 s
    @Test
    void aJobThatHasSpentItsCapGivesItsWorkersBackAndSaysWhy() {
        worker("w1");
        rig.submit("job", fixed(1, 0).setCap(0.01).build());
        PretendClient client = client("job");
        seconds(30, client);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("cap");
        assertThat(rig.status("job").getReason())
                .isEqualTo("it has spent its cap of 0.0100: it may have no worker any more");
        assertThat(rig.journal()).anySatisfy(entry -> assertThat(entry.getReason())
                .startsWith("it has spent 0.01")
                .endsWith("its cap is 0.0100: it may have no worker any more"));
        assertThat(workers.get("w1").running()).isZero();
    }

    // forty open jobs: slots are divided every 2 ms at most, and each event comes a millisecond after the one before
    @Test
    void eventsThatFollowEachOtherInALargePoolShareItsTurn() {
        PretendWorker worker = worker("w1");
        for (int i = 0; i < 39; i++) {
            rig.submit("local-" + i, fixed(0, 1).setMaxRemote(0).build());
        }
        rig.submit("job", fixed(1, 0).build());
        seconds(3);
        pin("job", 2, 0);
        assertThat(target(Rig.POOL)).isEqualTo(2);
        pin("job", 3, 0);
        assertThat(target(Rig.POOL)).isEqualTo(2);
        worker.beat();
        assertThat(target(Rig.POOL)).isEqualTo(3);
        pin("job", 4, 0);
        rig.pass(Duration.ofSeconds(1));
        assertThat(target(Rig.POOL)).isEqualTo(4);
    }

    private static Submit tenants(String tenant, double cap) {
        return fixed(1, 0).setTenant(tenant).setTenantCap(cap).build();
    }

    private void waitsForTheCapOf(String job, String tenant, String cap) {
        assertThat(rig.status(job).getState()).isEqualTo(JobState.WAITING);
        assertThat(rig.status(job).getWaitingFor()).isEqualTo("cap");
        assertThat(rig.status(job).getReason())
                .isEqualTo("the jobs of tenant " + tenant + " have spent the tenant's cap of " + cap
                        + ": they go on when a job raises it");
    }

    // two jobs at 4.96 + 0.43 an hour spend 0.03 in 10 s, and neither half of it alone
    @Test
    void aTenantsJobsGiveTheirWorkersBackWhenTheyHaveSpentItsCapTogether() {
        worker("w1");
        worker("w2");
        worker("w3");
        rig.submit("a", tenants("ann", 0.03));
        rig.submit("b", tenants("ann", 0));
        rig.submit("c", tenants("bob", 0));
        PretendClient[] clients = {client("a"), client("b"), client("c")};
        seconds(8, clients);
        assertThat(rig.status("a").getState()).isEqualTo(JobState.RUNNING);
        seconds(12, clients);
        waitsForTheCapOf("a", "ann", "0.0300");
        waitsForTheCapOf("b", "ann", "0.0300");
        assertThat(rig.status("c").getState()).isEqualTo(JobState.RUNNING);
        assertThat(journal("b", JournalKind.TENANT_SPENT.text()))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.getReason())
                            .startsWith("its tenant's jobs have spent 0.03")
                            .endsWith(" together, the tenant's cap is 0.0300: it may have no worker any more");
                    assertThat(entry.getDecision())
                            .containsExactly(Decided.newBuilder()
                                    .setCommand(JournalCommand.SCALE_TO.text())
                                    .setSubject("b")
                                    .setNumbers(Map.of("remote", 0.0, "local", 0.0))
                                    .build());
                });
    }

    // the first job spends the cap and ends: the second gets nothing, in this dispatcher and the next, until a third
    // raises it
    @Test
    void whatEndedJobsSpentCountsAndTheCapThatWasStatedLastHolds() {
        worker("w1");
        worker("w2");
        rig.submit("a", tenants("ann", 0.01));
        seconds(8, client("a"));
        rig.cancel("a", "");
        rig.submit("b", tenants("ann", 0));
        PretendClient b = client("b");
        seconds(4, b);
        waitsForTheCapOf("b", "ann", "0.0100");
        rig.restart();
        seconds(4, b);
        waitsForTheCapOf("b", "ann", "0.0100");
        PretendClient c = client("c");
        rig.submit("c", tenants("ann", 20));
        seconds(4, b, c);
        assertThat(rig.status("b").getState()).isEqualTo(JobState.RUNNING);
        assertThat(rig.status("c").getState()).isEqualTo(JobState.RUNNING);
        assertThat(journal("b", JournalKind.TENANT_SPENT.text())).hasSize(2);
        assertThat(JobJournal.of(rig.journal().stream()
                                .filter(entry -> entry.getJob().equals("b"))
                                .toList())
                        .replay(Policies.named("fixed", Map.of("remote", "1", "local", "0")))
                        .differences())
                .isEmpty();
    }

    @Test
    void aJobOfATenantThatHasSpentItsCapAsksForNoWorkerToPlanItEither() {
        rig.submit("a", tenants("ann", 0.001));
        PretendClient a = client("a");
        seconds(3, a);
        waitsForTheCapOf("a", "ann", "0.0010");
        assertThat(target(Rig.POOL)).isEqualTo(1);
        seconds(65, a);
        assertThat(target(Rig.POOL)).isZero();
    }

    // the shadow would have two workers where the job's own policy has one
    @Test
    void aShadowPolicySeesTheSameAndNothingOfWhatItDecidesIsDone() {
        worker("w1");
        worker("w2");
        rig.submit("job", fixed(1, 0).setShadow("every-worker").build());
        PretendClient client = client("job");
        seconds(5, client);
        assertThat(serving("job")).containsExactly("w1");
        assertThat(journal("job", JournalKind.PLANNED.shadowed()))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.getReason())
                            .isEqualTo("shadow policy every-worker: the pool has 2 workers and an epoch has 400 splits:"
                                    + " it can use 2");
                    assertThat(entry.getDecision())
                            .containsExactly(Decided.newBuilder()
                                    .setCommand(JournalCommand.SCALE_TO.text())
                                    .setSubject("job")
                                    .setNumbers(Map.of("remote", 2.0, "local", 0.0))
                                    .build());
                });
        rig.restart();
        worker("w3");
        assertThat(journal("job", JournalKind.POOL_CHANGED.shadowed())).hasSize(1);
    }

    @Test
    void whatAPolicyKnowsOutlivesTheDispatcherAndIsForgottenWithTheJob() {
        worker("w1");
        worker("w2");
        rig.submit("job", fixed(1, 0).build());
        PretendClient client = client("job");
        seconds(2, client);
        pin("job", 2, 0);
        rig.restart();
        seconds(4, client);
        assertThat(serving("job")).containsExactly("w1", "w2");
        assertThat(rig.rows().count('k')).isEqualTo(1);
        rig.cancel("job", "");
        assertThat(rig.rows().count('k')).isZero();
    }

    // of 6 workers each tenant has 3, though one has two jobs and the other one
    @Test
    void tenantsShareAPoolBeforeTheirJobsDo() {
        for (String id : List.of("w1", "w2", "w3", "w4", "w5", "w6")) {
            worker(id);
        }
        rig.submit("a", fixed(6, 0).setTenant("ann").build());
        rig.submit("b", fixed(6, 0).setTenant("ann").build());
        rig.submit("c", fixed(6, 0).setTenant("bob").build());
        seconds(20, client("a"), client("b"), client("c"));
        assertThat(serving("c")).hasSize(3);
        assertThat(serving("a").size() + serving("b").size()).isEqualTo(3);
    }
}
