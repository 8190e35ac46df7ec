package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.cli.Praline;
import io.praline.deploy.embedded.EmbeddedCluster;
import io.praline.deploy.embedded.EmbeddedClusterConfig;
import io.praline.deploy.local.LocalCluster;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.tests.rig.OwnKafka;
import io.praline.topics.KafkaSettings;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.Quarantine;
import io.praline.topics.registry.AvroCodec;
import io.praline.wire.ConsumerToken;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
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
            assertThat(doctor(kafka))
                    .isEqualTo(new Said(
                            4,
                            List.of(
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
