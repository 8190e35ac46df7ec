package io.praline.deploy.cli;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.console.OutputOptions;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.Waiting;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The workers and what they do. */
@Command(
        name = "workers",
        description = "Show the workers: slots, tasks, rates. A worker silent for 5 s is not shown.",
        footer = {"", "Example:  praline workers --json"})
public final class WorkersCommand implements Runnable {

    /** The dispatcher's rule for who is lost. */
    private static final long SILENCE_MILLIS =
            ProtocolLimits.USUAL.workerSilence().toMillis();

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Option(names = "--watch", description = "Go on: again every 2 seconds, until Ctrl-C.")
    private boolean watch;

    /** A beat and the one before it, for rates. */
    private record Seen(String pool, WorkerHeartbeat beat, long millis, double elementsPerSecond, double mbPerSecond) {

        static Seen first(String pool, WorkerHeartbeat beat, long millis) {
            return new Seen(pool, beat, millis, 0, 0);
        }

        Seen then(WorkerHeartbeat next, long nextMillis) {
            double seconds = (nextMillis - millis) / 1e3;
            if (!next.getIncarnation().equals(beat.getIncarnation())) {
                return first(pool, next, nextMillis);
            }
            if (seconds < 0.5) {
                // beats sent at once for an event: too close together for a rate
                return new Seen(pool, next, nextMillis, elementsPerSecond, mbPerSecond);
            }
            double elements = 0;
            double bytes = 0;
            for (AttemptProgress now : next.getAttempts()) {
                for (AttemptProgress then : beat.getAttempts()) {
                    if (now.getJob().equals(then.getJob())
                            && now.getEpoch() == then.getEpoch()
                            && now.getAttempt() == then.getAttempt()) {
                        elements += now.getElements() - then.getElements();
                        bytes += now.getBytes() - then.getBytes();
                    }
                }
            }
            return new Seen(pool, next, nextMillis, elements / seconds, bytes / 1e6 / seconds);
        }

        List<AttemptProgress> running() {
            return beat.getAttempts().stream()
                    .filter(attempt ->
                            attempt.getPhase() != AttemptPhase.ENDED && attempt.getPhase() != AttemptPhase.FAILED)
                    .toList();
        }
    }

    @Override
    public void run() {
        KafkaSettings kafka = cluster.kafka();
        Map<String, Seen> workers = new TreeMap<>();
        long since = System.currentTimeMillis() - SILENCE_MILLIS;
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<WorkerEvent> reader = LiveTopics.since(kafka, codec, Topics.WORKER_HEARTBEATS, since)) {
            reader.drain().forEach(entry -> take(entry, workers));
            print(workers);
            Waiting waiting = new Waiting(ZoneId.systemDefault());
            String asked = "Kafka at " + kafka.bootstrap();
            while (watch) {
                long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
                while (System.nanoTime() - until < 0) {
                    reader.poll(Duration.ofMillis(500)).forEach(entry -> take(entry, workers));
                }
                print(workers);
                waiting.look(asked, reader.silent(), Instant.now()).ifPresent(output::note);
            }
        }
    }

    private static void take(TopicReader.Entry<WorkerEvent> entry, Map<String, Seen> workers) {
        entry.value().ifPresent(event -> {
            if (event.getBody() instanceof WorkerHeartbeat beat) {
                if (beat.getLeaving()) {
                    workers.remove(beat.getWorker());
                } else {
                    Seen before = workers.get(beat.getWorker());
                    workers.put(
                            beat.getWorker(),
                            before == null
                                    ? Seen.first(event.getPool(), beat, entry.timestampMillis())
                                    : before.then(beat, entry.timestampMillis()));
                }
            }
        });
    }

    private void print(Map<String, Seen> workers) {
        // silence is log time: measured by the newest beat of anyone
        long newest = workers.values().stream().mapToLong(Seen::millis).max().orElse(0);
        workers.values().removeIf(seen -> newest - seen.millis() > SILENCE_MILLIS);
        output.line(String.format(
                Locale.ROOT,
                "%-28s %-10s %-9s %-8s %5s %12s %8s  %s",
                "WORKER",
                "POOL",
                "TASKS",
                "STATE",
                "LOAD",
                "ELEMENTS/S",
                "MB/S",
                "JOBS"));
        for (Seen seen : workers.values()) {
            WorkerHeartbeat beat = seen.beat();
            List<AttemptProgress> running = seen.running();
            List<String> jobs =
                    running.stream().map(AttemptProgress::getJob).distinct().toList();
            output.line(String.format(
                    Locale.ROOT,
                    "%-28s %-10s %-9s %-8s %5.1f %12.0f %8.1f  %s",
                    beat.getWorker(),
                    seen.pool(),
                    running.size() + "/" + beat.getSlots(),
                    beat.getDraining() ? "draining" : beat.getLocal() ? "local" : "ready",
                    beat.getLoad(),
                    seen.elementsPerSecond(),
                    seen.mbPerSecond(),
                    String.join(", ", jobs)));
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("worker", beat.getWorker());
            object.put("pool", seen.pool());
            object.put("host", beat.getHost());
            object.put("addresses", List.copyOf(beat.getAddresses()));
            object.put("slots", beat.getSlots());
            object.put("tasks", running.size());
            object.put("cores", beat.getCores());
            object.put("load", beat.getLoad());
            object.put("draining", beat.getDraining());
            object.put("local", beat.getLocal());
            object.put("elementsPerSecond", seen.elementsPerSecond());
            object.put("mbPerSecond", seen.mbPerSecond());
            object.put("jobs", jobs);
            output.object(object);
        }
    }
}
