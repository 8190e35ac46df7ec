package io.praline.deploy.embedded;

import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Several brokers, each in a process of its own, so that one can be lost as a machine is: the others have all that was
 * acknowledged and go on. One that has ended is started again. Belongs to one thread.
 */
final class BrokerProcesses implements Brokers {
    /** Three JVMs at once on a machine that is busy with other things. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** The last to end cannot tell the others any more, and would wait for their answer. */
    private static final Duration ORDERLY_END = Duration.ofSeconds(4);

    private static final int LOOK_MILLIS = 100;

    private final Path dataDir;
    private final String bootstrap;
    private final ServerProcess.Launcher launcher;
    private final Map<Integer, ServerProcess> processes = new TreeMap<>();

    private BrokerProcesses(Path dataDir, String bootstrap, ServerProcess.Launcher launcher) {
        this.dataDir = dataDir;
        this.bootstrap = bootstrap;
        this.launcher = launcher;
    }

    /**
     * Starts those that the directory's identity names and returns when all serve.
     *
     * @throws ClusterRefused if one cannot be started
     */
    static BrokerProcesses start(Path dataDir, DataDirectory.Identity identity, ServerProcess.Launcher launcher) {
        BrokerProcesses brokers = new BrokerProcesses(dataDir, BrokerPlace.bootstrap(identity.brokerPorts()), launcher);
        try {
            for (int node = 1; node <= identity.brokers(); node++) {
                brokers.launch(node);
            }
            brokers.awaitServing();
            return brokers;
        } catch (RuntimeException failed) {
            brokers.processes.values().forEach(ServerProcess::kill);
            throw failed;
        }
    }

    private void launch(int node) {
        processes.put(
                node,
                launcher.launch(
                        "broker-" + node, BrokerMain.class, List.of(dataDir.toString(), Integer.toString(node))));
    }

    private void awaitServing() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (Admin admin =
                Admin.create(KafkaSettings.of(bootstrap, "http://unused").admin())) {
            while (!serving(admin)) {
                processes.forEach((node, process) -> {
                    if (!process.alive()) {
                        throw new ClusterRefused("broker " + node + " did not start: " + process.lastLine());
                    }
                });
                if (System.nanoTime() - deadline > 0) {
                    throw new ClusterRefused("the brokers at " + bootstrap + " did not all serve within "
                            + PATIENCE.toSeconds() + " s: end what keeps this machine busy and try again");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterRefused("interrupted while the brokers were starting", interrupted);
        }
    }

    private boolean serving(Admin admin) throws InterruptedException {
        try {
            boolean all =
                    admin.describeCluster().nodes().get(1, TimeUnit.SECONDS).size() == processes.size();
            if (!all) {
                Thread.sleep(LOOK_MILLIS);
            }
            return all;
        } catch (ExecutionException | TimeoutException notYet) {
            return false;
        }
    }

    @Override
    public String bootstrap() {
        return bootstrap;
    }

    /** Never: who ends is started again. */
    @Override
    public CompletionStage<String> failure() {
        return new CompletableFuture<>();
    }

    @Override
    public CompletionStage<String> firstEnd() {
        CompletableFuture<String> first = new CompletableFuture<>();
        processes.forEach((node, process) ->
                process.ended().thenRun(() -> first.complete("broker " + node + " ended: " + process.lastLine())));
        return first;
    }

    @Override
    public List<ServerProcess> processes() {
        return List.copyOf(processes.values());
    }

    @Override
    public List<String> replaceDead() {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<Integer, ServerProcess> broker : List.copyOf(processes.entrySet())) {
            if (!broker.getValue().alive()) {
                lines.add("broker " + broker.getKey() + " ended; started again");
                launch(broker.getKey());
            }
        }
        return lines;
    }

    @Override
    public void close() {
        processes.values().forEach(ServerProcess::askToEnd);
        long deadline = System.nanoTime() + ORDERLY_END.toNanos();
        boolean interrupted = false;
        for (ServerProcess process : processes.values()) {
            try {
                Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
                if (!process.awaitEnd(left)) {
                    process.kill();
                    process.awaitEnd(ORDERLY_END);
                }
            } catch (InterruptedException now) {
                process.kill();
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
