package io.praline.deploy.chaos;

import io.praline.deploy.embedded.ClusterRefused;
import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.deploy.embedded.EmbeddedClusterConfig;
import io.praline.deploy.terminal.ExitCode;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Kafka and the registry in a process of their own, until it is killed. */
public final class HubMain {

    private HubMain() {}

    /**
     * Starts both; Kafka's own threads keep the process alive.
     *
     * @param args the data directory, Kafka's port, the registry's, and the name by which Kafka's clients find it
     */
    public static void main(String[] args) {
        try {
            EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.on(
                            Path.of(args[0]),
                            OptionalInt.of(Integer.parseInt(args[1])),
                            OptionalInt.of(Integer.parseInt(args[2])))
                    .advertised(args[3]));
            System.err.println("serves at " + cluster.settings().bootstrap());
            cluster.failure().thenAccept(reason -> {
                System.err.println("cannot go on: " + reason);
                Runtime.getRuntime().halt(ExitCode.BROKEN.number());
            });
        } catch (ClusterRefused refused) {
            System.err.println(refused.getMessage());
            Runtime.getRuntime().halt(ExitCode.BROKEN.number());
        }
    }
}
