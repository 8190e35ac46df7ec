package io.praline.deploy.cluster;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import io.praline.client.local.WorkerLauncher;
import io.praline.deploy.console.CommandFailed;
import io.praline.deploy.console.ExitCode;
import io.praline.wire.trace.BatchTraces;
import java.util.Optional;
import java.util.function.Supplier;

/** Opens a client for a command. */
public final class Connection {
    // one for all connections of the process: it has a thread that sends what they tell
    private static Optional<BatchTraces> traces;

    private Connection() {}

    public static PralineClient open(ClientConfig config) {
        return open(config, Optional.empty());
    }

    /** With workers on this host, where a job allows them. */
    public static PralineClient open(ClientConfig config, Optional<WorkerLauncher> launcher) {
        ClientConfig traced = config.withTraces(traces());
        return launcher.map(given -> open(() -> PralineClient.connect(traced, given)))
                .orElseGet(() -> open(() -> PralineClient.connect(traced)));
    }

    @SuppressWarnings("OptionalAssignedToNull") // not asked for yet
    private static synchronized Optional<BatchTraces> traces() {
        if (traces == null) {
            traces = BatchTraces.fromEnvironment(System.getenv(), "praline-client");
        }
        return traces;
    }

    private static PralineClient open(Supplier<PralineClient> connect) {
        try {
            return connect.get();
        } catch (IllegalStateException notReady) {
            throw new CommandFailed(ExitCode.UNREACHABLE, notReady.getMessage(), notReady);
        }
    }
}
