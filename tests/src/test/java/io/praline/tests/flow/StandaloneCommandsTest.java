package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.cli.Praline;
import io.praline.tests.rig.Command;
import io.praline.tests.rig.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that bring a cluster of their own, each in a process of its own with a home of its own. */
class StandaloneCommandsTest {

    /** What a JVM ends with that SIGTERM ended: 128 and the signal's number. */
    private static final int TERMINATED = 128 + 15;

    @TempDir
    Path home;

    private Command praline(String... args) {
        return Command.java(Praline.class, args)
                .with("PRALINE_HOME", home.toString())
                .with("TF_CPP_MIN_LOG_LEVEL", "1");
    }

    // 64 images, two epochs, batches of 32
    @Test
    @Tag("long")
    void theDemoMakesImagesTrainsOnThemAndTellsWhatHappenedAsAnObject() throws Exception {
        // with the kernels that users have, who say nothing of them
        Ended demo = praline("demo", "--images", "64", "--json")
                .with("TF_ENABLE_ONEDNN_OPTS", "1")
                .run();

        assertThat(demo.code()).as(demo.err()).isZero();
        assertThat(demo.out().lines()).hasSize(1);
        JsonNode told = demo.lastObject();
        assertThat(told.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(told.path("guarantee").asText()).isEqualTo("EXACTLY_ONCE");
        assertThat(told.path("elements").asLong()).isEqualTo(128);
        assertThat(told.path("batches").asLong()).isEqualTo(4);
        // 224 x 224 x 3 float32 an image
        assertThat(told.path("bytes").asLong()).isGreaterThanOrEqualTo(128L * 224 * 224 * 3 * 4);
        assertThat(told.path("missing").asLong(-1)).isZero();
        assertThat(told.path("duplicates").asLong(-1)).isZero();
        assertThat(told.path("workersRemote").asInt()).isEqualTo(1);
        assertThat(told.path("workersLocal").asInt(-1)).isZero();
        assertThat(told.path("elementsPerSecond").asDouble()).isPositive();
        assertThat(told.path("firstBatchMs").asDouble()).isPositive();
        assertThat(home.resolve("demo").resolve("images-64")).isDirectoryContaining("glob:**.tfrecord");
    }

    // what it measures, not how fast that is
    @Tag("long")
    @Test
    void benchTransferTellsWhatItMeasuredAsAnObject() throws Exception {
        Ended bench = praline(
                        "bench",
                        "transfer",
                        "--size",
                        "65536",
                        "--seconds",
                        "1",
                        "--warm-up",
                        "0",
                        "--path",
                        "tcp",
                        "--runs",
                        "2",
                        "--json")
                .run();

        assertThat(bench.code()).as(bench.err()).isZero();
        assertThat(bench.out().lines()).hasSize(1);
        assertThat(bench.err().lines())
                .filteredOn(line -> line.startsWith("run "))
                .extracting(line -> line.substring(0, 6))
                .containsExactly("run 1:", "run 2:");
        JsonNode told = bench.lastObject();
        assertThat(told.fieldNames())
                .toIterable()
                .containsExactly(
                        "size",
                        "path",
                        "mbPerSecond",
                        "elementsPerSecond",
                        "clientCpuSecondsPerGb",
                        "workerCpuSecondsPerGb",
                        "iperfMbPerSecond",
                        "socketMbPerSecond",
                        "load1");
        assertThat(told.path("size").asInt()).isEqualTo(65_536);
        assertThat(told.path("path").asText()).isEqualTo("tcp");
        for (String measured : List.of(
                "mbPerSecond",
                "elementsPerSecond",
                "clientCpuSecondsPerGb",
                "workerCpuSecondsPerGb",
                "socketMbPerSecond")) {
            assertThat(told.path(measured).asDouble()).as(measured).isPositive();
        }
        // an element is its bytes and what frames them
        assertThat(told.path("mbPerSecond").asDouble())
                .isGreaterThanOrEqualTo(told.path("elementsPerSecond").asDouble() * 65_536 / 1e6);
        JsonNode iperf = told.path("iperfMbPerSecond");
        assertThat(iperf.isNull() || iperf.asDouble() > 0)
                .as("iperf3: " + iperf)
                .isTrue();
    }

    @Tag("long")
    @Test
    void benchJpegTellsWhatItMeasuredAsAnObject() throws Exception {
        Ended bench = praline(
                        "bench",
                        "jpeg",
                        "--dtype",
                        "uint8",
                        "--path",
                        "uds",
                        "--images",
                        "64",
                        "--times",
                        "1",
                        "--runs",
                        "1",
                        "--json")
                .run();

        assertThat(bench.code()).as(bench.err()).isZero();
        assertThat(bench.out().lines()).hasSize(1);
        JsonNode told = bench.lastObject();
        assertThat(told.fieldNames())
                .toIterable()
                .containsExactly("dtype", "path", "serviceImagesPerSecond", "localImagesPerSecond", "ratio", "load1");
        assertThat(told.path("dtype").asText()).isEqualTo("uint8");
        assertThat(told.path("path").asText()).isEqualTo("uds");
        double service = told.path("serviceImagesPerSecond").asDouble();
        double local = told.path("localImagesPerSecond").asDouble();
        assertThat(service).isPositive();
        assertThat(local).isPositive();
        assertThat(told.path("ratio").asDouble()).isEqualTo(service / local);
    }

    // while classes are loaded and a broker starts, each of which takes an interrupt in its own way
    @Test
    void upMayBeTerminatedAtAnyMomentOfItsStart() throws Exception {
        for (int millis : List.of(700, 1_000, 1_500, 2_000)) {
            Path err = home.resolve("err");
            Process up = praline("up", "--workers", "0")
                    .builder()
                    .redirectError(err.toFile())
                    .start();
            try {
                Thread.sleep(millis);
                up.destroy();
                assertThat(up.waitFor(90, TimeUnit.SECONDS)).isTrue();
                assertThat(up.exitValue()).isEqualTo(TERMINATED);
                assertThat(Files.readString(err)).doesNotContain("\tat ", "FATAL", "did not start");
            } finally {
                up.destroyForcibly().waitFor();
            }
        }
    }

    @Tag("long")
    @Test
    void upTellsWhereItIsIsReadyThenAndEndsCleanlyWhenItIsTerminated() throws Exception {
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        Process up = praline("up", "--workers", "1", "--json")
                .builder()
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> Files.readString(out).endsWith("\n"));
            JsonNode told = new ObjectMapper().readTree(Files.readString(out));
            assertThat(told.fieldNames())
                    .toIterable()
                    .containsExactly(
                            "bootstrap",
                            "registry",
                            "secretFile",
                            "dataDir",
                            "brokers",
                            "workers",
                            "cacheDir",
                            "cacheBytes",
                            "console");
            assertThat(told.path("brokers").asInt()).isEqualTo(1);
            assertThat(told.path("workers").asInt()).isEqualTo(1);
            assertThat(Path.of(told.path("dataDir").asText())).isEqualTo(home.resolve("data"));
            assertThat(Path.of(told.path("cacheDir").asText())).isEqualTo(home.resolve("data/cache"));
            assertThat(told.path("cacheBytes").asLong()).isPositive();
            assertThat(Path.of(told.path("secretFile").asText())).isRegularFile();

            // found without being told where, and ready: a job runs at once
            Path pipeline = Files.writeString(
                    home.resolve("four.yaml"), "source: {range: {to: 4}}\nsteps: [{batch: {size: 2}}]\nnames: [n]\n");
            Ended run =
                    praline("run", "--pipeline", pipeline.toString(), "--json").run();
            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.lastObject().path("elements").asLong()).isEqualTo(4);

            List<ProcessHandle> children = up.descendants().toList();
            assertThat(children).hasSize(1);
            up.destroy();
            assertThat(up.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(up.exitValue()).isEqualTo(TERMINATED);
            assertThat(Files.readString(err)).isEqualTo("praline is down\n");
            assertThat(children).noneMatch(ProcessHandle::isAlive);

            Ended jobs = praline("jobs").run();
            assertThat(jobs)
                    .isEqualTo(new Ended(
                            5,
                            "",
                            "praline: no cluster is known; start one with 'praline up' in another terminal, or give"
                                    + " --bootstrap and --registry\n"));
        } finally {
            up.destroyForcibly().waitFor();
        }
    }
}
