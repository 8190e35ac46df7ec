package io.praline.tests.corpus;

import static org.awaitility.Awaitility.await;

import io.praline.client.BatchStream;
import io.praline.schema.AttemptPlace;
import io.praline.schema.JobStatus;
import io.praline.tests.rig.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The death of one worker, for several jobs at once: each holds its loop back while batches are left, then the worker that
 * serves most of them is killed, and each loop goes on when its job has lost the attempt.
 */
final class Killing {
    private static final Duration ARRIVAL = Duration.ofSeconds(90);
    private static final Duration NEWS = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofMillis(1);

    private final List<Held> jobs = new ArrayList<>();
    private final CountDownLatch arrived;
    private final CompletableFuture<Void> killed = new CompletableFuture<>();

    /** @param expected how many jobs there will be */
    Killing(int expected) {
        this.arrived = new CountDownLatch(expected);
    }

    /**
     * A job that is held before it takes the batch of that number, or when it has an attempt.
     *
     * @param batch counted from 0; empty: before the first has come
     */
    synchronized Held hold(Optional<Integer> batch) {
        Held held = new Held(batch);
        jobs.add(held);
        return held;
    }

    /** Kills a worker when all jobs hold or have ended; gives its id, or none where nobody holds. */
    synchronized Optional<String> kill(Cluster cluster) throws InterruptedException {
        try {
            if (!arrived.await(ARRIVAL.toMillis(), TimeUnit.MILLISECONDS)
                    && jobs.stream().noneMatch(Held::holds)) {
                return Optional.empty();
            }
            Optional<String> victim = Stream.of(Cluster.FIRST_WORKER, Cluster.SECOND_WORKER)
                    .filter(worker ->
                            jobs.stream().anyMatch(job -> !job.servedBy(worker).isEmpty()))
                    .max(Comparator.comparingLong(worker -> jobs.stream()
                            .filter(job -> !job.servedBy(worker).isEmpty())
                            .count()));
            victim.ifPresent(worker -> {
                jobs.forEach(job -> job.struck = job.servedBy(worker));
                cluster.process(worker).kill();
            });
            return victim;
        } finally {
            killed.complete(null);
        }
    }

    /** One of the jobs. Its loop's thread, but for what is volatile. */
    final class Held implements Loop.Hold {
        private final Optional<Integer> batch;
        private volatile Optional<BatchStream> stream = Optional.empty();
        private volatile List<AttemptPlace> struck = List.of();
        private boolean counted;
        private boolean lost;

        private Held(Optional<Integer> batch) {
            this.batch = batch;
        }

        @Override
        public void atStart(BatchStream started) {
            if (batch.isEmpty()) {
                try {
                    await().atMost(ARRIVAL)
                            .pollInterval(LOOK)
                            .until(() -> !places(started).isEmpty() || isOver(started));
                    holdBack(started);
                } catch (ConditionTimeoutException neverServed) {
                    arrive();
                }
            }
        }

        private static boolean isOver(BatchStream stream) {
            return stream.status()
                    .map(status -> switch (status.getState()) {
                        case COMPLETED, FAILED, CANCELLED -> true;
                        default -> false;
                    })
                    .orElse(false);
        }

        @Override
        public void beforeBatch(BatchStream running, int number) {
            if (batch.isPresent() && batch.get() == number && !counted) {
                holdBack(running);
            }
        }

        private void holdBack(BatchStream held) {
            stream = Optional.of(held);
            arrive();
            killed.join();
            stream = Optional.empty();
            List<AttemptPlace> gone = struck;
            if (gone.isEmpty()) {
                return;
            }
            try {
                await().atMost(NEWS).pollInterval(LOOK).until(() -> {
                    List<AttemptPlace> places = places(held);
                    lost = gone.stream().anyMatch(place -> find(places, place)
                            .filter(AttemptPlace::getFenced)
                            .isPresent());
                    return lost
                            || gone.stream()
                                    .allMatch(place -> find(places, place).isEmpty());
                });
            } catch (ConditionTimeoutException neverToldOf) {
                lost = false;
            }
        }

        private static Optional<AttemptPlace> find(List<AttemptPlace> places, AttemptPlace sought) {
            return places.stream()
                    .filter(place -> place.getEpoch() == sought.getEpoch() && place.getAttempt() == sought.getAttempt())
                    .findFirst();
        }

        private static List<AttemptPlace> places(BatchStream stream) {
            return stream.status().map(JobStatus::getAttempts).orElse(List.of());
        }

        private List<AttemptPlace> servedBy(String worker) {
            return stream.map(Held::places).orElse(List.of()).stream()
                    .filter(place -> place.getWorker().equals(worker) && !place.getFenced())
                    .toList();
        }

        private boolean holds() {
            return stream.isPresent();
        }

        private void arrive() {
            if (!counted) {
                counted = true;
                arrived.countDown();
            }
        }

        /** It holds no more, whatever became of it. */
        void ended() {
            arrive();
        }

        @Override
        public boolean lost() {
            return lost;
        }
    }
}
