package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
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

    // asked about once more each time: no, no, yes
    @Test
    void aRankThatDoesNotSubmitWaitsForTheJob() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        assertThat(opening.isWanted(rank(1), job -> job.equals("j") && asked.incrementAndGet() == 3, () -> true))
                .isTrue();
        assertThat(asked).hasValue(3);
        assertThat(opening.isWanted(rank(0), job -> false, () -> true)).isTrue();
    }

    // whoever interrupted it may have a feed of that rank again, which this one would put out of its place
    @Test
    void nothingIsJoinedOrSubmittedForAPythonThatIsGone() throws InterruptedException {
        AtomicInteger there = new AtomicInteger(2);
        assertThat(opening.isWanted(rank(1), job -> false, () -> there.getAndDecrement() > 0))
                .isFalse();
        assertThat(opening.isWanted(rank(1), job -> true, () -> false)).isFalse();
        assertThat(opening.isWanted(rank(0), job -> true, () -> false)).isFalse();
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
