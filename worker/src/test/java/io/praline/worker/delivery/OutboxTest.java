package io.praline.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.identity.AttemptKey;
import io.praline.wire.EndFrame;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import io.praline.wire.RefusedFrame;
import io.praline.wire.trace.SentBatch;
import io.praline.worker.delivery.ChannelClient.Received;
import io.praline.worker.delivery.Membership.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

class OutboxTest {
    private static final AttemptKey ATTEMPT = new AttemptKey("job", 0, 3);
    private static final int WIDE = 1 << 20;

    /** Two batches go, and no third. */
    private static final int NARROW = 1;

    private final Outboxes attempts = new Outboxes();
    private final CountedBatches made = new CountedBatches();

    private Outbox open(Membership membership, long capacityBytes) {
        Outbox outbox = new Outbox(ATTEMPT, membership, capacityBytes);
        attempts.open(ATTEMPT, outbox);
        return outbox;
    }

    private static Membership membership(int number, Place... places) {
        return new Membership(number, List.of(places));
    }

    private ChannelClient connect(int consumer, int generation, int windowBytes) {
        return new ChannelClient(attempts, ATTEMPT, consumer, generation)
                .hello(-1, windowBytes)
                .read();
    }

    private static LaneClosed closed(
            int consumer, int generation, Roaring64NavigableMap sent, Roaring64NavigableMap unsent) {
        return new LaneClosed(consumer, generation, sent, unsent);
    }

    private static Roaring64NavigableMap tickets(long... tickets) {
        return Roaring64NavigableMap.bitmapOf(tickets);
    }

    @Test
    void whatWasNotSentOnALaneThatClosesGoesToAnotherAndIsNumberedThere() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        ChannelClient gone = connect(0, 0, NARROW);
        for (int ticket = 0; ticket < 4; ticket++) {
            outbox.put(made.make(100, ticket));
        }
        assertThat(gone.read().takeBatches()).extracting(Received::sequence).containsExactly(0L, 1L);

        outbox.serve(membership(2, new Place(0, 0, false), new Place(1, 7, true)));

