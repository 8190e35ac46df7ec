package io.praline.topics.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.topics.health.OpenTransaction.KnownTransaction;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OpenTransactionTest {
    private static final TopicPartition JOBS = new TopicPartition("jobs", 2);
    private static final TopicPartition OTHER = new TopicPartition("splits", 0);
    private static final int EPOCH = 7;
    private static final ProducerState PRODUCER =
            new ProducerState(4_000, EPOCH, 12, 1_000, OptionalInt.of(3), OptionalLong.of(88));

    private static OpenTransaction seen(TransactionState state, int epoch, Set<TopicPartition> partitions) {
        return OpenTransaction.of(
                JOBS,
                PRODUCER,
                88,
                Optional.of(new KnownTransaction(
                        "d-1",
                        new TransactionDescription(1, state, 4_000, epoch, 6_000, OptionalLong.of(900), partitions))));
    }

    @Test
    void oneThatItsCoordinatorStillHasToEndThereLives() {
        for (TransactionState state : Set.of(
                TransactionState.ONGOING,
                TransactionState.PREPARE_ABORT,
                TransactionState.PREPARE_COMMIT,
                TransactionState.PREPARE_EPOCH_FENCE)) {
            assertThat(seen(state, EPOCH, Set.of(JOBS, OTHER)).standing())
                    .as(state.toString())
                    .isEqualTo(TransactionStanding.LIVE);
        }
        assertThat(TransactionStanding.LIVE.hangs()).isFalse();
    }

    // what Kafka 4.3.1 leaves behind: the partition was taken for deleted, and the abort written down as complete
    @Test
    void oneThatWasAbortedEverywhereButThereHangsAndMayBeEnded() {
        OpenTransaction hanging = seen(TransactionState.COMPLETE_ABORT, EPOCH + 1, Set.of());

        assertThat(hanging.standing()).isEqualTo(TransactionStanding.ABORTED);
        assertThat(hanging.standing().hangs()).isTrue();
        assertThat(hanging.inWords())
                .isEqualTo("transaction of producer 4000 (d-1) from offset 88, which was aborted and has no end in the"
                        + " log");
        assertThat(hanging.abort().producerEpoch()).isEqualTo((short) EPOCH);
        assertThat(hanging.abort().coordinatorEpoch()).isEqualTo(3);
        assertThat(seen(TransactionState.PREPARE_ABORT, EPOCH + 1, Set.of(OTHER))
                        .standing())
                .isEqualTo(TransactionStanding.ABORTED);
    }

    @Test
    void oneThatWasCommittedHangsAndIsNotForUsToEnd() {
        assertThat(seen(TransactionState.COMPLETE_COMMIT, EPOCH + 1, Set.of()).standing())
                .isEqualTo(TransactionStanding.COMMITTED);
    }

    @Test
    void whatALaterTransactionHidesIsNotGuessed() {
        assertThat(seen(TransactionState.COMPLETE_ABORT, EPOCH + 3, Set.of()).standing())
                .isEqualTo(TransactionStanding.FORGOTTEN);
        assertThat(seen(TransactionState.ONGOING, EPOCH + 1, Set.of(OTHER)).standing())
                .isEqualTo(TransactionStanding.FORGOTTEN);
        assertThat(OpenTransaction.of(JOBS, PRODUCER, 88, Optional.empty()).standing())
                .isEqualTo(TransactionStanding.FORGOTTEN);
    }
}
