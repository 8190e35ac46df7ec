package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.CacheMode;
import io.praline.client.ClientConfig;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.schema.JobState;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Numbers;
import io.praline.tests.rig.ObjectServer;
import io.praline.worker.WorkerMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** Workers that keep elements in a bucket and have no folder in common. */
@Tag("long")
class FarCacheTest {
    private static final String POOL = "far";
    private static final String BUCKET = "cache";
    private static final String URL = "s3://cache/kept";
    private static final int FILES = 12;
    private static final int EACH = 100;
    private static final int MOST_MORE = 40;

    private static Cluster cluster;
    private static ObjectServer store;
    private static Path folder;
    private static ChildProcess first;
    private static ChildProcess second;

    @BeforeAll
    static void start() throws IOException {
        cluster = Cluster.shared();
        store = new ObjectServer();
        store.bucket(BUCKET);
        folder = Files.createDirectories(cluster.folder().resolve("far"));
        first = worker("far-1");
        second = worker("far-2");
    }

    @AfterAll
    static void stop() {
        first.close();
        second.close();
        store.close();
    }

    private static ChildProcess worker(String id) {
        return worker(id, POOL, URL);
    }

    private static ChildProcess worker(String id, String pool, String cache) {
        ChildProcess worker = ChildProcess.start(new ChildProcess.Spec(
                id,
                WorkerMain.class.getName(),
                List.of(
                        "--bootstrap",
                        cluster.kafka().bootstrap(),
                        "--registry",
                        cluster.kafka().registryUrl(),
                        "--secret-file",
                        cluster.secretFile().toString(),
                        "--id",
                        id,
                        "--pool",
                        pool,
                        "--slots",
                        "2",
                        "--s3-endpoint",
                        store.url(),
                        "--s3-region",
                        ObjectServer.REGION,
                        "--s3-path-style",
                        "true",
                        "--cache-dir",
                        cache,
                        "--cache-near",
                        near(id).toString()),
                folder.resolve(id + ".log"),
                LocalCluster.WORKER_HEAP_MB,
                LocalCluster.WORKER_DIRECT_MB,
                Map.of("AWS_ACCESS_KEY_ID", ObjectServer.ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", "secret")));
        // one after the other: a machine that is busy with several that start has none of them reach Kafka in time
        await().atMost(Duration.ofSeconds(90)).until(() -> {
            assertThat(worker.alive()).as("see %s.log", id).isTrue();
            return Files.exists(near(id).resolve("0/lock"));
        });
        return worker;
    }

    private static Path near(String worker) {
        return folder.resolve("near-" + worker);
    }

    private static long copies(String worker) throws IOException {
        try (Stream<Path> files = Files.walk(near(worker))) {
            return files.filter(file -> file.getParent().endsWith("objects"))
                    .filter(file -> !file.toString().endsWith(".part"))
                    .count();
        }
    }

    private static List<String> entries() {
        return store.keys(BUCKET, "kept/entries/");
    }

    private record Ended(Map<Integer, List<Long>> taken, JobResult result) {}

    private static JobSpec job(Numbers numbers, long added) {
        return JobSpec.of(Pipeline.tfRecords()
                        .map("parse", (tf, x) -> tf.strings.toNumber(x.as(TString.class), TInt64.class))
                        .map("add", (tf, x) -> tf.math.add(x.as(TInt64.class), tf.constant(added)))
                        .batch(10)
                        .names("number"))
                .data(numbers.glob())
                .seed(7)
                .order(JobSpec.Order.OFF)
                .cache(CacheMode.FULL);
    }

    /**
     * Takes all of a job.
     *
     * @param killed when so many batches of the second epoch were taken a worker is killed; none where 0
     */
    private static Ended run(String pool, JobSpec spec, int killed) {
        try (PralineClient client = PralineClient.connect(
                        ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPool(pool));
                BatchStream stream = client.submit(spec)) {
            Map<Integer, List<Long>> taken = new TreeMap<>();
            int ofSecond = 0;
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    LongBuffer values = batch.component("number").longs();
                    List<Long> epoch = taken.computeIfAbsent(batch.epoch(), number -> new ArrayList<>());
                    while (values.hasRemaining()) {
                        epoch.add(values.get());
                    }
                    ofSecond += batch.epoch() == 1 ? 1 : 0;
                }
                if (ofSecond == killed && killed > 0 && first.alive()) {
                    first.kill();
                }
            }
            return new Ended(taken, stream.result());
        }
    }

    private static void isWhole(Ended job, Numbers numbers, int epochs) {
        List<Long> all = numbers.all().stream().map(number -> number + 5).toList();
        assertThat(job.result().state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result().missing()).hasValue(0);
        assertThat(job.result().duplicates()).hasValue(0);
        assertThat(job.taken()).hasSize(epochs);
        job.taken().values().forEach(epoch -> assertThat(epoch).containsExactlyInAnyOrderElementsOf(all));
    }

    private static String praline(String... command) {
        List<String> words = new ArrayList<>(Arrays.asList(command));
        words.addAll(List.of(
                "--bootstrap",
                cluster.kafka().bootstrap(),
                "--registry",
                cluster.kafka().registryUrl()));
        return said(words.toArray(String[]::new));
    }

    private static String said(String... command) {
        StringWriter out = new StringWriter();
        assertThat(Praline.run(new PrintWriter(out, true), new PrintWriter(out, true), command))
                .as(out.toString())
                .isZero();
        return out.toString();
    }

    private static String verify() {
        System.setProperty("aws.accessKeyId", ObjectServer.ACCESS_KEY);
        System.setProperty("aws.secretAccessKey", "secret");
        try {
            return said(
                    "cache",
                    "verify",
                    "--cache-dir",
                    URL,
                    "--s3-endpoint",
                    store.url(),
                    "--s3-region",
                    ObjectServer.REGION,
                    "--s3-path-style");
        } finally {
            System.clearProperty("aws.accessKeyId");
            System.clearProperty("aws.secretAccessKey");
        }
    }

    // of the entries of a worker that was killed the other one has no copy: it reads them from the bucket
    @Test
    void whatOneWorkerKeptAnotherReadsAlsoWhenTheFirstIsKilled() throws Exception {
        Numbers numbers = Numbers.write(folder.resolve("data"), FILES, EACH);

        Ended trained = run(POOL, job(numbers, 5).epochs(3), 20);
        isWhole(trained, numbers, 3);
        assertThat(first.alive()).isFalse();
        assertThat(trained.result().cache().hits())
                .as(trained.result().cache().why())
                .isPositive();
        // what the killed one was making is nobody's after half a minute, when that job may be over
        for (int more = 0; more < MOST_MORE && entries().size() < FILES; more++) {
            isWhole(run(POOL, job(numbers, 5), 0), numbers, 1);
        }
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(() -> assertThat(entries()).hasSize(FILES));

        // a worker that never saw any of it
        second.close();
        try (ChildProcess third = worker("far-3")) {
            Ended again = run(POOL, job(numbers, 5), 0);
            isWhole(again, numbers, 1);
            assertThat(third.alive()).isTrue();
            assertThat(again.result().cache().hits())
                    .as(again.result().cache().why())
                    .isEqualTo(FILES * EACH);
            assertThat(copies("far-3")).isEqualTo(FILES);

            assertThat(verify()).contains(FILES + " entries are whole");
        }
    }

    // of one seed, so that both would begin with the same splits; a tenth of a second each
    @Test
    void twoJobsThatAreStartedTogetherMakeWhatTheyKeepOnce() throws Exception {
        int files = 40;
        Numbers numbers = Numbers.write(folder.resolve("together"), files, 20);
        JobSpec spec = JobSpec.of(Numbers.inBatchesOf(10).sleep(50_000))
                .data(numbers.glob())
                .seed(7)
                .order(JobSpec.Order.OFF)
                .cache(CacheMode.FULL);
        ExecutorService loops = Executors.newFixedThreadPool(2);
        try (ChildProcess one = worker("far-5", "together", "s3://cache/together");
                ChildProcess other = worker("far-6", "together", "s3://cache/together")) {
            List<Future<Ended>> both =
                    loops.invokeAll(List.of(() -> run("together", spec, 0), () -> run("together", spec, 0)));
            long computed = 0;
            for (Future<Ended> each : both) {
                Ended job = each.get();
                assertThat(job.taken().get(0)).containsExactlyInAnyOrderElementsOf(numbers.all());
                computed += numbers.all().size() - job.result().cache().hits();
            }
            assertThat(computed).isLessThan(numbers.all().size() * 3L / 2);
            assertThat(one.alive()).isTrue();
            assertThat(other.alive()).isTrue();
        } finally {
            loops.shutdownNow();
        }
    }

    // a worker that is no more keeps its word for half a minute: this pool has one, which lives
    @Test
    void whatIsListedPinnedAndDroppedMayLieInABucket() throws Exception {
        Numbers numbers = Numbers.write(folder.resolve("dropped"), 3, EACH, 7);
        try (ChildProcess fourth = worker("far-4", "dropping", "s3://cache/dropped")) {
            run("dropping", job(numbers, 6), 0);
            await().atMost(Duration.ofSeconds(90))
                    .until(() -> store.keys(BUCKET, "dropped/entries/").size() == 3);
            String prefix = store.keys(BUCKET, "dropped/entries/").get(0).split("/", -1)[3];
            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThat(praline("cache", "list")).contains(prefix.substring(0, 8)));
            praline("cache", "pin", prefix);
            praline("cache", "unpin", prefix);
            praline("cache", "drop", prefix);
            assertThat(store.keys(BUCKET, "dropped/entries/")).isEmpty();
            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThat(copies("far-4")).isZero());
            assertThat(fourth.alive()).isTrue();
        }
    }
}
