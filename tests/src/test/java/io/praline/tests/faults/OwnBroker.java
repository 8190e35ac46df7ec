package io.praline.tests.faults;

import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.deploy.embedded.EmbeddedClusterConfig;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Broker and registry by themselves, until they are killed. */
final class OwnBroker {
    private OwnBroker() {}

    /**
     * Starts them.
     *
     * @param args the data directory
     */
    public static void main(String[] args) throws InterruptedException {
        System.out.println("broker starts");
        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(Path.of(args[0])))) {
            System.out.println("broker serves at " + cluster.settings().bootstrap());
            new CountDownLatch(1).await();
        }
    }
}
