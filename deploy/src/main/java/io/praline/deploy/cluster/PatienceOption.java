package io.praline.deploy.cluster;

import io.praline.deploy.terminal.Within;
import io.praline.topics.Patience;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How long a command that cannot do without a cluster waits for one. */
public final class PatienceOption {
    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description =
                    "How long to wait for a cluster that does not answer (${DEFAULT-VALUE}); then the command ends"
                            + " with exit code 5.")
    @Within(least = 1, most = Integer.MAX_VALUE)
    private long seconds = Patience.USUAL.most().orElseThrow().toSeconds();

    public Duration most() {
        return Duration.ofSeconds(seconds);
    }

    /** Until the cluster answers. */
    public Patience patience() {
        return Patience.of(Optional.of(most()));
    }
}
