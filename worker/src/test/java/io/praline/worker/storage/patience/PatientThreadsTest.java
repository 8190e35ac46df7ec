package io.praline.worker.storage.patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two at a time, four threads at most; time stands still unless it is moved. */
class PatientThreadsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final PatientThreads threads = new PatientThreads("test", 2, 4, nanos::get);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        answer.countDown();
        threads.close();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        threads.look();
    }

    /** Asks about a file on which nobody answers. */
    private final class Hanging implements PatientThreads.Patient {
        private final String file;
        private final Duration patience;
        private final CountDownLatch asks = new CountDownLatch(1);
        private final List<String> told = Collections.synchronizedList(new ArrayList<>());

        Hanging(String file, Duration patience) {
            this.file = file;
            this.patience = patience;
        }

        @Override
        public void run() {
            Asking.about(file);
            asks.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            done.add(file);
        }

        @Override
        public boolean heldUp(String by, Duration time) {
            told.add(by + " " + time.toSeconds());
            return time.compareTo(patience) >= 0;
        }
    }

    private Hanging hang(String file) throws InterruptedException {
        Hanging hanging = new Hanging(file, Duration.ofSeconds(60));
        threads.execute(hanging);
        assertThat(hanging.asks.await(90, TimeUnit.SECONDS)).isTrue();
        return hanging;
    }

    private void awaitDone(String... works) {
        // or whoever waits hears, in place of the handler that was set, what killed a thread meanwhile
        await().dontCatchUncaughtExceptions().atMost(Duration.ofSeconds(90)).untilAsserted(() -> assertThat(done)
                .containsExactly(works));
    }

    @Test
    void oneAfterTheOtherIsDone() {
        for (int i = 0; i < 100; i++) {
            String name = "work " + i;
            threads.execute(() -> done.add(name));
        }
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(done).hasSize(100));
    }

    @Test
    void whatIsHeldUpGivesItsTurnToTheNext() throws InterruptedException {
        hang("/nfs/a");
        hang("/nfs/b");
        threads.execute(() -> done.add("work"));
        pass(Duration.ofSeconds(1));
        assertThat(done).isEmpty();
        pass(Duration.ofSeconds(1));
        awaitDone("work");
    }

    @Test
    void whatGetsOnIsNotHeldUpHoweverLongItTakes() throws InterruptedException {
        CountDownLatch counted = new CountDownLatch(1);
        for (int i = 0; i < 2; i++) {
            threads.execute(() -> {
                Asking.about("/nfs/large");
                for (int minute = 0; minute < 3; minute++) {
                    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                    Asking.goesOn();
                }
                Asking.nothing();
                counted.countDown();
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertThat(counted.await(90, TimeUnit.SECONDS)).isTrue();
        threads.execute(() -> done.add("work"));
        pass(Duration.ofMinutes(10));
        assertThat(done).isEmpty();
        answer.countDown();
        awaitDone("work");
    }

    // its watch looks by itself each second: it may have told the same more than once
    @Test
    void itsOwnerHearsOfItUntilHeGivesItUp() throws InterruptedException {
        Hanging hanging = hang("/nfs/a");
        pass(Duration.ofSeconds(1));
        assertThat(hanging.told).isEmpty();
        pass(Duration.ofSeconds(9));
        assertThat(hanging.told).contains("/nfs/a 10");
        pass(Duration.ofSeconds(50));
        assertThat(hanging.told).contains("/nfs/a 60");
        int told = hanging.told.size();
        pass(Duration.ofSeconds(10));
        assertThat(hanging.told).hasSize(told);
        answer.countDown();
        awaitDone("/nfs/a");
    }

    @Test
    void whereAllThreadsAreHeldUpWhatWaitsWaitsForThem() throws InterruptedException {
        List<Hanging> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(hang("/nfs/" + i));
            pass(Duration.ofSeconds(2));
        }
        Hanging waiting = new Hanging("/data/fine", Duration.ofSeconds(30));
        threads.execute(waiting);
        threads.execute(() -> done.add("work"));
        pass(Duration.ofSeconds(8));
        assertThat(waiting.told).contains("/nfs/3 10");
        pass(Duration.ofSeconds(20));
        assertThat(waiting.told).contains("/nfs/3 30");
        assertThat(done).isEmpty();
        answer.countDown();
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> assertThat(done)
                .containsExactlyInAnyOrder("/nfs/0", "/nfs/1", "/nfs/2", "/nfs/3", "work"));
        assertThat(all).allSatisfy(each -> assertThat(each.told).isNotEmpty());
    }

    @Test
    void workThatThrowsGivesItsTurnToo() {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> done.add(thrown.getMessage()));
        try {
            threads.execute(() -> {
                throw new IllegalStateException("broken");
            });
            awaitDone("broken");
            threads.execute(() -> done.add("work"));
            awaitDone("broken", "work");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void whoeverSaysWhatHeAsksNeedNotBeWatched() {
        Asking.about("/nfs/a");
        Asking.goesOn();
        Asking.nothing();
        assertThat(new Asking(nanos::get).silence()).isEmpty();
    }
}
