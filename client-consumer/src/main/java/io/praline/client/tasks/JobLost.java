package io.praline.client.tasks;

import io.praline.topics.KafkaSettings;

/** Kafka was away and came back without the job: its data is lost, or it is another cluster's. */
public final class JobLost extends RuntimeException {
    private static final long serialVersionUID = 1;

    JobLost(KafkaSettings kafka, String job) {
        super("Kafka at " + kafka.bootstrap() + " was away and came back without job " + job
                + ": its data is lost, or it is another cluster now; submit the job again");
    }
}
