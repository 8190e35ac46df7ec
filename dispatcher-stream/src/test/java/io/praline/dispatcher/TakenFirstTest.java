package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.Attach;
import io.praline.schema.GiveUp;
import io.praline.schema.JobRequest;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.FakeRegistry;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TakenFirstTest {
    private static final long NOW = 1_700_000_000_000L;

    private final FakeRegistry registry = new FakeRegistry();
    private final AvroCodec codec = new AvroCodec(registry.settings());
    private final TakenFirst first = new TakenFirst(codec);

    @AfterEach
    void close() {
        codec.close();
        registry.close();
    }

    private long taken(Topic<?> topic, byte[] value, long stamp) {
        return first.extract(
                new ConsumerRecord<>(
                        topic.name(),
                        0,
                        0,
                        stamp,
                        TimestampType.LOG_APPEND_TIME,
                        0,
                        0,
                        null,
                        value,
                        new RecordHeaders(),
                        Optional.empty()),
                -1);
    }

    private byte[] asks(Object body) {
        return codec.write(Topics.JOB_REQUESTS, new JobRequest(Rig.POOL, "job", "client", body));
    }

    // ten minutes of beats wait
    @Test
    void submissionsAndPlansAreTakenBeforeAllBeatsThatWait() {
        long oldest = taken(Topics.WORKER_HEARTBEATS, new byte[0], NOW - 600_000);

        assertThat(taken(Topics.JOB_REQUESTS, asks(Rig.submit().build()), NOW)).isLessThan(oldest);
        assertThat(taken(Topics.SPLITS, new byte[0], NOW)).isLessThan(oldest);
    }

    @Test
    void whatIsHeardOfConsumersStaysInItsPlaceAmongBeats() {
        assertThat(taken(Topics.CLIENT_HEARTBEATS, new byte[0], NOW)).isEqualTo(NOW);
        assertThat(taken(Topics.CONSUMPTION, new byte[0], NOW)).isEqualTo(NOW);
        assertThat(taken(Topics.WORKER_HEARTBEATS, new byte[0], NOW)).isEqualTo(NOW);
    }

    // the reports of a consumer that is replaced or given up lie before the request that says so
    @Test
    void whatIsAskedOfAJobThatIsThereOvertakesNoReport() {
        Attach attach = Attach.newBuilder()
                .setConsumer(0)
                .setIncarnation("young")
                .setHost("host")
                .setReplace(true)
                .build();
        long report = taken(Topics.CONSUMPTION, new byte[0], NOW - 1);

        assertThat(taken(Topics.JOB_REQUESTS, asks(attach), NOW)).isGreaterThan(report);
        assertThat(taken(Topics.JOB_REQUESTS, asks(new GiveUp(0)), NOW)).isGreaterThan(report);
        assertThat(taken(Topics.JOB_REQUESTS, new byte[] {7}, NOW)).isEqualTo(NOW);
    }

    @Test
    void whenARecordWasAppendedIsKnownAllTheSame() {
        for (byte[] value : List.of(asks(Rig.submit().build()), asks(new GiveUp(0)), new byte[0])) {
            for (Topic<?> topic : Topics.all()) {
                assertThat(first.stamp(topic.name(), value, taken(topic, value, NOW)))
                        .isEqualTo(NOW);
            }
        }
    }

    @Test
    void aJobIsSubmittedWhenItsRequestWasAppended() {
        try (Rig rig = new Rig(1)) {
            rig.submit("job", Rig.submit().build());

            assertThat(rig.status("job").getSubmittedAtMillis()).isEqualTo(rig.now());
        }
    }
}
