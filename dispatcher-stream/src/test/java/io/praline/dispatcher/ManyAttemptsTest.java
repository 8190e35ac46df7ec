package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.praline.dispatcher.ManyAttemptsBenchmark.Running;
import io.praline.schema.JobState;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * That an event costs what it concerns, whatever else there is. Counted in bytes that a turn allocates, which no other load
 * changes: whoever passes over all attempts or all jobs looks each up, and puts what it finds into lists.
 */
class ManyAttemptsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void aBeatCostsTheSameInAJobOfTenAttemptsAndOfAThousand() {
        assertThat(beatBytes(1_000)).isLessThan(1.2 * beatBytes(10));
    }

    private static double beatBytes(int attempts) {
        try (Rig rig = ManyAttemptsBenchmark.rig()) {
            List<Running> running = ManyAttemptsBenchmark.start(rig, attempts);
            assertThat(running).hasSize(attempts);
            for (int i = 0; i < 2; i++) {
                running.forEach(each -> ManyAttemptsBenchmark.beat(rig, each));
            }
            // of the first ten alone, so that both beat equally often
            return median(() -> ManyAttemptsBenchmark.beat(rig, running.get(5)));
        }
    }

    @Test
    void aBeatCostsTheSameInAPoolOfTenJobsAndOfThreeHundred() {
        assertThat(beatBesideBytes(300)).isLessThan(1.2 * beatBesideBytes(10));
    }

    private static double beatBesideBytes(int jobs) {
        try (Rig rig = new Rig()) {
            for (int job = 0; job < jobs; job++) {
                rig.submit("job-" + job, Rig.submit().build());
            }
            rig.beat(Rig.worker("w0", 1).setDraining(true).build());
            rig.pass(Duration.ofSeconds(1));
            return median(() -> rig.beat(Rig.worker("w0", 1).setDraining(true).build()));
        }
    }

    @Test
    void aWorkerThatJoinsCostsTheSameInAPoolOfTenAndOfAThousand() {
        assertThat(joinBytes(1_000)).isLessThan(1.2 * joinBytes(10));
    }

    private static double joinBytes(int workers) {
        try (Rig rig = ManyAttemptsBenchmark.rig()) {
            rig.stamps((topic, millis) -> Instant.ofEpochMilli(millis / 10));
            for (int worker = 0; worker < workers; worker++) {
                rig.beat(Rig.worker("w" + worker, 1).build());
            }
            int[] next = {workers};
            return median(() -> rig.beat(Rig.worker("w" + next[0]++, 1).build()));
        }
    }

    @Test
    void aTickCostsTheSameHoweverManyJobsHaveEnded() {
        assertThat(tickBytes(300)).isLessThan(1.2 * tickBytes(3));
    }

    private static double tickBytes(int ended) {
        try (Rig rig = new Rig()) {
            for (int job = 0; job < ended; job++) {
                rig.submit("job-" + job, Rig.submit().build());
                rig.cancel("job-" + job, "not needed");
            }
            rig.pass(Duration.ofSeconds(10));
            assertThat(rig.status("job-0").getState()).isEqualTo(JobState.CANCELLED);
            return median(() -> rig.pass(Duration.ofSeconds(1)));
        }
    }

    /** The median of many, since now and then something else is due, such as a status. */
    private static double median(Runnable event) {
        long[] bytes = new long[101];
        for (int i = 0; i < bytes.length; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            event.run();
            bytes[i] = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        Arrays.sort(bytes);
        return bytes[bytes.length / 2];
    }
}
