package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolSize;
import io.praline.schema.AttemptPlace;
import io.praline.schema.EpochProgress;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.PlanSplits;
import io.praline.topics.log.PagedValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A job of so many attempts that a record does not hold what is public about it. */
class LargeStatusTest {
    private static final int WORKERS = 700;

    // each attempt takes some 4 KB of the status: 2.8 MB in all, where a record may have 2
    @Test
    void aStatusThatNoRecordHoldsIsToldWhole() {
        Rules rules = new Rules(
                "every-worker",
                new FairShare(Duration.ofSeconds(30)),
                new PoolSize(0, WORKERS, Duration.ofMinutes(1)),
                ProtocolLimits.USUAL);
        try (Rig rig = new Rig(1, rules)) {
            join(rig, 0);
            rig.submit("job", Rig.submit().setMaxRemote(WORKERS).build());
            rig.plan("job", (PlanSplits) rig.commands("w0").get(0), "w0", 100 * WORKERS);
            for (int worker = 1; worker < WORKERS; worker++) {
                join(rig, worker);
            }
            rig.pass(Duration.ofSeconds(3));

            assertThat(rig.status("job").getState()).isNotEqualTo(JobState.FAILED);
            assertThat(rig.status("job").getAttempts())
                    .extracting(AttemptPlace::getWorker)
                    .doesNotHaveDuplicates()
                    .hasSize(WORKERS);

            rig.cancel("job", "not needed");
            assertThat(rig.status("job").getState()).isEqualTo(JobState.CANCELLED);
            assertThat(rig.status("job").getAttempts()).isEmpty();
        }
    }

    private static void plan(Rig rig, int epochs) {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().setEpochs(epochs).build());
        rig.eachPlan(plan -> plan.put("epochs", 2));
        rig.plan("job", (PlanSplits) rig.commands("w1").get(0), "w1", 1);
    }

    @Test
    void moreEpochsThanAStatusHoldsAreRefused() {
        try (Rig rig = new Rig()) {
            plan(rig, 200_001);

            assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
            assertThat(rig.status("job").getFailure()).isEqualTo(FailureKind.REFUSED);
            assertThat(rig.status("job").getReason())
                    .startsWith("it has 400002 epochs, more than the 400000 of which a status can tell");
        }
    }

    // 100,000 epochs at 5 us each are half a second
    @Test
    void whoeverAsksAStatusOfManyEpochsIsToldTwiceASecondAtMost() {
        int began = 100_000;
        try (Rig rig = new Rig()) {
            plan(rig, 200_000);
            for (int number = 0; number < began; number++) {
                EpochLedger epoch = EpochLedger.open(rig.rows(), "job", number, true);
                epoch.setComplete();
                epoch.save();
            }
            rig.restart();
            rig.pass(Duration.ofSeconds(1));
            int before = rig.told().size();
            for (int consumer = 0; consumer < 20; consumer++) {
                rig.attach("job", consumer, "c" + consumer);
            }

            assertThat(rig.told().size() - before).isLessThanOrEqualTo(2);
            rig.pass(Duration.ofSeconds(1));
            assertThat(rig.status("job").getSlots()).hasSize(20);
            assertThat(rig.status("job").getProgress())
                    .hasSizeGreaterThanOrEqualTo(began)
                    .startsWith(EpochProgress.newBuilder()
                            .setEpoch(0)
                            .setElements(0)
                            .setConsumed(0)
                            .setExcluded(List.of())
                            .setSplitsClosed(0)
                            .setComplete(true)
                            .setDelivered(true)
                            .build());
        }
    }

    private static void join(Rig rig, int worker) {
        rig.beat(Rig.worker("w" + worker, 1)
                .setAddresses(List.of("unix:///" + "x".repeat(3_900)))
                .build());
    }

    @Test
    void pagesComeBeforeTheHeadAndThoseThatAreNotNeededAnyMoreGo() {
        PagedStatuses statuses = new PagedStatuses();

        assertThat(told(statuses.records("job", new byte[10], 1))).containsExactly("job: 10");
        assertThat(told(statuses.records("job", new byte[2 * PagedValue.MOST_BYTES + 7], 1)))
                .containsExactly("job 1: " + PagedValue.MOST_BYTES, "job 2: 7", "job: " + PagedValue.MOST_BYTES);
        assertThat(told(statuses.records("job", new byte[PagedValue.MOST_BYTES + 5], 1)))
                .containsExactly("job 1: 5", "job 2 goes", "job: " + PagedValue.MOST_BYTES);
        assertThat(told(statuses.records("job", new byte[10], 1))).containsExactly("job 1 goes", "job: 10");
        assertThat(told(statuses.records("job", new byte[10], 1))).containsExactly("job: 10");
    }

    // another dispatcher may have told it: nothing is known of its pages then
    @Test
    void ofAJobThatIsForgottenNoPageIsLeft() {
        assertThat(told(new PagedStatuses().none("job", 1)))
                .hasSize(PagedValue.MOST_PAGES)
                .startsWith("job goes", "job 1 goes")
                .endsWith("job " + (PagedValue.MOST_PAGES - 1) + " goes");
    }

    @Test
    void whatNobodyWouldReadIsTheJobsFault() {
        Assertions.assertThatThrownBy(() -> new PagedStatuses()
                        .records("job", new byte[PagedValue.MOST_PAGES * PagedValue.MOST_BYTES + 1], 1))
                .isInstanceOf(JobFault.class)
                .hasMessageContaining("its status takes 33292289 bytes, more than 33292288");
    }

    private static List<String> told(List<Record<byte[], byte[]>> records) {
        return records.stream()
                .map(record -> {
                    byte[] key = record.key();
                    String name = new String(PagedValue.owner(key), StandardCharsets.UTF_8)
                            + (PagedValue.isPage(key) ? " " + key[key.length - 1] : "");
                    return name + (record.value() == null ? " goes" : ": " + record.value().length);
                })
                .toList();
    }
}
