package io.praline.deploy.bench;

import io.praline.client.ChannelPath;
import io.praline.client.ClientConfig;
import io.praline.deploy.breakage.Breakage;
import io.praline.deploy.cluster.Endpoints;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.Machine;
import io.praline.deploy.local.TemporaryFolder;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A cluster in processes of its own: one with broker, registry and dispatcher, one with each worker. */
public final class BenchCluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final TemporaryFolder folder;
    private final ChildProcess up;
    private final Endpoints endpoints;

    private BenchCluster(TemporaryFolder folder, ChildProcess up, Endpoints endpoints) {
        this.folder = folder;
        this.up = up;
        this.endpoints = endpoints;
    }

    /**
     * Returns when so many workers are ready.
     *
     * @param command the main class of the praline command
     */
    public static BenchCluster start(Class<?> command, int workers) throws InterruptedException {
        TemporaryFolder folder = TemporaryFolder.make();
        ChildProcess up = ChildProcess.start(new ChildProcess.Spec(
                "cluster",
                command.getName(),
                List.of("up", "--workers", Integer.toString(workers), "--slots", "1", "--json"),
                folder.path().resolve("up.log"),
                512,
                256,
                Map.of("PRALINE_HOME", folder.path().toString())));
        try {
            return new BenchCluster(folder, up, started(folder, up));
        } catch (RuntimeException | InterruptedException failed) {
            up.close();
            folder.close();
            throw failed;
        }
    }

    private static Endpoints started(TemporaryFolder folder, ChildProcess up) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (up.lines().stream().noneMatch(line -> line.startsWith("{"))) {
            if (!up.alive() || System.nanoTime() - deadline > 0) {
                throw new CommandFailed(ExitCode.BROKEN, "the cluster did not start: " + up.lastLine());
            }
            up.awaitEnd(Duration.ofMillis(50));
        }
        return Endpoints.read(new Home(folder.path()).endpoints())
                .orElseThrow(() -> new CommandFailed(ExitCode.BROKEN, "the cluster ended: " + up.lastLine()));
    }

    /** Its process ended. */
    public Breakage breakage() {
        return new Breakage(up.ended().thenApply(ended -> up.lastLine()));
    }

    public ClientConfig client(ChannelPath path) {
        return ClientConfig.of(kafka(), endpoints.secretFile()).withPath(path);
    }

    public KafkaSettings kafka() {
        return KafkaSettings.of(endpoints.bootstrap(), endpoints.registry());
    }

    /** Processor time that the worker's process has used so far. */
    public long workerCpuNanos() {
        return ProcessHandle.of(up.pid())
                .flatMap(process -> process.descendants().findFirst())
                .map(Machine::cpuNanos)
                .orElse(0L);
    }

    /** For logs of what runs beside it. */
    public Path folder() {
        return folder.path();
    }

    @Override
    public void close() {
        up.close();
        folder.close();
    }
}
