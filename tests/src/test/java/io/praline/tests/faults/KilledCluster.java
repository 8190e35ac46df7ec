package io.praline.tests.faults;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.cluster.Endpoints;
import io.praline.deploy.embedded.BrokerMain;
import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.tests.rig.Command;
import io.praline.topics.KafkaSettings;
import io.praline.wire.ConsumerToken;
import io.praline.worker.WorkerMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A cluster in processes of its own that is killed in the middle of a job and started again. */
final class KilledCluster implements AutoCloseable {
    /** More than anything here may take: who needs longer has not come back. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String STARTED_AGAIN = "started again";

    private static final Duration LOOK = Duration.ofMillis(20);

    // 600 batches of 10 numbers, 70 ms each, two at a time: 21 s, longer than any cluster is away
    private static final int NUMBERS = 6_000;

    private final Killing killing;
    private final Path folder;
    private final List<Process> running = new ArrayList<>();
    private final List<Process> beside = new ArrayList<>();
    private long startedBefore;

    private KilledCluster(Killing killing, Path folder) {
        this.killing = killing;
        this.folder = folder;
    }

    /** Starts one, in a folder of its own, and returns when it is ready. */
    static KilledCluster start(Killing killing, Path folder) throws IOException, InterruptedException {
        KilledCluster cluster = new KilledCluster(killing, folder);
        ConsumerToken.createSecret(
                Files.createDirectories(folder.resolve("home")).resolve("secret"));
        if (killing.byParts()) {
            cluster.startBroker();
            cluster.await("the broker", () -> cluster.said("broker.out", "broker serves", 1));
            cluster.startDispatcher();
            // it makes the topics, without which no worker starts
            cluster.await("the dispatcher", () -> cluster.said("dispatcher.out", " serves", 1));
            cluster.startWorker();
        } else {
            cluster.startUp();
            cluster.await("praline up", () -> cluster.said("up.out", "praline is up", 1));
        }
        return cluster;
    }

