package io.praline.tests.bench;

import io.praline.client.CacheMode;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.sample.TfRecordWriter;
import io.praline.deploy.sample.Trainer;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.ObjectServer;
import io.praline.tests.rig.ObjectServer.Behaviour;
import io.praline.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint8;

/**
 * What it costs that data lies in a store of objects: a job over 200 objects, with a trainer that takes nine tenths of what the
 * same job makes of files at most, against the same job over files, in turns. Each request to the store takes 20 ms, three of a
 * hundred are put off, and the staged objects have room for a fifth of the data.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.ObjectsBenchmark ROUNDS
 * </pre>
 *
 * To be run in the folder of {@code tests}. A rate is elements over the time from the first batch to the last.
 */
public final class ObjectsBenchmark {
    private static final String POOL = "objects";
    private static final int OBJECTS = 200;
    private static final int RECORDS = 150;
    private static final int RECORD_BYTES = 6_700;
    private static final int BATCH = 20;
    private static final long ROOM = (long) OBJECTS * RECORDS * RECORD_BYTES / 5;

    private ObjectsBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Cluster cluster = Cluster.shared();
        Path folder = write(cluster.folder().resolve("objects"));
        try (ObjectServer store = new ObjectServer();
                ChildProcess worker = worker(cluster, store);
                PralineClient client = PralineClient.connect(
                        ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPool(POOL))) {
            store.behave(Behaviour.GOOD.slow(20).busy(0.03));
            String files = folder.resolve("*").toString();
            rate(client, files, Duration.ZERO);
            double alone = rate(client, files, Duration.ZERO);
            Duration step = Duration.ofNanos((long) (BATCH / (0.9 * alone) * 1e9));
            double[] local = new double[rounds];
            double[] remote = new double[rounds];
            long[] resident = new long[rounds];
            for (int round = 0; round < rounds; round++) {
                local[round] = rate(client, files, step);
                String bucket = "round-" + round;
                put(store, bucket, folder);
                remote[round] = rate(client, "s3://" + bucket + "/*", step);
                store.empty(bucket);
                resident[round] = residentMb(worker);
            }
            System.out.printf(
                    Locale.ROOT,
                    "{\"filesAlone\":%.0f,\"files\":%.0f,\"objects\":%.0f,\"ratio\":%.3f,\"ratios\":%s,\"requests\":%d,"
                            + "\"putOff\":%d,\"residentMb\":%s,\"stagedMb\":%d}%n",
                    alone,
                    median(local),
                    median(remote),
                    median(remote) / median(local),
                    Arrays.toString(IntStream.range(0, rounds)
                            .mapToDouble(round -> Math.round(1_000 * remote[round] / local[round]) / 1_000.0)
                            .toArray()),
                    store.requests(),
                    store.faults(),
                    Arrays.toString(resident),
                    staged(cluster) / 1_000_000);
        }
        System.exit(0);
    }

    private static double rate(PralineClient client, String data, Duration step) throws InterruptedException {
        Pipeline pipeline = Pipeline.tfRecords()
                .map("decode", (tf, x) -> tf.io.decodeRaw(x.as(TString.class), TUint8.class))
                .batch(BATCH)
                .sleep(10_000)
                .names("bytes");
        return Trainer.of(1, step)
                .train(
                        client,
                        JobSpec.of(pipeline).data(data).order(JobSpec.Order.OFF).cache(CacheMode.OFF),
                        moment -> {})
                .elementsPerSecond();
    }

    /** A process of its own, as workers are, with credentials. */
    private static ChildProcess worker(Cluster cluster, ObjectServer store) {
        return ChildProcess.start(new ChildProcess.Spec(
                "worker objects-1",
                WorkerMain.class.getName(),
                List.of(
                        "--bootstrap",
                        cluster.kafka().bootstrap(),
                        "--registry",
                        cluster.kafka().registryUrl(),
                        "--secret-file",
                        cluster.secretFile().toString(),
                        "--id",
                        "objects-1",
                        "--pool",
                        POOL,
                        "--s3-endpoint",
                        store.url(),
                        "--s3-region",
                        ObjectServer.REGION,
                        "--s3-path-style",
                        "true",
                        "--stage-dir",
                        stage(cluster).toString(),
                        "--stage-bytes",
                        Long.toString(ROOM)),
                cluster.folder().resolve("objects-1.log"),
                LocalCluster.WORKER_HEAP_MB,
                LocalCluster.WORKER_DIRECT_MB,
                Map.of("AWS_ACCESS_KEY_ID", ObjectServer.ACCESS_KEY, "AWS_SECRET_ACCESS_KEY", "secret")));
    }

    private static long residentMb(ChildProcess worker) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(worker.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1_000)
                .findFirst()
                .orElse(0);
    }

    private static Path stage(Cluster cluster) {
        return cluster.folder().resolve("staged-objects");
    }

    private static long staged(Cluster cluster) throws IOException {
        try (Stream<Path> all = Files.walk(stage(cluster))) {
            return all.filter(file -> file.getParent().endsWith("objects"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private static Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Random random = new Random(12);
        byte[] record = new byte[RECORD_BYTES];
        for (int file = 0; file < OBJECTS; file++) {
            try (TfRecordWriter out =
                    new TfRecordWriter(folder.resolve(String.format(Locale.ROOT, "%03d.tfrecord", file)))) {
                for (int i = 0; i < RECORDS; i++) {
                    random.nextBytes(record);
                    out.write(record);
                }
            }
        }
        return folder;
    }

    /** Each round has a bucket of its own: what the last one staged serves nobody. */
    private static void put(ObjectServer store, String bucket, Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                store.put(bucket, file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
