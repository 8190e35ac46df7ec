package io.praline.dispatcher.convert;

import io.praline.schema.JobRequest;
import io.praline.schema.PlanMessage;
import io.praline.schema.Submit;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/** Records that the dispatcher keeps as they are, in the wire format of their topics: a newer dispatcher reads them too. */
public record RowRecords(AvroCodec codec) {
    /** The pool of jobs of which nobody knows in which they were; no pool is called so. */
    public static final String NO_POOL = "";

    /** Whether a row is not to blame for what was thrown while it was read: the registry or Kafka does not answer. */
    public boolean away(RuntimeException thrown) {
        return thrown instanceof ServiceUnreachable || thrown instanceof KafkaException;
    }

    public byte[] bytes(JobRequest request) {
        return codec.write(Topics.JOB_REQUESTS, request);
    }

    public JobRequest request(byte[] row) {
        try {
            return codec.read(Topics.JOB_REQUESTS, row);
        } catch (UnreadableRecord broken) {
            throw new IllegalStateException("a job's submission cannot be read back: " + broken.reason(), broken);
        }
    }

    /**
     * A submission of which only is kept whose it is.
     *
     * @param known empty where nothing is: its pool is then {@link #NO_POOL}
     */
    public static JobRequest bare(String job, Optional<JobRequest> known) {
        Optional<Submit> submit = known.map(JobRequest::getBody).map(Submit.class::cast);
        return JobRequest.newBuilder()
                .setPool(known.map(JobRequest::getPool).orElse(NO_POOL))
                .setJob(job)
                .setRequester(known.map(JobRequest::getRequester).orElse(""))
                .setBody(submit.map(SubmitChecks::bare).orElseGet(SubmitChecks::unknown))
                .build();
    }

    public byte[] bytes(PlanMessage message) {
        return codec.write(Topics.SPLITS, message);
    }

    public PlanMessage plan(byte[] row) {
        try {
            return codec.read(Topics.SPLITS, row);
        } catch (UnreadableRecord broken) {
            throw new IllegalStateException("a job's plan cannot be read back: " + broken.reason(), broken);
        }
    }
}
