package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.cli.WarmUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The praline command in a process of its own: what it prints and what it ends with. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class CommandTest {

    private static Cluster cluster;
    private static Numbers numbers;
    private static Path pipeline;

    @TempDir
    Path home;

    /** What a command gave. */
    private record Ended(int code, String out, String err) {

        JsonNode lastObject() throws IOException {
            List<String> lines = out.lines().toList();
            return new ObjectMapper().readTree(lines.get(lines.size() - 1));
        }
    }

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.shared();
        numbers = Numbers.write(cluster.folder().resolve("command"), 4, 100);
        pipeline = Files.write(
                cluster.folder().resolve("numbers.pb"), Numbers.inBatchesOf(10).graph());
    }

    private Ended praline(String... args) throws IOException, InterruptedException {
        return run(command(args));
    }

    private Ended run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PRALINE_HOME", home.toString());
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private static List<String> command(String... args) {
        return command(Praline.class, args);
    }

    private static List<String> command(Class<?> program, String... args) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(Arrays.asList(args));
        return command;
    }

    private Ended withCluster(String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(List.of(
                "--bootstrap",
                cluster.local().kafka().bootstrap(),
                "--registry",
                cluster.local().kafka().registryUrl()));
        return praline(all.toArray(String[]::new));
    }

    private Ended run(String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of("run", "--secret-file", cluster.local().secretFile().toString()));
        all.addAll(Arrays.asList(args));
        return withCluster(all.toArray(String[]::new));
    }

    // 400 numbers in batches of 10, two epochs: 800 elements
    @Test
    void runConsumesAJobAndTellsWhatHappenedAsAnObject() throws Exception {
        Ended run = run(
                "--pipeline",
                pipeline.toString(),
                "--data",
                numbers.glob(),
                "--epochs",
                "2",
                "--job",
                "told",
                "--json");
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode told = run.lastObject();
        assertThat(told.path("job").asText()).isEqualTo("told");
        assertThat(told.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(told.path("elements").asLong()).isEqualTo(800);
        assertThat(told.path("missing").asLong(-1)).isZero();
        assertThat(told.path("duplicates").asLong(-1)).isZero();
        assertThat(told.path("firstBatchMs").asDouble()).isPositive();

        Ended job = withCluster("job", "told");
        assertThat(job.code()).isZero();
        assertThat(job.out()).contains("told", "COMPLETED", "exactly once");

        Ended jobs = withCluster("jobs", "--json");
        assertThat(jobs.out()).contains("\"job\":\"told\"");

        Ended again = run("--pipeline", pipeline.toString(), "--data", numbers.glob(), "--job", "told");
        assertThat(again.code()).isEqualTo(3);
        assertThat(again.err()).contains("told", "used already").doesNotContain("\tat ");
    }

    @Test
    void runWithoutAMatchingFileIsRefusedWithCode3() throws Exception {
        Ended run = run("--pipeline", pipeline.toString(), "--data", "/nowhere/*.tfrecord");
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).contains("/nowhere/*.tfrecord").doesNotContain("\tat ");
    }

    @Test
    void runOfAFileThatIsNoGraphIsRefusedWithCode3() throws Exception {
        Path rubbish = Files.writeString(home.resolve("rubbish.pb"), "this is no graph");
        Ended run = run("--pipeline", rubbish.toString(), "--data", numbers.glob());
        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).doesNotContain("\tat ");
    }

    @Test
    void workersAreShownWithTheirSlots() throws Exception {
        Ended workers = withCluster("workers", "--json");
        assertThat(workers.code()).isZero();
        assertThat(workers.out()).contains(Cluster.FIRST_WORKER, "\"slots\":2");
    }

    @Test
    void topicsAreAllThereAndAsTheyShouldBe() throws Exception {
        Ended topics = withCluster("topics", "list", "--json");
        assertThat(topics.code()).isZero();
        assertThat(topics.out()).contains("\"topic\":\"job-requests\"").doesNotContain("difference");
    }

    @Test
    void aCommandWithoutAClusterSaysWhatToDoWithCode5() throws Exception {
        Ended jobs = praline("jobs");
        assertThat(jobs.code()).isEqualTo(5);
        assertThat(jobs.err().lines()).singleElement().asString().contains("praline up");
    }

    @Test
    void aSecondUpOnTheSameDataIsToldInOneLine() throws Exception {
        Ended up = praline("up", "--data-dir", cluster.folder().resolve("data").toString());
        assertThat(up.code()).isEqualTo(2);
        assertThat(up.err().lines()).singleElement().asString().contains("held by another cluster");
    }

    @Test
    void describeTellsWhatIsInAPipeline() throws Exception {
        Ended described = praline("pipeline", "describe", pipeline.toString());
        assertThat(described.code()).as(described.err()).isZero();
        assertThat(described.out()).contains("digest", "parse", "exactly once");
    }

    // ./praline fills its archive of classes with it on first use, and does without where it fails
    @Test
    @Tag("long")
    void theRunThatLoadsAWholeJobsClassesEndsWell() throws Exception {
        Ended warmUp = run(command(WarmUp.class));
        assertThat(warmUp.code()).as(warmUp.err()).isZero();
    }

    // what it measures, not how fast that is: nine steady jobs, and one whose windows are answered
    @Tag("long")
    @Test
    void benchControlTellsWhatItMeasuredAsAnObject() throws Exception {
        Ended bench = praline(
                "bench",
                "control",
                "--jobs",
                "10",
                "--rate",
                "200",
                "--seconds",
                "2",
                "--warm-up",
                "0",
                "--minutes",
                "0.05",
                "--json");
        assertThat(bench.code()).as(bench.err()).isZero();
        JsonNode told = bench.lastObject();
        assertThat(told.fieldNames())
                .toIterable()
                .containsExactly(
                        "jobs",
                        "heartbeatsPerSecond",
                        "windows",
                        "windowToCommandP50Ms",
                        "windowToCommandP90Ms",
                        "windowToCommandP99Ms",
                        "sustainedHeartbeatsPerSecond",
                        "journalBytesPerHour",
                        "load1");
        assertThat(told.path("jobs").asInt()).isEqualTo(10);
        assertThat(told.path("windows").asInt()).isPositive();
        assertThat(told.path("windowToCommandP50Ms").asDouble())
                .isPositive()
                .isLessThanOrEqualTo(told.path("windowToCommandP90Ms").asDouble());
        assertThat(told.path("windowToCommandP90Ms").asDouble())
                .isLessThanOrEqualTo(told.path("windowToCommandP99Ms").asDouble());
        assertThat(told.path("heartbeatsPerSecond").asDouble()).isPositive();
        assertThat(told.path("sustainedHeartbeatsPerSecond").asDouble()).isPositive();
        assertThat(told.path("journalBytesPerHour").asDouble()).isPositive();
    }

    // the worker watches a pipe from the command, which the kernel closes whatever the command ends with
    @Test
    void aClusterThatIsKilledTakesItsWorkersAlong() throws Exception {
        Path out = home.resolve("up");
        ProcessBuilder builder = new ProcessBuilder(command("up", "--workers", "1", "--json"));
        builder.environment().put("PRALINE_HOME", home.toString());
        Process up =
                builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
        try {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(Files.readString(out)).contains("bootstrap"));
            ProcessHandle worker = up.descendants().findFirst().orElseThrow();
            assertThat(praline("workers").out()).contains("worker-1");

            up.destroyForcibly();
            await().atMost(Duration.ofSeconds(10)).until(() -> !worker.isAlive());
            Ended jobs = praline("jobs");
            assertThat(jobs.code()).isEqualTo(5);
            assertThat(jobs.err()).contains("has ended", "praline up");
        } finally {
            up.destroyForcibly().waitFor();
        }
    }
}
