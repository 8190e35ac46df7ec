package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoardTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final AtomicLong nanos = new AtomicLong();
    private final Board board = new Board(Pictures.of(Statuses.running("j")), nanos::get);
    private Thread gathering;

    /** Who gathers, in rounds that take no time. */
    private void gather(Runnable round) {
        gathering = new Thread(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    round.run();
                    board.rest(LONG);
                }
            } catch (InterruptedException over) {
                // the test is over
            }
        });
        gathering.start();
        await().atMost(Duration.ofSeconds(90)).until(board::isResting);
    }

    @AfterEach
    void ends() throws InterruptedException {
        if (gathering != null) {
            gathering.interrupt();
            gathering.join();
        }
    }

    @Test
    void whoGathersRestsWhileNobodyLooks() {
        AtomicLong rounds = new AtomicLong();
        gather(rounds::incrementAndGet);
        assertThat(rounds).hasValue(1);
    }

    // the round that a question wakes shows what was fetched before it; that of the next one was asked for since
    @Test
    void whoAsksWhileItRestsIsToldWhatThereWasWhenItAsked() throws Exception {
        AtomicLong rounds = new AtomicLong();
        gather(rounds::incrementAndGet);
        board.refresh(LONG);
        assertThat(rounds).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void tenSecondsAfterTheLastQuestionItRestsAgain() {
        board.ask();
        AtomicLong rounds = new AtomicLong();
        gather(() -> {
            if (rounds.incrementAndGet() == 5) {
                nanos.addAndGet(Duration.ofSeconds(10).toNanos());
            }
        });
        assertThat(rounds).hasValue(5);
    }

    @Test
    void itDoesNotRestWhileABrowserListens() {
        AtomicLong rounds = new AtomicLong();
        gather(rounds::incrementAndGet);
        Board.Listener browser = event -> {};
        board.listen(browser);
        await().atMost(Duration.ofSeconds(90)).until(() -> rounds.get() > 100 && !board.isResting());
        board.forget(browser);
        await().atMost(Duration.ofSeconds(90)).until(board::isResting);
    }

    @Test
    void whoAsksWhileNobodyRestsWaitsForNothing() {
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> {
            try {
                board.refresh(LONG);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        await().atMost(Duration.ofSeconds(90)).until(asked::isDone);
        assertThat(asked).isCompleted();
    }
}
