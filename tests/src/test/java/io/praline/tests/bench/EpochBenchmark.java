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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an epoch's beginning costs: a job of many short epochs against one that reads the same files as often, under as many names,
 * in one epoch. Both decode the same JPEGs equally often, so the difference is what beginning an epoch takes.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.EpochBenchmark IMAGES EPOCHS ROUNDS
 * </pre>
 *
 * To be run in the folder of {@code tests}. Sixteen files hold the IMAGES pictures of an epoch. Times are the processor's.
 */
public final class EpochBenchmark {
    private EpochBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int images = Integer.parseInt(args[0]);
        int epochs = Integer.parseInt(args[1]);
        int rounds = Integer.parseInt(args[2]);
        Cluster cluster = Cluster.shared();
        Path once = SampleFiles.prepare(new Home(cluster.folder()), null, images);
        Path often = TogetherBenchmark.named(once, epochs, cluster.folder().resolve("often"));
        List<Double> beginnings = new ArrayList<>();
        List<Double> others = new ArrayList<>();
        try (ChildProcess worker = EntriesBenchmark.worker(cluster);
                PralineClient client = PralineClient.connect(
                        ClientConfig.of(cluster.kafka(), cluster.secretFile()).withPool(EntriesBenchmark.POOL))) {
            used(client, job(once).epochs(3), worker); // JVMs are warm from here on
            for (int round = 0; round < rounds; round++) {
                Used many = used(client, job(once).epochs(epochs), worker);
                Used one = used(client, job(often), worker);
                beginnings.add((many.worker() - one.worker()) / (epochs - 1));
                others.add((many.here() - one.here()) / (epochs - 1));
                System.out.printf(
                        Locale.ROOT,
                        "%d epochs of %d images: worker %.2f s, client, dispatcher and broker %.2f s; one of as many in all:"
                                + " %.2f and %.2f s; an epoch's beginning %.1f and %.1f ms; load %.1f%n",
                        epochs,
                        images,
                        many.worker() / 1e3,
                        many.here() / 1e3,
                        one.worker() / 1e3,
                        one.here() / 1e3,
                        beginnings.get(round),
                        others.get(round),
                        Machine.load());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "{\"workerMsABeginning\":%.1f,\"othersMsABeginning\":%.1f}%n",
                EntriesBenchmark.median(beginnings),
                EntriesBenchmark.median(others));
        System.exit(0);
    }

    private static JobSpec job(Path folder) {
        return JpegEntriesBenchmark.jpegs(folder.resolve("*").toString(), 0).cache(CacheMode.OFF);
    }

    /**
     * Milliseconds of processor time that a job took.
     *
     * @param worker of the worker's process
     * @param here of this process, which is client, dispatcher and broker
     */
    private record Used(double worker, double here) {}

    private static Used used(PralineClient client, JobSpec job, ChildProcess worker) throws InterruptedException {
        double ofWorker = EntriesBenchmark.cpu(worker);
        double here = own();
        Trainer.of(1, Duration.ZERO).train(client, job, moment -> {});
        return new Used((EntriesBenchmark.cpu(worker) - ofWorker) / 1e6, own() - here);
    }

    private static double own() {
        return Machine.cpuNanos(ProcessHandle.current()) / 1e6;
    }
}
