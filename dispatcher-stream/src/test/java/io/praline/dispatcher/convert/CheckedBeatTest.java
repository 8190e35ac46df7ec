package io.praline.dispatcher.convert;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Each beat is checked, thousands in a second: only of what is wrong a sentence is made. Counted in bytes, which no load changes. */
class CheckedBeatTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int TIMES = 1_000;

    private static long bytesOf(Runnable check) {
        check.run(); // what is made once
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < TIMES; i++) {
            check.run();
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    // less than a byte each: what the reading of the counter takes
    @Test
    void whatIsRightCostsNoMemory() {
        assertThat(bytesOf(() -> {
                    Bounds.number("batches", 1_234_567, Bounds.MOST_COUNTED);
                    Bounds.seconds("splitSeconds", 5.5);
                    Bounds.attempt(3, 4_321);
                    Bounds.consumer(12);
                    Bounds.size("addresses", 2, 100);
                    Bounds.text("host", "a-host.of-a-cluster.example");
                    Bounds.name("worker", "a-worker-of-a-cluster");
                }))
                .isLessThan(TIMES);
    }
}
