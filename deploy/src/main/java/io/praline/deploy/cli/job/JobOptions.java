package io.praline.deploy.cli.job;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.JobRequests;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.JobView;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.schema.JobStatus;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The job that something is asked of. */
final class JobOptions {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "ID", description = "The job's id.")
    private String id;

    String id() {
        return id;
    }

    ClusterOptions cluster() {
        return cluster;
    }

    OutputOptions output() {
        return output;
    }

    /** Asks for something of the job, which must not have ended, and says so. */
    void ask(Object body, String asked) {
        KafkaSettings kafka = cluster.kafka();
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<JobStatus> reader = LiveTopics.ofKey(kafka, codec, Topics.JOBS, id)) {
            JobView view = new JobView(JobCommand.find(reader, id));
            if (view.ended()) {
                throw new CommandFailed(
                        ExitCode.REFUSED,
                        "job " + id + " has ended already: " + view.status().getState());
            }
            JobRequests.send(kafka, codec, view.status(), body);
        }
        output.line("job " + id + " " + asked);
        output.object(Map.of("job", id, "asked", asked));
    }
}
