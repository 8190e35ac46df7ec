package io.praline.deploy.cli.cache;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.KeptView;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.schema.CacheStatus;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.util.Comparator;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is kept. */
@Command(
        name = "list",
        description = "Show what is kept, what saved most first.",
        footer = {"", "Example:  praline cache list --json"})
final class ListEntries implements Runnable {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Override
    public void run() {
        KafkaSettings kafka = cluster.kafka();
        Map<String, CacheStatus> groups;
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<CacheStatus> reader = LiveTopics.all(kafka, codec, Topics.CACHES)) {
            groups = KeptGroup.groups(reader.drain());
        }
        if (groups.isEmpty()) {
            output.note("nothing is kept; 'praline explain JOB' says of a job why");
            return;
        }
        output.line(KeptView.header());
        groups.values().stream()
                .sorted(Comparator.comparingDouble(CacheStatus::getSecondsSaved).reversed())
                .map(KeptView::new)
                .forEach(view -> {
                    output.line(view.row());
                    output.object(view.object());
                });
    }
}