    /**
     * Runs a job, kills, waits, starts again, and runs the job to its end.
     *
     * @param killAfter from the first batch to the kill
     */
    Restart round(String job, Duration killAfter, Duration wait) throws Exception {
        AtomicLong taken = new AtomicLong();
        ExecutorService loop = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "loop");
            thread.setDaemon(true);
            return thread;
        });
        try {
            Loop counted = new Loop(ClientConfig.of(kafka(), secret()), job, taken);
            Future<String> end = loop.submit(counted::run);
            await("the first batch", () -> taken.get() > 0 || end.isDone());
            Thread.sleep(killAfter.toMillis());
            kill();
            long before = taken.get();
            Thread.sleep(wait.toMillis());
            long started = System.nanoTime();
            Duration ready = again(started);
            Duration resumed = Duration.ofNanos(PATIENCE.toNanos());
            if (ready.compareTo(PATIENCE) < 0 && awaits(() -> taken.get() > before + 10 || end.isDone())) {
                resumed = Duration.ofNanos(System.nanoTime() - started);
            }
            String state = resumed.compareTo(PATIENCE) < 0 ? ended(end) : "did not come back";
            return counted.outcome(wait, ready, resumed, state);
        } finally {
            loop.shutdownNow();
        }
    }

    /** Starts {@code praline run} over as many numbers, which gives up where Kafka is away for so long; it has a batch then. */
    Process run(String job, Duration patience) throws IOException, InterruptedException {
        Path pipeline = Files.write(folder.resolve(job + ".pb"), numbers().graph());
        Process run = Command.java(
                        Praline.class,
                        "run",
                        "--pipeline",
                        pipeline.toString(),
                        "--job",
                        job,
                        "--patience",
                        Long.toString(patience.toSeconds()),
                        "--secret-file",
                        secret().toString())
                .and(kafkaOptions())
                .with("PRALINE_HOME", home().toString())
                .builder()
                .redirectErrorStream(true)
                .redirectOutput(output(job).toFile())
                .start();
        beside.add(run);
        await("a batch of " + job, () -> {
            keepWorker();
            return said(job + ".out", "1 at work", 1) || !run.isAlive();
        });
        return run;
    }

    /** Where the output of such a command goes. */
    Path output(String name) {
        return folder.resolve(name + ".out");
    }

    private static String ended(Future<String> end) throws InterruptedException {
        try {
            return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return "failed: " + failed.getCause().getMessage();
        } catch (TimeoutException stands) {
            return "does not come to its end";
        }
    }

    /** How long after this moment all serves; as long as patience lasts where it does not. */
    private Duration again(long started) throws IOException, InterruptedException {
        long lines;
        boolean ready;
        switch (killing) {
            case EVERYTHING, THREE_ALL -> {
                lines = count("up.out", "praline is up");
                startUp();
                ready = awaits(() -> said("up.out", "praline is up", lines + 1)
                        || !running.get(0).isAlive());
                ready &= said("up.out", "praline is up", lines + 1);
            }
            case BROKER -> {
                lines = count("broker.out", "broker serves");
                startBroker();
                ready = awaits(() -> said("broker.out", "broker serves", lines + 1));
            }
            case DISPATCHER -> {
                lines = count("dispatcher.out", " serves");
                startDispatcher();
                ready = awaits(() -> said("dispatcher.out", " serves", lines + 1));
            }
            // praline up starts them again by itself
            default -> ready = awaits(() -> said("up.out", STARTED_AGAIN, startedBefore + killing.brokers()));
        }
        return ready ? Duration.ofNanos(System.nanoTime() - started) : PATIENCE;
    }

    private void kill() throws InterruptedException {
        startedBefore = count("up.out", STARTED_AGAIN);
        List<ProcessHandle> killed =
                switch (killing) {
                    case EVERYTHING, THREE_ALL ->
                        Stream.concat(
                                        Stream.of(running.get(0).toHandle()),
                                        running.get(0).descendants())
                                .toList();
                    case THREE_BROKERS -> {
                        List<ProcessHandle> brokers = running.get(0)
                                .descendants()
                                .filter(KilledCluster::isBroker)
                                .toList();
                        if (brokers.size() != killing.brokers()) {
                            throw new IllegalStateException("there are " + brokers.size() + " brokers to kill");
                        }
                        yield brokers;
                    }
                    case BROKER -> List.of(running.get(0).toHandle());
                    case DISPATCHER -> List.of(running.get(1).toHandle());
                };
        killed.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle one : killed) {
            try {
                one.onExit().get(90, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException alive) {
                throw new IllegalStateException("a killed process lives: " + one.pid(), alive);
            }
        }
    }

    /** By Linux's own list of its words: Java gives up on one as long as these. */
    private static boolean isBroker(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .contains(BrokerMain.class.getName());
        } catch (IOException gone) {
            return false;
        }
    }

    private void startUp() throws IOException {
        List<String> words = new ArrayList<>(List.of("up", "--workers", "1"));
        if (killing.brokers() > 1) {
            words.addAll(List.of("--brokers", Integer.toString(killing.brokers())));
        }
        launch(0, "up", Command.java(Praline.class, words.toArray(String[]::new)));
    }

    private void startBroker() throws IOException {
        launch(0, "broker", Command.java(OwnBroker.class, data().toString()));
    }

    private void startDispatcher() throws IOException {
        launch(
                1,
                "dispatcher",
                Command.java(Praline.class, "dispatcher", "--instance", "killed")
                        .and(kafkaOptions()));
    }

    private void startWorker() throws IOException {
        launch(
                2,
                "worker",
                Command.java(WorkerMain.class, "--id", "worker-1", "--slots", "2", "--secret-file", secret().toString())
                        .and(kafkaOptions()));
    }

    private String[] kafkaOptions() {
        return new String[] {"--bootstrap", kafka().bootstrap(), "--registry", kafka().registryUrl()};
    }

    /** As whoever runs it would: on a busy machine it may not reach Kafka when it starts, and ends. */
    private void keepWorker() {
        if (killing.byParts() && !running.get(2).isAlive()) {
            try {
                startWorker();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private void launch(int place, String name, Command command) throws IOException {
        Process process = command.with("PRALINE_HOME", home().toString())
                .builder()
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(name + ".out").toFile()))
                .start();
        if (place < running.size()) {
            running.set(place, process);
        } else {
            running.add(process);
        }
    }

    private Path home() {
        return folder.resolve("home");
    }

    private Path data() {
        return home().resolve("data");
    }

    private Path secret() {
        return home().resolve("secret");
    }

    private KafkaSettings kafka() {
        if (killing.byParts()) {
            return EmbeddedCluster.running(data()).orElseThrow();
        }
        Endpoints endpoints = Endpoints.read(home().resolve("endpoints")).orElseThrow();
        return KafkaSettings.of(endpoints.bootstrap(), endpoints.registry());
    }

    private boolean said(String file, String words, long times) {
        return times > 0 && count(file, words) >= times;
    }

    private long count(String file, String words) {
        Path path = folder.resolve(file);
        if (!Files.exists(path)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(path)) {
            return lines.filter(line -> line.contains(words)).count();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void await(String what, BooleanSupplier there) throws InterruptedException {
        if (!awaits(there)) {
            close();
            throw new IllegalStateException(
                    what + " did not come within " + PATIENCE.toSeconds() + " s; see " + folder);
        }
    }

    private static boolean awaits(BooleanSupplier there) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!there.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(LOOK.toMillis());
        }
        return true;
    }

    @Override
    public void close() {
        for (Process process : Stream.concat(running.stream(), beside.stream()).toList()) {
            List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                    .toList();
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static Pipeline numbers() {
        return Pipeline.range(0, NUMBERS).batch(10).sleep(70_000).names("number");
    }

    /** A loop over all numbers, which counts each. */
    private static final class Loop {
        private final ClientConfig config;
        private final String job;
        private final AtomicLong taken;
        private final BitSet seen = new BitSet();
        private long twice;

        Loop(ClientConfig config, String job, AtomicLong taken) {
            this.config = config;
            this.job = job;
            this.taken = taken;
        }

        String run() {
            try (PralineClient client = PralineClient.connect(config);
                    BatchStream stream = client.submit(JobSpec.of(numbers()).id(job + "-" + System.nanoTime()))) {
                while (stream.hasNext()) {
                    try (Batch batch = stream.next()) {
                        take(batch.component("number").longs());
                    }
                }
                return stream.result().state().toString();
            }
        }

        private synchronized void take(LongBuffer values) {
            values.rewind();
            while (values.hasRemaining()) {
                int number = (int) values.get();
                if (seen.get(number)) {
                    twice++;
                }
                seen.set(number);
                taken.incrementAndGet();
            }
        }

        synchronized Restart outcome(Duration wait, Duration ready, Duration resumed, String state) {
            return new Restart(wait, ready, resumed, state, taken.get(), NUMBERS - (long) seen.cardinality(), twice);
        }
    }
}
