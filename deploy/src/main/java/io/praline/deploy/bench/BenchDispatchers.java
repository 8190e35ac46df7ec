package io.praline.deploy.bench;

import io.praline.deploy.chaos.HubMain;
import io.praline.deploy.embedded.Ports;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.Machine;
import io.praline.deploy.local.TemporaryFolder;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.topics.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Broker and registry in a process of their own, and each dispatcher in one, so that what each of those uses can be told. */
public final class BenchDispatchers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final TemporaryFolder folder;
    private final List<ChildProcess> processes = new ArrayList<>();
    private final KafkaSettings kafka;

    private BenchDispatchers(TemporaryFolder folder, KafkaSettings kafka) {
        this.folder = folder;
        this.kafka = kafka;
    }

    /**
     * Returns when all of them serve.
     *
     * @param command the main class of the praline command
     * @param instances dispatchers
     * @param mostWorkers that a pool may have
     */
    public static BenchDispatchers start(Class<?> command, int instances, int mostWorkers) throws InterruptedException {
        TemporaryFolder folder = TemporaryFolder.make();
        List<Integer> ports = Ports.free(2);
        BenchDispatchers started = new BenchDispatchers(
                folder, KafkaSettings.of("127.0.0.1:" + ports.get(0), "http://127.0.0.1:" + ports.get(1)));
        try {
            List<String> hub = List.of(
                    folder.path().resolve("hub").toString(),
                    Integer.toString(ports.get(0)),
                    Integer.toString(ports.get(1)),
                    "127.0.0.1");
            started.run("hub", HubMain.class, hub, "serves at");
            for (int instance = 0; instance < instances; instance++) {
                String name = "d-" + instance;
                List<String> dispatcher = List.of(
                        "dispatcher",
                        "--bootstrap",
                        "127.0.0.1:" + ports.get(0),
                        "--registry",
                        "http://127.0.0.1:" + ports.get(1),
                        "--instance",
                        name,
                        "--state-dir",
                        folder.path().resolve(name).toString(),
                        "--policy",
                        "every-worker",
                        "--pool-most",
                        Integer.toString(mostWorkers));
                started.run(name, command, dispatcher, "serves");
            }
            return started;
        } catch (RuntimeException | InterruptedException failed) {
            started.close();
            throw failed;
        }
    }

    private void run(String name, Class<?> program, List<String> args, String ready) throws InterruptedException {
        ChildProcess process = ChildProcess.start(new ChildProcess.Spec(
                name,
                program.getName(),
                args,
                folder.path().resolve(name + ".log"),
                1_024,
                256,
                Map.of("PRALINE_HOME", folder.path().toString())));
        processes.add(process);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (process.lines().stream().noneMatch(line -> line.contains(ready))) {
            if (!process.alive() || System.nanoTime() - deadline > 0) {
                throw new CommandFailed(ExitCode.BROKEN, name + " did not start: " + process.lastLine());
            }
            process.awaitEnd(Duration.ofMillis(50));
        }
    }

    public KafkaSettings kafka() {
        return kafka;
    }

    /** Processor time that each dispatcher has used so far. */
    public List<Long> cpuNanos() {
        return processes.stream()
                .skip(1)
                .map(process ->
                        ProcessHandle.of(process.pid()).map(Machine::cpuNanos).orElse(0L))
                .toList();
    }

    @Override
    public void close() {
        for (int last = processes.size() - 1; last >= 0; last--) {
            processes.get(last).close();
        }
        folder.close();
    }
}
