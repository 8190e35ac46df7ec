package io.praline.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.embedded.ServerProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.topics.Topics;
import io.praline.wire.ConsumerToken;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One of three brokers is lost. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LostBrokerTest {
    private static final String POOL = "default";

    // 400 batches of 10 numbers, 20 ms each: 8 s, so that the broker is lost, and missed, while the job runs
    private static final int NUMBERS = 4_000;

    private static LocalCluster start(Path folder, OptionalInt brokers) throws InterruptedException {
        LocalCluster cluster = LocalCluster.start(new LocalCluster.Settings(
                folder.resolve("data"),
                brokers,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                folder.resolve("secret"),
                2,
                Optional.empty(),
                List.of(),
                Optional.empty()));
        cluster.startWorker("kept");
        cluster.awaitReady();
        return cluster;
    }

    private static Admin admin(LocalCluster cluster) {
        return Admin.create(cluster.kafka().admin());
    }

    /** Of the partition in which the pool's beats lie, and all else that the pool's dispatcher reads. */
    private static ServerProcess leader(LocalCluster cluster) throws Exception {
        try (Admin admin = admin(cluster)) {
            int node = described(admin)
                    .partitions()
                    .get(Topics.partitionOf(POOL, Topics.WORKER_HEARTBEATS.partitions()))
                    .leader()
                    .id();
            return cluster.brokers().get(node - 1);
        }
    }

    private static TopicDescription described(Admin admin) throws Exception {
        String topic = Topics.WORKER_HEARTBEATS.name();
        return admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get(90, TimeUnit.SECONDS)
                .get(topic);
    }

    private static void awaitCopies(LocalCluster cluster, int copies) {
        try (Admin admin = admin(cluster)) {
            await().atMost(Duration.ofSeconds(90)).ignoreExceptions().until(() -> described(admin).partitions().stream()
                    .allMatch(partition -> partition.isr().size() == copies));
        }
    }

    @Test
    void aJobGoesOnAndTheBrokerComesBackToAllThatWasWritten() throws Exception {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "brokers-");
        ConsumerToken.createSecret(folder.resolve("secret"));
        try (LocalCluster cluster = start(folder, OptionalInt.of(3))) {
            awaitCopies(cluster, 3);
            assertThat(cluster.brokers()).hasSize(3);
            List<Long> numbers = new ArrayList<>();
            try (PralineClient client = PralineClient.connect(ClientConfig.of(cluster.kafka(), cluster.secretFile()));
                    BatchStream stream = client.submit(JobSpec.of(Pipeline.range(0, NUMBERS)
                                    .batch(10)
                                    .sleep(20_000)
                                    .names("number"))
                            .id("outlives"))) {
                while (stream.hasNext()) {
                    try (Batch batch = stream.next()) {
                        LongBuffer values = batch.component("number").longs();
                        values.rewind();
                        while (values.hasRemaining()) {
                            numbers.add(values.get());
                        }
                    }
                    if (numbers.size() == 500) {
                        leader(cluster).kill();
                    }
                }
                assertThat(stream.result().state()).isEqualTo(JobState.COMPLETED);
                assertThat(stream.result().missing()).hasValue(0);
                assertThat(stream.result().duplicates()).hasValue(0);
            }
            assertThat(numbers).hasSize(NUMBERS);
            assertThat(new TreeSet<>(numbers)).hasSize(NUMBERS);

            assertThat(cluster.replaceDeadBrokers()).singleElement().asString().contains("started again");
            awaitCopies(cluster, 3);
        }
        try (LocalCluster cluster = start(folder, OptionalInt.empty());
                PralineClient client = PralineClient.connect(ClientConfig.of(cluster.kafka(), cluster.secretFile()))) {
            assertThat(cluster.brokers()).hasSize(3);
            assertThat(client.status("outlives")).map(JobStatus::getState).contains(JobState.COMPLETED);
        }
    }
}
