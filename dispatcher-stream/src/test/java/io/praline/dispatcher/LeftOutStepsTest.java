package io.praline.dispatcher;

import static io.praline.dispatcher.TwoJobs.STEADY;
import static io.praline.dispatcher.TwoJobs.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.schema.ActuatorReport;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import io.praline.schema.PoolStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What cannot be done for a whole pool keeps neither its jobs nor anybody else. */
class LeftOutStepsTest {
    private static final Predicate<Object> TARGET =
            word -> word instanceof ScalingTarget target && target.getSubject().equals(Rig.POOL);

    private static List<String> told(TwoJobs jobs, JournalKind kind) {
        return jobs.rig().journal().stream()
                .filter(entry -> entry.getJob().equals("pool:default"))
                .filter(entry -> entry.getObservation().getKind().equals(kind.text()))
                .map(JournalEntry::getReason)
                .toList();
    }

    /** From now on slots cannot be divided, whatever happens: another target than the row's is to be told, and cannot be. */
    private static void divisionBreaks(TwoJobs jobs) {
        new Ledger(jobs.rig().rows()).savePool(Rig.POOL, PoolRow.NEW.withTarget(1));
        jobs.rig().faults().breakAtWord(TARGET);
        jobs.rig().restart();
    }

    @Test
    void whereSlotsCannotBeDividedJobsGoOnAndSilentWorkersAreLost() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            divisionBreaks(jobs);
            jobs.live(5);
            jobs.kill("w1");
            long before = jobs.rig().time().getEpochSecond();
            jobs.live(20);

            assertThat(jobs.rig().time().getEpochSecond() - before).isBetween(19L, 21L);
            assertThat(told(jobs, JournalKind.WORKER_LOST)).containsExactly("worker w1 was silent for 5 s");
            assertThat(jobs.rig().stepsLeftOut()).isOne();
            jobs.assertSteady();
            assertThat(jobs.state(VICTIM)).isNotEqualTo(JobState.FAILED);
            assertThat(jobs.rig().quarantined()).isEmpty();
            assertThat(jobs.rig().setAside()).containsExactly("pool default: the division of slots");
            assertThat(told(jobs, JournalKind.STEP_LEFT_OUT))
                    .containsExactly(
                            "the division of slots is left out, and tried again within minutes, since it throws:"
                                    + " java.lang.IllegalStateException: broken");
        }
    }

    @Test
    void itIsDoneAgainWhenItCan() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            divisionBreaks(jobs);
            jobs.live(5);
            int told = jobs.rig().targets().size();
            jobs.rig().faults().breakAtWord(word -> false);
            jobs.live(50);
            assertThat(jobs.rig().targets()).hasSize(told);
            jobs.live(10);
            assertThat(jobs.rig().targets()).hasSizeGreaterThan(told);
            jobs.live(1);
            assertThat(told(jobs, JournalKind.STEP_DONE_AGAIN)).containsExactly("the division of slots is done again");
            assertThat(jobs.rig().stepsLeftOut()).isZero();
            jobs.assertSteady();
            jobs.rig().pass(Duration.ofMinutes(3));
            assertThat(told(jobs, JournalKind.STEP_DONE_AGAIN)).hasSize(1);
        }
    }

    @Test
    void whereAPoolsStatusCannotBeToldTimeGoesOn() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            jobs.rig().faults().breakAtWord(word -> word instanceof PoolStatus);
            long before = jobs.rig().time().getEpochSecond();
            jobs.rig().pass(Duration.ofMinutes(4));
            assertThat(jobs.rig().time().getEpochSecond() - before).isBetween(239L, 241L);
            assertThat(told(jobs, JournalKind.WORKER_LOST)).hasSize(2);
            assertThat(jobs.rig().quarantined()).isEmpty();
            assertThat(jobs.rig().setAside()).containsExactly("pool default: the status");
        }
    }

    // without the record the pool goes on
    @Test
    void aRecordBehindWhichThePoolCannotGoOnIsToBlameItself() {
        try (TwoJobs jobs = new TwoJobs()) {
            jobs.begin(3);
            int target =
                    jobs.rig().targets().get(jobs.rig().targets().size() - 1).getWorkers();
            int fewer = target - 1;
            jobs.rig().faults().breakAtWord(TARGET.and(word -> ((ScalingTarget) word).getWorkers() == fewer));
            jobs.rig().actuator(new ActuatorReport(Rig.POOL, "actuator-1", target, target, "", fewer));
            assertThat(jobs.rig().quarantined())
                    .singleElement()
                    .extracting(QuarantinedRecord::getReason)
                    .asString()
                    .endsWith("cannot be taken: java.lang.IllegalStateException: broken");
            jobs.assertSteady();
            assertThat(jobs.rig().setAside()).isEmpty();
            assertThat(jobs.state(STEADY)).isEqualTo(JobState.COMPLETED);
        }
    }
}
