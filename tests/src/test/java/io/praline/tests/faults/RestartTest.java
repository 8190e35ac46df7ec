package io.praline.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster is killed in the middle of a job and started again; {@link RestartSeries} does it many times. */
@Tag("faults")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RestartTest {
    private static final Duration KILL = Duration.ofMillis(1_200);

    // the transaction that was open is over by itself after six seconds: when the broker starts, or soon after
    private static final Duration PAUSE = Duration.ofSeconds(4);

    @ParameterizedTest
    @EnumSource
    void aClusterThatWasKilledComesBackAndItsJobGoesOn(Killing killing) throws Exception {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "restart-");
        try (KilledCluster cluster = KilledCluster.start(killing, folder)) {
            Restart restart = cluster.round("killed", KILL, PAUSE);

            assertThat(restart.sound()).as("%s in %s", restart, folder).isTrue();
            assertThat(restart.missing()).isZero();
            assertThat(restart.twice()).isZero();
        }
    }
}
