package io.praline.deploy.cli;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;

/** Opens a client for a command. */
final class Connection {

    private Connection() {}

    static PralineClient open(ClientConfig config) {
        try {
            return PralineClient.connect(config);
        } catch (IllegalStateException notReady) {
            throw new CommandFailed(ExitCode.UNREACHABLE, notReady.getMessage(), notReady);
        }
    }
}
