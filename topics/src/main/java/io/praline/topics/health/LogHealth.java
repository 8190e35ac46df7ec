package io.praline.topics.health;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Whether topics are as they should be, and offsets and state of the dispatchers fit what is in them. One thread at a time.
 */
public final class LogHealth implements AutoCloseable {
    private final KafkaSettings kafka;
    private final Installation installation;
    private final Answers answers;
    private final Admin admin;
    private final TopicAdmin topics;

    private LogHealth(KafkaSettings kafka, Installation installation, Answers answers, Admin admin, TopicAdmin topics) {
        this.kafka = kafka;
        this.installation = installation;
        this.answers = answers;
        this.admin = admin;
        this.topics = topics;
    }

    /**
     * Connects.
     *
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds
     * @throws IllegalArgumentException if the settings are none of Kafka's
     */
    public static LogHealth connect(KafkaSettings kafka, Installation installation) {
        TopicAdmin topics = TopicAdmin.connect(kafka);
        return new LogHealth(kafka, installation, new Answers(kafka), Answers.admin(kafka), topics);
    }

    /** Topics that are missing or differ from what they should be, and partitions without a leader. */
    public List<Finding> topics() {
        Map<String, Integer> partitions = topics.partitions();
        List<Finding> findings = new ArrayList<>();
        for (Topic<?> topic : Topics.all()) {
            if (!partitions.containsKey(topic.name())) {
                findings.add(missing(topic));
            }
        }
        for (String difference : topics.differences()) {
            if (!difference.endsWith(" is missing")) {
                findings.add(Finding.of("topics", difference, remedy(difference)));
            }
        }
        described(partitions.keySet()).values().forEach(topic -> topic.partitions().stream()
                .filter(partition -> partition.leader() == null)
                .forEach(partition -> findings.add(Finding.of(
                        "topics",
                        "partition " + partition.partition() + " of " + topic.name() + " has no leader",
                        "start the brokers that have it: " + partition.replicas()))));
        return findings;
    }

    /** The number of partitions of one of our topics; 0 where it is not there. */
    public int partitions(Topic<?> topic) {
        return topics.partitions().getOrDefault(topic.name(), 0);
    }

    /** Those of our topics that are there. */
    public Set<String> existing() {
        return topics.partitions().keySet();
    }

    private Finding missing(Topic<?> topic) {
        return Finding.mendable("topics", "topic " + topic.name() + " is missing", () -> {
            topics.createMissing();
            return "created topic " + topic.name();
        });
    }

    private static String remedy(String difference) {
        return difference.contains("=")
                ? "change it with kafka-configs.sh --alter"
                : "partitions cannot be taken away: where it matters, end all programs and make the topics anew";
    }

    /** Offsets of the dispatchers that lie outside of the topics, and state that does not fit them. */
    public List<Finding> offsetsAndState() {
        Map<TopicPartition, Long> begins = offsets(OffsetSpec.earliest());
        Map<TopicPartition, Long> ends = offsets(OffsetSpec.latest());
        Map<TopicPartition, OffsetAndMetadata> committed = committed();
        List<Finding> findings = new ArrayList<>();
        findings.addAll(state(committed, ends));
        if (committed.isEmpty()) {
            return findings;
        }
        new TreeMap<>(inOrder(ends)).forEach((name, partition) -> {
            long begin = begins.getOrDefault(partition, 0L);
            long end = ends.get(partition);
            if (!committed.containsKey(partition)) {
                if (end > begin) {
                    findings.add(Finding.of(
                            "offsets",
                            "group " + installation.group() + " has no offset in " + name + ", which holds records",
                            "the dispatcher begins there with the first one that is kept: jobs may be submitted again;"
                                    + " if that must not be, set the offset to the end with kafka-consumer-groups.sh"
                                    + " while no dispatcher runs"));
                }
                return;
            }
            long at = committed.get(partition).offset();
            if (at > end) {
                findings.add(Finding.of(
                        "offsets",
                        "group " + installation.group() + " stands at " + at + " in " + name + ", which ends at " + end
                                + ": records were lost",
                        "submit again what was submitted since; set the offset to the end with"
                                + " kafka-consumer-groups.sh while no dispatcher runs"));
            } else if (at < begin) {
                findings.add(Finding.of(
                        "offsets",
                        "group " + installation.group() + " stands at " + at + " in " + name + ", which begins at "
                                + begin + ": what stood between went before it was read",
                        "nothing brings them back; look at 'praline jobs' for jobs that stand still, and cancel them"));
            }
        });
        return findings;
    }

