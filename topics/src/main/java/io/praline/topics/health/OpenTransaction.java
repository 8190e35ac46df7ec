package io.praline.topics.health;

import java.util.Optional;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * A transaction that a partition's log has open: nobody who reads what is committed gets past its first record.
 *
 * @param producer who began it, as the partition knows it
 * @param transactionalId under which its coordinator knows it; empty where none does
 */
public record OpenTransaction(
        TopicPartition partition,
        ProducerState producer,
        long startOffset,
        Optional<String> transactionalId,
        TransactionStanding standing) {

    /** Every transaction that a producer begins after one was ended from outside has an epoch higher by this at most. */
    private static final int NEXT_EPOCHS = 2;

    /** By what partition and coordinator say. */
    static OpenTransaction of(
            TopicPartition partition, ProducerState producer, long startOffset, Optional<KnownTransaction> known) {
        return new OpenTransaction(
                partition,
                producer,
                startOffset,
                known.map(KnownTransaction::id),
                known.map(transaction -> standing(partition, producer, transaction.described()))
                        .orElse(TransactionStanding.FORGOTTEN));
    }

    private static TransactionStanding standing(
            TopicPartition partition, ProducerState producer, TransactionDescription described) {
        // the coordinator takes a partition on before the log gets its first record, and lets it go after the end is in
        // the log
        if (described.topicPartitions().contains(partition)) {
            return TransactionStanding.LIVE;
        }
        boolean last = described.producerEpoch() - producer.producerEpoch() <= NEXT_EPOCHS;
        return switch (described.state()) {
            case COMPLETE_ABORT, PREPARE_ABORT, PREPARE_EPOCH_FENCE ->
                last ? TransactionStanding.ABORTED : TransactionStanding.FORGOTTEN;
            case COMPLETE_COMMIT, PREPARE_COMMIT ->
                last ? TransactionStanding.COMMITTED : TransactionStanding.FORGOTTEN;
            case ONGOING, EMPTY, UNKNOWN -> TransactionStanding.FORGOTTEN;
        };
    }

    /**
     * What a coordinator knows of the transactions of a producer.
     *
     * @param id the producer's transactional id
     */
    record KnownTransaction(String id, TransactionDescription described) {}

    boolean sameAs(OpenTransaction other) {
        return partition.equals(other.partition)
                && producer.producerId() == other.producer.producerId()
                && producer.producerEpoch() == other.producer.producerEpoch()
                && startOffset == other.startOffset;
    }

    AbortTransactionSpec abort() {
        return new AbortTransactionSpec(
                partition,
                producer.producerId(),
                (short) producer.producerEpoch(),
                producer.coordinatorEpoch().orElse(0));
    }

    /** What it is, and what became of it, for a line. */
    public String inWords() {
        String whose = "transaction of producer " + producer.producerId()
                + transactionalId.map(id -> " (" + id + ")").orElse("");
        return whose + " from offset " + startOffset
                + switch (standing) {
                    case LIVE -> ", which goes on or is about to end";
                    case ABORTED -> ", which was aborted and has no end in the log";
                    case COMMITTED -> ", which was committed and has no end in the log";
                    case FORGOTTEN -> ", of which its coordinator knows nothing";
                };
    }
}
