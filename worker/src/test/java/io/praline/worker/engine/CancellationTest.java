package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.worker.EngineStart;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tensorflow.Graph;
import org.tensorflow.Session;

class CancellationTest {
    private final Cancellation cancellation = new Cancellation();

    @BeforeAll
    static void loadTensorFlow() {
        EngineStart.warm();
    }

    /** TensorFlow may never come back from it: the thread of the worker's commands must not wait for that. */
    @Test
    void whoRequestsItDoesNotWaitForWhatDoesNotStop() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        try (Graph graph = new Graph();
                Session session = new Session(graph)) {
            cancellation.add(session, () -> {
                begun.countDown();
                await(stuck);
            });

            cancellation.request();
            await(begun);

            assertThat(cancellation.requested()).isTrue();
            assertThatThrownBy(() -> cancellation.add(session, () -> {})).isInstanceOf(CancellationException.class);
            stuck.countDown();
            assertThat(cancellation.remove(session)).isFalse();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
