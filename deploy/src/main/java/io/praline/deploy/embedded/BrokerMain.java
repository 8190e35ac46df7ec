package io.praline.deploy.embedded;

import java.nio.file.Path;

/** One of several brokers, in a process of its own, until SIGTERM. */
public final class BrokerMain {
    private static final int REFUSED = 2;
    private static final int BROKEN = 1;

    private BrokerMain() {}

    /**
     * Starts it; Kafka's own threads keep the process alive.
     *
     * @param args the data directory of the cluster, and which of its nodes this is
     */
    public static void main(String[] args) {
        Path dataDir = Path.of(args[0]);
        int node = Integer.parseInt(args[1]);
        try {
            DataDirectory.Identity identity = DataDirectory.read(dataDir)
                    .orElseThrow(() -> new ClusterRefused("data directory " + dataDir + " holds no cluster"));
            EmbeddedBroker broker = EmbeddedBroker.start(identity.place(dataDir, node));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "end"));
            broker.failure().thenAccept(reason -> {
                System.err.println("broker " + node + " cannot go on: " + reason);
                Runtime.getRuntime().halt(BROKEN);
            });
        } catch (ClusterRefused refused) {
            System.err.println(refused.getMessage());
            System.exit(REFUSED);
        }
    }
}