        assertThat(outbox.takeClosed()).containsExactly(closed(0, 0, tickets(0, 1), tickets()));
        assertThat(gone.read().refused())
                .contains(new RefusedFrame(
                        RefusalCode.STALE,
                        "generation 0 of consumer 0 of job job is over: it left, was given up, or another process takes"
                                + " its place"));
        assertThat(made.released()).containsExactly(1, 1, 0, 0);
        assertThat(connect(1, 7, WIDE).takeBatches())
                .containsExactly(new Received(0, List.of(2L)), new Received(1, List.of(3L)));
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(1, 7, 1));
    }

    // what happened to a batch, in words
    private static SentBatch writtenDown(List<String> happened) {
        return new SentBatch() {
            @Override
            public void placed(int consumer, int generation, long sequence) {
                happened.add("placed " + consumer + "@" + generation + "/" + sequence);
            }

            @Override
            public void written() {
                happened.add("written");
            }

            @Override
            public void released() {
                happened.add("released");
            }
        };
    }

    private OutgoingBatch traced(List<String> happened, long ticket) {
        OutgoingBatch batch = made.make(100, ticket);
        return new OutgoingBatch(
                batch.tickets(), batch.packed(), batch.tensors(), batch.release(), Optional.of(writtenDown(happened)));
    }

    @Test
    void whatWasSentIsToldThoughItsAttemptIsOver() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true), new Place(1, 1, true)), WIDE);
        ChannelClient gone = connect(0, 0, NARROW);
        connect(1, 1, NARROW).lose();
        for (int ticket = 0; ticket < 8; ticket++) {
            outbox.put(made.make(100, ticket));
        }
        assertThat(gone.read().takeBatches()).hasSize(2);
        attempts.end(ATTEMPT);
        assertThat(outbox.takeClosed()).isEmpty();
        assertThat(outbox.bytes()).isZero();
        assertThat(outbox.trailBytes()).isPositive();

        outbox.serve(membership(2, new Place(0, 0, false), new Place(1, 1, true)));
        assertThat(outbox.takeClosed()).containsExactly(closed(0, 0, tickets(0, 1), tickets()));
        outbox.serve(membership(3, new Place(1, 1, false)));
        assertThat(outbox.takeClosed()).containsExactly(closed(1, 1, tickets(), tickets()));
    }

    @Test
    void whatWasSentOfADeliveredAttemptIsRememberedUntilNobodyWillAsk() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        ChannelClient all = connect(0, 0, WIDE);
        outbox.put(made.make(100, 5));
        outbox.end(EndOf.JOB);
        all.read();
        all.credit(0);
        assertThat(outbox.delivered()).isTrue();
        attempts.end(ATTEMPT);
        outbox.serve(membership(2, new Place(0, 0, false)));
        assertThat(outbox.takeClosed()).containsExactly(closed(0, 0, tickets(5), tickets()));
    }

    @Test
    void whatTheAccountsHaveIsNotToldOfALaneThatCloses() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        ChannelClient client = connect(0, 0, WIDE);
        outbox.put(made.make(100, 5));
        outbox.put(made.make(100, 6));
        client.read();
        client.credit(1, 1);
        outbox.put(made.make(100, 7));
        client.read();
        attempts.end(ATTEMPT); // as where it is fenced
        outbox.serve(membership(2, new Place(0, 0, false)));
        assertThat(outbox.takeClosed()).containsExactly(closed(0, 0, tickets(7), tickets()));
    }

    @Test
    void whoTracesABatchHearsOfEachLaneOfItsSendingAndOfItsEnd() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        List<String> first = new ArrayList<>();
        List<String> third = new ArrayList<>();
        outbox.put(traced(first, 0));
        outbox.put(made.make(100, 1));
        outbox.put(traced(third, 2));
        ChannelClient gone = connect(0, 0, NARROW);
        assertThat(gone.read().takeBatches()).hasSize(2);
        assertThat(first).containsExactly("placed 0@0/0", "written");
        assertThat(third).containsExactly("placed 0@0/2");

        outbox.serve(membership(2, new Place(0, 0, false), new Place(1, 7, true)));
        assertThat(connect(1, 7, WIDE).takeBatches()).hasSize(1);
        outbox.fail("over");
        assertThat(first).containsExactly("placed 0@0/0", "written", "released");
        assertThat(third).containsExactly("placed 0@0/2", "placed 1@7/0", "written", "released");
    }

    @Test
    void aHelloOfANewerGenerationOpensItsLaneBeforeTheWorkerIsTold() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        ChannelClient older = connect(0, 0, WIDE);
        outbox.put(made.make(100, 5));
        older.read();
        assertThat(connect(0, 4, WIDE).refused()).isEmpty();
        assertThat(older.read().refused().orElseThrow().reason())
                .isEqualTo("consumer 0 of job job is in generation 4, the client in 0: another process took its place");
        assertThat(outbox.takeClosed()).containsExactly(closed(0, 0, tickets(5), tickets()));

        outbox.serve(membership(2, new Place(0, 3, true)));
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 4, -1));
        assertThat(connect(0, 3, WIDE).refused().orElseThrow().code()).isEqualTo(RefusalCode.STALE);
    }

    @Test
    void aConsumerThatWasNotThereYetOpensItsLaneWhenItComes() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, false), new Place(1, 1, false)), WIDE);
        assertThat(outbox.lastSequences()).isEmpty();
        assertThat(connect(1, 1, WIDE).refused()).isEmpty();
        outbox.serve(membership(2, new Place(0, 0, true), new Place(1, 1, true)));
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 0, -1), new LastSequence(1, 1, -1));
        assertThat(outbox.takeClosed()).isEmpty();
    }

    // a small dataset would be in the window of whoever dials first
    @Test
    void whoIsThereAndHasNotDialledYetFindsItsPart() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true), new Place(1, 1, true)), WIDE);
        ChannelClient first = connect(0, 0, WIDE);
        for (int ticket = 0; ticket < 6; ticket++) {
            outbox.put(made.make(100, ticket));
        }
        outbox.serve(membership(2, new Place(0, 0, true), new Place(1, 1, true), new Place(2, 2, true)));
        // who is new has no more part in what was made before
        for (int ticket = 6; ticket < 12; ticket++) {
            outbox.put(made.make(100, ticket));
        }
        assertThat(tickets(first)).containsExactly(0L, 2L, 4L, 7L, 10L);
        assertThat(tickets(connect(1, 1, WIDE))).containsExactly(1L, 3L, 5L, 8L, 11L);
        assertThat(tickets(connect(2, 2, WIDE))).containsExactly(6L, 9L);
    }

    private static List<Long> tickets(ChannelClient client) throws InterruptedException {
        return client.read().takeBatches().stream()
                .flatMap(batch -> batch.tickets().stream())
                .toList();
    }

    @Test
    void whoseConnectionIsLostGetsNothingWhileAnotherMayHaveIt() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true), new Place(1, 1, true)), WIDE);
        ChannelClient stays = connect(0, 0, WIDE);
        connect(1, 1, WIDE).lose();
        for (int ticket = 0; ticket < 4; ticket++) {
            outbox.put(made.make(100, ticket));
        }
        assertThat(tickets(stays)).containsExactly(0L, 1L, 2L, 3L);
    }

    @Test
    void anOlderMembershipSaysNothing() {
        Outbox outbox = open(membership(5, new Place(0, 0, true)), WIDE);
        outbox.serve(membership(4, new Place(0, 0, false)));
        assertThat(outbox.membership()).isEqualTo(5);
        assertThat(outbox.lastSequences()).hasSize(1);
        outbox.serve(membership(5, new Place(0, 0, true)));
        assertThat(outbox.takeClosed()).isEmpty();
    }

    @Test
    void aNumberThatNoJobHasIsRefused() {
        open(Membership.of(1), WIDE);
        assertThat(connect(10_000, 10_000, WIDE).refused())
                .contains(new RefusedFrame(
                        RefusalCode.UNKNOWN_CONSUMER, "a job has at most 10000 consumers, not one numbered 10000"));
    }

    @Test
    void whileNobodyIsThereItWaitsAndWhoComesGetsAll() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        outbox.put(made.make(100, 0));
        outbox.serve(membership(2, new Place(0, 0, false)));
        assertThat(outbox.bytes()).isPositive();
        CompletableFuture<Void> putting = inBackground(() -> {
            outbox.put(made.make(100, 1));
            outbox.end(EndOf.JOB);
        });
        awaitWaiting();
        assertThat(putting).isNotDone();

        outbox.serve(membership(3, new Place(0, 9, true)));

        putting.join();
        ChannelClient came = connect(0, 9, WIDE);
        assertThat(came.takeBatches()).containsExactly(new Received(0, List.of(0L)), new Received(1, List.of(1L)));
        assertThat(came.end()).contains(new EndFrame(1, EndOf.EPOCH));
    }

    @Test
    void theEndWaitsForWhoeverTakesTheLastBatches() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        outbox.put(made.make(100, 0));
        outbox.serve(membership(2, new Place(0, 0, false)));
        CompletableFuture<Void> ending = inBackground(() -> outbox.end(EndOf.JOB));
        awaitWaiting();
        assertThat(outbox.delivered()).isFalse();
        ChannelClient came = connect(1, 1, WIDE);
        ending.join();
        assertThat(came.read().end()).contains(new EndFrame(0, EndOf.EPOCH));
    }

    /** What the other has may come back, and be read once more: who hears nothing of Kafka would take this end for the last word. */
    @Test
    void theEndOfAllIsToldOnlyWhereNobodyElseEverWasThere() throws InterruptedException {
        Outbox alone = open(membership(1, new Place(0, 0, true)), WIDE);
        ChannelClient only = connect(0, 0, WIDE);
        alone.put(made.make(100, 0));
        alone.end(EndOf.JOB);
        assertThat(only.read().end()).contains(new EndFrame(0, EndOf.JOB));
        attempts.end(ATTEMPT);

        Outbox shared = open(membership(1, new Place(0, 0, true)), WIDE);
        ChannelClient stays = connect(0, 0, WIDE);
        shared.serve(membership(2, new Place(0, 0, true), new Place(1, 1, true)));
        shared.serve(membership(3, new Place(0, 0, true), new Place(1, 1, false)));
        shared.put(made.make(100, 0));
        shared.end(EndOf.JOB);
        assertThat(stays.read().end()).contains(new EndFrame(0, EndOf.EPOCH));
    }

    // the others have their END already
    @Test
    void behindTheEndWhatWasNotSentIsTold() throws InterruptedException {
        Outbox outbox = open(Membership.of(2), WIDE);
        ChannelClient slow = connect(1, 1, NARROW);
        connect(0, 0, NARROW).lose();
        for (int ticket = 0; ticket < 4; ticket++) {
            outbox.put(made.make(100, ticket));
        }
        outbox.end(EndOf.EPOCH);
        slow.read();
        outbox.serve(membership(1, new Place(0, 0, true), new Place(1, 1, false)));
        assertThat(outbox.takeClosed()).containsExactly(closed(1, 1, tickets(0, 1), tickets(2, 3)));
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 0, -1));
        assertThat(made.held()).isZero();
        assertThat(outbox.delivered()).isTrue();
    }

    // it waits again for a client that comes back, and is not sent to another
    @Test
    void whatWasSentOnAConnectionThatWasLostIsSent() throws InterruptedException {
        Outbox outbox = open(Membership.of(1), WIDE);
        ChannelClient lost = connect(0, 0, WIDE);
        outbox.put(made.make(100, 3));
        lost.lose();
        assertThat(connect(0, 0, WIDE).takeBatches()).containsExactly(new Received(0, List.of(3L)));
        outbox.serve(membership(1, new Place(0, 0, false), new Place(1, 1, true)));
        assertThat(outbox.takeClosed()).containsExactly(closed(0, 0, tickets(3), tickets()));
        assertThat(connect(1, 1, WIDE).takeBatches()).isEmpty();
        assertThat(made.released()).containsExactly(1);
    }

    @Test
    void elementsThatAreNotTrackedLeaveNoTrace() throws InterruptedException {
        Outbox outbox = open(Membership.of(1), WIDE);
        ChannelClient client = connect(0, 0, WIDE);
        outbox.put(made.make(100));
        assertThat(client.read().takeBatches()).hasSize(1);
        outbox.serve(membership(1, new Place(0, 0, false)));
        assertThat(outbox.takeClosed()).containsExactly(closed(0, 0, tickets(), tickets()));
    }

    // a batch weighs 128 bytes: three fit in 500, seven in 1,000
    @Test
    void capacityIsSharedByThoseThatAreThere() {
        Outbox outbox = open(Membership.of(2), 1_000);
        CompletableFuture<Void> putting = inBackground(() -> {
            for (int ticket = 0; ticket < 10; ticket++) {
                outbox.put(made.make(64, ticket));
            }
        });
        awaitWaiting();
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 0, 2), new LastSequence(1, 1, 2));
        outbox.serve(membership(1, new Place(0, 0, true), new Place(1, 1, false)));
        await().atMost(Duration.ofSeconds(90)).until(() -> outbox.bytes() == 7 * 128);
        awaitWaiting();
        assertThat(outbox.lastSequences()).containsExactly(new LastSequence(0, 0, 6));
        outbox.close();
        assertThatThrownBy(putting::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(OutboxClosed.class);
        assertThat(made.held()).isZero();
    }

    @Test
    void whoIsClosedWhileNobodyIsThereStopsWaitingAndGivesAllBack() throws InterruptedException {
        Outbox outbox = open(membership(1, new Place(0, 0, true)), WIDE);
        outbox.put(made.make(100, 0));
        outbox.serve(membership(2, new Place(0, 0, false)));
        CompletableFuture<Void> putting = inBackground(() -> outbox.put(made.make(100, 1)));
        awaitWaiting();
        outbox.close();
        assertThatThrownBy(putting::join).hasMessageContaining("attempt job/0/3 was closed");
        assertThat(made.released()).containsExactly(1, 1);
    }

    private interface Task {
        void run() throws InterruptedException;
    }

    private Thread background = Thread.currentThread();

    private CompletableFuture<Void> inBackground(Task task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        background = new Thread(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (InterruptedException | RuntimeException failed) {
                done.completeExceptionally(failed);
            }
        });
        background.setDaemon(true);
        background.start();
        return done;
    }

    private void awaitWaiting() {
        await().atMost(Duration.ofSeconds(90)).until(() -> background.getState() == Thread.State.WAITING);
    }
}
