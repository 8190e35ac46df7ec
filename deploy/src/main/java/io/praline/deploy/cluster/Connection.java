package io.praline.deploy.cluster;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import io.praline.client.local.WorkerLauncher;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.topics.Patience;
import java.util.Optional;

/** Opens a client for a command. */
public final class Connection {

    private Connection() {}

    public static PralineClient open(ClientConfig config) {
        return open(config, Optional.empty());
    }

    /** With workers on this host, where a job allows them. */
    public static PralineClient open(ClientConfig config, Optional<WorkerLauncher> launcher) {
        return open(config, launcher, Patience.of(config.patience()));
    }

    /** With another patience than the config's until it is open. */
    public static PralineClient open(ClientConfig config, Optional<WorkerLauncher> launcher, Patience patience) {
        try {
            return PralineClient.connect(config, launcher, patience);
        } catch (IllegalStateException notReady) {
            throw new CommandFailed(ExitCode.UNREACHABLE, notReady.getMessage(), notReady);
        }
    }
}
