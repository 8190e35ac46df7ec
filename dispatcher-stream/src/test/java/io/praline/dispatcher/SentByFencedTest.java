package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Attempts that were fenced before a consumer of theirs was gone: their workers know what was sent to it. */
class SentByFencedTest {
    private static final int FILES = 60;
    private static final int ALL = (int) PretendWorker.recordsOf(FILES);
    private static final int BATCH = 8;

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new TreeMap<>();
    private final PretendWorker w1 = new PretendWorker(rig, "w1", 1, FILES);
    private PretendClient stays;
    private PretendClient lost;

    /** One of two holds some batches when the attempt that made them is fenced, and says nothing any more. */
    private void aConsumerHoldsWhatAFencedAttemptMade() {
        workers.put("w1", w1);
        w1.beat();
        rig.submit("job", Rig.submit().setConsumers(2).build());
        stays = client(0, "stays");
        lost = client(1, "lost");
        seconds(12, stays, lost);
        lost.hold(w1);
        List<AttemptKey> started = w1.started();
        stays.lose(started.get(started.size() - 1), "w1-1");
        stays.report();
    }

    private PretendClient client(int consumer, String incarnation) {
        return new PretendClient(rig, "job", consumer, workers, incarnation);
    }

    private void seconds(int count, PretendClient... clients) {
        rig.seconds(count, workers.values(), clients);
    }

    private void untilOver(PretendClient... clients) {
        rig.untilCompleted("job", workers.values(), clients);
        seconds(5);
        assertThat(w1.listed()).isZero();
    }

    private ConsumerSlot slot(int consumer) {
        return rig.status("job").getSlots().get(consumer);
    }

    /** Elements that the lost one holds, in its hands or ready. */
    private int held() {
        return (lost.ready() + 1) * BATCH;
    }

    private long possiblyTwice() {
        return rig.status("job").getProgress().get(0).getPossiblyTwice();
    }

    @Test
    void onlyWhatWasSentToALostConsumerIsInDoubtAndAllElseGoesOn() {
        aConsumerHoldsWhatAFencedAttemptMade();
        seconds(200, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot(1).getInDoubt()).isPositive().isLessThanOrEqualTo(held());
        assertThat(slot(1).getInDoubtSplits()).isZero();
        assertThat(PretendClient.given(stays, lost).values()).containsOnly(1);
        assertThat(rig.status("job").getProgress().get(0).getConsumed() + slot(1).getInDoubt())
                .isEqualTo(ALL);
        PretendClient back = client(1, "back");
        rig.attach("job", 1, "back");
        untilOver(stays, back);
        assertThat(PretendClient.given(stays, lost, back)).hasSize(ALL);
        assertThat(possiblyTwice()).isPositive().isLessThanOrEqualTo(held());
    }

    @Test
    void aDispatcherThatTakesOverAsksForItTheSame() {
        aConsumerHoldsWhatAFencedAttemptMade();
        seconds(30, stays);
        rig.restart();
        seconds(200, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot(1).getInDoubt()).isPositive().isLessThanOrEqualTo(held());
        rig.giveUp("job", 1);
        untilOver(stays);
        assertThat(PretendClient.given(stays, lost)).hasSize(ALL);
        assertThat(possiblyTwice()).isPositive().isLessThanOrEqualTo(held());
    }

    @Test
    void whatIsGivenAgainForOneThatIsKnownToBeDeadIsNoMoreThanWasSentToIt() {
        aConsumerHoldsWhatAFencedAttemptMade();
        seconds(5, stays);
        rig.replace("job", 1, "young");
        PretendClient young = client(1, "young");
        untilOver(stays, young);
        assertThat(PretendClient.given(stays, lost, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isPositive().isLessThanOrEqualTo(held());
    }

    // the worker has not even heard of the fence then
    @Test
    void norIsItMoreWhereThatIsSaidInTheMomentOfTheFence() {
        workers.put("w1", w1);
        w1.beat();
        rig.submit("job", Rig.submit().build());
        lost = client(0, "lost");
        seconds(12, lost);
        lost.hold(w1);
        List<AttemptKey> started = w1.started();
        lost.lose(started.get(started.size() - 1), "w1-1");
        lost.report();
        rig.replace("job", 0, "young");
        PretendClient young = client(0, "young");
        untilOver(young);
        assertThat(PretendClient.given(lost, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isPositive().isLessThanOrEqualTo(held());
    }

    @Test
    void whereItsWorkerGoesBeforeItToldAllThatItOwesMayBeTwice() {
        aConsumerHoldsWhatAFencedAttemptMade();
        seconds(5, stays);
        rig.replace("job", 1, "young");
        w1.kill();
        workers.put("w2", new PretendWorker(rig, "w2", 1, FILES));
        PretendClient young = client(1, "young");
        untilOver(stays, young);
        assertThat(PretendClient.given(stays, lost, young)).hasSize(ALL);
        assertThat(possiblyTwice()).isGreaterThan(held());
    }

    @Test
    void aWorkerThatDoesNotTellIsNotWaitedForLong() {
        w1.keepsToItselfWhatIsFenced();
        aConsumerHoldsWhatAFencedAttemptMade();
        seconds(5, stays);
        rig.replace("job", 1, "young");
        PretendClient young = client(1, "young");
        seconds(25, stays, young);
        assertThat(possiblyTwice()).isLessThanOrEqualTo(held());
        seconds(10, stays, young);
        assertThat(possiblyTwice()).isGreaterThan(held());
        untilOver(stays, young);
        assertThat(PretendClient.given(stays, lost, young)).hasSize(ALL);
    }

    @Test
    void ofAnOlderWorkerAllThatTheAttemptOwesIsInDoubt() {
        w1.forgetsWhatIsFenced();
        aConsumerHoldsWhatAFencedAttemptMade();
        seconds(200, stays);
        assertThat(slot(1).getState()).isEqualTo(ConsumerState.IN_DOUBT);
        assertThat(slot(1).getInDoubt()).isGreaterThan(held());
        PretendClient back = client(1, "back");
        rig.attach("job", 1, "back");
        untilOver(stays, back);
        assertThat(PretendClient.given(stays, lost, back)).hasSize(ALL);
        assertThat(possiblyTwice()).isGreaterThan(held());
    }

    @Test
    void whatEveryConsumerAnsweredIsForgotten() {
        aConsumerHoldsWhatAFencedAttemptMade();
        seconds(2, stays, lost);
        assertThat(w1.listed()).isGreaterThan(0);
        untilOver(stays, lost);
        assertThat(PretendClient.given(stays, lost)).hasSize(ALL);
        assertThat(PretendClient.given(stays, lost).values()).containsOnly(1);
        assertThat(possiblyTwice()).isZero();
    }
}
