package io.praline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadThreadsTest {
    @Test
    void theFirstThreadThatDiesIsNamedWithItsReason() throws InterruptedException {
        DeadThreads dead = new DeadThreads();
        assertThat(dead.first()).isNotDone();
        for (String name : new String[] {"heartbeat", "commands"}) {
            Thread thread = new Thread(
                    () -> {
                        throw new StackOverflowError("in " + name);
                    },
                    name);
            thread.setUncaughtExceptionHandler(dead);
            thread.start();
            thread.join();
        }
        assertThat(dead.first()).isCompletedWithValueMatching(why -> why instanceof WorkerDied);
        assertThat(dead.first().join())
                .hasMessage("its thread heartbeat died: java.lang.StackOverflowError: in heartbeat");
    }
}
