package io.praline.deploy.cli;

import io.praline.client.ChannelPath;
import io.praline.client.ClientConfig;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A cluster in processes of its own: one with broker, registry and dispatcher, one with each worker. */
final class BenchCluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Path folder;
    private final ChildProcess up;
    private final Endpoints endpoints;

    private BenchCluster(Path folder, ChildProcess up, Endpoints endpoints) {
        this.folder = folder;
        this.up = up;
        this.endpoints = endpoints;
    }

    /** Returns when the worker is ready. */
    static BenchCluster start() throws InterruptedException {
        return start(1);
    }

    /** Returns when so many workers are ready. */
    static BenchCluster start(int workers) throws InterruptedException {
        Path folder = DemoCommand.temporary();
        ChildProcess up = ChildProcess.start(new ChildProcess.Spec(
                "cluster",
                Praline.class.getName(),
                List.of("up", "--workers", Integer.toString(workers), "--slots", "1", "--json"),
                folder.resolve("up.log"),
                512,
                256,
                Map.of("PRALINE_HOME", folder.toString())));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (up.lines().stream().noneMatch(line -> line.startsWith("{"))) {
            if (!up.alive() || System.nanoTime() - deadline > 0) {
                up.close();
                DemoCommand.delete(folder);
                throw new CommandFailed(ExitCode.BROKEN, "the cluster did not start: " + up.lastLine());
            }
            up.awaitEnd(Duration.ofMillis(50));
        }
        Endpoints endpoints = Endpoints.read(new Home(folder).endpoints())
                .orElseThrow(() -> new CommandFailed(ExitCode.BROKEN, "the cluster ended: " + up.lastLine()));
        return new BenchCluster(folder, up, endpoints);
    }

    ClientConfig client(ChannelPath path) {
        return ClientConfig.of(kafka(), endpoints.secretFile()).withPath(path);
    }

    KafkaSettings kafka() {
        return KafkaSettings.of(endpoints.bootstrap(), endpoints.registry());
    }

    /** Processor time that the worker's process has used so far. */
    long workerCpuNanos() {
        return ProcessHandle.of(up.pid())
                .flatMap(process -> process.descendants().findFirst())
                .map(Machine::cpuNanos)
                .orElse(0L);
    }

    /** For logs of what runs beside it. */
    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        up.close();
        DemoCommand.delete(folder);
    }
}
