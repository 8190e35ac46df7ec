package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.praline.client.StreamCore.Turn;
import io.praline.client.stream.StreamSettings;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.MeasurementWindow;
import io.praline.wire.RefusalCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StreamCoreTest {
    private final StreamFixture stream = new StreamFixture();

    @Test
    void opensAChannelForEachAttemptOnce() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1));

        assertThat(stream.opened).containsExactly("0/0", "0/1");
    }

    @Test
    void claimsABatchWhenItIsTakenAndAcknowledgesItByTheNextQuestion() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 5, 6);
        stream.batch(0, 0, 1, 7);

        assertThat(stream.turn()).isEqualTo(Turn.READY);
        assertThat(stream.report()).isEmpty(); // set aside, not taken
        stream.take();
        assertThat(stream.report()).containsExactly("0/0#0 CLAIMED [5, 6]");

        assertThat(stream.turn()).isEqualTo(Turn.READY);
        assertThat(stream.report()).containsExactly("0/0#0 ACKED [5, 6]");
    }

    @Test
    void tellsAFastLoopsBatchesOnlyOnce() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.batch(0, 0, 1, 2);

        assertThat(stream.drain()).containsExactly(1L, 2L);
        assertThat(stream.report()).containsExactly("0/0#0 ACKED [1]", "0/0#1 ACKED [2]");
        assertThat(stream.report()).isEmpty();
    }

    @Test
    void leavesAcknowledgingToALoopThatWantsTo() {
        StreamFixture manual = new StreamFixture(new StreamSettings(
                0,
                StatusOf.CLIENT,
                Optional.of(StatusOf.SUBMISSION),
                true,
                StreamFixture.MEMORY,
                Duration.ofSeconds(30)));
        manual.status(StatusOf.running().attempt(0, 0));
        manual.packed(0, 0, 0, 10, 11, 12);
        Batch first = next(manual);
        Batch second = next(manual);
        Batch third = next(manual);

        third.acknowledge();
        first.acknowledge();
        first.acknowledge();

        assertThat(manual.report()).containsExactly("0/0#0 ACKED [10]", "0/0#0 ACKED [12]", "0/0#0 CLAIMED [11]");
        second.acknowledge();
        assertThat(manual.report()).containsExactly("0/0#0 ACKED [11]");
    }

    @Test
    void takesAPackedFrameApartAndGivesItsCreditBackWithTheLastPart() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.packed(0, 0, 0, 7, 8, 9);
        Batch first = next(stream);
        Batch second = next(stream);

        assertThat(first.component("x").floats().get(0)).isEqualTo(7f);
        assertThat(second.component(0).floats().get(0)).isEqualTo(8f);
        assertThat(second.component(0).shape()).isEmpty();
        assertThat(stream.report()).containsExactly("0/0#0 ACKED [7]", "0/0#0 CLAIMED [8]");

        Batch third = next(stream);
        third.close();
        first.close();
        first.close();
        assertThat(stream.freed).isEmpty();
        second.close();
        assertThat(stream.freed).containsExactly(7L);
    }

    @Test
    void refusesAccessToAClosedBatch() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        Batch batch = next(stream);
        BatchComponent x = batch.component("x");
        batch.close();

        assertThatThrownBy(x::floats).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> batch.component(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void namesTheComponentsThatThereAreWhenAskedForAnother() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);

        assertThatThrownBy(() -> next(stream).component("y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no component is named 'y'; there are x");
    }

    @Test
    void endsWithTheLastAttemptWithoutHearingFromTheDispatcher() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.lastEnd(0, 0, 0);

        assertThat(stream.drain()).containsExactly(1L);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
        assertThat(stream.hurries).isPositive();
        assertThat(stream.reportAtOnce()).containsExactly("0/0#0 ACKED [1]", "ended 0/0");
        assertThat(stream.closed).containsExactly("0/0");
    }

    @Test
    void waitsForTheOtherAttemptsAfterTheLastOnesEnd() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1));
        stream.lastEnd(0, 1, -1);
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.batch(0, 0, 0, 1);
        stream.end(0, 0, 0);
        assertThat(stream.drain()).containsExactly(1L);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    @Test
    void doesNotEndWhileALostAttemptsElementsAreOwed() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1));
        stream.core.down(stream.lane(0, 0), "gone");
        stream.lastEnd(0, 1, -1);
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().fenced(0, 0).attempt(0, 1));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().attempt(0, 1).attempt(0, 2));
        stream.batch(0, 2, 0, 9);
        stream.lastEnd(0, 2, 0);
        assertThat(stream.drain()).containsExactly(9L);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    @Test
    void endsWhenTheJobIsCompleted() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.end(0, 0, 0);
        assertThat(stream.drain()).containsExactly(1L);
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.ended(JobState.COMPLETED, ""));
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    @Test
    void holdsALaterEpochBackUntilTheLedgerSaysThatTheEpochIsComplete() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).attempt(1, 0));
        stream.batch(1, 0, 0, 100);
        stream.batch(0, 0, 0, 1);
        stream.end(0, 0, 0);
        stream.end(0, 1, -1);

        assertThat(stream.newsAwaited).isFalse();
        assertThat(stream.drain()).containsExactly(1L);
        assertThat(stream.newsAwaited).isTrue();
        // the loop asked, so its batch is acknowledged, and the ledger hears of it at once
        assertThat(stream.reportAtOnce()).contains("0/0#0 ACKED [1]", "ended 0/0", "ended 0/1");

        stream.status(StatusOf.running().attempt(1, 0).complete(0, 1));
        assertThat(stream.drain()).containsExactly(100L);
    }

    @Test
    void goesOnWithTheNextEpochAtOnceWhenAnAttemptSaysThatTheEpochIsOver() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1));
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).attempt(1, 0));
        stream.batch(1, 0, 0, 100);
        stream.batch(0, 0, 0, 1);
        stream.end(0, 1, -1);
        assertThat(stream.drain()).containsExactly(1L);

        stream.epochEnd(0, 0, 0);
        assertThat(stream.drain()).containsExactly(100L);
    }

    @Test
    void waitsForTheOtherAttemptsOfAnEpochThatIsOver() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).attempt(1, 0));
        stream.batch(1, 0, 0, 100);
        stream.epochEnd(0, 0, -1);
        assertThat(stream.drain()).isEmpty();

        stream.batch(0, 1, 0, 7);
        stream.end(0, 1, 0);
        assertThat(stream.drain()).containsExactly(7L, 100L);
    }

    @Test
    void doesNotTakeAnAttemptsEndForTheEpochs() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.status(StatusOf.running().attempt(0, 0).attempt(1, 0));
        stream.batch(1, 0, 0, 100);
        stream.end(0, 0, -1);
        assertThat(stream.drain()).isEmpty();
    }

    // 0/1 had the elements 7 and 8 and is lost with them: that 0/0 called the epoch over was said before
    @Test
    void waitsForWhatALostAttemptOwesAlsoWhenTheEpochWasCalledOver() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).attempt(1, 0));
        stream.batch(1, 0, 0, 100);
        stream.epochEnd(0, 0, -1);
        stream.core.down(stream.lane(0, 1), "gone");
        stream.status(StatusOf.running().attempt(0, 0).fenced(0, 1).attempt(1, 0));
        stream.status(StatusOf.running().attempt(0, 0).attempt(1, 0));
        assertThat(stream.drain()).isEmpty();
        stream.status(StatusOf.running().attempt(1, 0));
        assertThat(stream.drain()).isEmpty();

        stream.status(StatusOf.running().attempt(0, 2).attempt(1, 0));
        stream.batch(0, 2, 0, 7, 8);
        stream.epochEnd(0, 2, 0);
        assertThat(stream.drain()).containsExactly(7L, 8L, 100L);
    }

    @Test
    void goesOnAfterALossWhenTheLedgerSaysThatTheEpochIsComplete() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).attempt(1, 0));
        stream.batch(1, 0, 0, 100);
        stream.status(StatusOf.running().attempt(0, 0).fenced(0, 1).attempt(1, 0));
        stream.status(StatusOf.running().attempt(0, 0).attempt(1, 0));
        stream.epochEnd(0, 0, -1);
        assertThat(stream.drain()).isEmpty();

        stream.status(StatusOf.running().attempt(1, 0).complete(0, 1));
        assertThat(stream.drain()).containsExactly(100L);
    }

    // as above, at the end of the stream: 9 is owed, and nobody has been started yet to read it
    @Test
    void doesNotEndBeforeALostAttemptsElementsAreReadAgain() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1));
        stream.lastEnd(0, 0, -1);
        stream.core.down(stream.lane(0, 1), "gone");
        stream.status(StatusOf.running().attempt(0, 0).fenced(0, 1));
        stream.status(StatusOf.running().attempt(0, 0));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        stream.status(StatusOf.running());
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().attempt(0, 2));
        stream.batch(0, 2, 0, 9);
        stream.lastEnd(0, 2, 0);
        assertThat(stream.drain()).containsExactly(9L);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    @Test
    void goesOnWhenNoAttemptOfTheEpochIsLeft() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).attempt(1, 0));
        stream.batch(1, 0, 0, 100);
        stream.end(0, 0, -1);
        stream.end(0, 1, -1);
        assertThat(stream.drain()).isEmpty();

        stream.status(StatusOf.running().attempt(1, 0));
        assertThat(stream.drain()).containsExactly(100L);
    }

    @Test
    void discardsWhatIsNotClaimedOnAFenceAndAnswersBehindTheClaims() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.packed(0, 0, 0, 1, 2, 3);
        stream.batch(0, 0, 1, 4);
        next(stream).close();

        stream.status(StatusOf.running().fenced(0, 0));

        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        assertThat(stream.freed).containsExactly(1L, 4L);
        assertThat(stream.closed).containsExactly("0/0");
        assertThat(stream.reportAtOnce()).containsExactly("0/0#0 ACKED [1]", "answered 0/0");
        assertThat(stream.coverage.distinct(0)).isEqualTo(1);
    }

    @Test
    void keepsAndClaimsWhatHasNextHasPromisedBeforeAFence() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.packed(0, 0, 0, 1, 2);
        assertThat(stream.turn()).isEqualTo(Turn.READY);

        stream.status(StatusOf.running().fenced(0, 0));

        assertThat(stream.reportAtOnce()).containsExactly("0/0#0 CLAIMED [1]", "answered 0/0");
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        assertThat(stream.take().tickets()).containsExactly(1);
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        assertThat(stream.report()).containsExactly("0/0#0 ACKED [1]");
    }

    @Test
    void countsTheElementsOfABatchByItsTicketsOrItsShape() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.packed(0, 0, 0, 1, 2);
        stream.batch(0, 0, 1, 3, 4, 5);
        stream.untracked(0, 0, 2, 7);

        List<Long> elements = new ArrayList<>();
        while (stream.turn() == Turn.READY) {
            try (Batch batch = stream.take()) {
                elements.add(batch.elements());
            }
        }

        assertThat(elements).containsExactly(1L, 1L, 3L, 7L);
    }

    @Test
    void saysWhyTheJobFailedWhereItFailsBetweenHasNextAndNext() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        assertThat(stream.turn()).isEqualTo(Turn.READY);

        stream.status(StatusOf.ended(JobState.CANCELLED, "the machine is needed"));

        assertThatThrownBy(stream::take).isInstanceOf(JobFailed.class).hasMessageEndingWith("the machine is needed");
        assertThat(stream.freed).containsExactly(1L);
    }

    @Test
    void answersTheFenceOfAnAttemptThatItNeverMet() {
        stream.status(StatusOf.running().fenced(0, 0).attempt(0, 1));
        stream.status(StatusOf.running().fenced(0, 0).attempt(0, 1));

        assertThat(stream.opened).containsExactly("0/1");
        assertThat(stream.report()).containsExactly("answered 0/0");
        assertThat(stream.report()).isEmpty();
    }

    @Test
    void freesWhatComesOfAFencedAttemptLate() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.status(StatusOf.running().fenced(0, 0));
        stream.batch(0, 0, 0, 1);

        assertThat(stream.freed).containsExactly(1L);
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
    }

    @Test
    void reportsAChannelThatWentDownAndKeepsWhatCameOverIt() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.core.down(stream.lane(0, 0), "connection reset");

        assertThat(stream.reportAtOnce()).containsExactly("down 0/0");
        assertThat(stream.drain()).containsExactly(1L);
    }

    @Test
    void takesABatchThatCameAgainOnlyOnceAndAGapForALostChannel() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.batch(0, 0, 0, 1);
        assertThat(stream.freed).containsExactly(1L);

        stream.batch(0, 0, 2, 3);
        assertThat(stream.reportAtOnce()).containsExactly("down 0/0");
        assertThat(stream.drain()).containsExactly(1L);
    }

    @Test
    void countsElementsThatComeAgain() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1));
        stream.batch(0, 0, 0, 1, 2, 3);
        stream.batch(0, 1, 0, 3, 4);
        stream.drain();

        assertThat(stream.coverage.duplicates()).isEqualTo(1);
        assertThat(stream.coverage.distinct(0)).isEqualTo(4);
    }

    @Test
    void countsWhatTheLedgerPlannedAndNobodyGotAsMissing() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1, 2, 3);
        stream.drain();
        StatusOf ledger = StatusOf.ended(JobState.COMPLETED, "").complete(0, 5);
        stream.status(ledger);

        assertThat(stream.coverage.missing(ledger.build().getProgress())).isEqualTo(2);
    }

    @Test
    void givesNothingMoreWhileReportsAreUnconfirmedForTheLease() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.batch(0, 0, 1, 2);
        next(stream);
        stream.report();

        stream.advance(Duration.ofSeconds(30));
        stream.report();
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().attempt(0, 0).confirmed(0));
        assertThat(stream.turn()).isEqualTo(Turn.READY);
    }

    @Test
    void letsGoOfAnAttemptThatLeftTheStatusWhileItWasCutOff() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.batch(0, 0, 1, 2);
        next(stream);
        stream.report();
        stream.advance(Duration.ofSeconds(61));
        stream.report();

        stream.status(StatusOf.running().attempt(0, 1).confirmed(0));

        assertThat(stream.freed).containsExactly(2L);
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
    }

    @Test
    void failsAtOnceWithTheReasonOfTheJob() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.status(StatusOf.ended(JobState.FAILED, "a.tfrecord, record 7: wrong CRC")
                .failure(FailureKind.REFUSED));

        assertThatThrownBy(stream::turn)
                .isInstanceOfSatisfying(
                        JobFailed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.REFUSED))
                .hasMessage("job j was refused: a.tfrecord, record 7: wrong CRC");
        assertThat(stream.freed).containsExactly(1L);
        assertThat(stream.closed).containsExactly("0/0");
    }

    @Test
    void refusesAnIdUnderWhichAnotherClientSubmittedAnotherSpec() {
        stream.status(StatusOf.running()
                .requester("client-2")
                .submission("of another")
                .attempt(0, 0));

        assertThatThrownBy(stream::turn)
                .hasMessage(
                        "job j was refused: job id j is that of a job with another spec; choose another id, or submit"
                                + " what that one was submitted with to go on with it");
        assertThat(stream.opened).isEmpty();
        assertThat(stream.core.isCancellable()).isFalse();
    }

    @Test
    void goesOnWithWhatAnotherProcessSubmittedWithTheSameSpecAsWithItsOwn() {
        stream.status(StatusOf.running().requester("client-2").attempt(0, 0));
        stream.batch(0, 0, 0, 1);

        assertThat(stream.turn()).isEqualTo(Turn.READY);
        assertThat(stream.core.isCancellable()).isTrue();
    }

    @Test
    void endsQuietlyWhenItCancelledTheJobItselfAndLoudlyWhenAnotherDid() {
        stream.core.cancelling();
        stream.status(StatusOf.ended(JobState.CANCELLED, "enough"));
        assertThat(stream.turn()).isEqualTo(Turn.OVER);

        StreamFixture other = new StreamFixture();
        other.status(StatusOf.ended(JobState.CANCELLED, "by an operator"));
        assertThatThrownBy(other::turn).hasMessage("job j was cancelled: by an operator");
    }

    @Test
    void failsWhereTheWorkerRefusesTheToken() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.core.refused(stream.lane(0, 0), RefusalCode.TOKEN, "the token is not genuine");

        assertThatThrownBy(stream::turn).hasMessage("job j was refused: worker w0: the token is not genuine");
    }

    @Test
    void refusesAConsumerThatTheJobDoesNotHave() {
        StreamFixture third = new StreamFixture(StreamFixture.settings(2, false));
        third.status(StatusOf.running().consumers(2).attempt(0, 0));

        assertThatThrownBy(third::turn).hasMessage("job j was refused: it has no consumer 2; it has 2, counted from 0");
    }

    @Test
    void givesBackAllThatItHoldsWhenItIsClosed() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.packed(0, 0, 0, 1, 2);
        stream.batch(0, 0, 1, 3);
        Batch first = next(stream);
        assertThat(stream.turn()).isEqualTo(Turn.READY);

        stream.core.close();
        stream.batch(0, 0, 2, 4);
        assertThat(stream.freed).containsExactly(3L, 4L);
        first.close();
        assertThat(stream.freed).containsExactly(3L, 4L, 1L);
        assertThatThrownBy(stream::turn).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void wakesALoopThatWaits() throws Exception {
        stream.status(StatusOf.running().attempt(0, 0));
        CompletableFuture<Turn> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return stream.core.await(stream::now);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        stream.batch(0, 0, 0, 1);

        assertThat(waiting.get(90, TimeUnit.SECONDS)).isEqualTo(Turn.READY);
    }

    // of 64 MiB an epoch has 32: one attempt gets all of it, two get half each; a third attempt of this epoch would get
    // a third, which is still left
    @Test
    void dividesItsMemoryOverAnEpochsAttempts() {
        stream.status(StatusOf.running().attempt(0, 0));
        stream.status(StatusOf.running().attempt(0, 0).attempt(1, 0).attempt(1, 1));
        assertThat(stream.windows).isEqualTo(List.of(32L << 20, 16L << 20, 16L << 20));

        // nothing is left for epoch 2, so it gets half of its share until the others are gone
        stream.status(
                StatusOf.running().attempt(0, 0).attempt(1, 0).attempt(1, 1).attempt(2, 0));
        assertThat(stream.windows).endsWith(16L << 20);
    }

    private static Batch next(StreamFixture stream) {
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        return stream.take();
    }

    // the remote batch came first; of each worker, batches keep their order
    @Test
    void takesWhatIsReadyOfLocalWorkersFirst() {
        stream.status(StatusOf.running().attempt(0, 0).local(0, 1));
        stream.batch(0, 0, 0, 1);
        stream.batch(0, 1, 0, 2);
        stream.batch(0, 0, 1, 3);
        stream.batch(0, 1, 1, 4);

        assertThat(stream.drain()).containsExactly(2L, 4L, 1L, 3L);
        assertThat(stream.core.totals().workersLocal()).isEqualTo(1);
        assertThat(stream.core.totals().workersRemote()).isEqualTo(1);
    }

    @Test
    void countsOnlyWorkersOfWhichABatchCame() {
        stream.status(StatusOf.running().attempt(0, 0).local(0, 1));
        stream.batch(0, 0, 0, 1);

        assertThat(stream.core.totals().workersLocal()).isZero();
        assertThat(stream.core.totals().workersRemote()).isEqualTo(1);
    }

    // worker 0 serves from 0 s, local worker 1 is told of at 11 s and serves from 12 s on
    @Test
    void tellsHowManyTasksServedEachWindow() {
        stream.status(StatusOf.running().attempt(0, 0));
        takeEverySecond(0, 0, 11);
        stream.status(StatusOf.running().attempt(0, 0).local(0, 1));
        takeEverySecond(0, 11, 12);
        stream.batch(0, 1, 0, 100);
        takeEverySecond(0, 12, 24);
        List<MeasurementWindow> windows = stream.core.farewell(stream.nowNanos).getWindows();

        assertThat(windows)
                .extracting(MeasurementWindow::getLocalTasks, MeasurementWindow::getRemoteTasks)
                .containsExactly(tuple(0, 1), tuple(0, 1), tuple(1, 1));
    }

    private void takeEverySecond(int attempt, long from, long until) {
        for (long batch = from; batch < until; batch++) {
            stream.batch(0, attempt, batch, batch);
            stream.drain();
            stream.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    void countsAWorkerOnceThatServesTwoEpochsAtATime() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(1, 0));
        takeEverySecond(0, 0, 11);

        assertThat(stream.core.farewell(stream.nowNanos).getWindows())
                .extracting(MeasurementWindow::getRemoteTasks)
                .containsExactly(1);
    }
}
