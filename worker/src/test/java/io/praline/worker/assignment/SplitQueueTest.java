package io.praline.worker.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SplitQueueTest {
    private final SplitQueue queue = new SplitQueue();

    private static List<AssignedSplit> splits(long... ordinals) {
        return LongStream.of(ordinals)
                .mapToObj(ordinal -> new AssignedSplit(
                        ordinal,
                        Split.newBuilder()
                                .setKind(SplitKind.INTEGERS)
                                .setSource(0)
                                .setPaths(List.of())
                                .setFrom(0)
                                .setUntil(9)
                                .setStep(1)
                                .setBytes(0)
                                .build(),
                        ByteBuffer.allocate(0)))
                .toList();
    }

    private Optional<Long> take() throws InterruptedException {
        return queue.take().map(AssignedSplit::getOrdinal);
    }

    @Test
    void anAssignmentIsTakenOnce() throws InterruptedException {
        assertThat(queue.offer(1, splits(4, 5))).isTrue();
        assertThat(queue.offer(1, splits(4, 5))).isFalse();
        assertThat(queue.offer(3, splits(9))).isFalse();
        assertThat(queue.offer(2, splits(6))).isTrue();
        assertThat(queue.through()).isEqualTo(2);
        assertThat(List.of(take(), take(), take())).containsExactly(Optional.of(4L), Optional.of(5L), Optional.of(6L));
    }

    @Test
    void itEndsBehindTheLastAssignment() throws InterruptedException {
        queue.finish(2);
        queue.offer(1, splits(4));
        assertThat(queue.closed()).isFalse();
        queue.offer(2, splits(5));
        assertThat(queue.offer(3, splits(6))).isFalse();
        assertThat(List.of(take(), take(), take())).containsExactly(Optional.of(4L), Optional.of(5L), Optional.empty());
    }

    @Test
    void withoutAnyAssignmentItMayEndAtOnce() throws InterruptedException {
        queue.finish(0);
        assertThat(take()).isEmpty();
    }

    // whether an entry of it is there may be asked of a store that does not answer for seconds, and the heartbeat goes
    // on
    @Test
    void nobodyWaitsForWhoLooksAtWhatWaits() throws Exception {
        queue.offer(1, splits(4, 5, 6));
        List<Integer> seen = new ArrayList<>();
        Optional<AssignedSplit> taken = queue.takeFirst(split -> {
            seen.add(elsewhere(queue::size));
            return split.getOrdinal() == 5;
        });
        assertThat(taken.map(AssignedSplit::getOrdinal)).contains(5L);
        assertThat(seen).containsExactly(3, 3);
        assertThat(queue.takeFirst(split -> {
                    elsewhere(() -> {
                        queue.stop();
                        return 0;
                    });
                    return true;
                }))
                .isEmpty();
    }

    @Test
    void whoIsLookingForOneAmongThoseThatWaitDoesNotWait() {
        assertThat(queue.takeFirst(split -> true)).isEmpty();
        assertThat(queue.takeLast()).isEmpty();
        queue.offer(1, splits(4, 5, 6));
        assertThat(queue.takeFirst(split -> false)).isEmpty();
        assertThat(queue.takeLast().map(AssignedSplit::getOrdinal)).contains(6L);
        assertThat(queue.takeFirst(split -> true).map(AssignedSplit::getOrdinal))
                .contains(4L);
        assertThat(queue.size()).isEqualTo(1);
    }

    private static int elsewhere(Supplier<Integer> question) {
        return CompletableFuture.supplyAsync(question)
                .orTimeout(90, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void whatWaitsIsDroppedWhenItIsStopped() throws InterruptedException {
        queue.offer(1, splits(4, 5));
        queue.stop();
        assertThat(take()).isEmpty();
        assertThat(queue.size()).isZero();
        assertThat(queue.offer(2, splits(6))).isFalse();
    }
}
