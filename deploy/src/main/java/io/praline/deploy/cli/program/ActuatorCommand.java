package io.praline.deploy.cli.program;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.praline.client.local.LaunchedWorker;
import io.praline.deploy.actuator.ActuatorTopics;
import io.praline.deploy.actuator.KubernetesPool;
import io.praline.deploy.actuator.LocalPool;
import io.praline.deploy.actuator.ScalingActuator;
import io.praline.deploy.actuator.WorkerPool;
import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.HomeOption;
import io.praline.deploy.cluster.PatienceOption;
import io.praline.deploy.cluster.StorageOptions;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.local.PoolProcess;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.policy.Counted;
import io.praline.topics.Agreements;
import io.praline.worker.WorkerMain;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts and stops a pool's workers by the dispatcher's target. */
@Command(
        name = "actuator",
        description =
                "Start and stop a pool's workers by the dispatcher's target, until SIGTERM or Ctrl-C: processes of this"
                        + " machine, which end with the command, or the replicas of a Kubernetes Deployment, which stay.",
        footer = {
            "",
            "Examples:  praline actuator --local --max 4",
            "           praline actuator --pool default --kubernetes praline/praline-worker --min 1 --max 50"
        })
public final class ActuatorCommand implements Callable<Integer> {

    private static final Duration LOOK = Duration.ofMillis(200);

    /** For an answer of Kubernetes. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int MOST_REPLICAS = 100;

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private PatienceOption patience;

    @Mixin
    private OutputOptions output;

    @Mixin
    private StorageOptions storage;

    @Option(
            names = "--pool",
            paramLabel = "NAME",
            description = "The pool whose targets it follows (${DEFAULT-VALUE}).")
    private String pool = Agreements.USUAL_POOL;

    @ArgGroup(multiplicity = "1")
    private Where where;

    @Option(
            names = "--min",
            paramLabel = "N",
            description = "Workers that run also where none is wanted (${DEFAULT-VALUE}).")
    @Within(least = 0, most = Agreements.MOST_WORKERS)
    private int min;

    @Option(
            names = "--max",
            paramLabel = "N",
            description =
                    "The most workers, whatever is wanted; without it as many as this machine has cores with --local,"
                            + " and 100 with --kubernetes.")
    @Within(least = 1, most = Agreements.MOST_WORKERS)
    private Integer max;

    @Option(
            names = "--slots",
            paramLabel = "N",
            description = "With --local: tasks a worker runs at a time (${DEFAULT-VALUE}).")
    @Within(least = 1, most = Agreements.MOST_SLOTS)
    private int slots = 1;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "With --local: for the workers' logs and sockets; without it ~/.praline/workers.")
    private Path dataDir;

    /** What the workers run on. */
    static final class Where {
        @Option(names = "--local", required = true, description = "Processes of this machine.")
        private boolean local;

        @Option(
                names = "--kubernetes",
                required = true,
                paramLabel = "NAMESPACE/DEPLOYMENT",
                description = "The replicas of this Deployment; by the service account of the pod, or ~/.kube/config.")
        private String kubernetes;
    }

    @Override
    public Integer call() throws InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        int most = max != null ? max : Math.max(min, where.local ? cores : MOST_REPLICAS);
        ScalingActuator.Bounds bounds = new ScalingActuator.Bounds(min, most);
        try (WorkerPool workers = where.local ? local(most) : kubernetes();
                ActuatorTopics topics = patience.patience().with(() -> new ActuatorTopics(cluster.kafka(), pool))) {
            ScalingActuator actuator = topics.actuator(workers, bounds);
            output.note("the actuator of pool " + pool + " keeps " + min + " to " + Counted.of(most, "worker"));
            while (!Thread.interrupted()) {
                actuator.step(LOOK);
            }
        }
        return ExitCode.INTERRUPTED.number();
    }

    private WorkerPool local(int most) {
        Path folder = dataDir == null ? HomeOption.home().folder().resolve("workers") : dataDir.toAbsolutePath();
        List<String> connection = new ArrayList<>(cluster.arguments());
        connection.addAll(StorageOptions.arguments(storage.settings(folder.resolve("staged"))));
        return new LocalPool(most, number -> start(hostName() + "-" + number, connection, folder), System::nanoTime);
    }

    private LaunchedWorker start(String id, List<String> connection, Path folder) {
        List<String> args = new ArrayList<>(connection);
        args.addAll(List.of(
                "--id",
                id,
                "--pool",
                pool,
                "--slots",
                Integer.toString(slots),
                "--unix-socket",
                LocalCluster.socket(folder, id).toString()));
        return new PoolProcess(ChildProcess.start(new ChildProcess.Spec(
                "worker " + id,
                WorkerMain.class.getName(),
                args,
                folder.resolve(id + ".log"),
                LocalCluster.WORKER_HEAP_MB,
                LocalCluster.WORKER_DIRECT_MB,
                Map.of())));
    }

    private WorkerPool kubernetes() {
        String[] parts = where.kubernetes.split("/", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE, "--kubernetes must be NAMESPACE/DEPLOYMENT, is '" + where.kubernetes + "'");
        }
        // the pool asks again by itself, and less and less often
        Config config = new ConfigBuilder()
                .withRequestRetryBackoffLimit(0)
                .withConnectionTimeout((int) PATIENCE.toMillis())
                .withRequestTimeout((int) PATIENCE.toMillis())
                .build();
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        return new KubernetesPool(client, parts[0], parts[1], System::nanoTime);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unknown) {
            return "worker";
        }
    }
}
