package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.client.StreamCore.Turn;
import io.praline.client.stream.Moment;
import io.praline.schema.ConsumerState;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.wire.RefusalCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What a stream does while processes come and go in its consumer's place; it attached at 0 s. */
class StreamGenerationsTest {
    private final StreamFixture stream = attached();

    private static StreamFixture attached() {
        StreamFixture fixture = new StreamFixture();
        fixture.core.attaching(fixture.now());
        return fixture;
    }

    // ---- the place

    @Test
    void dialsNobodyAndAnswersNothingBeforeItHasItsPlace() {
        stream.status(StatusOf.running().attempt(0, 0).fenced(0, 1).slot(0, 0, ConsumerState.EXPECTED, "", 0));
        stream.status(StatusOf.running().attempt(0, 0).fenced(0, 1).taken(0));
        assertThat(stream.opened).isEmpty();
        assertThat(stream.report()).isEmpty();

        stream.status(StatusOf.running().attempt(0, 0).fenced(0, 1).here(3, 0));
        assertThat(stream.opened).containsExactly("0/0@3");
        assertThat(stream.report()).containsExactly("answered 0/1@3", "discarded 2");
    }

    // before anything is told of the job nobody knows whether it was heard; once it was, it need not be asked for again
    @Test
    void isOutsideWhileTheJobGoesOnAndHasNotHeardOfIt() {
        StreamFixture fresh = new StreamFixture();
        assertThat(fresh.core.isOutside()).isFalse();
        fresh.status(StatusOf.running().taken(0));
        assertThat(fresh.core.isOutside()).isTrue();
        fresh.status(StatusOf.running().here(3, 0));
        assertThat(fresh.core.isOutside()).isFalse();
        fresh.status(StatusOf.running().slot(0, 3, ConsumerState.IN_DOUBT, StatusOf.CLIENT, 0));
        assertThat(fresh.core.isOutside()).isFalse();

        StreamFixture late = new StreamFixture();
        late.status(StatusOf.running().taken(0));
        late.core.leave(false);
        assertThat(late.core.isOutside()).isFalse();
    }

    @Test
    void joinsAJobThatDoesNotHaveItsNumberYet() {
        StreamFixture third = new StreamFixture(StreamFixture.settings(2, false));
        third.core.attaching(third.now());
        third.status(StatusOf.running().consumers(2).attempt(0, 0).here(0).here(1));
        assertThat(third.turn()).isEqualTo(Turn.WAIT);

        third.status(StatusOf.running().consumers(3).attempt(0, 0).slot(2, 2, ConsumerState.HERE, StatusOf.CLIENT, 0));
        assertThat(third.opened).containsExactly("0/0@2");
    }

    @Test
    void saysOfEachBatchForWhichGenerationItWasMade() {
        stream.status(StatusOf.running().attempt(0, 0).here(5, 0));
        stream.frames.generation = 5;
        stream.batch(0, 0, 0, 7);
        stream.end(0, 0, 0);

        assertThat(stream.drain()).containsExactly(7L);
        assertThat(stream.report()).containsExactly("0/0@5#0 ACKED [7]", "ended 0/0@5", "discarded 4");
    }

    // 1 and 2 are trained, 3 is set aside, 4 lies ready when the process is heard of again
    @Test
    void discardsAGenerationBehindItsClaimsWhenItComesBackInTheNext() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.packed(0, 0, 0, 1, 2, 3);
        stream.batch(0, 0, 1, 4);
        stream.turn();
        stream.take().close();
        stream.turn();
        stream.take().close();
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        long beat = stream.beat();
        stream.reports.clear();

        stream.status(StatusOf.running().attempt(0, 0).here(1, beat));
        assertThat(stream.freed).containsExactly(4L);
        assertThat(stream.opened).containsExactly("0/0", "0/0@1");
        assertThat(stream.closed).containsExactly("0/0");
        assertThat(stream.reportAtOnce()).containsExactly("0/0#0 CLAIMED [3]", "discarded 0");

