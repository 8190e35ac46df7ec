package io.praline.tests.bench;

import io.praline.client.CacheMode;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Two jobs that decode the same JPEGs, and are started together on two workers with one cache: how often each picture is decoded,
 * and how long the jobs take against one that has the workers to itself.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.TogetherBenchmark IMAGES TIMES ROUNDS
 * </pre>
 *
 * To be run in the folder of {@code tests}. Sixteen files of IMAGES / 16 pictures each are read under TIMES names, each of which
 * is a split.
 */
public final class TogetherBenchmark {
    private TogetherBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int images = Integer.parseInt(args[0]);
        int times = Integer.parseInt(args[1]);
        int rounds = Integer.parseInt(args[2]);
        Cluster cluster = Cluster.shared();
        Path once = SampleFiles.prepare(new Home(cluster.folder()), null, images);
        String data = named(once, times, cluster.folder().resolve("together"))
                .resolve("*")
                .toString();
        ExecutorService loops = Executors.newFixedThreadPool(2);
        List<Double> work = new ArrayList<>();
        List<Double> later = new ArrayList<>();
        try (ChildProcess first = EntriesBenchmark.worker(cluster, "entries-1");
                ChildProcess second = EntriesBenchmark.worker(cluster, "entries-2");
                PralineClient client = PralineClient.connect(
                        ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPool(EntriesBenchmark.POOL))) {
            together(
                    loops,
                    client,
                    JpegEntriesBenchmark.jpegs(data, 0).cache(CacheMode.OFF),
                    1); // JVMs are warm from here on
            for (int round = 0; round < rounds; round++) {
                Ran alone = together(loops, client, kept(data, 2 * round + 1), 1);
                Ran both = together(loops, client, kept(data, 2 * round + 2), 2);
                work.add((double) both.computed() / alone.computed());
                later.add(both.seconds() / alone.seconds());
                System.out.printf(
                        Locale.ROOT,
                        "alone %d computed in %.1f s; together %d computed, %.3f of that, the later one over after %.1f s, %.3f;"
                                + " workers are processes %d and %d; load %.1f%n",
                        alone.computed(),
                        alone.seconds(),
                        both.computed(),
                        work.get(round),
                        both.seconds(),
                        later.get(round),
                        first.pid(),
                        second.pid(),
                        Machine.load());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "{\"work\":%.3f,\"seconds\":%.3f}%n",
                EntriesBenchmark.median(work),
                EntriesBenchmark.median(later));
        System.exit(0);
    }

    /**
     * What jobs that were started together did.
     *
     * @param computed elements that came from no entry
     * @param seconds until the last of them was over
     */
    private record Ran(long computed, double seconds) {}

    private static Ran together(ExecutorService loops, PralineClient client, JobSpec job, int jobs) {
        long began = System.nanoTime();
        List<CompletableFuture<Trainer.Outcome>> running = Stream.generate(
                        () -> CompletableFuture.supplyAsync(() -> trained(client, job), loops))
                .limit(jobs)
                .toList();
        long computed = 0;
        for (CompletableFuture<Trainer.Outcome> each : running) {
            Trainer.Outcome outcome = each.join();
            computed += outcome.elements() - outcome.result().cache().hits();
        }
        return new Ran(computed, (System.nanoTime() - began) / 1e9);
    }

    private static Trainer.Outcome trained(PralineClient client, JobSpec job) {
        try {
            return Trainer.of(1, Duration.ZERO).train(client, job, moment -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static JobSpec kept(String data, int number) {
        return JpegEntriesBenchmark.jpegs(data, number).cache(CacheMode.FULL);
    }

    /** Each file of a folder under so many names in another. */
    static Path named(Path once, int times, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(once)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".tfrecord")).toList()) {
                for (int time = 0; time < times; time++) {
                    Files.createSymbolicLink(folder.resolve(time + "-" + file.getFileName()), file);
                }
            }
        }
        return folder;
    }
}
