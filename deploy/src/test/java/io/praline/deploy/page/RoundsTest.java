package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.topics.ServiceUnreachable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Board board = new Board(Pictures.of());
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();
    private Rounds rounds;
    private Thread thread;

    /** Follows one topic, which tells this. */
    private void follow(Told topic) {
        board.listen(event -> {}); // somebody looks: there is no rest
        rounds = new Rounds(
                board,
                "kafka:9092",
                into -> {
                    int times = opened.incrementAndGet();
                    into.job("j", Optional.of(Statuses.running("j")));
                    return new Rounds.Reading(List.of(topic.as(times)), released::incrementAndGet);
                },
                () -> Picture.Lags.UNKNOWN,
                Duration.ofMillis(1));
        rounds.open();
        thread = new Thread(rounds);
        thread.start();
    }

    @AfterEach
    void ends() throws InterruptedException {
        rounds.close();
        thread.join();
        assertThat(released).hasValue(opened.get());
    }

    /** What a topic does that is opened for the Nth time. */
    private interface Told {
        boolean follow(int times);

        default Rounds.Followed as(int times) {
            return new Rounds.Followed() {
                @Override
                public boolean follow(Duration wait) {
                    return Told.this.follow(times);
                }

                @Override
                public Duration silent() {
                    return Duration.ZERO;
                }
            };
        }
    }

    private Optional<String> trouble() {
        return board.picture().source().trouble();
    }

    @Test
    void whatNobodyExpectedIsSaidAndAllIsReadAnew() {
        follow(times -> {
            if (times < 3) {
                throw new IllegalStateException("a record that cannot be");
            }
            return true;
        });
        await().atMost(Duration.ofSeconds(90))
                .until(() -> opened.get() == 3 && trouble().isEmpty());
        assertThat(board.picture().jobs()).containsOnlyKeys("j");
    }

    @Test
    void whileItBreaksThePageSaysThatWhatItShowsIsOld() {
        follow(times -> {
            throw new StackOverflowError("of a library");
        });
        await().atMost(Duration.ofSeconds(90)).until(() -> trouble().isPresent());
        assertThat(trouble().get())
                .startsWith("what is read for this page broke off (")
                .contains("of a library")
                .endsWith("what is shown is from before");
    }

    @Test
    void aClusterThatIsAwayIsWaitedFor() {
        AtomicInteger turns = new AtomicInteger();
        follow(times -> {
            if (turns.incrementAndGet() == 2) {
                throw new ServiceUnreachable("Kafka at kafka:9092 does not answer", null);
            }
            return true;
        });
        await().atMost(Duration.ofSeconds(90))
                .until(() -> turns.get() > 5 && trouble().isEmpty());
        assertThat(opened).hasValue(1);
    }
}
