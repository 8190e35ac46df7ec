package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.Dispatcher;
import io.praline.dispatcher.DispatcherConfig;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.PlanSplits;
import io.praline.schema.Submit;
import io.praline.schema.WorkerCommand;
import io.praline.tests.rig.Dashboard;
import io.praline.tests.rig.EmptyKafka;
import io.praline.tests.rig.PretendBeat;
import io.praline.topics.KafkaSettings;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topic;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dispatcher on a real broker: what it needs to start, what it leaves behind, what the next one finds. */
class DispatcherTest {
    private static final String POOL = "default";

    @TempDir
    Path folder;

    private DispatcherConfig config(KafkaSettings kafka) {
        return new DispatcherConfig(kafka, "dispatcher-0", folder.resolve("state"), 0);
    }

    private EmptyKafka cluster() {
        return EmptyKafka.in(folder.resolve("data"));
    }

    @Test
    void itRefusesInputsThatAreNotPartitionedAlike() throws ExecutionException, InterruptedException {
        try (EmptyKafka cluster = cluster();
                Admin admin = Admin.create(cluster.settings().admin())) {
            // topics that are missing are made with as many partitions as those that are there
            admin.createTopics(List.of(
                            new NewTopic("consumption", 3, (short) 1), new NewTopic("job-requests", 5, (short) 1)))
                    .all()
                    .get();
            assertThatThrownBy(() -> Dispatcher.start(config(cluster.settings())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("consumption")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    @Tag("long")
    void itSaysWithinTenSecondsThatKafkaIsNotThere() {
        long start = System.nanoTime();
        assertThatThrownBy(() -> Dispatcher.start(config(KafkaSettings.of("127.0.0.1:1", "http://127.0.0.1:1"))))
                .isInstanceOf(ServiceUnreachable.class)
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageNotContaining("\n");
        // of ten, on a machine that does other work too; Kafka's own client has a minute
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    // its group knows a dispatcher by its name, and gives the next one of it what it gave the one that found a topic
    // missing
    @Test
    void theNextDispatcherMakesAnInputThatWasLostAndServes() throws Exception {
        try (EmptyKafka cluster = cluster();
                Admin admin = Admin.create(cluster.settings().admin())) {
            try (Dispatcher first = Dispatcher.start(config(cluster.settings()))) {
                assertThat(first.awaitReady(Duration.ofSeconds(90))).isTrue();
                admin.deleteTopics(List.of(Topics.CONSUMPTION.name())).all().get();
                assertThatThrownBy(() -> first.ended().get(90, TimeUnit.SECONDS))
                        .hasMessageContaining("has lost topics")
                        .hasMessageContaining("start it again, which makes them anew");
            }
            try (Dispatcher next = Dispatcher.start(config(cluster.settings()))) {
                assertThat(next.awaitReady(Duration.ofSeconds(90))).isTrue();
                assertThat(next.ended()).isNotDone();
            }
        }
    }

    @Test
    void theNextDispatcherKnowsWhatTheLastOneKnew() throws Exception {
        try (EmptyKafka cluster = cluster();
                AvroCodec codec = new AvroCodec(cluster.settings());
                Programs programs = new Programs(cluster.settings(), codec)) {
            try (Dispatcher first = Dispatcher.start(config(cluster.settings()))) {
                assertThat(first.awaitReady(Duration.ofSeconds(90))).isTrue();
                programs.beat("w1");
                programs.submit("job");
                programs.status(told -> told.getState() == JobState.PLANNING);
                assertThat(programs.command().getBody()).isInstanceOf(PlanSplits.class);
                assertThat(get(first, "/ready")).isEqualTo("ready\n");
                assertThat(get(first, "/metrics")).contains("praline_dispatcher_commands_total 1.0");
                assertThat(Dashboard.exposed(get(first, "/metrics")))
                        .containsAll(Dashboard.named("praline_dispatcher_"));
            }
            long closed = System.nanoTime();
            try (Dispatcher second = Dispatcher.start(config(cluster.settings()))) {
                assertThat(second.awaitReady(Duration.ofSeconds(90))).isTrue();
                // without a group instance that stays the same, it would wait for the session of the one before
                assertThat(Duration.ofNanos(System.nanoTime() - closed)).isLessThan(Duration.ofSeconds(40));
                programs.submit("job");
                JobStatus status = programs.status(told -> true);
                assertThat(status.getState()).isEqualTo(JobState.PLANNING);
                assertThat(status.getPlan()).isEqualTo(1);
                // nobody beats any more: log time passes by the clock alone
                programs.status(told ->
                        told.getState() == JobState.WAITING && told.getReason().equals("no worker in pool default"));
            }
        }
    }

    private static String get(Dispatcher dispatcher, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + dispatcher.httpPort().orElseThrow() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** A worker and a client reduced to the records they write and read. */
    private static final class Programs implements AutoCloseable {
        private final AvroCodec codec;
        private final KafkaProducer<byte[], byte[]> producer;
        private final KafkaConsumer<byte[], byte[]> jobs;
        private final KafkaConsumer<byte[], byte[]> commands;

        Programs(KafkaSettings kafka, AvroCodec codec) {
            this.codec = codec;
            try (TopicAdmin admin = TopicAdmin.connect(kafka)) {
                admin.createMissing();
            }
            this.producer = new KafkaProducer<>(kafka.producer());
            this.jobs = consumer(kafka, Topics.JOBS, "job");
            this.commands = consumer(kafka, Topics.WORKER_COMMANDS, "w1");
        }

        private static KafkaConsumer<byte[], byte[]> consumer(KafkaSettings kafka, Topic<?> topic, String key) {
            KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumer());
            consumer.assign(List.of(new TopicPartition(topic.name(), Topics.partitionOf(key, topic.partitions()))));
            return consumer;
        }

        <V extends SpecificRecord> void send(Topic<V> topic, V value) throws ExecutionException, InterruptedException {
            producer.send(new ProducerRecord<>(
                            topic.name(), POOL.getBytes(StandardCharsets.UTF_8), codec.write(topic, value)))
                    .get();
        }

        void beat(String worker) throws ExecutionException, InterruptedException {
            send(Topics.WORKER_HEARTBEATS, PretendBeat.of(POOL, worker));
        }

        void submit(String job) throws ExecutionException, InterruptedException {
            send(
                    Topics.JOB_REQUESTS,
                    JobRequest.newBuilder()
                            .setPool(POOL)
                            .setJob(job)
                            .setRequester("test")
                            .setBody(Submit.newBuilder()
                                    .setTenant("default")
                                    .setWeight(1)
                                    .setPipelineName("")
                                    .setGraph(ByteBuffer.wrap(new byte[] {1}))
                                    .setGraphAddress(null)
                                    .setComponentNames(List.of())
                                    .setDataGlobs(List.of())
                                    .setEpochs(1)
                                    .setSeed(1)
                                    .setConsumers(1)
                                    .setGuarantee(Guarantee.EXACTLY_ONCE)
                                    .setStrict(false)
                                    .setSkipBad(0)
                                    .setBatchLimitBytes(0)
                                    .build())
                            .build());
        }

        /** The next status that is as told; those before it are passed over. */
        JobStatus status(Predicate<JobStatus> as) throws UnreadableRecord {
            return next(jobs, Topics.JOBS, as);
        }

        WorkerCommand command() throws UnreadableRecord {
            return next(commands, Topics.WORKER_COMMANDS, command -> true);
        }

        private <V extends SpecificRecord> V next(
                KafkaConsumer<byte[], byte[]> consumer, Topic<V> topic, Predicate<V> as) throws UnreadableRecord {
            while (true) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    V value = codec.read(topic, record.value());
                    if (as.test(value)) {
                        consumer.seek(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
                        return value;
                    }
                }
            }
        }

        @Override
        public void close() {
            producer.close(Duration.ZERO);
            jobs.close();
            commands.close();
        }
    }
}
