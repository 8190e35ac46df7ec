package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.local.ChildProcess;
import io.praline.tests.rig.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers on the trainer's own host, as processes that {@code praline run} starts; their pool has no other ones. */
class LocalWorkersTest {
    private static final String POOL = "lonely";

    private static Cluster cluster;
    private static Path folder;

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.shared();
        folder = Files.createDirectories(cluster.folder().resolve("local"));
    }

    /** A pipeline of so many batches of 10 numbers, 20 ms each. */
    private static Path throttled(int batches) throws IOException {
        return Files.writeString(folder.resolve("throttled-" + batches + ".yaml"), """
                source:
                  range: {to: %d}
                steps:
                  - batch: {size: 10}
                  - sleep: {microseconds: 20000}
                names: [number]
                """.formatted(10 * batches));
    }

    private static ChildProcess run(String job, String... more) {
        List<String> args = new ArrayList<>(List.of(
                "run",
                "--bootstrap",
                cluster.kafka().bootstrap(),
                "--registry",
                cluster.kafka().registryUrl(),
                "--secret-file",
                cluster.secretFile().toString(),
                "--pool",
                POOL,
                "--job",
                job,
                "--json"));
        args.addAll(Arrays.asList(more));
        return ChildProcess.start(new ChildProcess.Spec(
                job,
                Praline.class.getName(),
                args,
                folder.resolve(job + ".log"),
                256,
                256,
                Map.of("PRALINE_HOME", folder.toString())));
    }

    private static List<ProcessHandle> workersOf(ChildProcess run) {
        return ProcessHandle.of(run.pid())
                .map(process -> process.children().toList())
                .orElse(List.of());
    }

    // two epochs of 100 batches of 10 numbers
    @Test
    void localWorkersServeAJobAndAreGoneWithIt() throws Exception {
        ChildProcess run = run(
                "local-served",
                "--pipeline",
                throttled(100).toString(),
                "--epochs",
                "2",
                "--max-remote",
                "0",
                "--max-local",
                "2",
                "--policy",
                "fixed",
                "--set",
                "remote=0",
                "--set",
                "local=1");
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(workersOf(run)).hasSize(1));
        ProcessHandle worker = workersOf(run).get(0);

        assertThat(run.awaitEnd(Duration.ofSeconds(90))).isTrue();
        assertThat(run.exitCode()).as(String.join("\n", run.lines())).isZero();
        JsonNode told = new ObjectMapper().readTree(run.lastLine());
        assertThat(told.path("elements").asLong()).isEqualTo(2_000);
        assertThat(told.path("missing").asLong(-1)).isZero();
        assertThat(told.path("duplicates").asLong(-1)).isZero();
        assertThat(told.path("workersLocal").asInt()).isEqualTo(1);
        assertThat(told.path("workersRemote").asInt()).isZero();
        assertThat(worker.isAlive()).isFalse();
    }

    // the worker reads a pipe from the trainer, which the kernel closes whatever that ends with
    @Test
    @Tag("long")
    void localWorkersEndWithATrainerThatIsKilled() throws Exception {
        ChildProcess run = run(
                "local-orphan",
                "--pipeline",
                throttled(10_000).toString(),
                "--max-remote",
                "0",
                "--max-local",
                "1",
                "--policy",
                "fixed",
                "--set",
                "remote=0",
                "--set",
                "local=1");
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(workersOf(run)).hasSize(1));
        ProcessHandle worker = workersOf(run).get(0);

        run.kill();
        await().atMost(Duration.ofSeconds(40)).until(() -> !worker.isAlive());
    }
}
