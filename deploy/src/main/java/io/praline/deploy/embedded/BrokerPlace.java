package io.praline.deploy.embedded;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One broker's place among those of its cluster, all on this machine. Each is a controller too.
 *
 * @param node from 1
 * @param dir what it keeps
 * @param ports of all brokers, by node
 * @param controllerPorts of all controllers, by node
 * @param name the host name by which it tells clients to find it
 */
record BrokerPlace(
        int node, Path dir, String clusterId, List<Integer> ports, List<Integer> controllerPorts, String name) {
    static final String LOOPBACK = "127.0.0.1";

    /** A record lies on so many brokers, where there are as many. */
    private static final int COPIES = 3;

    BrokerPlace {
        if (ports.size() != controllerPorts.size() || node < 1 || node > ports.size()) {
            throw new IllegalArgumentException("node must be from 1 to the number of brokers, is " + node + " of "
                    + ports.size() + " with " + controllerPorts.size() + " controllers");
        }
    }

    /** Where it listens. */
    String address() {
        return LOOPBACK + ":" + ports.get(node - 1);
    }

    /** Where it tells clients to find it. */
    String advertised() {
        return name + ":" + ports.get(node - 1);
    }

    /** The same broker, found by another name. */
    BrokerPlace named(String other) {
        return new BrokerPlace(node, dir, clusterId, ports, controllerPorts, other);
    }

    /** Where controllers find it. */
    String controllerAddress() {
        return LOOPBACK + ":" + controllerPorts.get(node - 1);
    }

    /** All controllers, as Kafka's settings have them. */
    String voters() {
        return IntStream.rangeClosed(1, ports.size())
                .mapToObj(each -> each + "@" + LOOPBACK + ":" + controllerPorts.get(each - 1))
                .collect(Collectors.joining(","));
    }

    boolean alone() {
        return ports.size() == 1;
    }

    /** On how many brokers a record lies. */
    int copies() {
        return Math.min(COPIES, ports.size());
    }

    /** On how many of them it must be before it is acknowledged: one may be away. */
    int copiesToAcknowledge() {
        return Math.max(1, copies() - 1);
    }

    /** Where clients find a cluster whose brokers have these ports. */
    static String bootstrap(List<Integer> ports) {
        return ports.stream().map(port -> LOOPBACK + ":" + port).collect(Collectors.joining(","));
    }
}
