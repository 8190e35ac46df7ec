package io.praline.deploy.cluster;

import io.praline.deploy.console.CommandFailed;
import io.praline.deploy.console.ExitCode;
import io.praline.schema.JobRequest;
import io.praline.schema.JobStatus;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What is asked of the dispatcher about a job that there is. */
public final class JobRequests {

    private JobRequests() {}

    /** Sends it, and returns when Kafka has it. */
    public static void send(KafkaSettings kafka, AvroCodec codec, JobStatus job, Object body) {
        JobRequest request =
                new JobRequest(job.getPool(), job.getJob(), UUID.randomUUID().toString(), body);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer())) {
            producer.send(new ProducerRecord<>(
                            Topics.JOB_REQUESTS.name(),
                            job.getPool().getBytes(StandardCharsets.UTF_8),
                            codec.write(Topics.JOB_REQUESTS, request)))
                    .get();
        } catch (ExecutionException failed) {
            throw ServiceUnreachable.kafka(kafka, failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailed(ExitCode.INTERRUPTED, "interrupted", interrupted);
        }
    }
}
