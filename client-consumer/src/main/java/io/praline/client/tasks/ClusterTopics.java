package io.praline.client.tasks;

import io.praline.schema.ActuatorReport;
import io.praline.schema.JobRequest;
import io.praline.schema.WorkerEvent;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.TopicAccess;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.Quarantine;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A cluster's topics as a client has them: found to be there, and then written to and read. Any thread. */
public final class ClusterTopics implements AutoCloseable {
    private static final WriterWaits WAITS =
            WriterWaits.usual(Duration.ofSeconds(5)).withRoom(Duration.ofSeconds(8));
    private static final List<Topic<?>> WRITTEN =
            List.of(Topics.JOB_REQUESTS, Topics.CONSUMPTION, Topics.CLIENT_HEARTBEATS);
    private static final List<Topic<?>> WRITTEN_WITH_WORKERS =
            List.of(Topics.JOB_REQUESTS, Topics.CONSUMPTION, Topics.CLIENT_HEARTBEATS, Topics.WORKER_HEARTBEATS);

    private static final TopicAccess ACCESS = new TopicAccess(List.of(Topics.JOBS), WRITTEN);
    private static final TopicAccess ACCESS_WITH_WORKERS =
            new TopicAccess(List.of(Topics.JOBS, Topics.SCALING_COMMANDS), WRITTEN_WITH_WORKERS);

    private final KafkaSettings kafka;
    private final String host;
    private final AvroCodec codec;
    private final TopicWriter records;
    private Optional<Quarantine> quarantine = Optional.empty();

    private ClusterTopics(KafkaSettings kafka, String host, AvroCodec codec, TopicWriter records) {
        this.kafka = kafka;
        this.host = host;
        this.codec = codec;
        this.records = records;
    }

    /**
     * Those of a cluster that answers.
     *
     * @param host of this client
     * @param withWorkers whether it starts workers on its host
     * @throws ServiceUnreachable if Kafka or the registry does not answer within ten seconds each, or topics are missing, or
     *     the user may not read and write them
     */
    public static ClusterTopics reach(KafkaSettings kafka, String host, boolean withWorkers) {
        try (TopicAdmin admin = TopicAdmin.connect(kafka)) {
            admin.require(withWorkers ? ACCESS_WITH_WORKERS : ACCESS);
        }
        AvroCodec codec = new AvroCodec(kafka);
        try {
            List<Topic<?>> written = withWorkers ? WRITTEN_WITH_WORKERS : WRITTEN;
            codec.register(written);
            return new ClusterTopics(kafka, host, codec, writer(kafka, codec, written));
        } catch (RuntimeException failed) {
            codec.close();
            throw failed;
        }
    }

    private static TopicWriter writer(KafkaSettings kafka, AvroCodec codec, List<Topic<?>> written) {
        TopicWriter records = TopicWriter.open(kafka, codec, WAITS);
        try {
            written.forEach(records::know);
            return records;
        } catch (RuntimeException failed) {
            records.close();
            throw failed;
        }
    }

    /** What all streams write to. */
    public TopicWriter records() {
        return records;
    }

    /** What is read; a record of it that cannot be read goes to quarantine. */
    public LogSource source() {
        return new LogSource(kafka, codec, this::quarantine);
    }

    /**
     * Asks the dispatcher for something, once Kafka has it.
     *
     * @throws ServiceUnreachable if it has not within this time; it may have it later
     */
    public void ask(JobRequest request, Duration within) throws InterruptedException {
        records.write(Topics.JOB_REQUESTS, request.getPool(), request, within);
    }

    /** Tells what became of workers that were to start; a report that is lost is followed by another while some are missing. */
    public void report(String pool, ActuatorReport report) {
        records.send(Topics.WORKER_HEARTBEATS, pool, new WorkerEvent(pool, report), failed -> {});
    }

    private synchronized void quarantine(ConsumerRecord<byte[], byte[]> bad, String reason) {
        if (quarantine.isEmpty()) {
            quarantine = Optional.of(new Quarantine(kafka, codec, "client " + host));
        }
        quarantine.get().take(bad, reason);
    }

    @Override
    public void close() {
        records.close();
        synchronized (this) {
            quarantine.ifPresent(Quarantine::close);
        }
        codec.close();
    }
}
