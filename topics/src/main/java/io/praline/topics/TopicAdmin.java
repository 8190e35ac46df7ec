package io.praline.topics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates the topics on a cluster, and says where a cluster differs from what they should be. One thread at a time. */
public final class TopicAdmin implements AutoCloseable {
    /** How long the broker may take to see what its controller has created. */
    private static final Duration SETTLE = Duration.ofSeconds(10);

    static final int CONNECT_TIMEOUT_MS = 6_000;

    private static final List<String> COMPARED = List.of("cleanup.policy", "message.timestamp.type", "retention.ms");

    private final KafkaSettings settings;
    private final Admin admin;

    private TopicAdmin(KafkaSettings settings, Admin admin) {
        this.settings = settings;
        this.admin = admin;
    }

    /**
     * Connects, and waits for an answer.
     *
     * @throws ServiceUnreachable if there is none within ten seconds
     * @throws IllegalArgumentException if the settings are none of Kafka's
     */
    public static TopicAdmin connect(KafkaSettings settings) {
        Admin admin;
        try {
            admin = Admin.create(settings.admin());
        } catch (KafkaException failed) {
            throw settings.unusable(failed);
        }
        TopicAdmin connected = new TopicAdmin(settings, admin);
        try {
            connected.await(admin.describeCluster(new DescribeClusterOptions().timeoutMs(CONNECT_TIMEOUT_MS))
                    .clusterId());
        } catch (RuntimeException failed) {
            connected.close();
            throw failed;
        }
        return connected;
    }

    /** Creates those of {@link Topics#all()} that are missing, with the broker's replication factor; gives their names. */
    public List<String> createMissing() {
        return createMissing(Topics.all(chosen(partitions())));
    }

    /**
     * As {@link #createMissing()}, with so many partitions of the dispatcher's inputs.
     *
     * @throws IllegalArgumentException if there are some already and have another number
     */
    public List<String> createMissing(int partitions) {
        Optional<Integer> before = inputs(partitions()).values().stream().findFirst();
        if (before.filter(number -> number != partitions).isPresent()) {
            throw new IllegalArgumentException("this installation was made with " + before.get()
                    + " partitions, and keeps them: leave --partitions out, is " + partitions);
        }
        return createMissing(Topics.all(partitions));
    }

    /** The number that was chosen when an installation of these topics was made: that of the inputs that are there. */
    static int chosen(Map<String, Integer> partitions) {
        return inputs(partitions).values().stream().findFirst().orElse(Topics.PARTITIONS);
    }

    private static Map<String, Integer> inputs(Map<String, Integer> partitions) {
        Map<String, Integer> inputs = new TreeMap<>(partitions);
        inputs.keySet()
                .retainAll(Topics.all().stream()
                        .filter(Topic::dispatcherInput)
                        .map(Topic::name)
                        .toList());
        return inputs;
    }

    /** Creates those of these topics that are missing and waits until they can be used; gives their names. */
    public List<String> createMissing(List<Topic<?>> wanted) {
        return create(wanted, failed -> {
            throw ServiceUnreachable.kafka(settings, failed);
        });
    }

    /**
     * Creates those of {@link Topics#all()} that are missing and that this user may create; gives their names. A topic that
     * the user may not even see seems to be missing, and is left alone.
     */
    public List<String> createAllowed() {
        return create(Topics.all(chosen(partitions())), failed -> {});
    }

