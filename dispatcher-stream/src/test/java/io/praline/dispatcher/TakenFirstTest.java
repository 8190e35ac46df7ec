package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class TakenFirstTest {
    private static final long NOW = 1_700_000_000_000L;

    private static long taken(Topic<?> topic, long stamp) {
        return new TakenFirst()
                .extract(
                        new ConsumerRecord<>(
                                topic.name(),
                                0,
                                0,
                                stamp,
                                TimestampType.LOG_APPEND_TIME,
                                0,
                                0,
                                null,
                                null,
                                new RecordHeaders(),
                                Optional.empty()),
                        -1);
    }

    // ten minutes of beats wait
    @Test
    void requestsAndPlansAreTakenBeforeAllBeatsThatWait() {
        long oldest = taken(Topics.WORKER_HEARTBEATS, NOW - 600_000);

        assertThat(taken(Topics.JOB_REQUESTS, NOW)).isLessThan(oldest);
        assertThat(taken(Topics.SPLITS, NOW)).isLessThan(oldest);
    }

    @Test
    void whatIsHeardOfConsumersStaysInItsPlaceAmongBeats() {
        assertThat(taken(Topics.CLIENT_HEARTBEATS, NOW)).isEqualTo(taken(Topics.WORKER_HEARTBEATS, NOW));
        assertThat(taken(Topics.CONSUMPTION, NOW)).isEqualTo(taken(Topics.WORKER_HEARTBEATS, NOW));
    }

    @Test
    void whenARecordWasAppendedIsKnownAllTheSame() {
        for (Topic<?> topic : Topics.all()) {
            assertThat(TakenFirst.stamp(topic.name(), taken(topic, NOW))).isEqualTo(NOW);
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