        // what hasNext() has said comes, and is acknowledged in its own generation; of the rest, nothing
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        assertThat(stream.take().tickets()).containsExactly(3L);
        stream.batch(0, 0, 2, 5);
        stream.frames.generation = 1;
        stream.batch(0, 0, 0, 4);
        assertThat(stream.drain()).containsExactly(4L);
        assertThat(stream.freed).contains(5L);
        assertThat(stream.report()).containsExactly("0/0#0 ACKED [3]", "0/0@1#0 ACKED [4]");
    }

    // it was heard, and lost again, while it read no status: nobody else knows that nothing of generation 3 is with it
    @Test
    void discardsThoseGenerationsTooOfWhichItNeverHeard() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.status(StatusOf.running().attempt(0, 0).here(4, 0));
        assertThat(stream.reportAtOnce()).containsExactly("discarded 0", "discarded 3");
        stream.status(StatusOf.running().attempt(0, 0).here(5, 0));
        assertThat(stream.reportAtOnce()).containsExactly("discarded 4");

        StreamFixture late = new StreamFixture(StreamFixture.settings(0, false));
        late.status(StatusOf.running().attempt(0, 0).here(7, 0));
        assertThat(late.reportAtOnce()).containsExactly("discarded 6");
    }

    // ---- what the accounts have

    // two parts of batch 1 are taken, and not the third
    @Test
    void tellsUpToWhichBatchOfALaneTheAccountsHaveWhatItTook() {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.packed(0, 0, 1, 2, 3, 4);
        stream.turn();
        stream.take().close();
        stream.turn();
        stream.take().close();
        stream.turn();
        stream.take().close();
        stream.report();
        assertThat(stream.confirmed).isEmpty();

        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).here(0, 0).confirmed(0));
        assertThat(stream.confirmed).containsExactly("0/0#0");

        stream.batch(0, 1, 0, 8);
        assertThat(stream.drain()).containsExactly(4L, 8L);
        stream.report();
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).here(0, 0).confirmed(1));
        assertThat(stream.confirmed).containsExactlyInAnyOrder("0/0#0", "0/0#1", "0/1#0");
    }

    // what one that was given up took late moved nothing: others may have it, and its worker must tell what it sent
    @Test
    void tellsNothingOfWhatTheAccountsHaveWhereItDoesNotHoldItsPlace() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.drain();
        stream.report();
        stream.status(StatusOf.running()
                .attempt(0, 0)
                .slot(0, 0, ConsumerState.LEFT, StatusOf.CLIENT, 0)
                .confirmed(0));
        assertThat(stream.confirmed).isEmpty();
    }

    @Test
    void doesNotTakeAnEndOfAFormerGenerationForTheLast() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.lastEnd(0, 0, 0);
        stream.status(StatusOf.running().attempt(0, 0).here(1, 0));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.frames.generation = 1;
        stream.batch(0, 0, 0, 1);
        stream.lastEnd(0, 0, 0);
        assertThat(stream.drain()).containsExactly(1L);
        assertThat(stream.turn())
                .as("what the former was sent is the status's to tell")
                .isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().attempt(0, 0).here(1, 0).complete(0, 1).complete(1, 1));
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    // ---- another process in its place

    @Test
    void handsOutNothingMoreAndSaysWhoTookItsPlace() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.packed(0, 0, 0, 1, 2, 3);
        stream.turn();
        stream.take().close();
        stream.turn();
        stream.take().close();
        // 2 is asked past, and 3 set aside
        stream.turn();

        stream.status(StatusOf.running().attempt(0, 0).taken(1));
        String why = "job j failed: another process took its place as consumer 0, on host host-another, at"
                + " 1970-01-01T00:00:00Z";
        assertThatThrownBy(stream::take).isInstanceOf(JobFailed.class).hasMessage(why);
        assertThatThrownBy(stream::turn)
                .isInstanceOfSatisfying(
                        JobFailed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.FAILED))
                .hasMessage(why);
        assertThat(stream.freed).containsExactly(1L);
        assertThat(stream.closed).containsExactly("0/0");
        assertThat(stream.reportAtOnce()).containsExactly("0/0#0 ACKED [1, 2]", "left");
    }

    @Test
    void tellsNothingMoreBehindItsLastReport() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.turn();
        Batch had = stream.take();
        // it is in the loop's hands, and was not asked past
        stream.status(StatusOf.running().attempt(0, 0).taken(1));
        assertThat(stream.reportAtOnce()).containsExactly("0/0#0 CLAIMED [1]", "left");
        long beats = stream.lastBeat;

        had.acknowledge();
        stream.status(StatusOf.running().fenced(0, 0).taken(1));
        assertThat(stream.report()).isEmpty();
        assertThat(stream.beat()).isEqualTo(beats);
        assertThat(stream.core.isCancellable()).isFalse();
    }

    @Test
    void aLoopThatHasHadAllDoesNotFailForWhoComesAfterIt() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.lastEnd(0, 0, -1);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);

        stream.status(StatusOf.running().attempt(0, 0).taken(1));
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
        stream.core.requireNotFailed();
    }

    @Test
    void aRefusalAsStaleIsNoLostChannelAndNoFailure() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        for (RefusalCode code : List.of(RefusalCode.STALE, RefusalCode.REPLACED)) {
            stream.newsAwaited = false;
            stream.core.refused(stream.lane(0, 0), code, "generation 1 is there");
            assertThat(stream.newsAwaited).isTrue();
        }
        assertThat(stream.report()).isEmpty();
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().attempt(0, 0).here(1, 0));
        assertThat(stream.opened).containsExactly("0/0", "0/0@1");
        assertThat(stream.report()).containsExactly("discarded 0");
    }

    // ---- the lease

    @Test
    void givesTheFirstBatchByTheEchoOfTheAttachment() {
        stream.advance(Duration.ofSeconds(29));
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.batch(0, 0, 1, 2);
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        stream.take();

        stream.advance(Duration.ofSeconds(1));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        assertThat(stream.hurries).isPositive();
        assertThat(stream.newsAwaited).isTrue();
    }

    // the process is stopped between hasNext() and next(); then the echo of a beat from before the stop is read
    @Test
    void givesNothingAfterALongStopBeforeABeatSentSinceIsEchoedAlsoNotWhatIsSetAside() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        long before = stream.beat();

        stream.advance(Duration.ofSeconds(40));
        assertThat(stream.core.take(stream.now(), 0)).isEmpty();
        stream.status(StatusOf.running().attempt(0, 0).here(0, before));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        assertThat(stream.core.take(stream.now(), 0)).isEmpty();

        long since = stream.beat();
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        stream.status(StatusOf.running().attempt(0, 0).here(0, since));
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        assertThat(stream.take().tickets()).containsExactly(1L);
    }

    @Test
    void givesNothingAfterTheHostSleptThoughItsOtherClockStoodStill() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.wallOffMillis = Duration.ofMinutes(1).toMillis();

        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        stream.status(StatusOf.running().attempt(0, 0).here(0, stream.beat()));
        assertThat(stream.turn()).isEqualTo(Turn.READY);
    }

    @Test
    void theLeaseIsAsLongAsTheDispatcherSays() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0).lease(Duration.ofSeconds(5)));
        stream.batch(0, 0, 0, 1);
        stream.advance(Duration.ofSeconds(5));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().attempt(0, 0).here(0, 0).lease(Duration.ofSeconds(6)));
        assertThat(stream.turn()).isEqualTo(Turn.READY);
    }

    @Test
    void neitherGivesNorEndsByTheEchoOfAPlaceThatIsInDoubt() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.lastEnd(0, 0, -1);
        stream.advance(Duration.ofSeconds(61));
        long since = stream.beat();

        stream.status(StatusOf.running().attempt(0, 0).slot(0, 0, ConsumerState.IN_DOUBT, StatusOf.CLIENT, since));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        stream.status(StatusOf.running().attempt(0, 0).here(2, since));
        assertThat(stream.opened).containsExactly("0/0", "0/0@2");
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
    }

    @Test
    void breaksItsPromiseWhereTheJobIsCompletedWithoutIt() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        assertThat(stream.turn()).isEqualTo(Turn.READY);
        stream.advance(Duration.ofMinutes(5));

        stream.status(StatusOf.ended(JobState.COMPLETED, "").slot(0, 0, ConsumerState.IN_DOUBT, StatusOf.CLIENT, 0));
        assertThat(stream.core.take(stream.now(), 0)).isEmpty();
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
        assertThat(stream.freed).containsExactly(1L);
    }

    // a loop elsewhere has it before it, unread in a pipe
    @Test
    void whatWasHandedOutMayGoOnToALoopElsewhereWhileItIsKnownToBeTheOne() throws InterruptedException {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.turn();
        stream.take();
        Moment end = new Moment(TimeUnit.SECONDS.toNanos(30), 30_000);
        assertThat(stream.core.handsOnUntil(stream.now())).isEqualTo(end);
        assertThat(stream.core.awaitHandsOn(stream::now)).isEqualTo(end);

        stream.advance(Duration.ofSeconds(90));
        assertThat(stream.core.handsOnUntil(stream.now())).isEqualTo(stream.now());
        CompletableFuture<Moment> waits = waits();
        assertThat(waits).isNotDone();
        long since = stream.beat();
        Moment sent = stream.now();
        stream.status(StatusOf.running().attempt(0, 0).here(2, since));
        assertThat(waits.join())
                .isEqualTo(new Moment(sent.nanos() + TimeUnit.SECONDS.toNanos(30), sent.wallMillis() + 30_000));
    }

    @Test
    void whatWasHandedOutGoesOnToNobodyWhereAnotherProcessHasItsPlaceAlsoAtTheEnd() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.turn();
        stream.take();
        stream.lastEnd(0, 0, 0);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
        stream.advance(Duration.ofSeconds(90));
        CompletableFuture<Moment> waits = waits();

        stream.status(StatusOf.running().attempt(0, 0).taken(1));
        assertThatThrownBy(waits::join).hasCauseInstanceOf(JobFailed.class).hasMessageContaining("took its place");
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    @Test
    void whatWasHandedOutGoesOnToNobodyWhereTheJobIsCompletedWithoutIt() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.turn();
        stream.take();
        stream.advance(Duration.ofMinutes(5));
        CompletableFuture<Moment> waits = waits();

        stream.status(StatusOf.ended(JobState.COMPLETED, "").slot(0, 0, ConsumerState.IN_DOUBT, StatusOf.CLIENT, 0));
        assertThatThrownBy(waits::join).hasCauseInstanceOf(NoSuchElementException.class);
    }

    @Test
    void whatWasHandedOutGoesOnToNobodyOnceTheStreamIsClosed() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.advance(Duration.ofMinutes(5));
        CompletableFuture<Moment> waits = waits();
        stream.core.close();
        assertThatThrownBy(waits::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    /** Whether it may go on, asked by another thread, which has looked once when this returns. */
    private CompletableFuture<Moment> waits() {
        CountDownLatch looks = new CountDownLatch(1);
        CompletableFuture<Moment> waits = CompletableFuture.supplyAsync(() -> {
            try {
                return stream.core.awaitHandsOn(() -> {
                    looks.countDown();
                    return stream.now();
                });
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        try {
            assertThat(looks.await(90, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return waits;
    }

    /**
     * Whatever happens in between: a batch is handed out only within 30 s after the sending of the newest beat whose echo as
     * the one in its place was read, and never once another was seen there.
     */
    @Property(tries = 300)
    void handsOutOnlyWhileItIsKnownToBeTheOne(@ForAll long seed) {
        Random random = new Random(seed);
        StreamFixture fixture = attached();
        List<Long> sentAt = new ArrayList<>(List.of(0L));
        int generation = 0;
        long newest = -1;
        boolean superseded = false;
        long sequence = 0;
        fixture.status(StatusOf.running().attempt(0, 0).slot(0, 0, ConsumerState.EXPECTED, "", 0));
        for (int step = 0; step < 120 && !superseded; step++) {
            fixture.advance(Duration.ofMillis(random.nextInt(12) == 0 ? random.nextInt(50_000) : random.nextInt(900)));
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    fixture.reportAtOnce();
                    if (fixture.lastBeat == sentAt.size()) {
                        sentAt.add(fixture.nowNanos);
                    }
                }
                case 2 -> {
                    long echo = random.nextInt(sentAt.size());
                    fixture.status(StatusOf.running().attempt(0, 0).here(generation, echo));
                    newest = Math.max(newest, echo);
                }
                case 3 -> {
                    if (random.nextInt(4) == 0 && newest >= 0) {
                        fixture.status(StatusOf.running().attempt(0, 0).here(++generation, newest));
                        sequence = 0;
                    } else if (random.nextInt(20) == 0 && newest >= 0) {
                        fixture.status(StatusOf.running().attempt(0, 0).taken(generation + 1));
                        superseded = true;
                    }
                }
                case 4, 5 -> {
                    fixture.frames.generation = generation;
                    if (newest >= 0) {
                        fixture.batch(0, 0, sequence, 1_000L * generation + sequence);
                        sequence++;
                    }
                }
                default -> {
                    boolean may =
                            newest >= 0 && fixture.nowNanos - sentAt.get((int) newest) < TimeUnit.SECONDS.toNanos(30);
                    if (random.nextBoolean()) {
                        assertThat(fixture.turn() == Turn.READY && !may).isFalse();
                    } else {
                        assertThat(fixture.core.take(fixture.now(), 0).isPresent() && !may)
                                .isFalse();
                    }
                }
            }
        }
        if (superseded) {
            assertThatThrownBy(() -> fixture.core.take(fixture.now(), 0)).isInstanceOf(JobFailed.class);
        }
    }

    // ---- leaving

    @Test
    void leavesWithWhatTheLoopAskedPastAndGivesTheRestBack() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.packed(0, 0, 0, 1, 2, 3, 4);
        stream.batch(0, 0, 1, 5);
        stream.turn();
        stream.take();
        stream.turn();
        stream.take();

        // the step on 2 threw
        stream.core.leave(false);
        assertThat(stream.reportAtOnce()).containsExactly("0/0#0 ACKED [1]", "0/0#0 CLAIMED [2]", "left");
        assertThat(stream.closed).containsExactly("0/0");
        assertThat(stream.freed).containsExactly(5L);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
        assertThat(stream.report()).isEmpty();
    }

    @Test
    void hasLeftWhenTheDispatcherConfirmsIt() throws Exception {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.core.leave(false);
        stream.reportAtOnce();
        CompletableFuture<Boolean> told = leaving(TimeUnit.MINUTES.toNanos(1));
        stream.core.reportWritten(0);
        assertThat(told).isNotDone();

        stream.status(StatusOf.running()
                .attempt(0, 0)
                .slot(0, 0, ConsumerState.LEFT, StatusOf.CLIENT, 1)
                .confirmed(0));
        assertThat(told.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    // what another loop gave back opened the epoch again before this one saw that it was delivered
    @Test
    void endsWhenItIsToldSoThoughTheEpochIsOpenAgain() {
        stream.status(StatusOf.running().attempt(0, 0).finished(false));
        stream.batch(0, 0, 0, 1);
        stream.end(0, 0, 0);
        stream.drain();
        stream.status(StatusOf.running().progress(0, false).finished(false));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running().progress(0, false).finished(true));

        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    // nobody else can be given what lies with it: it is not lost but fails, and says so when it is closed
    @Test
    void leavesAlsoWhereItFailedAndTheJobGoesOn() throws Exception {
        stream.status(StatusOf.running().attempt(0, 0).attempt(0, 1).here(0, 0));
        stream.batch(0, 0, 0, 1);
        stream.batch(0, 0, 1, 2);
        stream.turn();
        stream.take();
        stream.core.refused(stream.lane(0, 1), RefusalCode.TOKEN, "the token has expired");
        assertThatThrownBy(() -> stream.turn()).isInstanceOf(JobFailed.class);
        assertThat(stream.report()).containsExactly("0/0#0 ACKED [1]");

        stream.core.leave(false);
        assertThat(stream.reportAtOnce()).containsExactly("left");
        CompletableFuture<Boolean> told = leaving(TimeUnit.MINUTES.toNanos(1));
        stream.status(StatusOf.running()
                .attempt(0, 0)
                .slot(0, 0, ConsumerState.LEFT, StatusOf.CLIENT, 1)
                .confirmed(1));
        assertThat(told.get(1, TimeUnit.MINUTES)).isTrue();
        assertThatThrownBy(() -> stream.turn()).isInstanceOf(JobFailed.class);
    }

    // its patience was at its end: it is not waited for, and Kafka has the word when it answers
    @Test
    void saysThatItLeavesAlsoWhereNothingCanBeLearnedOfTheJobAnyMore() throws Exception {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.core.failed(new IllegalStateException("waited 600 s for Kafka"));
        stream.core.leave(false);
        assertThat(stream.core.awaitLeft(TimeUnit.MINUTES.toNanos(1), true)).isFalse();
        assertThat(stream.reportAtOnce()).containsExactly("left");
    }

    @Test
    void leavesNoJobThatFailedAndNoPlaceThatItNeverHad() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.status(StatusOf.ended(JobState.FAILED, "a record is bad").here(0, 0));
        stream.core.leave(false);
        assertThat(stream.report()).isEmpty();

        StreamFixture never = attached();
        never.core.failed(new IllegalStateException("waited 600 s for Kafka"));
        never.core.leave(false);
        assertThat(never.report()).isEmpty();
    }

    // a broker that is away for longer than a loop waits for an answer
    @Test
    void goesOnlyWhenKafkaHasWhatItTells() throws Exception {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.core.leave(false);
        CompletableFuture<Boolean> told = leaving(TimeUnit.MILLISECONDS.toNanos(1));
        stream.reportAtOnce();
        stream.core.reportFailed(0);
        assertThat(told).isNotDone();

        assertThat(stream.reportAtOnce()).containsExactly("left");
        assertThat(told).isNotDone();
        stream.core.reportWritten(0);

        assertThat(told.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void goesWithoutAWordWhenPatienceIsAtItsEnd() throws Exception {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0));
        stream.core.leave(false);
        stream.reportAtOnce();
        CompletableFuture<Boolean> told = leaving(TimeUnit.MILLISECONDS.toNanos(1));

        stream.core.failed(new IllegalStateException("waited 600 s for Kafka"));

        assertThat(told.get(1, TimeUnit.MINUTES)).isFalse();
    }

    /** Waits on a thread of its own until it has left, and is waiting when this returns. */
    private CompletableFuture<Boolean> leaving(long timeoutNanos) {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        Thread waits = new Thread(() -> {
            try {
                told.complete(stream.core.awaitLeft(timeoutNanos, true));
            } catch (InterruptedException interrupted) {
                told.completeExceptionally(interrupted);
            }
        });
        waits.setDaemon(true);
        waits.start();
        while (!told.isDone() && waits.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return told;
    }

    @Test
    void leavesNothingThatIsOverAndWaitsForNobodyWhoNeverAnswered() throws Exception {
        assertThat(stream.core.awaitLeft(TimeUnit.MINUTES.toNanos(1), true)).isTrue();
        stream.core.leave(false);
        assertThat(stream.core.awaitLeft(TimeUnit.MINUTES.toNanos(1), true)).isFalse();

        StreamFixture done = attached();
        done.status(StatusOf.ended(JobState.COMPLETED, "").here(0, 0));
        done.core.leave(false);
        assertThat(done.report()).isEmpty();
    }

    // ---- ends

    // another left after this one's last END was on its way: its share comes in a new attempt
    @Test
    void doesNotEndWhileAnotherConsumersShareIsOwed() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0).slot(1, 1, ConsumerState.HERE, "b", 1));
        stream.batch(0, 0, 0, 1);
        stream.lastEnd(0, 0, 0);
        assertThat(stream.drain()).containsExactly(1L);
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);

        stream.status(StatusOf.running()
                .attempt(0, 0)
                .progress(0, true)
                .progress(1, false)
                .here(0, 0)
                .slot(1, 1, ConsumerState.LEFT, "b", 1));
        assertThat(stream.turn()).isEqualTo(Turn.WAIT);
        stream.status(StatusOf.running()
                .attempt(0, 0)
                .attempt(1, 0)
                .progress(0, true)
                .progress(1, true)
                .here(0, 0)
                .slot(1, 1, ConsumerState.LEFT, "b", 1));
        stream.batch(1, 0, 0, 2);
        assertThat(stream.drain()).containsExactly(2L);
        stream.end(1, 0, 0);
        assertThat(stream.turn()).isEqualTo(Turn.OVER);
    }

    // a fence in epoch 0, and rank 1 acknowledges its last batch only when this rank has met it in epoch 1
    @Test
    void goesOnWithTheNextEpochWhileAnotherRankStillHoldsItsLastBatch() {
        stream.status(StatusOf.running().attempt(0, 0).here(0, 0).slot(1, 1, ConsumerState.HERE, "b", 1));
        stream.status(StatusOf.running().fenced(0, 0).here(0, 0).slot(1, 1, ConsumerState.HERE, "b", 1));
        stream.status(StatusOf.running()
                .attempt(0, 1)
                .attempt(1, 0)
                .progress(0, false)
                .here(0, 0));
        stream.batch(0, 1, 0, 1);
        stream.end(0, 1, 0);
        stream.batch(1, 0, 0, 100);
        assertThat(stream.drain()).containsExactly(1L);

        stream.status(
                StatusOf.running().attempt(0, 1).attempt(1, 0).progress(0, true).here(0, 0));
        assertThat(stream.drain()).containsExactly(100L);
    }
}
