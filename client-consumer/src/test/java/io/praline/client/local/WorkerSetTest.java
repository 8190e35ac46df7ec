package io.praline.client.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorkerSetTest {
    private final TreeMap<Integer, Hand> launched = new TreeMap<>();
    private final List<Integer> starts = new ArrayList<>();
    private boolean refuses;
    private long nowNanos;

    /** A process that the test moves. */
    private static final class Hand implements LaunchedWorker {
        private boolean running = true;
        private boolean draining;
        private boolean killed;

        @Override
        public boolean running() {
            return running;
        }

        @Override
        public void drain() {
            draining = true;
        }

        @Override
        public void kill() {
            killed = true;
            running = false;
        }

        @Override
        public String lastWords() {
            return "code 1";
        }
    }

    private WorkerSet bound(int most) {
        return new WorkerSet(most, number -> {
            starts.add(number);
            if (refuses) {
                throw new IllegalStateException("no more processes");
            }
            Hand worker = new Hand();
            launched.put(number, worker);
            return worker;
        });
    }

    private List<String> lookAfter(WorkerSet set, Duration time) {
        nowNanos += time.toNanos();
        return set.look(nowNanos);
    }

    private void target(WorkerSet set, int workers) {
        set.target(workers);
        set.look(nowNanos);
    }

    @Test
    void startsWhatIsMissingAtOnce() {
        WorkerSet set = bound(8);
        set.target(3);

        assertThat(set.look(0)).containsExactly("worker 1 is started", "worker 2 is started", "worker 3 is started");
        assertThat(set.look(0)).isEmpty();
        assertThat(set.present()).isEqualTo(3);
        assertThat(set.hindrance()).isEmpty();
    }

    @Test
    void startsNoMoreThanTheBound() {
        WorkerSet set = bound(2);
        target(set, 5);

        assertThat(starts).containsExactly(1, 2);
        assertThat(set.hindrance())
                .contains("of the workers that are wanted, 5, at most 2 may run here; allow more if it can bear them");
    }

    @Test
    void asksTheNewestToLeaveAndForgetsItWhenItHas() {
        WorkerSet set = bound(3);
        target(set, 3);
        target(set, 1);

        assertThat(launched.values()).extracting(worker -> worker.draining).containsExactly(false, true, true);
        launched.get(2).running = false;
        launched.get(3).running = false;
        assertThat(lookAfter(set, Duration.ofSeconds(1))).isEmpty();
        assertThat(set.hindrance()).isEmpty();
        target(set, 0);
        launched.get(1).running = false;
        lookAfter(set, Duration.ofSeconds(1));
        assertThat(set.present()).isZero();
    }

    // of a bound of 2 one is taken by the worker that leaves
    @Test
    void countsThoseThatLeaveTowardsTheBound() {
        WorkerSet set = bound(2);
        target(set, 2);
        target(set, 1);
        target(set, 2);

        assertThat(starts).containsExactly(1, 2);
        launched.get(2).running = false;
        lookAfter(set, Duration.ofMillis(200));
        assertThat(starts).containsExactly(1, 2, 2);
    }

    @Test
    void killsWhatDoesNotLeaveInTime() {
        WorkerSet set = bound(1);
        target(set, 1);
        target(set, 0);
        assertThat(lookAfter(set, Duration.ofSeconds(45))).isEmpty();

        assertThat(lookAfter(set, Duration.ofSeconds(1)))
                .containsExactly("worker 1 did not leave within 45 s and is killed");
        assertThat(launched.get(1).killed).isTrue();
    }

    // refused at 0 s, then after 1, 2, 4, 8, 16, 32, 60, 60 s: 9 starts in 183 s, looked at five times a second
    @Test
    void waitsLongerAndLongerWhereNothingCanBeStarted() {
        WorkerSet set = bound(4);
        refuses = true;
        target(set, 4);
        for (int look = 0; look < 5 * 183; look++) {
            lookAfter(set, Duration.ofMillis(200));
        }

        assertThat(starts).hasSize(9).containsOnly(1);
        assertThat(set.hindrance()).contains("worker 1 cannot be started: no more processes");
    }

    // each dies within 100 ms: 1, 2, 4 ... 32, 60 s apart as above, one at a time
    @Test
    void startsThoseThatKeepDyingOneAtATimeAndLessAndLessOften() {
        WorkerSet set = bound(4);
        target(set, 2);
        int most = 0;
        for (int look = 0; look < 10 * 60; look++) {
            launched.values().forEach(worker -> worker.running = false);
            int before = starts.size();
            lookAfter(set, Duration.ofMillis(100));
            most = Math.max(most, starts.size() - before);
        }

        assertThat(most).isEqualTo(1);
        assertThat(starts.size()).isBetween(5, 8);
        assertThat(set.hindrance()).contains("worker 1 ended: code 1");
    }

    @Test
    void forgetsFailuresOnceAWorkerHasRunForAMinute() {
        WorkerSet set = bound(4);
        target(set, 2);
        launched.get(1).running = false;
        assertThat(lookAfter(set, Duration.ofMillis(100)))
                .containsExactly("worker 1 ended: code 1; the next one is tried in 1 s");
        assertThat(set.hindrance()).contains("worker 1 ended: code 1");
        lookAfter(set, Duration.ofSeconds(1));
        assertThat(set.present()).isEqualTo(2);
        assertThat(set.hindrance()).isEmpty();

        lookAfter(set, Duration.ofSeconds(60));
        launched.get(2).running = false;
        assertThat(lookAfter(set, Duration.ofSeconds(1)))
                .containsExactly("worker 2 ended: code 1; the next one is tried in 1 s");
    }

    @Test
    void takesNoTargetBelowZero() {
        assertThatThrownBy(() -> bound(1).target(-1)).hasMessage("a target must not be negative, is -1");
        assertThatThrownBy(() -> bound(-1)).hasMessage("bound must not be negative, is -1");
    }
}
