package io.praline.tests.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import io.praline.client.local.WorkerProcesses;
import io.praline.client.metrics.WindowLimits;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.local.ChildProcess;
import io.praline.tests.rig.Command;
import io.praline.topics.KafkaSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code praline up --min-workers 0 --max-workers N} in a process of its own, and what a trainer on this host needs to have
 * local workers. Logs stay in {@code target}.
 */
final class ScalableCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Short enough that a policy sees several while a test waits. */
    private static final WindowLimits WINDOWS = new WindowLimits(500, Duration.ofMillis(1_500));

    private final ChildProcess up;
    private final Path folder;
    private final JsonNode endpoints;

    private ScalableCluster(ChildProcess up, Path folder, JsonNode endpoints) {
        this.up = up;
        this.folder = folder;
        this.endpoints = endpoints;
    }

    static ScalableCluster start(int maxWorkers) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "scaling-");
        ChildProcess up = ChildProcess.start(new ChildProcess.Spec(
                "cluster",
                Praline.class.getName(),
                List.of(
                        "up",
                        "--min-workers",
                        "0",
                        "--max-workers",
                        Integer.toString(maxWorkers),
                        "--slots",
                        "1",
                        "--json"),
                folder.resolve("up.log"),
                512,
                256,
                Map.of("PRALINE_HOME", folder.toString())));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Optional<String> told =
                    up.lines().stream().filter(line -> line.startsWith("{")).findFirst();
            if (told.isPresent()) {
                return new ScalableCluster(up, folder, new ObjectMapper().readTree(told.get()));
            }
            if (!up.alive() || System.nanoTime() - deadline > 0) {
                up.close();
                throw new IllegalStateException("the cluster did not start: " + up.lines());
            }
            up.awaitEnd(Duration.ofMillis(50));
        }
    }

    KafkaSettings kafka() {
        return KafkaSettings.of(text("bootstrap"), text("registry"));
    }

    /** A trainer's client, whose jobs may have workers on this host. */
    PralineClient client() {
        ClientConfig config =
                ClientConfig.of(kafka(), Path.of(text("secretFile"))).withWindows(WINDOWS);
        List<String> worker = Command.java(
                        Praline.class,
                        "worker",
                        "--bootstrap",
                        text("bootstrap"),
                        "--registry",
                        text("registry"),
                        "--secret-file",
                        text("secretFile"),
                        "--cores",
                        "1",
                        "--memory-mb",
                        "1000")
                .words();
        return PralineClient.connect(config, new WorkerProcesses(worker, config.host(), folder.resolve("local")));
    }

    /** Runs a command against it, in this process, and gives what it prints. */
    String praline(String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of("--bootstrap", text("bootstrap"), "--registry", text("registry")));
        StringWriter printed = new StringWriter();
        StringWriter errors = new StringWriter();
        int code = Praline.run(new PrintWriter(printed), new PrintWriter(errors), words.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException(words + " ended with " + code + ": " + errors);
        }
        return printed.toString();
    }

    private String text(String field) {
        return endpoints.path(field).asText();
    }

    @Override
    public void close() {
        up.close();
    }
}