    private List<String> create(List<Topic<?>> wanted, Consumer<TopicAuthorizationException> refused) {
        Set<String> existing = names();
        List<NewTopic> missing = wanted.stream()
                .filter(topic -> !existing.contains(topic.name()))
                .map(topic -> new NewTopic(topic.name(), Optional.of(topic.partitions()), Optional.empty())
                        .configs(topic.configs()))
                .toList();
        List<String> created = new ArrayList<>();
        for (Map.Entry<String, KafkaFuture<Void>> result :
                admin.createTopics(missing).values().entrySet()) {
            try {
                result.getValue().get();
                created.add(result.getKey());
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof TopicAuthorizationException) {
                    refused.accept(new TopicAuthorizationException("it lacks CREATE on topic " + result.getKey()));
                } else if (!(failed.getCause() instanceof TopicExistsException)) {
                    throw ServiceUnreachable.kafka(settings, failed.getCause());
                }
            } catch (InterruptedException interrupted) {
                throw interrupted(interrupted);
            }
        }
        awaitDescribed(created);
        created.sort(null);
        return created;
    }

    /**
     * Checks, before it is relied on, that a program finds its topics and may do with them what it will do. Brokers that do
     * not tell what is allowed are believed to allow it.
     *
     * @throws ServiceUnreachable if topics are missing or rights are, naming them all
     */
    public void require(TopicAccess access) {
        Map<String, KafkaFuture<TopicDescription>> described = admin.describeTopics(
                        access.topics().stream().map(Topic::name).toList(),
                        new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues();
        List<String> missing = new ArrayList<>();
        List<String> lacking = new ArrayList<>();
        for (Topic<?> topic : access.topics()) {
            Set<AclOperation> wanted = EnumSet.noneOf(AclOperation.class);
            if (access.reads().contains(topic)) {
                wanted.add(AclOperation.READ);
            }
            if (access.writes().contains(topic)) {
                wanted.add(AclOperation.WRITE);
            }
            try {
                Set<AclOperation> allowed = described.get(topic.name()).get().authorizedOperations();
                if (allowed != null && !allowed.isEmpty()) {
                    wanted.removeAll(allowed);
                    wanted.forEach(operation -> lacking.add(operation + " on topic " + topic.name()));
                }
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
                    missing.add(topic.name());
                } else if (failed.getCause() instanceof TopicAuthorizationException) {
                    wanted.forEach(operation -> lacking.add(operation + " on topic " + topic.name()));
                } else {
                    throw ServiceUnreachable.kafka(settings, failed.getCause());
                }
            } catch (InterruptedException interrupted) {
                throw interrupted(interrupted);
            }
        }
        if (!missing.isEmpty()) {
            throw ServiceUnreachable.noTopic(settings, missing);
        }
        if (!lacking.isEmpty()) {
            throw ServiceUnreachable.kafka(
                    settings, new TopicAuthorizationException("it lacks " + String.join(", ", lacking)));
        }
    }

    /** How many partitions each of our topics that exists has. */
    public Map<String, Integer> partitions() {
        Map<String, Integer> partitions = new TreeMap<>();
        describe(ourNames(names()))
                .forEach(
                        (name, topic) -> partitions.put(name, topic.partitions().size()));
        return partitions;
    }

    /** Where the cluster differs from {@link Topics#all(int)} of its number of partitions, a line each; empty where it does not. */
    public List<String> differences() {
        Map<String, Integer> partitions = partitions();
        Map<ConfigResource, Config> configs = await(admin.describeConfigs(partitions.keySet().stream()
                        .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                        .toList())
                .all());
        List<String> differences = new ArrayList<>();
        for (Topic<?> topic : Topics.all(chosen(partitions))) {
            Integer found = partitions.get(topic.name());
            if (found == null) {
                differences.add("topic " + topic.name() + " is missing");
                continue;
            }
            if (found != topic.partitions()) {
                differences.add(
                        "topic " + topic.name() + " has " + found + " partitions, should have " + topic.partitions());
            }
            Config config = configs.get(new ConfigResource(ConfigResource.Type.TOPIC, topic.name()));
            for (String name : COMPARED) {
                String should = topic.configs().get(name);
                String is = config.get(name).value();
                if (should != null && !should.equals(is)) {
                    differences.add("topic " + topic.name() + " has " + name + "=" + is + ", should have " + should);
                }
            }
        }
        unequalInputs(partitions).ifPresent(differences::add);
        return differences;
    }

    /**
     * The number of partitions that the dispatcher's inputs have.
     *
     * @throws ServiceUnreachable if some are missing
     * @throws IllegalStateException if they differ: one key would have two states
     */
    public int inputPartitions() {
        Map<String, Integer> partitions = partitions();
        List<String> missing = Topics.all().stream()
                .filter(topic -> topic.dispatcherInput() && !partitions.containsKey(topic.name()))
                .map(Topic::name)
                .toList();
        if (!missing.isEmpty()) {
            throw ServiceUnreachable.noTopic(settings, missing);
        }
        unequalInputs(partitions).ifPresent(unequal -> {
            throw new IllegalStateException(unequal);
        });
        return partitions.get(Topics.JOB_REQUESTS.name());
    }

    /** What is wrong with the dispatcher's inputs among these topics, if their numbers of partitions are not all equal. */
    static Optional<String> unequalInputs(Map<String, Integer> partitions) {
        Map<String, Integer> inputs = inputs(partitions);
        if (inputs.values().stream().distinct().count() < 2) {
            return Optional.empty();
        }
        return Optional.of("the dispatcher's inputs must have equal numbers of partitions, have "
                + inputs.entrySet().stream()
                        .map(input -> input.getKey() + " " + input.getValue())
                        .collect(Collectors.joining(", ")));
    }

    private Set<String> names() {
        return await(admin.listTopics().names());
    }

    private static Set<String> ourNames(Set<String> names) {
        Set<String> ours = new TreeSet<>();
        for (Topic<?> topic : Topics.all()) {
            if (names.contains(topic.name())) {
                ours.add(topic.name());
            }
        }
        return ours;
    }

    private Map<String, TopicDescription> describe(Set<String> names) {
        return await(admin.describeTopics(names).allTopicNames());
    }

    private void awaitDescribed(List<String> names) {
        long deadline = System.nanoTime() + SETTLE.toNanos();
        while (true) {
            try {
                admin.describeTopics(names).allTopicNames().get();
                return;
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof UnknownTopicOrPartitionException)
                        || System.nanoTime() - deadline > 0) {
                    throw ServiceUnreachable.kafka(settings, failed.getCause());
                }
            } catch (InterruptedException interrupted) {
                throw interrupted(interrupted);
            }
        }
    }

    /**
     * Lets a member of a consumer group go that has a name of its own, as if its session were over.
     *
     * @throws ServiceUnreachable if Kafka does not do it, as where there is no such member
     */
    public void letGo(String group, String member) {
        await(admin.removeMembersFromConsumerGroup(
                        group, new RemoveMembersFromConsumerGroupOptions(List.of(new MemberToRemove(member))))
                .all());
    }

    private <T> T await(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw ServiceUnreachable.kafka(settings, failed.getCause());
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private static IllegalStateException interrupted(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for Kafka", interrupted);
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
