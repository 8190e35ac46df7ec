package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.topics.health.OpenTransaction;
import io.praline.topics.health.TransactionStanding;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StartWatchTest {
    private static final Duration LONG = Duration.ofSeconds(5);
    private static final TopicPartition FIRST = new TopicPartition("d-ledger-changelog", 0);
    private static final TopicPartition SECOND = new TopicPartition("d-ledger-changelog", 1);

    private final AtomicLong nanos = new AtomicLong();
    private final RestoreWatch restore = new RestoreWatch(nanos::get);

    private void after(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    private static OpenTransaction open(TopicPartition partition, TransactionStanding standing) {
        ProducerState producer = new ProducerState(4_000, 7, 12, 1_000, OptionalInt.of(3), OptionalLong.of(40));
        return new OpenTransaction(partition, producer, 40, Optional.of("d-1"), standing);
    }

    @Test
    void aPartitionThatComesForwardDoesNotStandStill() {
        restore.onRestoreStart(FIRST, "ledger", 0, 100);
        restore.onRestoreStart(SECOND, "ledger", 0, 100);
        after(4);
        restore.onBatchRestored(FIRST, "ledger", 39, 40);
        after(1);
        assertThat(restore.still(LONG)).containsOnlyKeys(SECOND);
        after(4);
        restore.onRestoreEnd(SECOND, "ledger", 100);
        assertThat(restore.still(LONG)).containsOnlyKeys(FIRST);
        assertThat(restore.still(LONG).get(FIRST).at()).isEqualTo(40);
    }

    @Test
    void saysWhichPartitionStandsWhereAndBehindWhom() {
        restore.onRestoreStart(FIRST, "ledger", 0, 100);
        restore.onBatchRestored(FIRST, "ledger", 39, 40);
        after(5);
        assertThat(StartWatch.inWords(restore.still(LONG), List.of(open(FIRST, TransactionStanding.ABORTED))))
                .isEqualTo(
                        "record 40 of 100 of d-ledger-changelog-0, behind the transaction of producer 4000 (d-1) from"
                                + " offset 40, which was aborted and has no end in the log ('praline doctor' says what to do)");
    }

    @Test
    void whatIsOpenBeforeTheRestoreBeginsIsSaidToo() {
        assertThat(StartWatch.inWords(Map.of(), List.of(open(SECOND, TransactionStanding.LIVE))))
                .isEqualTo(
                        "d-ledger-changelog-1, behind the transaction of producer 4000 (d-1) from offset 40, which goes"
                                + " on or is about to end");
        assertThat(StartWatch.inWords(Map.of(), List.of())).isEqualTo("its share of the partitions and their state");
    }
}
