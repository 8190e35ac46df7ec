package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.replay.JobJournal;
import io.praline.policy.scaling.Policies;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written down of jobs and workers, word for word. */
class JournalTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** Entries of a job or pool, as KIND NUMBERS -> COMMAND SUBJECT: REASON. */
    private List<String> told(String of, List<JournalKind> kinds) {
        List<String> words = kinds.stream().map(JournalKind::text).toList();
        return rig.journal().stream()
                .filter(entry -> entry.getJob().equals(of)
                        && words.contains(entry.getObservation().getKind()))
                .map(entry -> entry.getObservation().getKind() + " "
                        + entry.getObservation().getNumbers()
                        + entry.getDecision().stream()
                                .map((Decided decided) -> " -> " + decided.getCommand() + " " + decided.getSubject())
                                .collect(Collectors.joining())
                        + ": " + entry.getReason())
                .toList();
    }

    private void pin(String job, int remote) {
        rig.request(job, "client", new Pin(true, remote, 0));
    }

    @Test
    void everyThousandthEntryOfAJobHoldsASnapshotFromWhichItCanBeReplayed() {
        rig.submit("job", Rig.submit().build());
        for (int i = 0; i < 2 * DecisionWriter.ENTRIES_A_SNAPSHOT; i++) {
            pin("job", 1 + i % 2);
        }

        List<JournalEntry> entries = rig.journal().stream()
                .filter(entry -> entry.getJob().equals("job"))
                .toList();
        assertThat(entries)
                .filteredOn(entry -> entry.getSnapshot().isPresent())
                .extracting(JournalEntry::getSequence)
                .containsExactly(0L, 1_000L, 2_000L);
        JobJournal cut = JobJournal.of(entries.subList(1, entries.size()));
        assertThat(cut.skipped()).isEqualTo(999);
        assertThat(cut.replay(Policies.named("every-worker", Map.of())).differences())
                .isEmpty();
    }

    @Test
    void whoAsksForAPauseAndForAnEndIsWrittenDownOnce() {
        rig.submit("job", Rig.submit().build());
        rig.request("job", "client", new Pause(true));
        rig.request("job", "client", new Pause(true));
        rig.request("job", "client", new Pause(false));
        rig.cancel("job", "wrong data");
        rig.cancel("job", "wrong data");

        assertThat(told("job", List.of(JournalKind.PAUSE_REQUESTED, JournalKind.JOB_ENDED)))
                .containsExactly(
                        "pauseRequested {} -> pause job: it was asked to pause",
                        "pauseRequested {} -> goOn job: it was asked to go on",
                        "jobEnded {} -> cancelled job: wrong data");
    }

    // the second is the idler one: it has planned nothing yet
    @Test
    void whoPlansAJobIsWrittenDownAndWhyAnotherDoes() {
        rig.beat(Rig.worker("w1", 2).build());
        rig.submit("job", Rig.submit().build());
        rig.beat(Rig.worker("w2", 2).build());
        rig.beat(Rig.worker("w1", 2).setLeaving(true).build());
        rig.beat(Rig.worker("w2", 2).setDraining(true).build());
        rig.beat(Rig.worker("w2", 2).setDraining(true).setLeaving(true).build());
        rig.beat(Rig.worker("w3", 2).build());
        rig.pass(Duration.ofSeconds(1));

        assertThat(told("job", List.of(JournalKind.PLAN_WANTED)))
                .containsExactly(
                        "planWanted {} -> planSplits w1: it was submitted: worker w1 has the least to do and plans it",
                        "planWanted {} -> planSplits w2: worker w1 left while it planned: worker w2 has the least to do"
                                + " and plans it",
                        "planWanted {}: worker w2 left while it planned, and no worker is there to plan it",
                        "planWanted {} -> planSplits w3: a worker is there: worker w3 has the least to do and plans it");
    }

    @Test
    void workersAreWrittenDownWhenTheyComeChangeAndGo() {
        rig.beat(Rig.worker("w1", 2).build());
        rig.beat(Rig.worker("w1", 2).build());
        rig.beat(Rig.worker("w2", 1).setLocal(true).setServesJob("job").build());
        rig.beat(Rig.worker("w1", 3).build());
        rig.beat(Rig.worker("w1", 3).setIncarnation("w1-2").build());
        rig.beat(Rig.worker("w1", 3).setIncarnation("w1-2").setLeaving(true).build());
        rig.beat(Rig.worker("w2", 1)
                .setLocal(true)
                .setServesJob("job")
                .setDraining(true)
                .build());
        rig.pass(Duration.ofSeconds(6));

        assertThat(told(
                        "pool:default",
                        List.of(
                                JournalKind.WORKER_JOINED,
                                JournalKind.WORKER_CHANGED,
                                JournalKind.WORKER_DRAINING,
                                JournalKind.WORKER_LOST)))
                .containsExactly(
                        "workerJoined {slots=2.0}: worker w1 joined with 2 slots",
                        "workerJoined {slots=1.0}: worker w2 joined with 1 slot on host host-w2, for job job only",
                        "workerChanged {slots=3.0}: worker w1 has changed and has 3 slots",
                        "workerLost {}: worker w1 was started anew",
                        "workerJoined {slots=3.0}: worker w1 joined with 3 slots",
                        "workerDraining {slots=3.0}: worker w1 is about to leave and takes no new work",
                        "workerLost {}: worker w1 left",
                        "workerDraining {slots=1.0}: worker w2 is about to leave and takes no new work",
                        "workerLost {}: worker w2 was silent for 5 s");
    }

    @Test
    void whoGetsASlotIsWrittenDownInWordsThatFitOneAsWellAsSeveral() {
        PretendWorker only = new PretendWorker(rig, "w1", 1, 30);
        only.beat();
        rig.submit("job", Rig.submit().build());
        rig.seconds(7, List.of(only));

        assertThat(told("job", List.of(JournalKind.SLOTS_DIVIDED)))
                .singleElement()
                .asString()
                .endsWith(": it wishes for 1 worker and gets 1: 1 job has 1 slot of 1 worker");
    }

    @Test
    void aPolicySeesThatItsPoolHasGrownAndShrunk() {
        PretendWorker stays = new PretendWorker(rig, "w1", 1, 30);
        stays.beat();
        rig.submit("job", Rig.submit().build());
        rig.seconds(1, List.of(stays));
        rig.beat(Rig.worker("w2", 2).build());
        rig.seconds(7, List.of(stays));

        assertThat(told("job", List.of(JournalKind.POOL_CHANGED)))
                .containsExactly(
                        "poolChanged {slots=1.0, workers=1.0}: its splits are not known yet",
                        "poolChanged {slots=3.0, workers=2.0} -> scaleTo job: the pool has 2 workers and an epoch has"
                                + " 30 splits: it can use 2",
                        "poolChanged {slots=1.0, workers=1.0} -> scaleTo job: the pool has 1 worker and an epoch has"
                                + " 30 splits: it can use 1");
    }
}
