package io.praline.worker.assignment;

import io.praline.schema.AssignSplits;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.PlanSplits;
import io.praline.schema.StartAttempt;
import io.praline.schema.WorkerCommand;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.Quarantine;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads the partition of {@code worker-commands} that this worker's id falls into, from its end on, and passes on what is
 * meant for this worker's process. Its own thread polls; commands for others and for earlier processes have no effect.
 */
public final class CommandConsumer implements AutoCloseable {
    // splits lie ahead, so a quarter of a second is soon enough, and an idle worker costs next to nothing
    private static final String FETCH_WAIT_MS = "250";
    private static final Duration REACHABLE_WITHIN = Duration.ofSeconds(8);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final AvroCodec codec;
    private final Quarantine quarantine;
    private final CommandFilter filter;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Finds the partition and its end: what is written to it from now on will be taken.
     *
     * @param failed told when reading cannot go on
     * @throws ServiceUnreachable if Kafka does not answer
     */
    public CommandConsumer(
            KafkaSettings kafka,
            AvroCodec codec,
            Quarantine quarantine,
            CommandFilter filter,
            Consumer<RuntimeException> failed) {
        this.codec = codec;
        this.quarantine = quarantine;
        this.filter = filter;
        Properties properties = kafka.consumer();
        properties.put("fetch.max.wait.ms", FETCH_WAIT_MS);
        properties.put("client.id", "praline-worker-" + filter.worker() + "-commands");
        consumer = new KafkaConsumer<>(properties);
        try {
            List<PartitionInfo> partitions = consumer.partitionsFor(Topics.WORKER_COMMANDS.name(), REACHABLE_WITHIN);
            if (partitions == null || partitions.isEmpty()) {
                throw ServiceUnreachable.noTopic(kafka, List.of(Topics.WORKER_COMMANDS.name()));
            }
            TopicPartition mine = new TopicPartition(
                    Topics.WORKER_COMMANDS.name(), Topics.partitionOf(filter.worker(), partitions.size()));
            consumer.assign(List.of(mine));
            consumer.seek(
                    mine, consumer.endOffsets(List.of(mine), REACHABLE_WITHIN).get(mine));
        } catch (KafkaException e) {
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ZERO));
            throw ServiceUnreachable.kafka(kafka, e);
        }
        thread = new Thread(
                () -> poll(cause -> failed.accept(
                        ServiceUnreachable.isRefusal(cause) ? ServiceUnreachable.kafka(kafka, cause) : cause)),
                "commands");
    }

    /** Begins to read. */
    public void start() {
        thread.start();
    }

    private void poll(Consumer<RuntimeException> failed) {
        try (consumer) {
            while (!closing) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
                    take(record);
                }
            }
        } catch (WakeupException e) {
            if (!closing) {
                failed.accept(e);
            }
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        WorkerCommand command;
        try {
            command = codec.read(Topics.WORKER_COMMANDS, record.value());
        } catch (UnreadableRecord e) {
            quarantine.take(record, e.reason());
            return;
        }
        filter.take(command);
    }

    /** Ends the reading; waits for the command that is being taken. */
    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        if (!thread.isAlive()) {
            if (thread.getState() == Thread.State.NEW) {
                consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ZERO));
            }
            return;
        }
        try {
            thread.join(Duration.ofSeconds(5).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Passes on what is meant for one process of one worker. */
    public record CommandFilter(String worker, String incarnation, WorkerOrders orders) {
        /** Passes the command on, or does nothing where it is for another worker or for an earlier process of this one. */
        public void take(WorkerCommand command) {
            if (!command.getWorker().equals(worker) || !command.getIncarnation().equals(incarnation)) {
                return;
            }
            Object body = command.getBody();
            if (body instanceof PlanSplits plan) {
                orders.plan(plan);
            } else if (body instanceof StartAttempt start) {
                orders.start(start);
            } else if (body instanceof AssignSplits assign) {
                orders.assign(assign);
            } else if (body instanceof FinishAttempt finish) {
                orders.finish(finish);
            } else if (body instanceof FenceAttempt fence) {
                orders.fence(fence);
            } else {
                throw new IllegalStateException(
                        "no command is a " + body.getClass().getName());
            }
        }
    }
}
