package io.praline.tests.flow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobFailed;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.tasks.JobListener;
import io.praline.client.tasks.JobWatch;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.EpochProgress;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.tests.rig.EmptyKafka;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.TopicAdmin;
import io.praline.wire.ConsumerToken;
import io.praline.worker.delivery.DeliveryConfig;
import io.praline.worker.delivery.DeliveryServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client over real topics and a real channel, with a dispatcher that does as little as it can. */
class ClientStreamTest {
    @TempDir
    static Path folder;

    private static EmptyKafka cluster;
    private static DeliveryServer worker;
    private static ScriptedDispatcher dispatcher;
    private static PralineClient client;

    @BeforeAll
    static void start() {
        cluster = EmptyKafka.in(folder.resolve("cluster"));
        try (TopicAdmin admin = TopicAdmin.connect(cluster.settings())) {
            admin.createMissing();
        }
        Path secret = folder.resolve("secret");
        ConsumerToken.createSecret(secret);
        worker = DeliveryServer.start(
                new DeliveryConfig("127.0.0.1", 0, Optional.empty(), ConsumerToken.readSecret(secret), 100), "w-1");
        dispatcher = new ScriptedDispatcher(cluster.settings(), worker);
        client = PralineClient.connect(ClientConfig.of(cluster.settings(), secret));
    }

    @AfterAll
    static void stop() {
        client.close();
        dispatcher.close();
        worker.close();
        cluster.close();
    }

