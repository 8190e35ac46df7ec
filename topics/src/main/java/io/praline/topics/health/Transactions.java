package io.praline.topics.health;

import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.health.OpenTransaction.KnownTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/**
 * The transactions that are open in the logs of some topics, and those among them that hang: their coordinator is done with
 * them, and the log never heard of it. Such a one keeps a dispatcher from restoring its state, and everybody from reading on,
 * until it is ended. One thread at a time.
 */
public final class Transactions implements AutoCloseable {
    /** Where groups keep their offsets, which are written in transactions too. */
    private static final String OFFSETS = "__consumer_offsets";

    private final Answers answers;
    private final Admin admin;

    private Transactions(Answers answers, Admin admin) {
        this.answers = answers;
        this.admin = admin;
    }

    /**
     * Asks nothing yet.
     *
     * @throws IllegalArgumentException if the settings are none of Kafka's
     */
    public static Transactions on(KafkaSettings kafka) {
        return new Transactions(new Answers(kafka), Answers.admin(kafka));
    }

    /**
     * Those that are open now in these topics and in the offsets of groups; topics that are not there have none.
     *
     * @throws ServiceUnreachable if Kafka does not answer, or does not say it to this user
     */
    public List<OpenTransaction> open(Collection<String> topics) {
        return judged(inLogs(partitions(topics)));
    }

    /**
     * Those that hang. A partition is asked before and after its coordinator: what ends meanwhile does not hang.
     *
     * @throws ServiceUnreachable as by {@link #open}
     */
    public List<OpenTransaction> hanging(Collection<String> topics) {
        List<OpenTransaction> suspects = open(topics).stream()
                .filter(transaction -> transaction.standing().hangs())
                .toList();
        if (suspects.isEmpty()) {
            return List.of();
        }
        List<OpenTransaction> still =
                inLogs(suspects.stream().map(OpenTransaction::partition).collect(Collectors.toSet()));
        return suspects.stream()
                .filter(suspect -> still.stream().anyMatch(suspect::sameAs))
                .toList();
    }

    /**
     * Ends those among these that were aborted; the others stay. Gives those that it ended.
     *
     * @throws ServiceUnreachable if Kafka does not do it
     */
    public List<OpenTransaction> endAborted(List<OpenTransaction> hanging) {
        List<OpenTransaction> ended = hanging.stream()
                .filter(transaction -> transaction.standing() == TransactionStanding.ABORTED)
                .toList();
        for (OpenTransaction transaction : ended) {
            answers.of(admin.abortTransaction(transaction.abort()).all());
        }
        return ended;
    }

    /** Whether each partition of these topics has a leader: of one that has none nothing can be told. */
    public boolean allLed(Collection<String> topics) {
        return described(topics).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.leader() != null);
    }

    private Map<String, TopicDescription> described(Collection<String> topics) {
        Set<String> wanted = new TreeSet<>(topics);
        wanted.add(OFFSETS);
        wanted.retainAll(answers.of(admin.listTopics(Answers.WITH_INTERNAL).names()));
        return answers.of(admin.describeTopics(wanted).allTopicNames());
    }

    private Set<TopicPartition> partitions(Collection<String> topics) {
        return described(topics).values().stream()
                .flatMap(topic -> topic.partitions().stream()
                        .filter(partition -> partition.leader() != null)
                        .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                .collect(Collectors.toSet());
    }

    /** Those that the logs have open, not yet judged. */
    private List<OpenTransaction> inLogs(Set<TopicPartition> partitions) {
        Map<TopicPartition, PartitionProducerState> producers =
                answers.of(admin.describeProducers(partitions).all());
        List<OpenTransaction> open = new ArrayList<>();
        producers.forEach((partition, state) -> {
            for (ProducerState producer : state.activeProducers()) {
                producer.currentTransactionStartOffset()
                        .ifPresent(start -> open.add(OpenTransaction.of(partition, producer, start, Optional.empty())));
            }
        });
        return open;
    }

    private List<OpenTransaction> judged(List<OpenTransaction> open) {
        if (open.isEmpty()) {
            return open;
        }
        Map<Long, KnownTransaction> known =
                known(open.stream().map(each -> each.producer().producerId()).collect(Collectors.toSet()));
        return open.stream()
                .map(each -> OpenTransaction.of(
                        each.partition(),
                        each.producer(),
                        each.startOffset(),
                        Optional.ofNullable(known.get(each.producer().producerId()))))
                .toList();
    }

    /** What the coordinators know of these producers' transactions. */
    private Map<Long, KnownTransaction> known(Set<Long> producers) {
        Collection<TransactionListing> listed =
                answers.of(admin.listTransactions(new ListTransactionsOptions().filterProducerIds(producers))
                        .all());
        List<String> ids =
                listed.stream().map(TransactionListing::transactionalId).toList();
        Map<Long, KnownTransaction> known = new HashMap<>();
        var described = admin.describeTransactions(ids);
        for (String id : ids) {
            answers.unless(TransactionalIdNotFoundException.class, described.description(id))
                    .ifPresent(
                            transaction -> known.put(transaction.producerId(), new KnownTransaction(id, transaction)));
        }
        return known;
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
