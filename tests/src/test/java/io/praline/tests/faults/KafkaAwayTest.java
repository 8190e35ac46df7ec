package io.praline.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kafka is away in the middle of a job, for longer than any worker, lease or consumer may be silent. */
class KafkaAwayTest {
    private static final Duration KILL = Duration.ofMillis(1_200);

    // each waits so long in all: for what starts, and for what comes back
    private static final Duration FOR_THE_REST = Duration.ofMinutes(4);

    // a consumer is given up after 60 s without a word
    @Test
    @Tag("long")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void aJobGoesOnBehindMoreThanAMinute() throws Exception {
        isAway(Duration.ofSeconds(65), Duration.ofSeconds(20));
    }

    @Test
    @Tag("faults")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void aJobGoesOnBehindTenMinutes() throws Exception {
        isAway(Duration.ofMinutes(10), Duration.ofMinutes(1));
    }

    /** A loop waits for Kafka and loses nothing; a command that has less patience says so, and ends. */
    private static void isAway(Duration away, Duration patience) throws Exception {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "away-");
        try (KilledCluster cluster = KilledCluster.start(Killing.BROKER, folder)) {
            Process run = cluster.run("impatient", patience);

            Restart restart = cluster.round("patient", KILL, away);

            assertThat(restart.sound()).as("%s in %s", restart, folder).isTrue();
            assertThat(restart.missing()).isZero();
            assertThat(restart.twice()).isZero();
            assertThat(run.waitFor(FOR_THE_REST.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(cluster.output("impatient")))
                    .containsPattern(
                            "praline: job impatient failed: waited \\d+ s for Kafka at \\S+ and gives up; check that it runs\n");
            assertThat(run.exitValue()).isEqualTo(ExitCode.UNREACHABLE.number());
        }
    }
}
