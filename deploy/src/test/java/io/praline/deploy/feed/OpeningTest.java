package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpeningTest {
    private final Opening opening = new Opening(line -> {});

    private boolean saysAt(long second, String what) {
        return opening.look(TimeUnit.SECONDS.toNanos(second), Instant.EPOCH)
                .filter(line -> line.startsWith("waiting for " + what + " since "))
                .isPresent();
    }

    private boolean isSilentAt(long second) {
        return opening.look(TimeUnit.SECONDS.toNanos(second), Instant.EPOCH).isEmpty();
    }

    private static FeedSpec rank(int number) {
        return new FeedSpec(
                JsonNodeFactory.instance.objectNode().put("rank", number).put("job", "j"), new byte[0]);
    }

    private final AtomicInteger followed = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    /** Jobs of which this is heard, by whoever follows one, so many milliseconds later. */
    private Opening.Submissions tell(Optional<RuntimeException> what, long afterMillis) {
        return (job, heard) -> {
            assertThat(job).isEqualTo("j");
            followed.incrementAndGet();
            CompletableFuture.delayedExecutor(afterMillis, TimeUnit.MILLISECONDS)
                    .execute(() -> heard.accept(what));
            return closed::incrementAndGet;
        };
    }

    private final Opening.Submissions never = (job, heard) -> closed::incrementAndGet;

    // it looks every half a second whether Python is there, and each time it would have to read all jobs
    @Test
    void aRankThatDoesNotSubmitFollowsTheJobOnceHoweverLongThatTakes() throws InterruptedException {
        assertThat(opening.isWanted(rank(1), tell(Optional.empty(), 1_200), () -> true))
                .isTrue();
        assertThat(followed).hasValue(1);
        assertThat(closed).hasValue(1);
        assertThat(opening.isWanted(rank(0), never, () -> true)).isTrue();
        assertThat(followed).hasValue(1);
    }

    @Test
    void whatKeepsTheJobFromBeingFollowedIsTheFeedsFailure() {
        assertThatThrownBy(() -> opening.isWanted(
                        rank(1), tell(Optional.of(new IllegalStateException("no topic")), 0), () -> true))
                .hasMessage("no topic");
        assertThat(closed).hasValue(1);
    }

    // whoever interrupted it may have a feed of that rank again, which this one would put out of its place
    @Test
    void nothingIsJoinedOrSubmittedForAPythonThatIsGone() throws InterruptedException {
        AtomicInteger there = new AtomicInteger(2);
        assertThat(opening.isWanted(rank(1), never, () -> there.getAndDecrement() > 0))
                .isFalse();
        assertThat(opening.isWanted(rank(1), tell(Optional.empty(), 0), () -> false))
                .isFalse();
        assertThat(opening.isWanted(rank(0), never, () -> false)).isFalse();
    }

    // each is waited for on its own: five seconds from its beginning, and once
    @Test
    void saysAfterFiveSecondsWhatItWaitsFor() {
        assertThat(isSilentAt(100)).isTrue();
        opening.waitsFor("Kafka at h:1", TimeUnit.SECONDS.toNanos(100));
        assertThat(isSilentAt(104)).isTrue();
        assertThat(saysAt(105, "Kafka at h:1")).isTrue();
        assertThat(isSilentAt(106)).isTrue();
        opening.waitsFor("rank 0 to submit job j", TimeUnit.SECONDS.toNanos(107));
        assertThat(saysAt(112, "rank 0 to submit job j")).isTrue();
    }
}
