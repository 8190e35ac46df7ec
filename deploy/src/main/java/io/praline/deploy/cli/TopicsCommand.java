package io.praline.deploy.cli;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists and creates the topics. */
@Command(
        name = "topics",
        description = "List the topics and where the cluster differs from them, or create them.",
        footer = {"", "Example:  praline topics list"},
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TopicsCommand.ListTopics.class, TopicsCommand.CreateTopics.class})
public final class TopicsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say 'list' or 'create'");
    }

    /** What there should be and what there is. */
    @Command(
            name = "list",
            description = "Show every topic, and where the cluster differs.",
            footer = {"", "Example:  praline topics list --bootstrap kafka:9092 --registry http://registry:8081"})
    static final class ListTopics implements Runnable {

        @Mixin
        private ClusterOptions cluster;

        @Mixin
        private OutputOptions output;

        @Override
        public void run() {
            KafkaSettings kafka = cluster.kafka();
            try (TopicAdmin admin = TopicAdmin.connect(kafka)) {
                Map<String, Integer> found = admin.partitions();
                output.line(String.format(
                        Locale.ROOT, "%-20s %-22s %10s  %-8s %s", "TOPIC", "VALUE", "PARTITIONS", "KEPT", "KEY"));
                for (Topic<?> topic : Topics.all()) {
                    print(topic, found);
                }
                List<String> differences = admin.differences();
                for (String difference : differences) {
                    output.line(difference);
                    output.object(Map.of("difference", difference));
                }
            }
        }

        private void print(Topic<?> topic, Map<String, Integer> found) {
            boolean forever = topic.retention().equals(Topic.FOREVER);
            String kept = forever ? "compact" : inWords(topic.retention());
            Integer partitions = found.get(topic.name());
            output.line(String.format(
                    Locale.ROOT,
                    "%-20s %-22s %10s  %-8s %s",
                    topic.name(),
                    topic.type().getSimpleName(),
                    partitions == null ? "missing" : partitions.toString(),
                    kept,
                    topic.keyedBy()));
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("topic", topic.name());
            object.put("value", topic.type().getSimpleName());
            object.put("partitions", partitions);
            object.put("cleanup", forever ? "compact" : "delete");
            object.put("retentionSeconds", forever ? null : topic.retention().toSeconds());
            object.put("key", topic.keyedBy());
            output.object(object);
        }

        private static String inWords(Duration time) {
            return time.toDays() > 0 ? time.toDays() + " d" : time.toHours() + " h";
        }
    }

    /** Creates what is missing. */
    @Command(
            name = "create",
            description = "Create the topics that are missing; those that are there stay as they are.",
            footer = {
                "",
                "Example:  praline topics create --bootstrap kafka:9092 --registry http://registry:8081 --partitions 16"
            })
    static final class CreateTopics implements Runnable {

        @Mixin
        private ClusterOptions cluster;

        @Mixin
        private OutputOptions output;

        @Option(
                names = "--partitions",
                paramLabel = "N",
                description =
                        "Partitions of the dispatchers' inputs, as many as dispatchers may share the work; chosen when"
                                + " an installation is made, and kept (4).")
        @Within(least = 1, most = Agreements.MOST_PARTITIONS)
        private Integer partitions;

        @Override
        public void run() {
            try (TopicAdmin admin = TopicAdmin.connect(cluster.kafka())) {
                List<String> created = partitions == null ? admin.createMissing() : admin.createMissing(partitions);
                for (String topic : created) {
                    output.line("created " + topic);
                    output.object(Map.of("created", topic));
                }
                if (created.isEmpty()) {
                    output.line("nothing to create");
                }
                for (String difference : admin.differences()) {
                    output.line(difference);
                    output.object(Map.of("difference", difference));
                }
            }
        }
    }
}
