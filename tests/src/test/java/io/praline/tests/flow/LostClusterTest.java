package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.client.pipeline.Pipeline;
import io.praline.client.tasks.JobListener;
import io.praline.client.tasks.JobLost;
import io.praline.client.tasks.JobWatch;
import io.praline.deploy.cli.Praline;
import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.deploy.embedded.EmbeddedClusterConfig;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.tests.rig.OwnKafka;
import io.praline.topics.KafkaSettings;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.TopicWriter;
import io.praline.topics.log.WriterWaits;
import io.praline.topics.registry.AvroCodec;
import io.praline.wire.ConsumerToken;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster is away, and what comes back at its address knows nothing of the job. */
@OwnKafka("it is ended, and another one started in its place")
class LostClusterTest {

    @TempDir
    Path dir;

    private EmbeddedCluster start(String folder, OptionalInt kafka, OptionalInt registry) {
        EmbeddedCluster cluster = EmbeddedCluster.start(
                new EmbeddedClusterConfig(dir.resolve(folder), OptionalInt.empty(), kafka, registry));
        try (TopicAdmin topics = TopicAdmin.connect(cluster.settings())) {
            topics.createMissing();
        }
        return cluster;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private static void write(KafkaSettings kafka, JobStatus status) throws InterruptedException {
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicWriter writer = TopicWriter.open(kafka, codec, WriterWaits.usual(Duration.ofSeconds(1)))) {
            codec.register(List.of(Topics.JOBS));
            writer.write(Topics.JOBS, status.getJob(), status);
        }
    }

    @Test
    void aJobThatIsNotThereAnyMoreIsSaid() throws Exception {
        CompletableFuture<JobStatus> heard = new CompletableFuture<>();
        CompletableFuture<RuntimeException> failed = new CompletableFuture<>();
        AtomicReference<Duration> longest = new AtomicReference<>(Duration.ZERO);
        EmbeddedCluster first = start("first", OptionalInt.empty(), OptionalInt.empty());
        KafkaSettings kafka = first.settings();
        write(kafka, status("kept"));
        try (AvroCodec codec = new AvroCodec(kafka);
                JobWatch watch = JobWatch.fromNewest(
                        LogSource.passingOver(kafka, codec), Optional.of("kept"), listener(heard, failed, longest))) {
            assertThat(heard.get(90, TimeUnit.SECONDS).getJob())
                    .as("heard by %s", watch)
                    .isEqualTo("kept");
            first.close();
            // so long that it counts as away
            await().atMost(Duration.ofSeconds(90)).until(() -> longest.get().compareTo(Duration.ofSeconds(3)) >= 0);
            assertThat(failed).isNotDone();
            try (EmbeddedCluster second = start(
                    "second",
                    OptionalInt.of(port(kafka.bootstrap())),
                    OptionalInt.of(URI.create(kafka.registryUrl()).getPort()))) {
                assertThat(failed.get(90, TimeUnit.SECONDS))
                        .isInstanceOf(JobLost.class)
                        .hasMessage("Kafka at " + second.settings().bootstrap() + " was away and came back without job"
                                + " kept: its data is lost, or it is another cluster now; submit the job again");
            }
        }
    }

    @Test
    void aRunThatNobodyAnswersSaysWhatItWaitsForAndGivesUp() throws Exception {
        Path secret = dir.resolve("secret");
        ConsumerToken.createSecret(secret);
        Path pipeline = Files.write(
                dir.resolve("numbers.pb"),
                Pipeline.range(0, 10).batch(2).names("number").graph());
        StringWriter errors = new StringWriter();
        try (EmbeddedCluster cluster = start("alone", OptionalInt.empty(), OptionalInt.empty())) {
            int code = Praline.run(
                    new PrintWriter(new StringWriter()),
                    new PrintWriter(errors, true),
                    "run",
                    "--pipeline",
                    pipeline.toString(),
                    "--job",
                    "unheard",
                    "--patience",
                    "2",
                    "--bootstrap",
                    cluster.settings().bootstrap(),
                    "--registry",
                    cluster.settings().registryUrl(),
                    "--secret-file",
                    secret.toString());

            assertThat(errors.toString().strip())
                    .matches("praline: job unheard failed: waited \\d+ s for a dispatcher to answer for job unheard and"
                            + " gives up; 'praline doctor' says what is off");
            assertThat(code).isEqualTo(5);
        }
    }

    private static JobListener listener(
            CompletableFuture<JobStatus> heard,
            CompletableFuture<RuntimeException> failed,
            AtomicReference<Duration> longest) {
        return new JobListener() {
            @Override
            public void status(JobStatus status) {
                heard.complete(status);
            }

            @Override
            public void failed(RuntimeException cause) {
                failed.complete(cause);
            }

            @Override
            public void silent(Duration time) {
                longest.accumulateAndGet(time, (one, other) -> one.compareTo(other) > 0 ? one : other);
            }
        };
    }

    private static JobStatus status(String job) {
        return JobStatus.newBuilder()
                .setJob(job)
                .setPool("default")
                .setTenant("default")
                .setRequester("somebody")
                .setPipelineName("numbers")
                .setPipelineDigest("")
                .setState(JobState.RUNNING)
                .setReason("")
                .setFailure(FailureKind.NONE)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setPlan(1)
                .setSplits(1)
                .setEpochs(1)
                .setConsumers(1)
                .setSeed(0)
                .setComponents(List.of())
                .setAttempts(List.of())
                .setProgress(List.of())
                .setConfirmed(List.of())
                .setBadRecords(List.of())
                .setTransformations(List.of())
                .setSubmittedAtMillis(1)
                .setChangedAtMillis(1)
                .build();
    }
}
