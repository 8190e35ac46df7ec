package io.praline.dispatcher.convert;

import io.praline.schema.JobRequest;
import io.praline.schema.PlanMessage;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;

/** Records that the dispatcher keeps as they are, in the wire format of their topics: a newer dispatcher reads them too. */
public record RowRecords(AvroCodec codec) {

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
