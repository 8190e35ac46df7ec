package io.praline.tests.bench;

import io.praline.client.CacheMode;
import io.praline.client.ChannelPath;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.deploy.local.Machine;
import io.praline.deploy.sample.SamplePipelines;
import io.praline.deploy.sample.Trainer;
import io.praline.tests.rig.Cluster;
import io.praline.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint8;

/**
 * How fast batches come that are put together from what was kept, against batches of as many bytes that a worker has in memory, by
 * turns: 64 pictures of 224 x 224 x 3 float32 each, 38.5 MB, by one worker, whose entries, 4.6 GB an epoch, lie in the
 * page cache.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.EntriesBenchmark PATH ROUNDS SECONDS
 * </pre>
 *
 * To be run in the folder of {@code tests}. A rate is bytes over the time from the first batch that is counted to the last, in
 * SECONDS behind two that are not counted.
 */
public final class EntriesBenchmark {
    static final String POOL = "entries";
    private static final int FILES = 24;
    private static final int TIMES = 5;
    private static final int RECORDS = 64;
    private static final int[] SHAPE = {224, 224, 3};
    private static final int RECORD_BYTES = 224 * 224 * 3;
    private static final int BATCH = 64;
    private static final int BATCH_BYTES = BATCH * RECORD_BYTES * Float.BYTES;
    private static final long ROOM = 8L << 30;

    private EntriesBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ChannelPath path = ChannelPath.valueOf(args[0].toUpperCase(Locale.ROOT));
        int rounds = Integer.parseInt(args[1]);
        int seconds = Integer.parseInt(args[2]);
        Cluster cluster = Cluster.shared();
        JobSpec pictures = JobSpec.of(pictures())
                .data(write(cluster.folder().resolve("pictures")).resolve("*").toString())
                .order(JobSpec.Order.OFF);
        try (ChildProcess worker = worker(cluster);
                PralineClient client = PralineClient.connect(ClientConfig.of(cluster.kafka(), cluster.secretFile())
                        .withPool(POOL)
                        .withPath(path))) {
            Trainer.Outcome filled = Trainer.of(1, Duration.ZERO)
                    .train(client, pictures.cache(CacheMode.FULL).epochs(2), moment -> {});
            long elements = 20_000_000_000L / BATCH_BYTES * (seconds + 2);
            JobSpec memory = JobSpec.of(SamplePipelines.inMemory(elements, BATCH_BYTES));
            Trainer trainer = new Trainer(
                    1,
                    Duration.ZERO,
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(seconds),
                    List.of(() -> Machine.cpuNanos(ProcessHandle.current()), () -> cpu(worker)));
            List<Double> ofMemory = new ArrayList<>();
            List<Double> ofEntries = new ArrayList<>();
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                Trainer.Outcome one = trainer.train(client, memory.cache(CacheMode.OFF), moment -> {});
                Trainer.Outcome other =
                        trainer.train(client, pictures.cache(CacheMode.FULL).epochs(10_000), moment -> {});
                ofMemory.add(one.mbPerSecond());
                ofEntries.add(other.mbPerSecond());
                ratios.add(other.mbPerSecond() / one.mbPerSecond());
                System.out.printf(
                        Locale.ROOT,
                        "%s: memory %.0f MB/s, entries %.0f MB/s, %.2f; CPU-s a GB of client and worker: %.2f and %.2f,"
                                + " %.2f and %.2f; load %.1f%n",
                        path,
                        one.mbPerSecond(),
                        other.mbPerSecond(),
                        other.mbPerSecond() / one.mbPerSecond(),
                        perGb(one, 0),
                        perGb(one, 1),
                        perGb(other, 0),
                        perGb(other, 1),
                        Machine.load());
            }
            System.out.printf(
                    Locale.ROOT,
                    "{\"path\":\"%s\",\"filledElements\":%d,\"memoryMb\":%.0f,\"entriesMb\":%.0f,\"ratio\":%.2f}%n",
                    path,
                    filled.elements(),
                    median(ofMemory),
                    median(ofEntries),
                    median(ratios));
        }
        System.exit(0);
    }

    private static double perGb(Trainer.Outcome outcome, int meter) {
        return (double) outcome.metered().get(meter) / outcome.bytes();
    }

    static long cpu(ChildProcess worker) {
        return ProcessHandle.of(worker.pid()).map(Machine::cpuNanos).orElse(0L);
    }

    private static Pipeline pictures() {
        return Pipeline.fixedLength(RECORD_BYTES)
                .map(
                        "decode",
                        (tf, x) -> tf.dtypes.cast(
                                tf.reshape(tf.io.decodeRaw(x.as(TString.class), TUint8.class), tf.constant(SHAPE)),
                                TFloat32.class))
                .batch(BATCH)
                .prefetch()
                .names("picture");
    }

    /** A process of its own, as workers are. */
    static ChildProcess worker(Cluster cluster) {
        return worker(cluster, "entries-1");
    }

    /** One of several that keep what they make in one folder. */
    static ChildProcess worker(Cluster cluster, String id) {
        return ChildProcess.start(new ChildProcess.Spec(
                "worker " + id,
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
                        POOL,
                        "--unix-socket",
                        cluster.folder().resolve(id + ".sock").toString(),
                        "--cache-dir",
                        kept(cluster).toString(),
                        "--cache-bytes",
                        Long.toString(ROOM)),
                cluster.folder().resolve(id + ".log"),
                LocalCluster.WORKER_HEAP_MB,
                LocalCluster.WORKER_DIRECT_MB,
                Map.of()));
    }

    /** Where workers keep what they make. */
    static Path kept(Cluster cluster) {
        return cluster.folder().resolve("pictures-kept");
    }

    private static Path write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Random random = new Random(12);
        byte[] file = new byte[RECORDS * RECORD_BYTES];
        for (int number = 0; number < FILES; number++) {
            random.nextBytes(file);
            Path once = Files.write(folder.resolve(String.format(Locale.ROOT, "%03d.bin", number)), file);
            for (int time = 1; time < TIMES; time++) {
                Files.createLink(folder.resolve(String.format(Locale.ROOT, "%03d-%d.bin", number, time)), once);
            }
        }
        return folder;
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
