package io.praline.deploy.cli;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.WorkerView;
import io.praline.deploy.terminal.WorkerViews;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.schema.WorkerEvent;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.Waiting;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
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
    private static final Duration SILENCE = ProtocolLimits.USUAL.workerSilence();

    private static final Duration BEATEN = Duration.ofMillis(1_500);

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Option(names = "--watch", description = "Go on: again every 2 seconds, until Ctrl-C.")
    private boolean watch;

    @Override
    public void run() {
        KafkaSettings kafka = cluster.kafka();
        WorkerViews workers = new WorkerViews(SILENCE);
        long since = System.currentTimeMillis() - SILENCE.toMillis();
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<WorkerEvent> reader = LiveTopics.since(kafka, codec, Topics.WORKER_HEARTBEATS, since)) {
            reader.drain().forEach(entry -> take(entry, workers));
            if (workers.present().isEmpty()) {
                // this host's clock may be ahead of the one that stamps: whoever is there beats once a second
                listen(reader, workers, BEATEN);
            }
            print(workers);
            Waiting waiting = new Waiting(ZoneId.systemDefault());
            String asked = "Kafka at " + kafka.bootstrap();
            while (watch && !output.isUnread()) {
                listen(reader, workers, Duration.ofSeconds(2));
                print(workers);
                waiting.look(asked, reader.silent(), Instant.now()).ifPresent(output::note);
            }
        }
    }

    private static void listen(TopicReader<WorkerEvent> reader, WorkerViews workers, Duration time) {
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - until < 0) {
            reader.poll(Duration.ofMillis(500)).forEach(entry -> take(entry, workers));
        }
    }

    private static void take(TopicReader.Entry<WorkerEvent> entry, WorkerViews workers) {
        entry.value().ifPresent(event -> workers.take(entry.came().partition(), event, entry.timestampMillis()));
    }

    private void print(WorkerViews workers) {
        output.line(WorkerView.header());
        for (WorkerView worker : workers.present()) {
            output.line(worker.row());
            output.object(worker.object());
        }
    }
}