    /**
     * How many records of each of its inputs the dispatchers have not committed, by topic; a transaction's marker counts as
     * one. Empty where no dispatcher ever committed.
     */
    public SortedMap<String, Long> lag() {
        SortedMap<String, Long> behind = new TreeMap<>();
        Map<TopicPartition, OffsetAndMetadata> committed = committed();
        if (committed.isEmpty()) {
            return behind;
        }
        Map<TopicPartition, Long> begins = offsets(OffsetSpec.earliest());
        offsets(OffsetSpec.latest()).forEach((partition, end) -> {
            OffsetAndMetadata at = committed.get(partition);
            long from = at == null ? begins.getOrDefault(partition, end) : at.offset();
            behind.merge(partition.topic(), Math.max(0, end - from), Long::sum);
        });
        return behind;
    }

    private static Map<String, TopicPartition> inOrder(Map<TopicPartition, Long> partitions) {
        Map<String, TopicPartition> named = new HashMap<>();
        partitions.keySet().forEach(partition -> named.put(partition.toString(), partition));
        return named;
    }

    private List<Finding> state(Map<TopicPartition, OffsetAndMetadata> committed, Map<TopicPartition, Long> ends) {
        Optional<TopicDescription> changelog = answers.unless(
                UnknownTopicOrPartitionException.class,
                admin.describeTopics(List.of(installation.changelog()))
                        .topicNameValues()
                        .get(installation.changelog()));
        if (changelog.isEmpty()) {
            return committed.isEmpty()
                    ? List.of()
                    : List.of(Finding.of(
                            "state",
                            "topic " + installation.changelog() + " is missing, and group " + installation.group()
                                    + " has read records: the state of all jobs is lost",
                            "submit the jobs that are not over again, under other ids"));
        }
        int has = changelog.get().partitions().size();
        long should = ends.keySet().stream()
                .filter(partition -> partition.topic().equals(Topics.JOB_REQUESTS.name()))
                .count();
        return should == 0 || has == should
                ? List.of()
                : List.of(Finding.of(
                        "state",
                        "topic " + installation.changelog() + " has " + has
                                + " partitions, the dispatcher's inputs have " + should,
                        "no dispatcher starts on it: give all of them the same number of partitions, or begin anew with"
                                + " 'praline dispatcher --application' and another id"));
    }

    private Map<TopicPartition, Long> offsets(OffsetSpec which) {
        Set<String> inputs = new TreeSet<>(topics.partitions().keySet());
        inputs.retainAll(Topics.all().stream()
                .filter(Topic::dispatcherInput)
                .map(Topic::name)
                .toList());
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        described(inputs).values().forEach(topic -> topic.partitions().stream()
                .filter(partition -> partition.leader() != null)
                .forEach(partition -> asked.put(new TopicPartition(topic.name(), partition.partition()), which)));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        answers.of(admin.listOffsets(asked).all())
                .forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }

    private Map<TopicPartition, OffsetAndMetadata> committed() {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
        answers.unless(
                        GroupIdNotFoundException.class,
                        admin.listConsumerGroupOffsets(installation.group()).partitionsToOffsetAndMetadata())
                .ifPresent(known -> known.forEach((partition, offset) -> {
                    if (offset != null) {
                        committed.put(partition, offset);
                    }
                }));
        return committed;
    }

    /** How many dispatchers are in the group now. */
    public int dispatchers() {
        return answers.unless(
                        GroupIdNotFoundException.class,
                        admin.describeConsumerGroups(List.of(installation.group()))
                                .describedGroups()
                                .get(installation.group()))
                .map(ConsumerGroupDescription::members)
                .map(members -> members.size())
                .orElse(0);
    }

    /** Transactions that hang. */
    public List<Finding> transactions() {
        List<String> looked = new ArrayList<>(topics.partitions().keySet());
        looked.add(installation.changelog());
        List<OpenTransaction> hanging;
        try (Transactions transactions = Transactions.on(kafka)) {
            hanging = transactions.hanging(looked);
        }
        return hanging.stream().map(this::hangs).toList();
    }

    private Finding hangs(OpenTransaction transaction) {
        String problem =
                "in " + transaction.partition() + " hangs the " + transaction.inWords() + ": nobody reads past it";
        if (transaction.standing() == TransactionStanding.ABORTED) {
            return Finding.mendable("transactions", problem, () -> {
                try (Transactions transactions = Transactions.on(kafka)) {
                    transactions.endAborted(List.of(transaction));
                }
                return "ended it in " + transaction.partition();
            });
        }
        return Finding.of(
                "transactions",
                problem,
                "ending it loses what it wrote there: if that may be, kafka-transactions.sh abort --topic "
                        + transaction.partition().topic() + " --partition "
                        + transaction.partition().partition() + " --start-offset " + transaction.startOffset());
    }

    private Map<String, TopicDescription> described(Set<String> names) {
        return answers.of(admin.describeTopics(names).allTopicNames());
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
        topics.close();
    }
}