    @Test
    void handsOutEachElementOnceAndEndsWithTheLedgersNumbers() {
        List<Long> numbers = new ArrayList<>();
        JobResult result;
        try (BatchStream stream = client.submit(integers(1_003))) {
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    numbers.add(batch.component("number").longs().get(0) / 10);
                }
            }
            result = stream.result();
        }

        assertThat(numbers).isEqualTo(LongStream.range(0, 1_003).boxed().toList());
        assertThat(result.state()).isEqualTo(JobState.COMPLETED);
        assertThat(result.missing()).hasValue(0);
        assertThat(result.duplicates()).hasValue(0);
        assertThat(result.taken().elements()).isEqualTo(1_003);
        assertThat(result.taken().batches()).isEqualTo(1_003);
        assertThat(result.taken().firstBatchMs()).isPositive();
        assertThat(result.workers()).isEqualTo(new JobResult.Workers(0, 1));
    }

    // a record of it was lost, or none of it was taken
    @Test
    void asksForItsPlaceAgainWhereTheJobDoesNotKnowOfIt() {
        dispatcher.losesAnAttachment();
        assertThat(batchesOf(integers(10))).isEqualTo(10);
    }

    // the log lost its end
    @Test
    void submitsAgainWhatNobodyKnowsOf() {
        dispatcher.losesASubmission();
        assertThat(batchesOf(integers(10))).isEqualTo(10);
    }

    private int batchesOf(JobSpec spec) {
        try (BatchStream stream = client.submit(spec)) {
            int batches = 0;
            while (stream.hasNext()) {
                stream.next().close();
                batches++;
            }
            return batches;
        }
    }

    @Test
    void leavesNoThreadBehind() {
        try (BatchStream stream = client.submit(integers(10))) {
            stream.next().close();
        }

        await().atMost(Duration.ofSeconds(90)).until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("praline-reports")
                        || thread.getName().equals("praline-job-watch")));
    }

    @Test
    void cancelsTheJobOfAStreamThatIsClosedEarly() {
        String job;
        try (BatchStream stream = client.submit(integers(1_000))) {
            job = stream.job();
            stream.next().close();
        }

        await().atMost(Duration.ofSeconds(90))
                .until(() -> client.status(job).map(JobStatus::getState), Optional.of(JobState.CANCELLED)::equals);
    }

    // each batch has one integer; the second is in the loop's hands when it stops
    @Test
    void leavesWithWhatWasAskedPastAndTheJobGoesOn() {
        String job;
        try (BatchStream stream = client.submit(integers(1_000))) {
            job = stream.job();
            stream.next().close();
            stream.next().close();
            stream.leave();
        }

        JobStatus status = client.status(job).orElseThrow();
        assertThat(status.getState()).isEqualTo(JobState.RUNNING);
        assertThat(status.getSlots()).extracting(ConsumerSlot::getState).containsExactly(ConsumerState.LEFT);
        assertThat(status.getProgress()).extracting(EpochProgress::getConsumed).containsExactly(1L);
        client.cancel(job, "seen");
    }

    // the interrupt is the loop's, which stops for it; others must hear that it has stopped
    @Test
    void leavesInOrderWhereTheLoopWasInterrupted() {
        String job;
        try (BatchStream stream = client.submit(integers(1_000))) {
            job = stream.job();
            stream.next().close();
            stream.leave();
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();

        JobStatus status = client.status(job).orElseThrow();
        assertThat(status.getState()).isEqualTo(JobState.RUNNING);
        assertThat(status.getSlots()).extracting(ConsumerSlot::getState).containsExactly(ConsumerState.LEFT);
        client.cancel(job, "seen");
    }

    @Test
    void cancelsInOrderWhereTheLoopWasInterrupted() {
        String job;
        try (BatchStream stream = client.submit(integers(1_000))) {
            job = stream.job();
            stream.next().close();
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();

        await().atMost(Duration.ofSeconds(90))
                .until(() -> client.status(job).map(JobStatus::getState), Optional.of(JobState.CANCELLED)::equals);
    }

    @Test
    void saysWhoTookItsPlaceAndLeavesThatOneTheJob() {
        BatchStream stream = client.submit(integers(10_000_000));
        stream.next().close();
        try (BatchStream successor = client.attach(stream.job(), 0)) {
            assertThatThrownBy(() -> stream.forEachRemaining(Batch::close))
                    .isInstanceOf(JobFailed.class)
                    .hasMessageContaining("another process took its place as consumer 0, on host ");
            stream.close();
            assertThat(successor.status().map(JobStatus::getState)).hasValue(JobState.RUNNING);
            client.cancel(stream.job(), "seen");
        }
    }

    @Test
    void refusesAPlaceThatNoJobHas() {
        assertThatThrownBy(() -> client.attach("any", 10_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("consumer must be below 10000, is 10000");
    }

    @Test
    void refusesAnIdOfAJobThatHasEnded() {
        try (BatchStream stream = client.submit(integers(3).id("twice"))) {
            stream.forEachRemaining(Batch::close);
            assertThat(stream.result().state()).isEqualTo(JobState.COMPLETED);
        }

        assertThatThrownBy(() -> client.submit(integers(3).id("twice")))
                .isInstanceOf(JobFailed.class)
                .hasMessage(
                        "job twice was refused: job id twice is that of a job that has ended (COMPLETED); choose another"
                                + " id");
        assertThat(client.jobs()).extracting(JobStatus::getJob).contains("twice");
    }

    @Test
    void failsWithTheReasonWhereSomebodyElseCancels() {
        try (BatchStream stream = client.submit(integers(10_000_000))) {
            stream.next().close();
            client.cancel(stream.job(), "the machine is needed");

            assertThatThrownBy(() -> stream.forEachRemaining(Batch::close))
                    .isInstanceOf(JobFailed.class)
                    .hasMessageEndingWith("was cancelled: the machine is needed");
        }
    }

    @Test
    void pushesEachStatusToThoseWhoWatch() {
        List<JobState> seen = new CopyOnWriteArrayList<>();
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();
        JobListener listener = new JobListener() {
            @Override
            public void status(JobStatus status) {
                seen.add(status.getState());
            }

            @Override
            public void failed(RuntimeException cause) {
                failures.add(cause);
            }
        };
        JobWatch watch = client.watch("watched", listener);
        try (BatchStream stream = client.submit(integers(5).id("watched"))) {
            await().atMost(Duration.ofSeconds(90)).until(() -> seen.contains(JobState.RUNNING));
            stream.forEachRemaining(Batch::close);
            stream.result();
        }
        await().atMost(Duration.ofSeconds(90)).until(() -> seen.contains(JobState.COMPLETED));
        watch.close();

        assertThat(seen).containsOnly(JobState.RUNNING, JobState.COMPLETED).startsWith(JobState.RUNNING);
        assertThat(seen.subList(seen.indexOf(JobState.COMPLETED), seen.size())).containsOnly(JobState.COMPLETED);
        assertThat(failures).isEmpty();
    }

    @Test
    @Tag("long")
    void saysThatNobodyAnswersWhenItsPatienceIsOver() {
        Instant from = Instant.now();
        KafkaSettings nowhere =
                KafkaSettings.of("127.0.0.1:1", cluster.settings().registryUrl());

        ClientConfig config = ClientConfig.of(nowhere, folder.resolve("secret")).withPatience(Duration.ofSeconds(8));
        assertThatThrownBy(() -> PralineClient.connect(config))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageContaining("127.0.0.1:1");
        // attempts of some six seconds, on a machine that does other work too; Kafka's own client has a minute
        assertThat(Duration.between(from, Instant.now())).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(40));
    }

    @Test
    void refusesALargeGraphUnlessThereIsAFolderForIt() throws Exception {
        byte[] large = new byte[600 << 10];

        assertThatThrownBy(() -> client.submit(JobSpec.of(large)))
                .isInstanceOf(JobFailed.class)
                .hasMessageContaining("its graph has 614400 bytes");
        Path graphs = Files.createDirectory(folder.resolve("graphs"));
        ClientConfig config =
                ClientConfig.of(cluster.settings(), folder.resolve("secret")).withSharedDir(graphs);
        try (PralineClient sharing = PralineClient.connect(config);
                BatchStream stream = sharing.submit(JobSpec.of(large).seed(1))) {
            stream.forEachRemaining(Batch::close);
        }
        try (var files = Files.list(graphs)) {
            assertThat(files).singleElement().satisfies(file -> {
                byte[] stored = Files.readAllBytes(file);
                assertThat(Arrays.copyOf(stored, large.length)).isEqualTo(large);
                assertThat(new String(stored, large.length, stored.length - large.length, UTF_8))
                        .contains(Path.of("").toAbsolutePath().toString());
            });
        }
    }

    private static JobSpec integers(long count) {
        return JobSpec.of(new byte[0]).seed(count);
    }
}
