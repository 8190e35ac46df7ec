package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.cli.Praline;
import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.deploy.embedded.EmbeddedClusterConfig;
import io.praline.deploy.local.LocalCluster;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.WorkerEvent;
import io.praline.tests.rig.OwnKafka;
import io.praline.tests.rig.PretendBeat;
import io.praline.topics.Agreements;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.Quarantine;
import io.praline.topics.registry.AvroCodec;
import io.praline.wire.ConsumerToken;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OwnKafka("it is damaged")
@Tag("long")
class DoctorTest {
    private static final String MISSING = Topics.CACHES.name();

    @TempDir
    Path dir;

    /** What the command ended with, and said. */
    private record Said(int code, List<String> lines, String errors) {}

    private static Said doctor(KafkaSettings kafka, String... options) {
        List<String> words =
                new ArrayList<>(List.of("doctor", "--bootstrap", kafka.bootstrap(), "--registry", kafka.registryUrl()));
        words.addAll(Arrays.asList(options));
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        int code = Praline.run(new PrintWriter(out), new PrintWriter(errors, true), words.toArray(String[]::new));
        return new Said(code, out.toString().lines().toList(), errors.toString());
    }

    /** The last status of a job, of two minutes ago, that a dispatcher wrote which had other state. */
    private static void tellLongAgo(KafkaSettings kafka, JobState state) {
        String job = "lost-" + state;
        JobStatus status = JobStatus.newBuilder()
                .setJob(job)
                .setPool(Agreements.USUAL_POOL)
                .setTenant(Agreements.USUAL_TENANT)
                .setRequester("client")
                .setPipelineName("")
                .setPipelineDigest("")
                .setState(state)
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
                .setSubmittedAtMillis(0)
                .setChangedAtMillis(
                        System.currentTimeMillis() - Duration.ofMinutes(2).toMillis())
                .build();
        write(kafka, Topics.JOBS, job, status);
    }

    /** A worker is there, so that the pool has a clock. */
    private static ScheduledExecutorService beating(KafkaSettings kafka) {
        ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor();
        WorkerEvent beat = PretendBeat.of(Agreements.USUAL_POOL, "w1");
        var unused = worker.scheduleWithFixedDelay(
                () -> write(kafka, Topics.WORKER_HEARTBEATS, Agreements.USUAL_POOL, beat), 0, 1, TimeUnit.SECONDS);
        return worker;
    }

    private static <V extends SpecificRecord> void write(KafkaSettings kafka, Topic<V> topic, String key, V value) {
        try (AvroCodec codec = new AvroCodec(kafka);
                Producer<byte[], byte[]> producer =
                        new KafkaProducer<>(kafka.producer(), new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(
                            topic.name(),
                            Topics.partitionOf(key, topic.partitions()),
                            bytes,
                            codec.write(topic, value)))
                    .get();
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aClusterThatRunsIsSoundUntilSomethingIsOff() throws Exception {
        ConsumerToken.createSecret(dir.resolve("secret"));
        try (LocalCluster cluster =
                LocalCluster.start(new LocalCluster.Settings(dir.resolve("data"), dir.resolve("secret"), 1))) {
            cluster.awaitReady();
            KafkaSettings kafka = cluster.kafka();

            assertThat(doctor(kafka))
                    .isEqualTo(new Said(
                            0,
                            List.of("all is sound; one dispatcher, and no other that would go on where it ends"),
                            ""));
            assertThat(doctor(kafka, "--json")).isEqualTo(new Said(0, List.of("{\"off\":0,\"dispatchers\":1}"), ""));

            try (AvroCodec codec = new AvroCodec(kafka);
                    Quarantine quarantine = new Quarantine(kafka, codec, "a test")) {
                quarantine.take(new ConsumerRecord<>("splits", 3, 17, null, new byte[] {1}), "it is too short");
            }
            tellLongAgo(kafka, JobState.RUNNING);
            tellLongAgo(kafka, JobState.COMPLETED);
            // nobody is in the pool, so that its dispatcher writes no clock
            assertThat(doctor(kafka).lines())
                    .contains("state: job lost-RUNNING is told as RUNNING, and no clock came for 10 s in partition "
                            + Topics.partitionOf(Agreements.USUAL_POOL, Topics.WORKER_HEARTBEATS.partitions())
                            + " of worker-heartbeats, where a dispatcher writes one that knows of a job: it is starting,"
                            + " stands still, or its state is lost; its log says what it waits for; where that is nothing,"
                            + " submit the job again, under another id");
            Said said;
            ScheduledExecutorService worker = beating(kafka);
            try {
                said = doctor(kafka);
            } finally {
                worker.shutdownNow();
            }
            assertThat(said)
                    .isEqualTo(new Said(
                            4,
                            List.of(
                                    "state: job lost-RUNNING is told as RUNNING, and the dispatcher of its pool, which"
                                            + " goes on, knows nothing of it: its state is lost; submit it again, under"
                                            + " another id",
                                    "records: quarantine holds 1 record that could not be taken; the last is splits/3/17,"
                                            + " put there by a test: it is too short; find out who wrote it; records leave"
                                            + " quarantine by themselves after 7 days"),
                            ""));
        }
    }

    @Test
    void whatIsOffIsSaidAndWhatCanBeMendedIs() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(EmbeddedClusterConfig.in(dir))) {
            KafkaSettings kafka = cluster.settings();
            try (TopicAdmin topics = TopicAdmin.connect(kafka);
                    Admin admin = Admin.create(kafka.admin())) {
                topics.createMissing();
                admin.deleteTopics(List.of(MISSING)).all().get();
                admin.alterConsumerGroupOffsets(
                                DispatcherConfig.USUAL_APPLICATION,
                                Map.of(new TopicPartition(Topics.JOB_REQUESTS.name(), 2), new OffsetAndMetadata(50)))
                        .all()
                        .get();
            }
            String missing = "topics: topic caches is missing; ";
            String state =
                    "state: topic praline-dispatcher-ledger-changelog is missing, and group praline-dispatcher has"
                            + " read records: the state of all jobs is lost; submit the jobs that are not over again, under"
                            + " other ids";
            String offsets =
                    "offsets: group praline-dispatcher stands at 50 in job-requests-2, which ends at 0: records"
                            + " were lost; submit again what was submitted since; set the offset to the end with"
                            + " kafka-consumer-groups.sh while no dispatcher runs";
            String dispatcher =
                    "dispatcher: no dispatcher is in group praline-dispatcher; start one with 'praline up' or"
                            + " 'praline dispatcher'";

            assertThat(doctor(kafka))
                    .isEqualTo(new Said(
                            4, List.of(missing + "'praline doctor --mend' does it", state, offsets, dispatcher), ""));
            assertThat(doctor(kafka, "--mend"))
                    .isEqualTo(new Said(
                            4, List.of(missing + "mended: created topic caches", state, offsets, dispatcher), ""));
            assertThat(doctor(kafka).lines()).containsExactly(state, offsets, dispatcher);
        }
    }

    @Test
    void aKafkaThatIsNotThereIsUnreachable() {
        Said said = doctor(KafkaSettings.of("127.0.0.1:1", "http://127.0.0.1:1"));

        assertThat(said.code()).isEqualTo(5);
        assertThat(said.errors()).startsWith("praline: Kafka at 127.0.0.1:1 cannot be reached: ");
    }
}
