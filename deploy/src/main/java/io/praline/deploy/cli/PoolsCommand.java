package io.praline.deploy.cli;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.PoolView;
import io.praline.schema.PoolStatus;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The pools, and who has how much of them. */
@Command(
        name = "pools",
        description = "Show the pools: workers wanted and there, what each tenant has and spent, each job's share.",
        footer = {"", "Example:  praline pools --json"})
public final class PoolsCommand implements Runnable {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Override
    public void run() {
        KafkaSettings kafka = cluster.kafka();
        SortedMap<String, PoolStatus> pools = new TreeMap<>();
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<PoolStatus> reader = LiveTopics.all(kafka, codec, Topics.POOLS)) {
            reader.drain().forEach(entry -> entry.value()
                    .ifPresentOrElse(pool -> pools.put(entry.key(), pool), () -> pools.remove(entry.key())));
        }
        if (pools.isEmpty()) {
            output.note("no pool has a worker or a job");
            return;
        }
        pools.values().stream().map(PoolView::new).forEach(view -> {
            view.lines().forEach(output::line);
            output.object(view.object());
        });
    }
}
