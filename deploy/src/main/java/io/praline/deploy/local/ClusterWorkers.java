package io.praline.deploy.local;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import io.praline.worker.WorkerMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The workers of a cluster on this machine, each in a process of its own. Belongs to one thread. */
final class ClusterWorkers implements AutoCloseable {
    private final LocalCluster.Settings settings;
    private final Path dataDir;
    private final List<String> arguments;
    private final Map<String, ChildProcess> workers = new TreeMap<>();

    /**
     * @param dataDir where the cluster is kept
     * @param arguments where it is, as options of a command
     */
    ClusterWorkers(LocalCluster.Settings settings, Path dataDir, List<String> arguments) {
        this.settings = settings;
        this.dataDir = dataDir;
        this.arguments = arguments;
    }

    /** Starts a worker, or starts it again; it is not ready yet. */
    ChildProcess start(String id) {
        Path socket = LocalCluster.socket(dataDir, id);
        List<String> args = new ArrayList<>(arguments);
        args.addAll(
                List.of("--id", id, "--slots", Integer.toString(settings.slots()), "--unix-socket", socket.toString()));
        args.addAll(settings.workerOptions());
        settings.metrics().ifPresent(at -> args.addAll(at.ofWorker(id)));
        ChildProcess worker = ChildProcess.start(new ChildProcess.Spec(
                "worker " + id,
                WorkerMain.class.getName(),
                args,
                log(id),
                LocalCluster.WORKER_HEAP_MB,
                LocalCluster.WORKER_DIRECT_MB,
                Map.of(),
                settings.workFolder()));
        ChildProcess before = workers.put(id, worker);
        if (before != null) {
            before.close();
        }
        return worker;
    }

    private Path log(String id) {
        return LocalCluster.log(dataDir, id);
    }

    /** Those that were started, also when they have ended. */
    Collection<ChildProcess> all() {
        return List.copyOf(workers.values());
    }

    /** Starts those again that have ended; gives a line for each. */
    List<String> replaceDead() {
        List<String> lines = new ArrayList<>();
        for (String id : List.copyOf(workers.keySet())) {
            ChildProcess worker = workers.get(id);
            if (!worker.alive()) {
                lines.add("worker " + id + " ended with code " + worker.exitCode() + "; started again, see " + log(id));
                start(id);
            }
        }
        return lines;
    }

    /** Waits until all that were started have been heard of. */
    void awaitHeard(KafkaSettings kafka, Duration patience) throws InterruptedException {
        Map<String, ChildProcess> expected = new TreeMap<>(workers);
        long deadline = System.nanoTime() + patience.toNanos();
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<WorkerEvent> beats =
                        LiveTopics.since(kafka, codec, Topics.WORKER_HEARTBEATS, System.currentTimeMillis() - 60_000)) {
            while (!expected.isEmpty()) {
                beats.poll(Duration.ofMillis(50))
                        .forEach(entry -> entry.value().ifPresent(event -> heard(event, expected)));
                for (Map.Entry<String, ChildProcess> worker : expected.entrySet()) {
                    if (worker.getValue().alive()) {
                        continue;
                    }
                    if (worker.getValue().exitCode() == ExitCode.UNREACHABLE.number()) {
                        // what it did not reach in time runs in this process: the machine is busy
                        worker.setValue(start(worker.getKey()));
                    } else {
                        throw new CommandFailed(
                                ExitCode.BROKEN,
                                "worker " + worker.getKey() + " did not start: "
                                        + worker.getValue().lastLine() + " (see " + log(worker.getKey()) + ")");
                    }
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new CommandFailed(
                            ExitCode.UNREACHABLE,
                            "worker " + expected.keySet() + " was not heard of for " + patience.toSeconds() + " s; see "
                                    + dataDir.resolve("logs"));
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
    }

    private static void heard(WorkerEvent event, Map<String, ChildProcess> expected) {
        if (event.getBody() instanceof WorkerHeartbeat beat && !beat.getLeaving()) {
            expected.remove(beat.getWorker());
        }
    }

    /** Ends them, all at once. */
    @Override
    public void close() {
        List<Thread> ending = workers.values().stream()
                .map(worker -> new Thread(worker::close, "ending"))
                .toList();
        ending.forEach(Thread::start);
        boolean interrupted = false;
        for (Thread one : ending) {
            try {
                one.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        workers.clear();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
