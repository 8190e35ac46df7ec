package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.praline.client.PralineClient;
import io.praline.deploy.cli.Praline;
import io.praline.schema.Component;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Ended;
import io.praline.topics.KafkaSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a user asks of a job while {@code praline run} consumes it, and what {@code praline job} and {@code praline explain}
 * then say. By its policy each job has one worker of the two, and none comes to its end by itself.
 */
class JobControlTest {
    private static final Duration SOON = Duration.ofSeconds(90);

    private static Cluster cluster;
    private static Path pipeline;

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.shared();
        pipeline = throttled("throttled", 256_000, 500, 50_000);
    }

    private static Path throttled(String name, int numbers, int batch, int micros) throws IOException {
        return Files.writeString(cluster.folder().resolve(name + ".yaml"), """
                source:
                  range: {to: %d}
                steps:
                  - batch: {size: %d}
                  - sleep: {microseconds: %d}
                names: [number]
                """.formatted(numbers, batch, micros));
    }

    /** A command, in this process. */
    private static Ended praline(String... command) {
        KafkaSettings kafka = cluster.config().kafka();
        List<String> words = new ArrayList<>(Arrays.asList(command));
        words.addAll(List.of("--bootstrap", kafka.bootstrap(), "--registry", kafka.registryUrl()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }

    /** What a command printed that must end well. */
    private static String told(String... command) {
        Ended ended = praline(command);
        assertThat(ended.code()).as(ended.err()).isZero();
        return ended.out();
    }

    /**
     * A job that is consumed until it is cancelled.
     *
     * @param run how its consumption ended
     */
    private record Consumed(String job, CompletableFuture<Ended> run) implements AutoCloseable {

        static Consumed start(String job, String... more) {
            return start(job, pipeline, more);
        }

        static Consumed start(String job, Path pipeline, String... more) {
            List<String> words = new ArrayList<>(List.of(
                    "run",
                    "--secret-file",
                    cluster.config().secretFile().toString(),
                    "--pipeline",
                    pipeline.toString(),
                    "--epochs",
                    "1000",
                    "--job",
                    job,
                    "--policy",
                    "fixed",
                    "--set",
                    "remote=1",
                    "--set",
                    "local=0"));
            words.addAll(Arrays.asList(more));
            return new Consumed(
                    job,
                    CompletableFuture.supplyAsync(
                            () -> praline(words.toArray(String[]::new)), loop -> new Thread(loop, job).start()));
        }

        /** What is told of it; nothing until it is submitted. */
        JsonNode status() throws IOException {
            Ended ended = praline("job", job, "--json");
            return ended.code() == 0 ? ended.lastObject() : MissingNode.getInstance();
        }

        /** Waits until the job is in this state and served by so many workers, and gives what is told of it then. */
        JsonNode awaits(String state, int workers) {
            return await(job + " is " + state + " with " + workers + " workers")
                    .atMost(SOON)
                    .until(
                            this::status,
                            told -> told.path("state").asText().equals(state)
                                    && told.path("workers").asInt() == workers);
        }

        @Override
        public void close() {
            praline("job", "cancel", job);
            run.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    /** The lines of {@code praline explain}, without number and time of what was seen. */
    private static List<String> explained(String job) {
        return told("explain", job)
                .lines()
                .map(line -> line.strip().replaceFirst("^\\d+ +\\S+Z +", ""))
                .toList();
    }

    // its worker first delivers what it was given, of an epoch: 5 s
    @Tag("long")
    @Test
    void aPausedJobIsHeldUntilItIsResumed() throws IOException {
        try (Consumed job = Consumed.start("paused", throttled("briefly", 25_600, 100, 20_000))) {
            job.awaits("RUNNING", 1);

            assertThat(told("job", "pause", "paused"))
                    .isEqualTo("job paused is held; 'praline job resume paused' lets it go on\n");
            JsonNode held = job.awaits("WAITING", 0);
            assertThat(held.path("waitingFor").asText()).isEqualTo("paused");
            assertThat(held.path("reason").asText()).isEqualTo("it is paused");
            assertThat(told("job", "paused")).contains("state       WAITING(paused): it is paused\n");

            assertThat(told("job", "resume", "paused")).isEqualTo("job paused goes on\n");
            JsonNode resumed = job.awaits("RUNNING", 1);
            long before = resumed.path("elements").asLong();
            await().atMost(SOON).until(() -> job.status().path("elements").asLong() > before);
            assertThat(explained("paused"))
                    .containsSubsequence("pause paused: it was asked to pause", "goOn paused: it was asked to go on");
        }
    }

    @Test
    void aPinBindsUntilItIsTakenBack() {
        try (Consumed job = Consumed.start("pinned")) {
            job.awaits("RUNNING", 1);

            assertThat(told("job", "pin", "pinned", "--remote", "2", "--local", "0"))
                    .isEqualTo("job pinned is pinned to 2 remote and 0 local workers\n");
            job.awaits("RUNNING", 2);
            assertThat(told("job", "unpin", "pinned")).isEqualTo("job pinned is left to its policy again\n");
            job.awaits("RUNNING", 1);

            assertThat(explained("pinned"))
                    .containsSubsequence(
                            "pinned: to 2 remote and 0 local",
                            "scaleTo 2 remote and 0 local: somebody pinned it to 2 remote and 0 local",
                            "granted: 2 remote and 0 local serve it",
                            "pinned: to nothing any more",
                            "scaleTo 1 remote and 0 local: its number of workers is fixed: 1 remote and 0 local",
                            "granted: 1 remote and 0 local serve it");
        }
    }

    @Test
    void aShadowsDecisionsAreWrittenDownAndNotCarriedOut() {
        try (Consumed job = Consumed.start("shadowed", "--shadow", "every-worker")) {
            job.awaits("RUNNING", 1);

            assertThat(explained("shadowed"))
                    .containsSubsequence(
                            "shadow:planned shadowed: bytes 0, singleTask 0, splits 256",
                            "scaleTo 2 remote and 0 local: shadow policy every-worker: the pool has 2 workers and an"
                                    + " epoch has 256 splits: it can use 2",
                            "planned: 256 splits, 0 bytes",
                            "scaleTo 1 remote and 0 local: its number of workers is fixed: 1 remote and 0 local")
                    .filteredOn(line -> line.startsWith("granted: "))
                    .containsOnly("granted: 1 remote and 0 local serve it");
        }
    }

    @Test
    void componentsHaveTheNamesThatTheUserGives() throws Exception {
        try (Consumed job = Consumed.start("named", "--names", "counted");
                PralineClient client = cluster.client()) {
            job.awaits("RUNNING", 1);

            assertThat(client.status("named").orElseThrow().getComponents())
                    .extracting(Component::getName)
                    .containsExactly("counted");
        }
        try (Consumed twice = Consumed.start("named-twice", "--names", "counted,again")) {
            Ended refused = twice.run().get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(refused.code()).isEqualTo(3);
            assertThat(refused.err())
                    .contains("there are 2 component names (counted, again) for the 1 components that the pipeline"
                            + " yields");
        }
    }

    @Test
    void aJobThatIsCancelledEndsItsConsumptionWithTheReason() throws Exception {
        try (Consumed job = Consumed.start("cancelled")) {
            job.awaits("RUNNING", 1);

            assertThat(told("job", "cancel", "cancelled", "--reason", "wrong data"))
                    .isEqualTo("job cancelled is CANCELLED\n");
            Ended run = job.run().get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(run.code()).isEqualTo(4);
            assertThat(run.err().lines().filter(line -> line.startsWith("praline: ")))
                    .containsExactly("praline: job cancelled was cancelled: wrong data");
            assertThat(job.status().path("reason").asText()).isEqualTo("wrong data");

            Ended late = praline("job", "pause", "cancelled");
            assertThat(late).isEqualTo(new Ended(3, "", "praline: job cancelled has ended already: CANCELLED\n"));
        }
    }
}
