package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.CacheMode;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cli.Praline;
import io.praline.schema.JobState;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Numbers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** Elements that are kept and read again, through a real broker, real workers and a folder that they share. */
class CachedJobsTest {
    private static final int FILES = 8;
    private static final int EACH = 100;
    private static final JsonMapper JSON = new JsonMapper();

    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.shared();
    }

    /** What a command ended with, and said. */
    private record Said(int code, List<String> lines, String errors) {}

    private static Said praline(String... command) {
        List<String> words = new ArrayList<>(Arrays.asList(command));
        words.addAll(List.of(
                "--bootstrap",
                cluster.kafka().bootstrap(),
                "--registry",
                cluster.kafka().registryUrl()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Praline.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        return new Said(code, out.toString().lines().toList(), err.toString());
    }

    /** What is kept of a pipeline of this name. */
    private static List<JsonNode> kept(String name) {
        return praline("cache", "list", "--json").lines().stream()
                .map(CachedJobsTest::object)
                .filter(group -> group.path("steps").asText().contains(" in " + name))
                .toList();
    }

    private static JsonNode object(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException wrong) {
            throw new AssertionError(line, wrong);
        }
    }

    /** Numbers to which so many are added, in batches of ten: no two tests have a prefix in common. */
    private static JobSpec job(Numbers numbers, String name, long added) {
        return JobSpec.of(pipeline(added))
                .named(name)
                .data(numbers.glob())
                .seed(7)
                .order(JobSpec.Order.OFF);
    }

    private static Pipeline pipeline(long added) {
        return Pipeline.tfRecords()
                .map("parse", (tf, x) -> tf.strings.toNumber(x.as(TString.class), TInt64.class))
                .map("add", (tf, x) -> tf.math.add(x.as(TInt64.class), tf.constant(added)))
                .batch(10)
                .names("number");
    }

    private record Ended(Map<Integer, List<Long>> taken, JobResult result) {}

    private static Ended run(JobSpec spec) {
        try (PralineClient client = cluster.client();
                BatchStream stream = client.submit(spec)) {
            Map<Integer, List<Long>> taken = new TreeMap<>();
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    LongBuffer values = batch.component("number").longs();
                    List<Long> epoch = taken.computeIfAbsent(batch.epoch(), number -> new ArrayList<>());
                    while (values.hasRemaining()) {
                        epoch.add(values.get());
                    }
                }
            }
            return new Ended(taken, stream.result());
        }
    }

    private static void isWhole(Ended job, Numbers numbers, long added, int epochs) {
        List<Long> all = numbers.all().stream().map(number -> number + added).toList();
        assertThat(job.result().state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result().missing()).hasValue(0);
        assertThat(job.result().duplicates()).hasValue(0);
        assertThat(job.taken()).hasSize(epochs);
        job.taken().values().forEach(epoch -> assertThat(epoch).containsExactlyInAnyOrderElementsOf(all));
    }

    private static Numbers numbers(String name) throws IOException {
        return Numbers.write(cluster.folder().resolve(name), FILES, EACH);
    }

    // the second epoch begins while the first one drains: some of its splits may have no entry yet
    @Test
    void laterEpochsAndOtherJobsReadWhatWasKeptAndNothingIsMissingOrTwice() throws IOException {
        Numbers numbers = numbers("kept");
        Ended first = run(job(numbers, "kept", 1).epochs(3).cache(CacheMode.FULL));

        isWhole(first, numbers, 1, 3);
        assertThat(first.result().cache().hits())
                .as(first.result().cache().why())
                .isPositive();
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(kept("kept")).singleElement().satisfies(group -> {
                    assertThat(group.path("entries").asInt()).isEqualTo(FILES);
                    assertThat(group.path("bytes").asLong()).isPositive();
                    assertThat(group.path("pinned").asBoolean()).isFalse();
                    assertThat(group.path("prefix").asText()).matches("[0-9a-f]{16,}");
                    assertThat(group.path("lastUse").asLong()).isPositive();
                }));

        // what is there is read without being asked for
        Ended second = run(job(numbers, "kept", 1));
        isWhole(second, numbers, 1, 1);
        assertThat(second.result().cache().hits()).isEqualTo(FILES * EACH);

        Ended off = run(job(numbers, "kept", 1).cache(CacheMode.OFF));
        isWhole(off, numbers, 1, 1);
        assertThat(off.result().cache().hits()).isZero();

        Ended otherwise = run(job(numbers, "kept", 2));
        isWhole(otherwise, numbers, 2, 1);
        assertThat(otherwise.result().cache().hits()).isZero();

        String prefix = kept("kept").get(0).path("prefix").asText();
        assertThat(praline("cache", "pin", prefix.substring(0, 12)).code()).isZero();
        assertThat(kept("kept").get(0).path("pinned").asBoolean()).isTrue();
        assertThat(praline("cache", "unpin", prefix).code()).isZero();
        assertThat(kept("kept").get(0).path("pinned").asBoolean()).isFalse();
        for (String nothing : new String[] {"", " "}) {
            Said refused = praline("cache", "drop", nothing);
            assertThat(refused.code()).isEqualTo(2);
            assertThat(refused.errors()).contains("say which entries: PREFIX is empty");
        }
        Said dropped = praline("cache", "drop", prefix);
        assertThat(dropped.code()).as(dropped.errors()).isZero();
        assertThat(kept("kept")).isEmpty();
        Said again = praline("cache", "drop", prefix);
        assertThat(again.code()).isEqualTo(3);
        assertThat(again.errors().strip())
                .isEqualTo("praline: nothing is kept under " + prefix + "; 'praline cache list' shows what is");
    }

    @Test
    @Tag("long")
    void anEntryThatIsNoGoodIsComputedInsteadAndFoundByVerify() throws IOException {
        Numbers numbers = numbers("damaged");
        run(job(numbers, "damaged", 3).epochs(2).cache(CacheMode.FULL));
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> assertThat(kept("damaged"))
                .singleElement()
                .satisfies(group -> assertThat(group.path("entries").asInt()).isEqualTo(FILES)));
        String prefix = kept("damaged").get(0).path("prefix").asText();
        List<Path> entries = entries(prefix);
        assertThat(entries).isNotEmpty();
        for (Path entry : entries.subList(0, entries.size() / 2)) {
            byte[] bytes = Files.readAllBytes(entry);
            bytes[bytes.length / 2] ^= 1;
            Files.write(entry, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        }
        StringWriter out = new StringWriter();
        int code = Praline.run(
                new PrintWriter(out, true),
                new PrintWriter(out, true),
                "cache",
                "verify",
                "--cache-dir",
                "file://" + cluster.cacheFolder());
        assertThat(code).as(out.toString()).isEqualTo(4);
        assertThat(out.toString()).contains("not whole: ");

        isWhole(run(job(numbers, "damaged", 3).epochs(2)), numbers, 3, 2);
    }

    /** Files of a group, in a folder of its own in which a part of the path is its prefix. */
    private static List<Path> entries(String prefix) throws IOException {
        try (Stream<Path> files = Files.walk(cluster.cacheFolder())) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains(prefix))
                    .sorted()
                    .toList();
        }
    }

    @Test
    @Tag("long")
    void warmFillsAheadOfTheTrainers() throws IOException {
        Numbers numbers = numbers("warmed");
        Path pipeline =
                Files.write(cluster.folder().resolve("warmed.pb"), pipeline(4).graph());
        Said warm = praline(
                "cache",
                "warm",
                "--pipeline",
                pipeline.toString(),
                "--data",
                numbers.glob(),
                "--secret-file",
                cluster.secretFile().toString());
        assertThat(warm.code()).as(warm.errors()).isZero();
        assertThat(warm.lines())
                .anyMatch(line -> line.matches("what is kept: it keeps what comes out of .*as was asked for"));
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> assertThat(kept("warmed"))
                .singleElement()
                .satisfies(group -> assertThat(group.path("entries").asInt()).isEqualTo(FILES)));

        Ended trained = run(job(numbers, "trained", 4));
        isWhole(trained, numbers, 4, 1);
        assertThat(trained.result().cache().hits()).isEqualTo(FILES * EACH);
    }
}
