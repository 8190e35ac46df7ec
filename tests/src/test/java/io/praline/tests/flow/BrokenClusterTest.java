package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.deploy.breakage.ClusterBroke;
import io.praline.deploy.local.LocalCluster;
import io.praline.tests.rig.OwnKafka;
import io.praline.wire.ConsumerToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.common.utils.Exit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a cluster on this machine consists of breaks for good while somebody waits for it. */
@Tag("long")
@OwnKafka("it breaks")
class BrokenClusterTest {

    // the worker stands still, so that it is waited for, for a minute; the broker's disk fills meanwhile
    @Test
    void whoWaitsForAClusterThatBreaksIsToldAtOnce() throws Exception {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "broken-");
        Path secret = folder.resolve("secret");
        ConsumerToken.createSecret(secret);
        try (LocalCluster cluster = LocalCluster.start(new LocalCluster.Settings(folder.resolve("data"), secret, 1))) {
            long worker = cluster.startWorker("worker-1").pid();
            assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(worker))
                            .start()
                            .waitFor())
                    .isZero();
            // a thread of this broker's: what ends any other thread ends all brokers of the process
            new Thread(
                            broker(folder),
                            () -> {
                                try {
                                    Thread.sleep(2_000);
                                    Exit.halt(1, "all log directories have failed");
                                } catch (InterruptedException | Error told) {
                                    // by which it would have ended the process
                                }
                            },
                            "breaking")
                    .start();
            long from = System.nanoTime();

            assertThatThrownBy(cluster::awaitReady)
                    .isInstanceOf(ClusterBroke.class)
                    .hasMessage("the cluster broke: all log directories have failed");
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(30));
        }
    }

    private static ThreadGroup broker(Path folder) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getThreadGroup)
                .filter(group -> group != null && group.getName().startsWith("broker in " + folder))
                .findFirst()
                .orElseThrow();
    }
}
