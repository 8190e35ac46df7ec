package io.praline.tests.bench;

import io.praline.client.CacheMode;
import io.praline.client.ChannelPath;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Images;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cluster.Home;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.Machine;
import io.praline.deploy.sample.SampleFiles;
import io.praline.deploy.sample.Trainer;
import io.praline.tests.rig.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TString;
import org.tensorflow.types.TUint8;

/**
 * What it is worth to keep decoded pictures, by turns: a job of JPEGs (decode, resize to 224 x 224, uint8, batches of 32) that
 * computes, the same from entries in the page cache, and a job that reads pictures of as many bytes from plain files; and what
 * it costs to keep them: an epoch that writes entries against one that does not.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.JpegEntriesBenchmark PATH IMAGES ROUNDS SECONDS [cold]
 * </pre>
 *
 * To be run in the folder of {@code tests}. Rates are images over the time from the first batch that is counted to the last. With
 * {@code cold} also those of whole epochs from entries and from plain files of which nothing is in the page cache, which takes
 * {@code dd} of GNU, each beside one that comes from there.
 */
public final class JpegEntriesBenchmark {
    private static final int[] SHAPE = {224, 224, 3};
    private static final int BYTES = 224 * 224 * 3;
    private static final int BATCH = 32;

    private JpegEntriesBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ChannelPath path = ChannelPath.valueOf(args[0].toUpperCase(Locale.ROOT));
        int images = Integer.parseInt(args[1]);
        int rounds = Integer.parseInt(args[2]);
        int seconds = Integer.parseInt(args[3]);
        Cluster cluster = Cluster.shared();
        String data = SampleFiles.prepare(new Home(cluster.folder()), null, images)
                .resolve("*")
                .toString();
        JobSpec plain = JobSpec.of(plain())
                .data(write(cluster.folder().resolve("plain"), images)
                        .resolve("*")
                        .toString())
                .order(JobSpec.Order.OFF)
                .cache(CacheMode.OFF)
                .epochs(10_000);
        try (ChildProcess worker = EntriesBenchmark.worker(cluster);
                PralineClient client = PralineClient.connect(ClientConfig.of(cluster.kafka(), cluster.secretFile())
                        .withPool(EntriesBenchmark.POOL)
                        .withPath(path))) {
            System.out.printf(Locale.ROOT, "worker is process %d%n", worker.pid());
            keeping(client, data, rounds, worker);
            reading(client, data, plain, rounds, seconds);
            if (args.length > 4 && args[4].equals("cold")) {
                cold(client, jpegs(data, 1).cache(CacheMode.FULL), EntriesBenchmark.kept(cluster), "entries", rounds);
                cold(client, plain.epochs(1), cluster.folder().resolve("plain"), "plainFiles", rounds);
            }
        }
        System.exit(0);
    }

    /** An epoch that keeps what it makes, which nobody kept before, against one that does not. */
    private static void keeping(PralineClient client, String data, int rounds, ChildProcess worker)
            throws InterruptedException {
        Trainer whole = Trainer.of(1, Duration.ZERO);
        List<Double> ratios = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        whole.train(client, jpegs(data, 0).cache(CacheMode.OFF), moment -> {}); // JVMs are warm from here on
        for (int round = 1; round <= rounds; round++) {
            JobSpec job = jpegs(data, round);
            boolean computesFirst = round % 2 == 0;
            Epoch first = epoch(whole, client, job.cache(computesFirst ? CacheMode.OFF : CacheMode.FULL), worker);
            Epoch second = epoch(whole, client, job.cache(computesFirst ? CacheMode.FULL : CacheMode.OFF), worker);
            Epoch kept = computesFirst ? second : first;
            Epoch computed = computesFirst ? first : second;
            long hits = whole.train(client, job.cache(CacheMode.FULL), moment -> {})
                    .result()
                    .cache()
                    .hits();
            ratios.add(kept.rate() / computed.rate());
            cpu.add(kept.cpuMs() / computed.cpuMs());
            System.out.printf(
                    Locale.ROOT,
                    "computed %.0f, computed and kept %.0f images/s, %.3f; %d of them were there for the next job;"
                            + " CPU-ms an image of the worker %.3f and %.3f, %.3f; load %.1f%n",
                    computed.rate(),
                    kept.rate(),
                    kept.rate() / computed.rate(),
                    hits,
                    computed.cpuMs(),
                    kept.cpuMs(),
                    kept.cpuMs() / computed.cpuMs(),
                    Machine.load());
        }
        System.out.printf(
                Locale.ROOT,
                "{\"keptToComputed\":%.3f,\"cpuKeptToComputed\":%.3f}%n",
                EntriesBenchmark.median(ratios),
                EntriesBenchmark.median(cpu));
    }

    /**
     * How an epoch went.
     *
     * @param rate images/s from the first batch to the last
     * @param cpuMs milliseconds of the worker's processor time an image, from the job's submission to its end
     */
    private record Epoch(double rate, double cpuMs) {}

    private static Epoch epoch(Trainer trainer, PralineClient client, JobSpec job, ChildProcess worker)
            throws InterruptedException {
        long before = EntriesBenchmark.cpu(worker);
        Trainer.Outcome outcome = trainer.train(client, job, moment -> {});
        return new Epoch(
                outcome.elementsPerSecond(), (EntriesBenchmark.cpu(worker) - before) / 1e6 / outcome.elements());
    }

    /** Later epochs from entries, against computing and against plain files. */
    private static void reading(PralineClient client, String data, JobSpec plain, int rounds, int seconds)
            throws InterruptedException {
        JobSpec jpegs = jpegs(data, 1).epochs(10_000);
        Trainer some = new Trainer(1, Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(seconds), List.of());
        List<Double> toComputed = new ArrayList<>();
        List<Double> toPlain = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            double computed = rate(some, client, jpegs.cache(CacheMode.OFF));
            double read = rate(some, client, jpegs.cache(CacheMode.FULL));
            double ofFiles = rate(some, client, plain);
            toComputed.add(read / computed);
            toPlain.add(read / ofFiles);
            System.out.printf(
                    Locale.ROOT,
                    "computed %.0f, from entries %.0f, plain files %.0f images/s; %.2f and %.3f; load %.1f%n",
                    computed,
                    read,
                    ofFiles,
                    read / computed,
                    read / ofFiles,
                    Machine.load());
        }
        System.out.printf(
                Locale.ROOT,
                "{\"entriesToComputed\":%.2f,\"entriesToPlainFiles\":%.3f}%n",
                EntriesBenchmark.median(toComputed),
                EntriesBenchmark.median(toPlain));
    }

    /** An epoch from the disk, and one from the page cache behind it. */
    private static void cold(PralineClient client, JobSpec job, Path files, String what, int rounds)
            throws IOException, InterruptedException {
        Trainer whole = Trainer.of(1, Duration.ZERO);
        List<Double> ofDisk = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            PageCache.drop(files);
            Trainer.Outcome disk = whole.train(client, job, moment -> {});
            Trainer.Outcome memory = whole.train(client, job, moment -> {});
            ofDisk.add(disk.elementsPerSecond());
            ratios.add(disk.elementsPerSecond() / memory.elementsPerSecond());
            System.out.printf(
                    Locale.ROOT,
                    "%s: from the disk %.0f, from the page cache %.0f images/s, %.2f; %d and %d from entries; load"
                            + " %.1f%n",
                    what,
                    disk.elementsPerSecond(),
                    memory.elementsPerSecond(),
                    ratios.get(round),
                    disk.result().cache().hits(),
                    memory.result().cache().hits(),
                    Machine.load());
        }
        System.out.printf(
                Locale.ROOT,
                "{\"%sOfDisk\":%.0f,\"%sOfDiskToPageCache\":%.2f}%n",
                what,
                EntriesBenchmark.median(ofDisk),
                what,
                EntriesBenchmark.median(ratios));
    }

    private static double rate(Trainer trainer, PralineClient client, JobSpec job) throws InterruptedException {
        return trainer.train(client, job, moment -> {}).elementsPerSecond();
    }

    /** @param number of another pipeline each, with the same values: entries of one are no use to another */
    static JobSpec jpegs(String data, int number) {
        return JobSpec.of(Pipeline.tfRecords()
                        .map("decode", Images.decodeJpeg(3))
                        .map("resize", Images.resize(SHAPE[0], SHAPE[1]))
                        .map("cast", (tf, x) -> tf.dtypes.cast(x.get(), TUint8.class))
                        .map("number", (tf, x) -> reshaped(tf, x.get(), number))
                        .batch(BATCH)
                        .prefetch()
                        .names("image"))
                .data(data)
                .order(JobSpec.Order.OFF);
    }

    /** So many times, which costs nothing. */
    private static Operand<?> reshaped(Ops tf, Operand<?> image, int times) {
        return times == 0 ? image : reshaped(tf, tf.reshape(image, tf.constant(SHAPE)), times - 1);
    }

    private static Pipeline plain() {
        return Pipeline.fixedLength(BYTES)
                .map(
                        "decode",
                        (tf, x) -> tf.reshape(tf.io.decodeRaw(x.as(TString.class), TUint8.class), tf.constant(SHAPE)))
                .batch(BATCH)
                .prefetch()
                .names("image");
    }

    private static Path write(Path folder, int images) throws IOException {
        Files.createDirectories(folder);
        Random random = new Random(12);
        int files = 16;
        for (int number = 0; number < files; number++) {
            byte[] file = new byte[BYTES * (images * (number + 1) / files - images * number / files)];
            random.nextBytes(file);
            Files.write(folder.resolve(String.format(Locale.ROOT, "%03d.bin", number)), file);
        }
        return folder;
    }
}
