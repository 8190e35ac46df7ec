package io.praline.deploy.cluster;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.schema.JobRequest;
import io.praline.schema.JobStatus;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.UUID;

/** What is asked of the dispatcher about a job that there is, or about what is kept of jobs. */
public final class JobRequests {

    private JobRequests() {}

    /**
     * Sends it, and returns when Kafka has it.
     *
     * @throws ServiceUnreachable if Kafka does not take it
     */
    public static void send(KafkaSettings kafka, AvroCodec codec, JobStatus job, Object body) {
        send(kafka, codec, job.getPool(), job.getJob(), body);
    }

    /** As {@link #send(KafkaSettings, AvroCodec, JobStatus, Object)}, about no job, but about what a pool has. */
    public static void send(KafkaSettings kafka, AvroCodec codec, String pool, Object body) {
        send(kafka, codec, pool, "", body);
    }

    private static void send(KafkaSettings kafka, AvroCodec codec, String pool, String job, Object body) {
        JobRequest request = new JobRequest(pool, job, UUID.randomUUID().toString(), body);
        try (TopicWriter writer = TopicWriter.open(kafka, codec, WriterWaits.usual(Duration.ofSeconds(1)))) {
            writer.write(Topics.JOB_REQUESTS, pool, request);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommandFailed(ExitCode.INTERRUPTED, "interrupted", interrupted);
        }
    }
}
