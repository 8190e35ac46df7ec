package io.praline.tests.bench;

import io.praline.client.CacheMode;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cluster.LiveJournal;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.deploy.sample.Trainer;
import io.praline.policy.caching.CacheOutlook;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.CacheSituation;
import io.praline.policy.caching.CachewCaching;
import io.praline.policy.caching.PointMeasure;
import io.praline.schema.JournalEntry;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.ObjectServer;
import io.praline.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint8;

/**
 * The sweep of Cachew's artifact with real processes, a tenth as slow and a hundredth as large: batches of 1 MB that grow 2.5
 * times, each of which sleeps 20 to 50 ms, of a bucket that gives one in 32.1 ms, and with a store that gives one that has grown
 * in 44.5 ms, and so one of the source in 17.8. For each sleep the rates of jobs that compute, that keep the source and that keep
 * all, once what they keep is there; what {@code --cache auto} comes to, and at which rate it runs then; and what Cachew would
 * choose by the same measures.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.SweepBenchmark [sleep in ms ...]
 * </pre>
 *
 * To be run in the folder of {@code tests}; some four minutes a sleep, on a machine that does nothing else.
 */
public final class SweepBenchmark {
    private static final String POOL = "sweep";
    private static final List<Integer> SLEEPS = List.of(20, 25, 30, 35, 40, 45, 50);
    private static final int FILES = 40;
    private static final int RECORDS = 50;
    private static final int RECORD_BYTES = 40_000;
    private static final int BATCH = 25;
    private static final double BATCH_BYTES = (double) BATCH * RECORD_BYTES;
    private static final double INFLATION = 2.5;
    private static final double OF_BUCKET = BATCH_BYTES / 0.0321;
    private static final double OF_STORE = INFLATION * BATCH_BYTES / 0.0445;

    /** A few splits' worth: what lies near would be read at the speed of this host. */
    private static final long NEAR_BYTES = 24 << 20;

    private static final double TIE = 1.03;

