package io.praline.deploy.embedded;

import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * Where an embedded cluster lives. Ports that are not given are those it had before; the first time, any free ones.
 *
 * @param dataDir everything it keeps; made if it is not there
 * @param brokerPort the port of Kafka
 * @param registryPort the port of the registry
 */
public record EmbeddedClusterConfig(Path dataDir, OptionalInt brokerPort, OptionalInt registryPort) {
    public EmbeddedClusterConfig {
        checkPort("broker port", brokerPort);
        checkPort("registry port", registryPort);
        if (brokerPort.isPresent() && brokerPort.equals(registryPort)) {
            throw new IllegalArgumentException(
                    "broker port and registry port must differ, are both " + brokerPort.getAsInt());
        }
    }

    /** On the ports it had before, or any free ones. */
    public static EmbeddedClusterConfig in(Path dataDir) {
        return new EmbeddedClusterConfig(dataDir, OptionalInt.empty(), OptionalInt.empty());
    }

    private static void checkPort(String name, OptionalInt port) {
        if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > 65_535)) {
            throw new IllegalArgumentException(name + " must be from 1 to 65535, is " + port.getAsInt());
        }
    }
}
