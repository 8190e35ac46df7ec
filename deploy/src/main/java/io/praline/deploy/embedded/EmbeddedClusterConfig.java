package io.praline.deploy.embedded;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where an embedded cluster lives, and how large it is. What is not given is as it was before; the first time, one broker
 * and any free ports.
 *
 * @param dataDir everything it keeps; made if it is not there
 * @param brokers an odd number of them: of an even one, no more may be lost than of one fewer
 * @param brokerPort the port of the first broker; the others have the next ones
 * @param registryPort the port of the registry
 * @param advertised the name by which a single broker tells its clients to find it, where that shall be another than the
 *     loopback address: whoever decides what the name means decides what stands between
 */
public record EmbeddedClusterConfig(
        Path dataDir,
        OptionalInt brokers,
        OptionalInt brokerPort,
        OptionalInt registryPort,
        Optional<String> advertised) {
    private static final int MOST_BROKERS = 9;

    public EmbeddedClusterConfig {
        if (brokers.isPresent()
                && (brokers.getAsInt() < 1 || brokers.getAsInt() > MOST_BROKERS || brokers.getAsInt() % 2 == 0)) {
            throw new IllegalArgumentException("brokers must be 1, 3, 5, 7 or 9, are " + brokers.getAsInt()
                    + ": the larger half of them must stay when some are lost");
        }
        checkPort("broker port", brokerPort);
        if (brokerPort.isPresent()) {
            checkPort("port of the last broker", OptionalInt.of(brokerPort.getAsInt() + brokers.orElse(1) - 1));
        }
        checkPort("registry port", registryPort);
        if (advertised.isPresent() && brokers.orElse(1) != 1) {
            throw new IllegalArgumentException(
                    "only a single broker can be found by another name, are " + brokers.getAsInt());
        }
        if (brokerPort.isPresent() && registryPort.isPresent()) {
            int after = registryPort.getAsInt() - brokerPort.getAsInt();
            if (after >= 0 && after < brokers.orElse(1)) {
                throw new IllegalArgumentException(
                        "broker port and registry port must differ, are both " + registryPort.getAsInt());
            }
        }
    }

    /** Whose brokers are found at the loopback address. */
    public EmbeddedClusterConfig(Path dataDir, OptionalInt brokers, OptionalInt brokerPort, OptionalInt registryPort) {
        this(dataDir, brokers, brokerPort, registryPort, Optional.empty());
    }

    /** The same, whose only broker is found by this name. */
    public EmbeddedClusterConfig advertised(String name) {
        return new EmbeddedClusterConfig(dataDir, brokers, brokerPort, registryPort, Optional.of(name));
    }

    /** On the ports it had before, or any free ones. */
    public static EmbeddedClusterConfig in(Path dataDir) {
        return on(dataDir, OptionalInt.empty(), OptionalInt.empty());
    }

    /** On these ports, with as many brokers as it had before, or one. */
    public static EmbeddedClusterConfig on(Path dataDir, OptionalInt brokerPort, OptionalInt registryPort) {
        return new EmbeddedClusterConfig(dataDir, OptionalInt.empty(), brokerPort, registryPort);
    }

    private static void checkPort(String name, OptionalInt port) {
        if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > 65_535)) {
            throw new IllegalArgumentException(name + " must be from 1 to 65535, is " + port.getAsInt());
        }
    }
}
