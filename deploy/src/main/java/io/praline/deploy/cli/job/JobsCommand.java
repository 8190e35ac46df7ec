package io.praline.deploy.cli.job;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.JobView;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.schema.JobStatus;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.Waiting;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** All jobs and why each is where it is. */
@Command(
        name = "jobs",
        description = "Show all jobs, those that ended within the hour included, with the reason for every wait.",
        footer = {"", "Example:  praline jobs --watch"})
public final class JobsCommand implements Runnable {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Option(names = "--watch", description = "Go on: a line whenever a job changes, until Ctrl-C.")
    private boolean watch;

    @Override
    public void run() {
        KafkaSettings kafka = cluster.kafka();
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<JobStatus> reader = LiveTopics.all(kafka, codec, Topics.JOBS)) {
            Map<String, JobStatus> jobs = new TreeMap<>();
            reader.drain().forEach(entry -> entry.value()
                    .ifPresentOrElse(status -> jobs.put(entry.key(), status), () -> jobs.remove(entry.key())));
            output.line(JobView.header());
            jobs.values().stream()
                    .sorted(Comparator.comparingLong(JobStatus::getSubmittedAtMillis))
                    .forEach(this::print);
            Waiting waiting = new Waiting(ZoneId.systemDefault());
            String asked = "Kafka at " + kafka.bootstrap();
            while (watch && !output.isUnread()) {
                reader.poll(Duration.ofSeconds(1))
                        .forEach(entry -> entry.value().ifPresent(this::print));
                waiting.look(asked, reader.silent(), Instant.now()).ifPresent(output::note);
            }
        }
    }

    private void print(JobStatus status) {
        JobView view = new JobView(status);
        output.line(view.row());
        output.object(view.object());
    }
}
