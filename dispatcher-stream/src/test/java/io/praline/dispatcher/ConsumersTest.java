package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.schema.Attach;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Training loops that come, leave, hang, wake up and are replaced, with workers and clients as the protocol has them. */
class ConsumersTest {
    private static final int FILES = 60;
    private static final int ALL = (int) PretendWorker.recordsOf(FILES);
    private static final int ODD = (int) PretendWorker.recordsOf(FILES - 3);

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new TreeMap<>();

    private void job(int consumers) {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setConsumers(consumers).build());
    }

    private PretendClient client(int consumer, String incarnation) {
        return new PretendClient(rig, "job", consumer, workers, incarnation);
    }

    private void seconds(int count, PretendClient... clients) {
        rig.seconds(count, workers.values(), clients);
    }

    /** Another process takes the only place, whose own has worked so long and still has what it was given. */
    private PretendClient inPlaceOf(PretendClient old, int seconds) {
        seconds(seconds, old);
        old.hold(workers.get("w1"));
        PretendClient young = client(0, "young");
        rig.attach("job", 0, "young");
        return young;
    }

    private static void assertEachOnce(PretendClient... clients) {
        assertThat(PretendClient.given(clients)).hasSize(ALL);
        assertThat(PretendClient.given(clients).values()).containsOnly(1);
    }

    private void untilOver(PretendClient... clients) {
        rig.untilCompleted("job", workers.values(), clients);
    }

    private ConsumerSlot slot(int consumer) {
        return rig.status("job").getSlots().stream()
                .filter(slot -> slot.getConsumer() == consumer)
                .findFirst()
                .orElseThrow();
    }

    private List<String> journal(JournalKind kind) {
        return rig.journal().stream()
                .filter(entry -> entry.getObservation().getKind().equals(kind.text()))
                .map(JournalEntry::getReason)
                .toList();
    }

    /** How often each element was given, to all of these together. */
    private static long twice(PretendClient... clients) {
        return PretendClient.given(clients).values().stream()
                .filter(times -> times == 2)
                .count();
    }

    private long possiblyTwice() {
        return rig.status("job").getProgress().get(0).getPossiblyTwice();
    }

    @Test
    void whoSubmitsTheSameAgainTakesTheFirstPlaceAndWhoSubmitsAnotherJobByItsIdGetsNone() {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setDigest("of this one").build());
        attach("first", "of this one");
        assertThat(rig.status("job").getSubmission()).isEqualTo("of this one");

        // as of two that ask at the same moment, neither of which knows of the other
        rig.request(
                "job",
                "other",
                Rig.submit().setDigest("of another").setEpochs(2).build());
        attach("other", "of another");
        assertThat(slot(0).getIncarnation()).isEqualTo("first");
        assertThat(rig.status("job").getRequester()).isEqualTo("client");

        attach("again", "of this one");
        assertThat(slot(0).getIncarnation()).isEqualTo("again");
        assertThat(slot(0).getSucceeded()).containsExactly("first");
        untilOver(client(0, "again"));
        assertThat(rig.status("job").getSubmission()).isEqualTo("of this one");
    }

    private void attach(String incarnation, String digest) {
        rig.request("job", incarnation, new Attach(0, incarnation, "trainer", false, digest, ""));
    }

    // the first of them would be given all that its window holds, which of a small dataset is everything
    @Test
    void nothingIsReadBeforeAllThatItWasSubmittedForAreThere() {
        job(2);
        PretendClient first = client(0, "first");
        seconds(4, first);
        assertThat(rig.status("job").getAttempts()).isEmpty();
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("consumers");
        assertThat(rig.status("job").getReason())
                .isEqualTo("1 of its 2 consumers is here; it begins when all are, or 10 s after it was submitted");
        PretendClient second = client(1, "second");
        seconds(2, first, second);
        assertThat(rig.status("job").getAttempts()).hasSize(1);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.RUNNING);
        untilOver(first, second);
        assertThat(PretendClient.given(first, second)).hasSize(ALL);
    }

    @Test
    void whoDoesNotComeInTenSecondsIsNotWaitedFor() {
        job(3);
        PretendClient first = client(0, "first");
        seconds(9, first);
        assertThat(rig.status("job").getAttempts()).isEmpty();
        seconds(3, first);
        assertThat(rig.status("job").getAttempts()).hasSize(1);
        untilOver(first);
        assertThat(PretendClient.given(first)).hasSize(ALL);
    }

    @Test
    void whatALoopHadInItsHandsThatIsGoneWithoutAWordIsOnRecordAsPossiblyTrainedTwice() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient dies = client(1, "dies");
        seconds(12, stays, dies);
        dies.hold(workers.get("w1"));
        dies.leaveUnsure();
        rig.pass(Duration.ofSeconds(1));
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.LEFT);
        untilOver(stays);
        assertThat(PretendClient.given(stays, dies)).hasSize(ALL);
        assertThat(possiblyTwice()).isEqualTo(twice(stays, dies)).isBetween(1L, 8L);
        assertThat(slot(1).getInDoubt()).isZero();
    }

    @Test
    void whoLeavesInOrderLeavesAllThatItDidNotFinishToTheOthers() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient leaves = client(1, "leaves");
        seconds(12, stays, leaves);
        leaves.hold(workers.get("w1"));
        assertThat(leaves.given(0)).isNotEmpty();
        leaves.leave();
        rig.pass(Duration.ofSeconds(1));
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.LEFT);
        untilOver(stays);
        // the batch that was in its hands was not done, and comes again
        assertThat(PretendClient.given(stays, leaves)).hasSize(ALL);
        assertThat(twice(stays, leaves)).isLessThanOrEqualTo(8);
        assertThat(possiblyTwice()).isZero();
        assertThat(slot(1).getInDoubt()).isZero();
    }

    @Test
    void whatWasSentToALostConsumerWaitsForItAndAllElseGoesOn() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        lost.hold(workers.get("w1"));
        seconds(200, stays);
        ConsumerSlot slot = slot(1);
        assertThat(slot.getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot.getInDoubt()).isPositive();
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("doubt");
        assertThat(rig.status("job").getReason())
                .isEqualTo("what was sent to consumer 1 and not reported is in doubt: it must come back, or be given up"
                        + " (praline job job --give-up CONSUMER)");
        // nothing that it may have is given to another, and nothing else is kept back
        assertThat(PretendClient.given(stays, lost).values()).containsOnly(1);
        long consumed = rig.status("job").getProgress().get(0).getConsumed();
        assertThat(consumed + slot.getInDoubt()).isEqualTo(ALL);
        PretendClient back = client(1, "back");
        rig.attach("job", 1, "back");
        untilOver(stays, back);
        assertThat(PretendClient.given(stays, lost, back)).hasSize(ALL);
        // it may have trained on all that was sent to it: the claims of its last moments would have died with it
        assertThat(twice(stays, lost, back)).isPositive();
        assertThat(possiblyTwice())
                .isGreaterThanOrEqualTo(twice(stays, lost, back))
                .isEqualTo(slot.getInDoubt());
    }

    // nobody can tell what was sent any more: all that the attempt owes may be with the lost one, and is kept for it
    @Test
    void whereItsWorkerIsGoneWithItAllThatTheAttemptOwesIsInDoubtAndAllElseGoesOn() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        lost.hold(workers.get("w1"));
        workers.get("w1").kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        seconds(200, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot(1).getInDoubt()).isPositive();
        assertThat(PretendClient.given(stays, lost).values()).containsOnly(1);
        long consumed = rig.status("job").getProgress().get(0).getConsumed();
        assertThat(consumed).isPositive();
        PretendClient back = client(1, "back");
        rig.attach("job", 1, "back");
        untilOver(stays, back);
        assertThat(PretendClient.given(stays, lost, back)).hasSize(ALL);
        assertThat(twice(stays, lost, back)).isPositive();
        assertThat(possiblyTwice())
                .isGreaterThanOrEqualTo(twice(stays, lost, back))
                .isLessThanOrEqualTo(ALL - consumed);
    }

    // batches may have come out of a split before anybody heard how many elements it has
    @Test
    void whatLiesInSplitsThatNobodyHasCountedIsInDoubtTooAndOnRecordWhenSomebodyHas() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        workers.get("w1").obey();
        for (int i = 0; i < 3; i++) {
            workers.get("w1").read(); // of which no beat tells
        }
        lost.fetch(4);
        workers.get("w1").kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        seconds(200, stays);
        ConsumerSlot doubt = slot(1);
        assertThat(doubt.getInDoubtSplits()).isPositive();
        // all else went on, but for what does not make a whole batch
        long waits = ALL - rig.status("job").getProgress().get(0).getConsumed();
        assertThat(doubt.getInDoubt()).isLessThan(waits - 7);
        rig.giveUp("job", 1);
        assertThat(rig.status("job").getGuaranteeReasons())
                .containsExactly("consumer 1 was given up on request: " + doubt.getInDoubt() + " elements and those of "
                        + doubt.getInDoubtSplits()
                        + " uncounted splits, which it may have trained on, are given again");
        assertThat(possiblyTwice()).isEqualTo(doubt.getInDoubt());
        assertThat(rig.status("job").getProgress().get(0).getPossiblyTwiceSplits())
                .isEqualTo(doubt.getInDoubtSplits());
        rig.restart();
        untilOver(stays);
        assertThat(rig.status("job").getProgress().get(0).getPossiblyTwiceSplits())
                .isZero();
        assertThat(possiblyTwice()).isBetween(waits - 7, waits);
    }

    @Test
    void whatAReplacedProcessMayHaveOfAWorkerThatIsGoneIsInDoubtAsLongAsItsLease() {
        job(1);
        PretendClient old = client(0, "old");
        seconds(12, old);
        old.hold(workers.get("w1"));
        workers.get("w1").kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        PretendClient young = client(0, "young");
        rig.attach("job", 0, "young");
        seconds(20, young);
        ConsumerSlot doubt = slot(0);
        long waits = doubt.getInDoubt();
        assertThat(waits).isPositive();
        untilOver(young);
        assertThat(PretendClient.given(old, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isGreaterThanOrEqualTo(twice(old, young));
        // what was ahead of the worker was not counted yet
        assertThat(doubt.getInDoubtSplits()).isPositive();
        assertThat(possiblyTwice()).isGreaterThan(waits);
    }

    @Test
    void aLostConsumerThatIsHeardAgainGoesOnInANewGenerationAndFinishesWhatItHeld() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient hangs = client(1, "hangs");
        seconds(12, stays, hangs);
        hangs.hold(workers.get("w1"));
        int before = slot(1).getGeneration();
        seconds(70, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        untilOver(stays, hangs);
        assertThat(slot(1).getGeneration()).isGreaterThan(before);
        assertEachOnce(stays, hangs);
        assertThat(possiblyTwice()).isZero();
    }

    // a laptop that wakes up for a moment is heard, and sleeps again before it hears of its new generation, of which a
    // worker
    // had lanes that died
    @Test
    void aConsumerThatIsLostAgainBeforeItHeardOfItsGenerationGoesOnInTheNext() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient sleeps = client(1, "sleeps");
        seconds(12, stays, sleeps);
        sleeps.hold(workers.get("w1"));
        int before = slot(1).getGeneration();
        seconds(70, stays);
        rig.clientBeat("job", 1, "sleeps");
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.HERE);
        int unheard = slot(1).getGeneration();
        assertThat(unheard).isGreaterThan(before);
        workers.get("w1").kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        seconds(70, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        untilOver(stays, sleeps);
        assertThat(slot(1).getGeneration()).isGreaterThan(unheard);
        assertEachOnce(stays, sleeps);
        assertThat(possiblyTwice()).isZero();
    }

    // nobody need do anything about it
    @Test
    void aJobThatWaitsForNothingButAReplacedProcessSaysSo() {
        job(1);
        PretendClient old = client(0, "old");
        PretendClient young = inPlaceOf(old, 36);
        seconds(30, young);
        assertThat(rig.status("job").getReason())
                .isEqualTo(
                        "what the process had that was consumer 0 before is held back until it tells what it did with"
                                + " that, or its lease is over");
        untilOver(young);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void whatAReplacedProcessMayStillTrainOnIsHeldBackUntilItsLeaseIsOver() {
        job(1);
        PretendClient old = client(0, "old");
        PretendClient young = inPlaceOf(old, 12);
        seconds(38, young);
        long inDoubt = slot(0).getInDoubt();
        assertThat(inDoubt).isPositive();
        assertThat(PretendClient.given(old, young).values()).containsOnly(1);
        seconds(3, young);
        assertThat(journal(JournalKind.CONSUMER_SETTLED))
                .singleElement()
                .asString()
                .contains("its lease is over");
        // it wakes up, and hears that another has its place
        old.next();
        assertThat(old.superseded()).isTrue();
        untilOver(young);
        assertThat(PretendClient.given(old, young)).hasSize(ALL);
        assertThat(twice(old, young)).isPositive();
        assertThat(possiblyTwice()).isGreaterThanOrEqualTo(twice(old, young)).isEqualTo(inDoubt);
    }

    @Test
    void aReplacedProcessThatAnswersEndsTheWaitForIt() {
        job(1);
        PretendClient old = client(0, "old");
        PretendClient young = inPlaceOf(old, 12);
        seconds(1, young);
        assertThat(slot(0).getInDoubt()).isPositive();
        old.next();
        rig.pass(Duration.ofSeconds(1));
        assertThat(slot(0).getInDoubt()).isZero();
        untilOver(young);
        assertThat(PretendClient.given(old, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isEqualTo(twice(old, young));
    }

    // its first status may be one in which another has followed it already
    @Test
    void whoWasReplacedIsNamedHoweverSoonItWasAndCannotTakeThePlaceAgain() {
        job(1);
        PretendClient old = client(0, "old");
        seconds(3, old);
        rig.attach("job", 0, "brief");
        rig.attach("job", 0, "young");
        assertThat(slot(0).getIncarnation()).isEqualTo("young");
        assertThat(slot(0).getSucceeded()).containsExactly("old", "brief");

        rig.replace("job", 0, "last");
        rig.attach("job", 0, "brief");
        rig.pass(Duration.ofSeconds(1));

        assertThat(slot(0).getIncarnation()).isEqualTo("last");
        assertThat(slot(0).getSucceeded()).containsExactly("old", "brief", "young");
    }

    @Test
    void aProcessThatIsKnownToBeDeadIsNotWaitedFor() {
        job(1);
        PretendClient dead = client(0, "dead");
        seconds(12, dead);
        dead.hold(workers.get("w1"));
        rig.replace("job", 0, "young");
        assertThat(slot(0).getInDoubt()).isZero();
        assertThat(journal(JournalKind.CONSUMER_SETTLED))
                .singleElement()
                .asString()
                .contains("it is known to be dead");
        PretendClient young = client(0, "young");
        untilOver(young);
        assertThat(PretendClient.given(dead, young)).hasSize(ALL);
        assertThat(twice(dead, young)).isPositive();
        assertThat(possiblyTwice()).isGreaterThanOrEqualTo(twice(dead, young));
    }

    // it was found dead by a status behind which another took its place
    @Test
    void whoTookThePlaceOfOneThatIsKnownToBeDeadIsNotCalledSo() {
        job(1);
        PretendClient dead = client(0, "dead");
        seconds(3, dead);
        rig.attach("job", 0, "lives");
        PretendClient lives = client(0, "lives");
        seconds(12, lives);
        lives.hold(workers.get("w1"));
        rig.replace("job", 0, "young", "dead");
        assertThat(slot(0).getIncarnation()).isEqualTo("young");
        assertThat(slot(0).getInDoubt()).isPositive();
        assertThat(journal(JournalKind.CONSUMER_SETTLED)).isEmpty();
        lives.next();
        PretendClient young = client(0, "young");
        untilOver(young);
        assertThat(PretendClient.given(dead, lives, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isGreaterThanOrEqualTo(twice(dead, lives, young));
    }

    // the word is about the one that it follows: who was replaced before that one may train for as long as its lease
    // runs
    @Test
    void whoWasReplacedBeforeOneThatIsKnownToBeDeadIsStillWaitedFor() {
        job(1);
        PretendClient old = client(0, "old");
        seconds(12, old);
        old.hold(workers.get("w1"));
        rig.attach("job", 0, "dead");
        PretendClient dead = client(0, "dead");
        seconds(2, dead);
        long waits = slot(0).getInDoubt();
        assertThat(waits).isPositive();
        rig.replace("job", 0, "young");
        PretendClient young = client(0, "young");
        seconds(20, young);
        assertThat(slot(0).getInDoubt()).isEqualTo(waits);
        assertThat(PretendClient.given(old, young).values()).containsOnly(1);
        old.next();
        untilOver(young);
        assertThat(PretendClient.given(old, dead, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isGreaterThanOrEqualTo(twice(old, dead, young));
    }

    @Test
    void whoIsGivenUpMakesTheJobPromiseLess() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        lost.hold(workers.get("w1"));
        seconds(100, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(rig.status("job").getGuarantee()).isEqualTo(Guarantee.EXACTLY_ONCE);
        rig.giveUp("job", 1);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.LEFT);
        assertThat(rig.status("job").getGuarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
        assertThat(rig.status("job").getGuaranteeReasons())
                .singleElement()
                .asString()
                .startsWith("consumer 1 was given up on request: ");
        untilOver(stays);
        assertThat(PretendClient.given(stays, lost)).hasSize(ALL);
    }

    @Test
    void aConsumerThatJoinsGetsItsShare() {
        job(1);
        PretendClient first = client(0, "first");
        seconds(6, first);
        rig.attach("job", 1, "second");
        PretendClient second = client(1, "second");
        assertThat(rig.status("job").getConsumers()).isEqualTo(2);
        untilOver(first, second);
        assertEachOnce(first, second);
        assertThat(second.given(0)).isNotEmpty();
    }

    /** The other loop has not asked for anything, and half of the epoch lies in its lane. */
    private void untilTheOtherHasTakenAll(PretendClient stays, PretendClient idle) {
        for (int i = 0; i < 100; i++) {
            idle.beat();
            idle.follow();
            seconds(1, stays);
        }
        assertThat(delivered()).isTrue();
        assertThat(PretendClient.given(stays)).isNotEmpty().hasSizeLessThan(ALL);
    }

    // its stream has ended: what the other gives back would lie in its lane for ever
    @Test
    void whoHasTakenAllIsFinishedAndWhatComesBackWaitsForWhoTakesIt() {
        job(2);
        PretendClient first = client(0, "first");
        PretendClient idle = client(1, "idle");
        untilTheOtherHasTakenAll(first, idle);
        assertThat(slot(0).getFinished()).contains(true);
        assertThat(slot(1).getFinished()).contains(false);
        int had = PretendClient.given(first).size();
        idle.leave();
        assertThat(delivered()).isFalse();
        seconds(10, first);
        assertThat(PretendClient.given(first)).hasSize(had);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("consumer");
        assertThat(rig.status("job").getReason()).isEqualTo("it has no consumer: let one come (run --attach job)");
        rig.attach("job", 2, "third");
        PretendClient third = client(2, "third");
        untilOver(first, third);
        assertEachOnce(first, third);
    }

    @Test
    void whatAReplacedProcessHadGoesToItsSuccessorAndNotToWhoIsFinished() {
        job(2);
        PretendClient first = client(0, "first");
        PretendClient idle = client(1, "idle");
        untilTheOtherHasTakenAll(first, idle);
        int had = PretendClient.given(first).size();
        rig.replace("job", 1, "young");
        PretendClient young = client(1, "young");
        assertThat(slot(1).getFinished()).contains(false);
        untilOver(first, young);
        assertThat(PretendClient.given(first)).hasSize(had);
        assertEachOnce(first, young);
    }

    // nothing is delivered while it is in doubt who has it: the others wait, and get what is given up
    @Test
    void nobodyIsFinishedWhileSomethingIsInDoubt() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        lost.hold(workers.get("w1"));
        seconds(200, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot(0).getFinished()).contains(false);
    }

    /** It acknowledges all that was sent to it, and nothing is heard of it any more. */
    private static void takesAllOfItsLaneAndDies(PretendClient client) {
        client.fetch(1_000);
        while (client.ready() > 0) {
            client.next();
        }
        client.next();
        client.report();
    }

    /** Its elements fill no whole batches. */
    private void jobWithAShortBatch() {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES - 3));
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setConsumers(2).build());
    }

    // it trained on all that was sent to it and said so: whatever becomes of it, it has nothing that could come back
    @Test
    void aLostConsumerWithNothingInDoubtKeepsNothingFromTheOthers() {
        jobWithAShortBatch();
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        takesAllOfItsLaneAndDies(lost);
        assertThat(lost.given(0)).isNotEmpty();
        untilOver(stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(PretendClient.given(stays, lost)).hasSize(ODD);
        assertThat(PretendClient.given(stays, lost).values()).containsOnly(1);
        assertThat(possiblyTwice()).isZero();
    }

    @Test
    void nothingInDoubtIsFoundAnewBehindATakeover() {
        jobWithAShortBatch();
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        takesAllOfItsLaneAndDies(lost);
        for (int i = 0; i < 80; i++) {
            seconds(1, stays);
            rig.restart();
        }
        untilOver(stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(PretendClient.given(stays, lost).values()).containsOnly(1);
    }

    // a dispatcher that took over knows of nobody that it lives: what a dead one leaves behind is for who is there
    @Test
    void behindATakeoverNobodyIsFinishedBeforeTheOthersAreHeard() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient dies = client(1, "dies");
        seconds(3, stays, dies);
        for (int i = 0; i < 100; i++) {
            seconds(1, stays);
            rig.restart();
        }
        assertThat(delivered()).isTrue();
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.HERE);
        assertThat(slot(0).getFinished()).contains(false);
    }

    // it is heard again while the others come to their ends, with its last report late: that moves nothing
    @Test
    void aLostConsumerWithNothingInDoubtMayComeBackAtAnyTime() {
        for (int late = 50; late < 110; late += 4) {
            new ConsumersTest().comesBack(late);
        }
    }

    private void comesBack(int late) {
        jobWithAShortBatch();
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        takesAllOfItsLaneAndDies(lost);
        seconds(late, stays);
        lost.repeat(0);
        untilOver(stays, lost);
        assertThat(PretendClient.given(stays, lost)).hasSize(ODD);
        assertThat(PretendClient.given(stays, lost).values()).containsOnly(1);
        assertThat(possiblyTwice()).isZero();
    }

    // a process that was replaced asks for its place again and again: that is no sign of life of the one that has it
    @Test
    void whoAsksForAPlaceThatAnotherHasKeepsThatOneNotAlive() {
        job(1);
        PretendClient old = client(0, "old");
        seconds(3, old);
        rig.replace("job", 0, "young");
        for (int i = 0; i < 7; i++) {
            seconds(10);
            rig.attach("job", 0, "old");
        }
        rig.pass(Duration.ofSeconds(1));
        assertThat(slot(0).getIncarnation()).isEqualTo("young");
        assertThat(slot(0).getState()).isEqualTo(ConsumerState.IN_DOUBT);
    }

    // one loop never asks past the last batch that it has: in an all-reduce it waits for the other's first of the next
    // epoch
    @Test
    void theNextEpochOpensThoughAnotherLoopHoldsABatchOfTheLast() {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setConsumers(2).setEpochs(2).build());
        PretendClient first = client(0, "first");
        PretendClient holds = client(1, "holds");
        holds.upTo(0);
        for (int i = 0; i < 300 && !delivered(); i++) {
            seconds(1, first);
            holds.beat();
            holds.fetch(4);
            while (holds.ready() > 0) {
                holds.next(); // and never once more than there is
            }
            holds.report();
        }
        assertThat(delivered()).isTrue();
        assertThat(rig.status("job").getProgress().get(0).getComplete()).isFalse();
    }

    // epochs are small, and the half of each that the other loop got lies in its lane until this one goes on
    @Test
    void aLoopThatHasTakenAllIsGivenTheNextEpochHoweverManyAnotherHolds() {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setConsumers(2).setEpochs(5).build());
        PretendClient first = client(0, "first");
        PretendClient waits = client(1, "waits");
        for (int i = 0; i < 400 && first.given(4).isEmpty(); i++) {
            waits.beat();
            waits.follow();
            seconds(1, first);
        }
        assertThat(first.given(4)).isNotEmpty();
        assertThat(rig.status("job").getProgress())
                .allSatisfy(epoch -> assertThat(epoch.getComplete()).isFalse());
        untilOver(first, waits);
        for (int epoch = 0; epoch < 5; epoch++) {
            Map<Long, Integer> both = new HashMap<>(first.given(epoch));
            waits.given(epoch).forEach((ticket, times) -> both.merge(ticket, times, Integer::sum));
            assertThat(both).hasSize(ALL);
            assertThat(both.values()).containsOnly(1);
        }
    }

    // its reports are numbered, and those of its last moments come when Kafka lets them through
    @Test
    void whoIsGivenUpAndTellsLateWhatItTookKeepsNothingFromTheOthers() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient cut = client(1, "cut");
        seconds(4, stays, cut);
        cut.hold(workers.get("w1"));
        cut.next(); // of which nothing is told while Kafka does not answer
        for (int i = 0; i < 70; i++) {
            workers.get("w1").obey();
            workers.get("w1").beat();
            stays.beat();
            rig.pass(Duration.ofSeconds(1));
        }
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        rig.giveUp("job", 1);
        long onRecord = possiblyTwice();
        seconds(3); // in which the same attempt is given it again
        cut.leave();
        rig.pass(Duration.ofSeconds(1));
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.LEFT);
        untilOver(stays);
        assertThat(PretendClient.given(stays, cut)).hasSize(ALL);
        assertThat(twice(stays, cut)).isBetween(1L, onRecord);
    }

    private void jobOfOneThatIsWaitedFor(int seconds) {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setConsumerPatienceSeconds(seconds).build());
    }

    // lost after 60 s; what it has of the attempt stays in doubt, and whoever restarts it wants to know how much that
    // is
    @Test
    void aJobThatFailsForWantOfConsumersSaysWhatIsInDoubt() {
        jobOfOneThatIsWaitedFor(100);
        PretendClient lost = client(0, "lost");
        seconds(12, lost);
        lost.hold(workers.get("w1"));
        seconds(80);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("consumer");
        long inDoubt = slot(0).getInDoubt();
        assertThat(inDoubt).isPositive();
        seconds(85);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo("it had no consumer, and none came within 100 s; of consumer 0, which was lost, " + inDoubt
                        + " elements are in doubt: they were sent to it, and it did not report them");
    }

    // nobody is there when the attempt begins that goes on: what it owes is with nobody when its worker dies, not with
    // the one that was lost before
    @Test
    void whatAnAttemptMadeForNobodyIsNotInDoubt() {
        jobOfOneThatIsWaitedFor(600);
        PretendClient lost = client(0, "lost");
        seconds(12, lost);
        takesAllOfItsLaneAndDies(lost);
        seconds(75);
        assertThat(slot(0).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(rig.status("job").getReason()).isEqualTo("it has no consumer: let one come (run --attach job)");
        workers.get("w1").kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        seconds(20);
        assertThat(slot(0).getInDoubt() + slot(0).getInDoubtSplits()).isZero();
        rig.restart();
        rig.attach("job", 1, "other");
        PretendClient other = client(1, "other");
        untilOver(other);
        assertEachOnce(lost, other);
        assertThat(possiblyTwice()).isZero();
    }

    // it has acknowledged all that was sent to it, which who takes over finds out by the next clock
    @Test
    void itsPatienceIsOneAndTheSameWhateverIsFoundOutMeanwhile() {
        jobOfOneThatIsWaitedFor(100);
        PretendClient lost = client(0, "lost");
        seconds(12, lost);
        takesAllOfItsLaneAndDies(lost);
        seconds(65);
        assertThat(rig.status("job").getWaitingFor()).isEqualTo("consumer");
        for (int i = 0; i < 12; i++) {
            rig.restart();
            workers.get("w1").beat();
            seconds(9);
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason()).isEqualTo("it had no consumer, and none came within 100 s");
    }

    /** It was lost and came back with a batch in its hands of the generation before, and is lost for good. */
    private PretendClient backWithABatchInItsHands(PretendClient stays) {
        PretendClient dies = client(1, "dies");
        seconds(12, stays, dies);
        dies.hold(workers.get("w1"));
        seconds(70, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        dies.beat();
        dies.follow();
        dies.report();
        rig.pass(Duration.ofSeconds(1));
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.HERE);
        return dies;
    }

    @Test
    void whatAProcessHeldThatCameBackAndDiedIsGivenAgainWhenItIsGivenUp() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient dies = backWithABatchInItsHands(stays);
        seconds(100, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot(1).getInDoubt()).isEqualTo(8);
        rig.restart();
        rig.giveUp("job", 1);
        untilOver(stays);
        assertThat(PretendClient.given(stays, dies)).hasSize(ALL);
        assertThat(twice(stays, dies)).isEqualTo(8);
        assertThat(possiblyTwice()).isEqualTo(8);
    }

    @Test
    void whatAProcessHeldThatCameBackAndWasReplacedIsGivenAgainWhenItsLeaseIsOver() {
        job(2);
        PretendClient stays = client(0, "stays");
        PretendClient dies = backWithABatchInItsHands(stays);
        rig.attach("job", 1, "young");
        PretendClient young = client(1, "young");
        seconds(20, stays, young);
        assertThat(slot(1).getInDoubt()).isEqualTo(8);
        rig.restart();
        untilOver(stays, young);
        assertThat(PretendClient.given(stays, dies, young)).hasSize(ALL);
        assertThat(twice(stays, dies, young)).isEqualTo(8);
        assertThat(possiblyTwice()).isEqualTo(8);
    }

    // nobody can tell what the lost one has of the worker that is gone: that keeps the end open, and no epoch
    @Test
    void theNextEpochsOpenThoughALostConsumerMayHaveSomethingOfAWorkerThatIsGone() {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setConsumers(2).setEpochs(4).build());
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        lost.hold(workers.get("w1"));
        workers.get("w1").kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        seconds(300, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot(1).getInDoubt()).isPositive();
        assertThat(delivered()).isTrue();
        assertThat(rig.status("job").getProgress().get(0).getComplete()).isFalse();
        assertThat(stays.given(1)).hasSize(ALL);
        assertThat(stays.given(2)).hasSize(ALL);
        assertThat(stays.given(3)).isNotEmpty();
        PretendClient back = client(1, "back");
        rig.attach("job", 1, "back");
        untilOver(stays, back);
        assertThat(PretendClient.given(stays, lost, back)).hasSize(ALL);
        assertThat(possiblyTwice()).isGreaterThanOrEqualTo(twice(stays, lost, back));
    }

    @Test
    void theOneTaskOfAJobGoesOnWithTheNextEpochThoughALostConsumerMayHaveSomethingOfTheOneBefore() {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").plans(Guarantee.EXACTLY_ONCE, true);
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().setConsumers(2).setEpochs(3).build());
        PretendClient stays = client(0, "stays");
        PretendClient lost = client(1, "lost");
        seconds(12, stays, lost);
        lost.hold(workers.get("w1"));
        workers.get("w1").kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        seconds(200, stays);
        assertThat(slot(1).getInDoubt() + slot(1).getInDoubtSplits()).isPositive();
        assertThat(stays.given(1)).hasSize(ALL);
        assertThat(stays.given(2)).isNotEmpty();
        PretendClient back = client(1, "back");
        rig.attach("job", 1, "back");
        untilOver(stays, back);
        assertThat(PretendClient.given(stays, lost, back)).hasSize(ALL);
    }

    // all 60 splits lie with w1, which is about to leave and reads on; what its dead consumer had is for who reads
    // after it
    @Test
    void whatComesBackWhileTheOneTaskOfAJobEndsIsReadWhenItHasEnded() {
        workers.put("w1", new PretendWorker(rig, "w1", 1, FILES));
        workers.get("w1").plans(Guarantee.EXACTLY_ONCE, true);
        workers.get("w1").beat();
        rig.submit("job", Rig.submit().build());
        PretendClient dead = client(0, "dead");
        seconds(12, dead);
        dead.hold(workers.get("w1"));
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        workers.get("w2").beat();
        workers.get("w1").drain();
        seconds(2);
        rig.replace("job", 0, "young");
        PretendClient young = client(0, "young");
        seconds(5, young);
        assertThat(workers.get("w1").running()).isOne();
        assertThat(workers.get("w2").started()).isEmpty();

        untilOver(young);
        assertThat(workers.get("w2").started()).isNotEmpty();
        assertThat(PretendClient.given(dead, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isGreaterThanOrEqualTo(twice(dead, young));
    }

    private boolean delivered() {
        return !rig.status("job").getProgress().isEmpty()
                && rig.status("job").getProgress().get(0).getDelivered();
    }
}
