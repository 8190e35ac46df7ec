package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.cli.WarmUp;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Ended;
import io.praline.tests.rig.Numbers;
import io.praline.tests.rig.OwnKafka;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The praline command in a process of its own: what it prints and what it ends with. */
class CommandTest {

    private static Cluster cluster;
    private static Numbers numbers;
    private static Path pipeline;

    @TempDir
    Path home;

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.shared();
        numbers = Numbers.write(cluster.folder().resolve("command"), 4, 100);
        pipeline = Files.write(
                cluster.folder().resolve("numbers.pb"), Numbers.inBatchesOf(10).graph());
    }

    private Ended praline(String... args) throws IOException, InterruptedException {
        return command(Praline.class, args).run();
    }

    private Command command(Class<?> program, String... args) {
        // as the script does it: TensorFlow's greeting is no news
        return Command.java(program, args).with("PRALINE_HOME", home.toString()).with("TF_CPP_MIN_LOG_LEVEL", "1");
    }

    /** All that was said but how far it is: one line. */
    private static String error(Ended ended) {
        assertThat(ended.out()).isEmpty();
        List<String> lines = ended.err()
                .lines()
                .filter(line -> !line.startsWith("training "))
                .toList();
        assertThat(lines).as(ended.err()).hasSize(1);
        return lines.get(0);
    }

    private Ended withCluster(String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(List.of(
                "--bootstrap",
                cluster.kafka().bootstrap(),
                "--registry",
                cluster.kafka().registryUrl()));
        return praline(all.toArray(String[]::new));
    }

    private Ended run(String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of("run", "--secret-file", cluster.secretFile().toString()));
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
                "--order",
                "off",
                "--json");
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode told = run.lastObject();
        assertThat(told.path("job").asText()).isEqualTo("told");
        assertThat(told.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(told.path("elements").asLong()).isEqualTo(800);
        assertThat(told.path("missing").asLong(-1)).isZero();
        assertThat(told.path("duplicates").asLong(-1)).isZero();
        assertThat(told.path("firstBatchMs").asDouble()).isPositive();
        assertThat(told.path("order").isNull()).isTrue();

        Ended job = withCluster("job", "told");
        assertThat(job.code()).isZero();
        assertThat(job.out()).contains("told", "COMPLETED", "exactly once");

        Ended jobs = withCluster("jobs", "--json");
        assertThat(jobs.out()).contains("\"job\":\"told\"");

        Ended again = run("--pipeline", pipeline.toString(), "--data", numbers.glob(), "--job", "told");
        assertThat(again.code()).isEqualTo(3);
        assertThat(error(again))
                .isEqualTo(
                        "praline: job told was refused: job id told is that of a job with another spec; choose another"
                                + " id, or submit what that one was submitted with to go on with it");
    }

    @Test
    void runWithoutAMatchingFileIsRefusedWithCode3() throws Exception {
        Ended run = run("--pipeline", pipeline.toString(), "--data", "/nowhere/*.tfrecord");
        assertThat(run.code()).isEqualTo(3);
        assertThat(error(run))
                .matches(
                        "praline: job \\S+ was refused: worker flow-\\d sees no file that matches /nowhere/\\*\\.tfrecord;"
                                + " check that the path is right and mounted there");
    }

    @Test
    void runOfAFileThatIsNoGraphIsRefusedWithCode3() throws Exception {
        Path rubbish = Files.writeString(home.resolve("rubbish.pb"), "this is no graph");
        Ended run = run("--pipeline", rubbish.toString(), "--data", numbers.glob());
        assertThat(run.code()).isEqualTo(3);
        assertThat(error(run))
                .isEqualTo("praline: the pipeline file " + rubbish
                        + " is refused: the pipeline is not a GraphDef (Protocol"
                        + " message end-group tag did not match expected tag); write to the file what"
                        + " dataset._as_serialized_graph().numpy() gives");
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
        assertThat(jobs.err().lines())
                .containsExactly(
                        "praline: no cluster is known; start one with 'praline up' in another terminal, or give"
                                + " --bootstrap and --registry");
    }

    @OwnKafka("it lies in the data directory of the embedded one")
    @Test
    void aSecondUpOnTheSameDataIsToldInOneLine() throws Exception {
        Ended up = praline("up", "--data-dir", cluster.folder().resolve("data").toString());
        assertThat(up.code()).isEqualTo(2);
        assertThat(up.err().lines())
                .singleElement()
                .asString()
                .matches("praline: data directory \\S+ is held by another"
                        + " cluster \\(pid \\d+\\); end that one, or choose another directory");
    }

    // a device without room; who reads a pipe may leave off
    @Test
    void resultsThatCannotBeWrittenAreNoSuccess() throws Exception {
        Path err = home.resolve("err");
        Process shown = command(Praline.class, "chaos", "--show", "--json")
                .builder()
                .redirectOutput(new File("/dev/full"))
                .redirectError(err.toFile())
                .start();
        assertThat(shown.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(err))
                .isEqualTo("praline: results cannot be written to standard output: No space left on device; what was"
                        + " printed is not whole\n");
        assertThat(shown.exitValue()).isEqualTo(3);
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
    @OwnKafka("the run brings it")
    void theRunThatLoadsAWholeJobsClassesEndsWell() throws Exception {
        Ended warmUp = command(WarmUp.class)
                .with("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + home.resolve("classes-%p.log"))
                .run();
        assertThat(warmUp.code()).as(warmUp.err()).isZero();

        List<String> processes = new ArrayList<>();
        try (Stream<Path> files = Files.list(home)) {
            for (Path log : files.toList()) {
                processes.add(Files.readString(log));
            }
        }
        // the archive is of this process, so a job ran to its end in it: its worker, its client and its dispatcher
        assertThat(processes)
                .filteredOn(loaded -> loaded.contains(" " + WarmUp.class.getName() + " "))
                .singleElement()
                .asString()
                .contains(
                        " io.praline.dispatcher.DispatchProcessor ",
                        " io.praline.wire.EndFrame ",
                        " io.praline.client.JobResult ",
                        " io.praline.deploy.sample.TrainingReport ");
    }

    // what it measures, not how fast that is: nine steady jobs, and one whose windows are answered
    @Tag("long")
    @OwnKafka("the benchmark brings it")
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
    @OwnKafka("praline up brings it, and is killed")
    @Test
    @Tag("long")
    void aClusterThatIsKilledTakesItsWorkersAlong() throws Exception {
        Path out = home.resolve("up");
        Process up = command(Praline.class, "up", "--workers", "1", "--json")
                .builder()
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThat(Files.readString(out)).contains("bootstrap"));
            ProcessHandle worker = up.descendants().findFirst().orElseThrow();
            assertThat(praline("workers").out()).contains("worker-1");

            up.destroyForcibly();
            await().atMost(Duration.ofSeconds(40)).until(() -> !worker.isAlive());
            Ended jobs = praline("jobs");
            assertThat(jobs.code()).isEqualTo(5);
            assertThat(jobs.err()).contains("has ended", "praline up");
        } finally {
            up.destroyForcibly().waitFor();
        }
    }
}