    private SweepBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<Integer> sleeps = args.length == 0
                ? SLEEPS
                : List.of(args).stream().map(Integer::valueOf).toList();
        Cluster cluster = Cluster.shared();
        int right = 0;
        try (ObjectServer store = new ObjectServer();
                ChildProcess worker =
                        worker(cluster, prepared(store, cluster.folder().resolve("sweep")));
                PralineClient client = PralineClient.connect(
                        ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPool(POOL))) {
            System.out.printf(Locale.ROOT, "worker is process %d%n", worker.pid());
            for (int sleep : sleeps) {
                right += swept(cluster, client, sleep) ? 1 : 0;
                store.empty("kept");
            }
        }
        System.out.printf(Locale.ROOT, "{\"right\":%d,\"of\":%d}%n", right, sleeps.size());
        System.exit(0);
    }

    private static boolean swept(Cluster cluster, PralineClient client, int sleep) throws InterruptedException {
        whole(client, job(sleep, CacheMode.OFF)); // JVMs are warm from here on
        double computed = millis(client, job(sleep, CacheMode.OFF), 3, 12).each();
        double source = kept(client, job(sleep, CacheMode.SOURCE));
        double full = kept(client, job(sleep, CacheMode.FULL));
        Ran auto = millis(client, job(sleep, CacheMode.AUTO), 90, 15);
        double best = Math.min(computed, Math.min(source, full));
        boolean right = auto.each() <= TIE * best;
        System.out.printf(
                Locale.ROOT,
                "sleep %d ms: computed %.1f, source %.1f, full %.1f ms a batch; auto %.1f, %s: %s; cachew by the same"
                        + " measures %s%n",
                sleep,
                computed,
                source,
                full,
                auto.each(),
                right ? "right" : "WRONG",
                auto.why(),
                cachew(LiveJournal.of(cluster.kafka(), auto.job())));
        return right;
    }

    /**
     * How a job ran once it had what it kept.
     *
     * @param each milliseconds a batch
     * @param why what it kept, and why
     */
    private record Ran(String job, double each, String why) {}

    /** Of a job that finds all that it keeps: two epochs before it have made that. */
    private static double kept(PralineClient client, JobSpec job) throws InterruptedException {
        whole(client, job);
        whole(client, job);
        return millis(client, job, 3, 12).each();
    }

    private static void whole(PralineClient client, JobSpec job) throws InterruptedException {
        Trainer.of(1, Duration.ZERO).train(client, job.epochs(1), moment -> {});
    }

    private static Ran millis(PralineClient client, JobSpec job, int warmUpSeconds, int seconds)
            throws InterruptedException {
        Trainer.Outcome outcome = new Trainer(
                        1, Duration.ZERO, Duration.ofSeconds(warmUpSeconds), Duration.ofSeconds(seconds), List.of())
                .train(client, job, moment -> {});
        return new Ran(
                outcome.result().job(),
                1_000 * outcome.seconds() / outcome.batches(),
                outcome.result().cache().why());
    }

    /** Each as a tenant's of its own: what one keeps is no use to another. */
    private static JobSpec job(int sleep, CacheMode mode) {
        Pipeline pipeline = Pipeline.tfRecords()
                .map("grow", (tf, x) -> grown(tf, tf.io.decodeRaw(x.as(TString.class), TUint8.class)))
                .sleep(1_000L * sleep / BATCH)
                .batch(BATCH)
                .names("bytes");
        return JobSpec.of(pipeline)
                .data("s3://data/*")
                .order(JobSpec.Order.OFF)
                .cache(mode)
                .tenant(mode + "-" + sleep)
                .epochs(10_000)
                .prices(new JobSpec.Prices(OptionalDouble.of(4.96), OptionalDouble.of(0.43), OptionalDouble.empty()));
    }

    private static Operand<TUint8> grown(Ops tf, Operand<TUint8> bytes) {
        Operand<TUint8> half = tf.slice(bytes, tf.constant(new int[] {0}), tf.constant(new int[] {RECORD_BYTES / 2}));
        return tf.concat(List.of(bytes, bytes, half), tf.constant(0));
    }

    /** What Cachew would choose by what the job's last decision rests on. */
    private static String cachew(List<JournalEntry> journal) {
        Map<String, Double> numbers = Map.of();
        for (JournalEntry entry : journal) {
            if (entry.getNumbers().containsKey("computeNanosPerRecord")) {
                numbers = entry.getNumbers();
            }
        }
        return numbers.isEmpty()
                ? "was told nothing"
                : CachewCaching.choose(situation(numbers)).map(CachePoint::kept).orElse("computes");
    }

    private static CacheSituation situation(Map<String, Double> numbers) {
        List<CachePoint> points = new ArrayList<>();
        List<PointMeasure> measures = new ArrayList<>();
        for (int number = 0; numbers.containsKey("point " + number + ": bytesPerRecord"); number++) {
            String at = "point " + number + ": ";
            points.add(new CachePoint(number, "step " + number, Integer.toString(number)));
            measures.add(new PointMeasure(
                    number,
                    numbers.get(at + "computeNanosPerRecord"),
                    numbers.get(at + "bytesPerRecord"),
                    numbers.get(at + "writeNanosPerRecord"),
                    numbers.get(at + "readNanosPerRecord")));
        }
        return new CacheSituation(
                points,
                measures,
                numbers.get("computeNanosPerRecord"),
                Collections.emptySortedMap(),
                0,
                CacheOutlook.alone(numbers.get("epochsLeft"), numbers.get("recordsPerEpoch"), 1, 1));
    }

    private static ObjectServer prepared(ObjectServer store, Path folder) throws IOException {
        Files.createDirectories(folder);
        Random random = new Random(12);
        byte[] record = new byte[RECORD_BYTES];
        Path file = folder.resolve("records");
        for (int number = 0; number < FILES; number++) {
            try (TfRecordWriter out = new TfRecordWriter(file)) {
                for (int i = 0; i < RECORDS; i++) {
                    random.nextBytes(record);
                    out.write(record);
                }
            }
            store.put("data", String.format(Locale.ROOT, "%03d.tfrecord", number), Files.readAllBytes(file));
        }
        Files.delete(file);
        store.bucket("kept");
        store.pace("data", OF_BUCKET);
        store.pace("kept", OF_STORE);
        return store;
    }

    /** A process of its own, with one core for a worker as in the artifact, and no room for what lies elsewhere. */
    private static ChildProcess worker(Cluster cluster, ObjectServer store) {
        return ChildProcess.start(new ChildProcess.Spec(
                "worker sweep-1",
                WorkerMain.class.getName(),
                List.of(
                        "--bootstrap",
                        cluster.kafka().bootstrap(),
                        "--registry",
                        cluster.kafka().registryUrl(),
                        "--secret-file",
                        cluster.secretFile().toString(),
                        "--id",
                        "sweep-1",
                        "--pool",
                        POOL,
                        "--cores",
                        "1",
                        "--s3-endpoint",
                        store.url(),
                        "--s3-region",
                        ObjectServer.REGION,
                        "--s3-path-style",
                        "true",
                        "--stage-dir",
                        cluster.folder().resolve("sweep-staged").toString(),
                        "--stage-bytes",
                        Long.toString(NEAR_BYTES),
                        "--cache-dir",
                        "s3://kept/entries",
                        "--cache-near",
                        cluster.folder().resolve("sweep-near").toString(),
                        "--cache-near-bytes",
                        Long.toString(NEAR_BYTES)),
                cluster.folder().resolve("sweep-1.log"),
                LocalCluster.WORKER_HEAP_MB,
                LocalCluster.WORKER_DIRECT_MB,
                Map.of("AWS_ACCESS_KEY_ID", ObjectServer.ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", "secret")));
    }
}
