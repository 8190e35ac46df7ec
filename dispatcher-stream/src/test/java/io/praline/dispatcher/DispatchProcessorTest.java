package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.WorkerEvent;
import io.praline.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** What the shell does where a partition is taken from it and given back. */
class DispatchProcessorTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Rig rig = new Rig();
    private final MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>(properties());
    private final DispatchProcessor processor =
            new DispatchProcessor(rig.codec(), 1, Rig.RULES, new DispatcherMetrics(), new CommitPace(nanos::get));

    private static Properties properties() {
        Properties properties = new Properties();
        properties.put("application.id", "test");
        properties.put("bootstrap.servers", "nowhere:1");
        return properties;
    }

    private List<CapturedPunctuator> timers() {
        return context.scheduledPunctuators().stream()
                .filter(timer -> !timer.cancelled())
                .toList();
    }

    /** A worker joins and a job comes, for which somebody waits: what follows within 20 ms of a commit waits for a timer. */
    private void takesWhatSomebodyWaitsFor() {
        context.setRecordMetadata(Topics.WORKER_HEARTBEATS.name(), 0, nanos.get());
        byte[] beat = rig.codec()
                .write(
                        Topics.WORKER_HEARTBEATS,
                        new WorkerEvent(Rig.POOL, Rig.worker("w1", 1).build()));
        processor.process(new Record<>(Rig.POOL.getBytes(StandardCharsets.UTF_8), beat, 1_000_000L));
        context.setRecordMetadata(Topics.JOB_REQUESTS.name(), 0, nanos.get());
        for (int job = 0; job < 2; job++) {
            byte[] submit = rig.codec()
                    .write(
                            Topics.JOB_REQUESTS,
                            io.praline.schema.JobRequest.newBuilder()
                                    .setPool(Rig.POOL)
                                    .setJob("job-" + nanos.get() + "-" + job)
                                    .setRequester("client")
                                    .setBody(Rig.submit().build())
                                    .build());
            processor.process(new Record<>(Rig.POOL.getBytes(StandardCharsets.UTF_8), submit, 1_000_000L));
        }
    }

    // Kafka Streams keeps timers of a task that it suspends and resumes
    @Test
    void aPartitionThatIsGivenBackHasOneClockAndCommitsAsBefore() {
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(DispatchTopology.LEDGER), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        processor.init(context);
        assertThat(timers()).hasSize(1);
        takesWhatSomebodyWaitsFor();
        assertThat(timers()).hasSize(2);

        processor.close();
        assertThat(timers()).isEmpty();
        processor.init(context);
        nanos.addAndGet(1);
        takesWhatSomebodyWaitsFor();
        assertThat(timers()).hasSize(2);
        rig.close();
    }
}
