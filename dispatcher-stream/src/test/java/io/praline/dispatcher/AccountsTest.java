package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptPlace;
import io.praline.schema.AttemptProgress;
import io.praline.schema.FenceAttempt;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import io.praline.schema.OpenedSplit;
import io.praline.schema.SplitDigest;
import io.praline.schema.StartAttempt;
import io.praline.schema.TransformationMetrics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the dispatcher makes of beats, reports and silence, one at a time. */
class AccountsTest {
    private static final int FILES = 40;

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id, int slots) {
        PretendWorker worker = new PretendWorker(rig, id, slots, FILES);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    private List<JournalEntry> journal(JournalKind kind) {
        return rig.journal().stream()
                .filter(entry -> entry.getObservation().getKind().equals(kind.text()))
                .toList();
    }

    private List<Object> sent(Class<?> kind) {
        return rig.commands("w1").stream().filter(kind::isInstance).toList();
    }

    private static AttemptProgress attempt(String job, AttemptPhase phase, List<OpenedSplit> opened) {
        return ToldProgress.of(new AttemptKey(job, 0, 0))
                .setPhase(phase)
                .setSplitSeconds(1)
                .setOpened(opened)
                .setBatches(0)
                .setElements(0)
                .setBytes(0)
                .build();
    }

    private void beat(AttemptProgress progress) {
        rig.beat(Rig.worker("w1", 1).setAttempts(List.of(progress)).build());
    }

    /** Lets time pass in which the worker beats. */
    private void beatFor(int seconds, AttemptProgress progress) {
        for (int second = 0; second < seconds; second++) {
            beat(progress);
            rig.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void anAttemptThatItsWorkerShouldNotHaveIsFencedAfterThreeSecondsAndThenEveryThreeSeconds() {
        AttemptProgress stray = attempt("forgotten", AttemptPhase.RUNNING, List.of());
        beatFor(3, stray);
        assertThat(sent(FenceAttempt.class)).isEmpty();
        beatFor(1, stray);
        assertThat(sent(FenceAttempt.class))
                .containsExactly(new FenceAttempt("forgotten", 0, 0, "it is not one of the job's any more", false));
        beatFor(2, stray);
        assertThat(sent(FenceAttempt.class)).isEmpty();
        beatFor(1, stray);
        assertThat(sent(FenceAttempt.class)).hasSize(1);
    }

    // its batches lie in the worker's memory until it is fenced: eight beats in 8 s, the fences after 3 and 6 s
    @Test
    void oneThatIsOverIsFencedAsWell() {
        beatFor(8, attempt("forgotten", AttemptPhase.ENDED, List.of()));
        assertThat(sent(FenceAttempt.class)).hasSize(2);
        assertThat(rig.ignored(Ignored.STALE_ATTEMPT)).isEqualTo(8);
    }

    @Test
    void splitsThatThePlanDoesNotHaveAreNotCounted() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        rig.seconds(1, workers.values());
        long elements = rig.status("job").getProgress().get(0).getElements();
        beat(attempt("job", AttemptPhase.RUNNING, List.of(new OpenedSplit((long) FILES, 1_000L))));
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.status("job").getProgress().get(0).getElements()).isEqualTo(elements);
    }

    private void tells(long split, List<Long> digests) {
        beat(AttemptProgress.newBuilder(attempt("job", AttemptPhase.RUNNING, List.of()))
                .setDigests(List.of(new SplitDigest(split, digests)))
                .build());
    }

    /** A split that the first attempt of a new job has. */
    private AssignedSplit assigned() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        workers.get("w1").obey();
        return sent(AssignSplits.class).stream()
                .map(AssignSplits.class::cast)
                .flatMap(assignment -> assignment.getSplits().stream())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReadingThatCameLessFarOrFartherAgreesAsFarAsBothCame() {
        long split = assigned().getOrdinal();
        tells(split, List.of(4L, 9L, 1L));
        tells(split, List.of(4L));
        tells(split, List.of(4L, 9L, 1L, 7L));
        tells(FILES, List.of(6L));
        tells(FILES, List.of(7L));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aSplitThatComesOutOtherwiseWhenItIsReadAgainFailsTheJobByItsName() {
        AssignedSplit split = assigned();
        tells(split.getOrdinal(), List.of(4L, 9L, 1L));
        tells(split.getOrdinal(), List.of(4L));
        tells(split.getOrdinal(), List.of(4L, 9L, 2L));
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .startsWith(split.getSplit().getPaths().get(0)
                        + " comes out otherwise when it is read again: the first elements that worker w1 makes of it");
    }

    @Test
    void whatAWorkerWasNotSeenToTakeIsSentAgainAfterThreeSeconds() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        workers.get("w1").obey();
        assertThat(sent(StartAttempt.class)).hasSize(1);
        for (int second = 0; second < 2; second++) {
            rig.beat(Rig.worker("w1", 1).build());
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(sent(StartAttempt.class)).isEmpty();
        rig.beat(Rig.worker("w1", 1).build());
        rig.pass(Duration.ofSeconds(2));
        assertThat(sent(StartAttempt.class)).hasSize(1);
    }

    @Test
    void aConsumerOfWhichNothingWasEverHeardHasNothing() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        rig.seconds(1, workers.values());
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
        assertThat(journal(JournalKind.ATTEMPT_LOST)).hasSize(1);
        assertThat(journal(JournalKind.FENCE_ANSWERED)).hasSize(1);
    }

    @Test
    void aConsumerThatLeftInOrderNeedNotAnswer() {
        worker("w1", 1);
        worker("w2", 1);
        rig.submit("job", Rig.submit().build());
        PretendClient client = new PretendClient(rig, "job", 0, workers);
        rig.seconds(2, workers.values(), client);
        client.leave();
        rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
        assertThat(journal(JournalKind.ATTEMPT_LOST)).hasSize(1);
        assertThat(journal(JournalKind.FENCE_ANSWERED)).hasSize(1);
    }

    @Test
    void beatsOfConsumersThatTheJobDoesNotHaveAreIgnored() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        rig.clientBeat("job", 1, "consumer-1");
        rig.clientBeat("other", 0, "consumer-0");
        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(1);
        assertThat(rig.ignored(Ignored.UNKNOWN_JOB)).isEqualTo(1);
    }

    @Test
    void aConsumersPlaceIsThatOfTheProcessThatWasHeardFirstUntilAnotherAttaches() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        rig.clientBeat("job", 0, "first");
        rig.clientBeat("job", 0, "second");
        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(1);
        rig.attach("job", 0, "second");
        rig.clientBeat("job", 0, "second");
        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(1);
        rig.clientBeat("job", 0, "first");
        assertThat(rig.ignored(Ignored.STALE_INCARNATION)).isEqualTo(2);
    }

    private static TransformationMetrics spent(String name, long elements) {
        return new TransformationMetrics(name, "Kind", elements, 10 * elements, 100 * elements);
    }

    private void measured(String incarnation, int attempt, TransformationMetrics... metrics) {
        rig.beat(Rig.worker("w1", 1)
                .setIncarnation(incarnation)
                .setAttempts(List.of(AttemptProgress.newBuilder(attempt("job", AttemptPhase.RUNNING, List.of()))
                        .setAttempt(attempt)
                        .setMetrics(List.of(metrics))
                        .build()))
                .build());
    }

    // the first attempt is lost with its worker's process, and settled 5 s later
    @Test
    void whereTheTimeWentIsSummedOverAttemptsThoseThatAreOverIncluded() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        workers.get("w1").obey();
        measured("w1-1", 0, spent("map", 7), spent("batch", 2));
        for (int second = 0; second < 6; second++) {
            rig.beat(Rig.worker("w1", 1).setIncarnation("w1-2").build());
            rig.pass(Duration.ofSeconds(1));
        }
        measured("w1-2", 1, spent("read", 9), spent("map", 4));
        rig.pass(Duration.ofSeconds(2));
        List<TransformationMetrics> sums = List.of(spent("map", 11), spent("batch", 2), spent("read", 9));
        assertThat(rig.status("job").getTransformations()).isEqualTo(sums);
        rig.cancel("job", "");
        assertThat(rig.status("job").getTransformations()).isEqualTo(sums);
    }

    @Test
    void whatNobodyWaitsForIsToldOnceASecond() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        PretendClient client = new PretendClient(rig, "job", 0, workers);
        rig.seconds(6, workers.values());
        client.beat();
        rig.pass(Duration.ofSeconds(1));
        client.fetch(4);
        int before = rig.told().size();
        for (int report = 0; report < 3; report++) {
            client.next();
            client.report();
            assertThat(rig.told()).hasSize(before + 1);
        }
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.told()).hasSize(before + 2);
    }

    @Test
    void aChannelToAnotherProcessOfTheWorkerIsNoReasonToFence() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().build());
        PretendClient client = new PretendClient(rig, "job", 0, workers);
        rig.seconds(2, workers.values(), client);
        client.lose(workers.get("w1").started().get(0), "w1-0");
        client.report();
        assertThat(journal(JournalKind.ATTEMPT_LOST)).isEmpty();
        assertThat(rig.ignored(Ignored.STALE_ATTEMPT)).isEqualTo(1);
    }

    @Test
    void aJobToWhichNoConsumerComesWaitsForOneAndFailsWhenItsPatienceIsOver() {
        worker("w1", 1);
        rig.submit(
                "job",
                Rig.submit().setConsumers(2).setConsumerPatienceSeconds(100).build());
        rig.seconds(9, workers.values());
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("consumers");
        rig.seconds(3, workers.values());
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("consumer");
        assertThat(rig.status("job").getReason()).isEqualTo("no consumer came");
        rig.seconds(97, workers.values());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.WAITING);
        rig.seconds(4, workers.values());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason()).isEqualTo("no consumer came within 100 s");
    }

    @Test
    void aJobGoesOnWithoutAConsumerThatFellSilentAndTakesItBack() {
        worker("w1", 1);
        rig.submit("job", Rig.submit().setConsumers(2).build());
        PretendClient first = new PretendClient(rig, "job", 0, workers);
        PretendClient second = new PretendClient(rig, "job", 1, workers);
        rig.seconds(1, workers.values(), first, second);
        for (int i = 0; i < 62; i++) {
            workers.get("w1").beat();
            first.beat();
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(journal(JournalKind.CONSUMER_LOST))
                .extracting(JournalEntry::getReason)
                .containsExactly("consumer 1 was silent for 60 s: what was sent to it and not reported is in doubt");
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        for (int i = 0; i < 60 && rig.status("job").getState() != JobState.COMPLETED; i++) {
            rig.seconds(1, workers.values(), first, second);
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
    }

    // 4 slots at weights of 3 and 1 are 3 and 1
    @Test
    void aJobsShareGoesByItsWeight() {
        for (String id : List.of("w1", "w2", "w3", "w4")) {
            PretendWorker worker = new PretendWorker(rig, id, 1, 400);
            workers.put(id, worker);
            worker.beat();
        }
        rig.submit("heavy", Rig.submit().setWeight(3).build());
        rig.submit("light", Rig.submit().build());
        rig.seconds(
                20,
                workers.values(),
                new PretendClient(rig, "heavy", 0, workers),
                new PretendClient(rig, "light", 0, workers));
        assertThat(serving("heavy")).isEqualTo(3);
        assertThat(serving("light")).isEqualTo(1);
    }

    private long serving(String job) {
        return rig.status(job).getAttempts().stream()
                .map(AttemptPlace::getWorker)
                .filter(worker -> workers.get(worker).running() > 0)
                .distinct()
                .count();
    }
}
