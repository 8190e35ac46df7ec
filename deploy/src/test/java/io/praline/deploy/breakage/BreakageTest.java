package io.praline.deploy.breakage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BreakageTest {
    private static final String WHY = "the disk is full";

    private final CompletableFuture<String> reason = new CompletableFuture<>();
    private final Breakage breakage = new Breakage(reason);

    private void breaks() {
        new Thread(() -> reason.complete(WHY), "breaking").start();
    }

    private static void waitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Test
    void whoWaitsForWhatBreaksIsToldWhy() {
        assertThatThrownBy(() -> breakage.run(() -> {
                    breaks();
                    waitForEver();
                }))
                .isInstanceOf(ClusterBroke.class)
                .hasMessage("the cluster broke: the disk is full");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatIsBrokenAlreadyIsNotWaitedFor() {
        reason.complete(WHY);

        assertThatThrownBy(() -> breakage.run(BreakageTest::waitForEver)).isInstanceOf(ClusterBroke.class);
    }

    // as who waits for Kafka says it, whose clients know nothing of the reason
    @Test
    void whateverItThrowsIsBecauseOfThat() {
        assertThatThrownBy(() -> breakage.run(() -> {
                    reason.complete(WHY);
                    throw new IllegalStateException("Kafka does not answer");
                }))
                .isInstanceOf(ClusterBroke.class)
                .hasRootCauseMessage("Kafka does not answer");
    }

    @Test
    void whatItThrowsWithoutThatIsThrown() {
        assertThatThrownBy(() -> breakage.run(() -> {
                    throw new IllegalStateException("wrong");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("wrong");
    }

    @Test
    void anInterruptOfSomebodyElseIsNone() {
        assertThatThrownBy(() -> breakage.run(() -> {
                    Thread.currentThread().interrupt();
                    waitForEver();
                }))
                .isInstanceOf(InterruptedException.class);
    }

    // what was made is there, and who waits for it next is told
    @Test
    void whatIsDoneWhenItBreaksIsGiven() throws InterruptedException {
        String made = breakage.make(() -> {
            reason.complete(WHY);
            return "made";
        });

        assertThat(made).isEqualTo("made");
        assertThat(Thread.interrupted()).isFalse();
        assertThatThrownBy(() -> breakage.run(BreakageTest::waitForEver)).isInstanceOf(ClusterBroke.class);
    }

    @Test
    void whoDoesNotWaitAnyMoreIsLeftAlone() {
        breakage.run(() -> {});

        reason.complete(WHY);

        assertThat(Thread.interrupted()).isFalse();
    }
}
