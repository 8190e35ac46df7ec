package io.praline.deploy.chaos;

import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.KeptRecords;
import io.praline.deploy.chaos.trainer.Life;
import io.praline.deploy.chaos.trainer.TrainerMain;
import io.praline.deploy.chaos.trainer.TrainerOrder;
import io.praline.deploy.cluster.CacheOptions;
import io.praline.deploy.embedded.Ports;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.topics.KafkaSettings;
import io.praline.wire.ConsumerToken;
import io.praline.worker.CacheSettings;
import io.praline.worker.WorkerMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The processes of a run, each of which can be killed, stopped, and cut off from others. Belongs to one thread. */
final class Processes implements AutoCloseable {
    private static final int SLOTS = 2;
    private static final long STORE_BYTES = 1L << 30;

    private final Schedule schedule;
    private final Path folder;
    private final String glob;
    private final String kept;
    private final Class<?> command;
    private final Path secret;
    private final int kafkaPort;
    private final int registryPort;
    private final List<Integer> workerPorts = new ArrayList<>();
    private final Map<Target, ChildProcess> running = new TreeMap<>();
    private final Superseded<ChildProcess> superseded = new Superseded<>(ChildProcess::alive);
    private final Map<Target, List<Life>> lives = new TreeMap<>();
    private final Gates gates;

