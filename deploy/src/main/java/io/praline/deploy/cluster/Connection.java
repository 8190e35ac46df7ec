package io.praline.deploy.cluster;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import io.praline.client.local.WorkerLauncher;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens a client for a command. */
public final class Connection {

    private Connection() {}

    public static PralineClient open(ClientConfig config) {
        return open(config, Optional.empty());
    }

    /** With workers on this host, where a job allows them. */
    public static PralineClient open(ClientConfig config, Optional<WorkerLauncher> launcher) {
        return launcher.map(given -> open(() -> PralineClient.connect(config, given)))
                .orElseGet(() -> open(() -> PralineClient.connect(config)));
    }

    private static PralineClient open(Supplier<PralineClient> connect) {
        try {
            return connect.get();
        } catch (IllegalStateException notReady) {
            throw new CommandFailed(ExitCode.UNREACHABLE, notReady.getMessage(), notReady);
        }
    }
}