    /**
     * Prepares, and starts none yet.
     *
     * @param folder for all that they keep and write; there must be none yet
     * @param glob of the files that jobs read
     * @param command the main class of the praline command
     */
    Processes(Schedule schedule, Path folder, String glob, Class<?> command) {
        this.schedule = schedule;
        this.folder = folder;
        this.glob = glob;
        this.command = command;
        this.secret = folder.resolve("secret");
        Deque<Integer> ports = new ArrayDeque<>(Ports.free(2 + schedule.workers()));
        this.kafkaPort = ports.pop();
        this.registryPort = ports.pop();
        workerPorts.addAll(ports);
        this.gates = new Gates(schedule, all(), folder, List.of(kafkaPort, registryPort), workerPorts);
        try {
            Files.createDirectories(folder);
            ConsumerToken.createSecret(secret);
            this.kept = schedule.keeps() ? KeptRecords.in(folder.resolve("records")) : "";
            for (int job = 0; job < schedule.jobs().size(); job++) {
                JobPlan plan = schedule.jobs().get(job);
                Files.write(graph(job), plan.shape().graph(plan.records(), plan.batch()));
            }
            all().forEach(gates::prepare);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + folder + ": " + e.getMessage(), e);
        }
    }

    /** All targets, the broker first. */
    List<Target> all() {
        TreeSet<Target> all = new TreeSet<>();
        all.add(Target.BROKER);
        for (int number = 0; number < schedule.dispatchers(); number++) {
            all.add(Target.dispatcher(number));
        }
        for (int number = 0; number < schedule.workers(); number++) {
            all.add(Target.worker(number));
        }
        for (int number = 0; number < schedule.clients(); number++) {
            all.add(Target.client(number));
        }
        schedule.joiner().ifPresent(all::add);
        return List.copyOf(all);
    }

    /** Whether it was ever started. */
    boolean isStarted(Target target) {
        return running.containsKey(target);
    }

    /** How this process, which is never cut off, reaches Kafka and the registry. */
    KafkaSettings kafka() {
        return KafkaSettings.of(Gates.LOOPBACK + ":" + kafkaPort, "http://" + Gates.LOOPBACK + ":" + registryPort);
    }

    Path secret() {
        return secret;
    }

    /** The folder in which workers keep entries, where they do. */
    Path store() {
        return folder.resolve("entries");
    }

    static String jobId(long seed, int job) {
        return "chaos-" + seed + "-" + job;
    }

    private Path graph(int job) {
        return folder.resolve("job-" + job + ".pb");
    }

    /** Nothing passes between them from now on. */
    void cut(List<Target> ends) {
        gates.cut(ends);
    }

    void heal(List<Target> ends) {
        gates.heal(ends);
    }

    // ------------------------------------------------------------------------------------------------------- processes

    /** Starts it, or starts it again. */
    void start(Target target) {
        running.put(
                target,
                switch (target.role()) {
                    case BROKER ->
                        child(
                                target,
                                HubMain.class,
                                256,
                                List.of(
                                        folder.resolve("data").toString(),
                                        Integer.toString(kafkaPort),
                                        Integer.toString(registryPort),
                                        "localhost"));
                    case DISPATCHER -> dispatcher(target);
                    case WORKER -> worker(target);
                    case CLIENT -> trainer(target);
                });
    }

    private ChildProcess dispatcher(Target target) {
        List<String> args = new ArrayList<>(List.of("dispatcher"));
        args.addAll(cluster());
        args.addAll(List.of(
                "--instance",
                target.toString(),
                "--state-dir",
                folder.resolve(target + ".state").toString()));
        return child(target, command, 256, args);
    }

    private ChildProcess worker(Target target) {
        List<String> args = new ArrayList<>(cluster());
        args.addAll(List.of(
                "--id",
                target.toString(),
                "--slots",
                Integer.toString(SLOTS),
                "--host",
                target.toString(),
                "--port",
                Integer.toString(workerPorts.get(target.number()))));
        // a socket in the file system knows no gate
        boolean gated =
                all().stream().anyMatch(other -> other.role() == Target.Role.CLIENT && schedule.cuts(other, target));
        if (!gated) {
            args.addAll(List.of(
                    "--unix-socket",
                    LocalCluster.socket(folder, target.toString()).toString()));
        }
        if (schedule.keeps()) {
            args.addAll(CacheOptions.arguments(Optional.of(CacheSettings.folder(store(), true, STORE_BYTES))));
        }
        return child(target, WorkerMain.class, LocalCluster.WORKER_HEAP_MB, args);
    }

    private List<String> cluster() {
        return List.of("--bootstrap", bootstrap(), "--registry", registry(), "--secret-file", secret.toString());
    }

    private String bootstrap() {
        return "localhost:" + kafkaPort;
    }

    private String registry() {
        return "http://localhost:" + registryPort;
    }

    private ChildProcess trainer(Target target) {
        int job = schedule.jobOf(target.number());
        JobPlan plan = schedule.jobs().get(job);
        List<Life> before = lives.computeIfAbsent(target, one -> new ArrayList<>());
        // one that is only stopped may wake up and train, and is waited for; also by who comes after its successor,
        // which may
        // have died before it asked for the place
        boolean replacesDead = !before.isEmpty() && !superseded.anyAlive(target);
        Life life = new Life(diary(target, before.size()), before.size());
        before.add(life);
        TrainerOrder order = new TrainerOrder(
                bootstrap(),
                registry(),
                secret,
                jobId(schedule.seed(), job),
                schedule.consumerOf(target.number()),
                life.number(),
                replacesDead,
                plan.consumers(),
                plan.epochs(),
                plan.seed(),
                plan.step().toMillis(),
                graph(job),
                plan.shape().files(glob, kept),
                plan.shape(),
                plan.cache(),
                diary(target, life.number()));
        return child(target, TrainerMain.class, 128, order.words());
    }

    private Path diary(Target target, int life) {
        return folder.resolve(target + "." + life + ".diary");
    }

    private ChildProcess child(Target target, Class<?> main, int heapMegabytes, List<String> args) {
        return ChildProcess.start(new ChildProcess.Spec(
                target.toString(),
                main.getName(),
                args,
                folder.resolve(target + ".log"),
                heapMegabytes,
                256,
                Map.of("JAVA_TOOL_OPTIONS", "-Djdk.net.hosts.file=" + gates.names(target))));
    }

    boolean alive(Target target) {
        return isStarted(target) && running.get(target).alive();
    }

    /** Of one that has ended. */
    int exitCode(Target target) {
        return running.get(target).exitCode();
    }

    /** Whether its log has such a line, or one that begins so. */
    boolean says(Target target, String words) {
        return running.get(target).lines().stream().anyMatch(line -> line.startsWith(words));
    }

    String lastLine(Target target) {
        return running.get(target).lastLine();
    }

    void kill(Target target) {
        running.get(target).kill();
    }

    void stop(Target target) {
        signal("STOP", running.get(target));
    }

    void goOn(Target target) {
        signal("CONT", running.get(target));
    }

    /** Stops a trainer, and starts another in its place. */
    void replace(Target target) {
        stop(target);
        superseded.add(target, running.get(target));
        start(target);
    }

    /** Those that were replaced go on. */
    void goOnSuperseded() {
        superseded.all().forEach(process -> signal("CONT", process));
    }

    /** Asks a trainer to leave its job. */
    void askToLeave(Target target) {
        List<Life> all = lives.get(target);
        try {
            Files.createFile(TrainerOrder.askedToLeave(diary(target, all.size() - 1)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot ask " + target + " to leave: " + e.getMessage(), e);
        }
    }

    /** What each of its threads does, into its log. */
    void dumpThreads() {
        running.values().stream().filter(ChildProcess::alive).forEach(process -> signal("QUIT", process));
    }

    private static void signal(String signal, ChildProcess process) {
        if (process.alive()) {
            try {
                new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot send " + signal + ": " + e.getMessage(), e);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The lives of a trainer so far. */
    List<Life> lives(Target target) {
        return lives.getOrDefault(target, List.of());
    }

    @Override
    public void close() {
        running.values().forEach(ChildProcess::kill);
        superseded.all().forEach(ChildProcess::kill);
        gates.close();
    }
}
