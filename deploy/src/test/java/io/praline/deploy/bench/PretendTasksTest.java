package io.praline.deploy.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Guarantee;
import io.praline.schema.ServeConsumers;
import io.praline.schema.StartAttempt;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Topics;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PretendTasksTest {
    private final PretendTasks tasks = new PretendTasks(4, 2, 4, 1, 0.5);

    private AttemptProgress progress() {
        WorkerHeartbeat beat = (WorkerHeartbeat) tasks.beat(0).getBody();
        return beat.getAttempts().get(0);
    }

    private void told(Object body) {
        tasks.obey(WorkerCommand.newBuilder()
                .setWorker("task-000000")
                .setIncarnation("task-000000-1")
                .setBody(body)
                .build());
    }

    @Test
    void poolsLieInPartitionsOfTheirOwn() {
        assertThat(tasks.pools()).hasSize(2);
        assertThat(tasks.pools())
                .extracting(pool -> Topics.partitionOf(pool, 4))
                .doesNotHaveDuplicates();
    }

    private void starts(int membership) {
        told(StartAttempt.newBuilder()
                .setJob("job")
                .setEpoch(0)
                .setAttempt(0)
                .setPlan(1)
                .setPipelineDigest("")
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setSeed(0)
                .setConsumers(1)
                .setMembership(membership)
                .setComponentNames(List.of())
                .setOrder(List.of())
                .setSkipBad(0)
                .setBatchLimitBytes(0)
                .setThreads(0)
                .setRamBytes(0)
                .build());
    }

    // else it is told again every 3 s, and never is at rest
    @Test
    void aTaskTellsWhichChangeOfConsumersItHas() {
        starts(1);
        assertThat(progress().getMembership()).isEqualTo(1);

        told(ServeConsumers.newBuilder()
                .setJob("job")
                .setEpoch(0)
                .setAttempt(0)
                .setMembership(2)
                .setLanes(List.of())
                .build());
        assertThat(progress().getMembership()).isEqualTo(2);
    }

    // half a split a beat: of three, two are left after the second beat
    @Test
    void aTaskBeginsTheSplitsThatItHasAtItsPace() {
        starts(0);
        assertThat(tasks.running()).isEqualTo(1);
        told(AssignSplits.newBuilder()
                .setJob("job")
                .setEpoch(0)
                .setAttempt(0)
                .setAssignment(1)
                .setSplits(Collections.nCopies(3, new AssignedSplit()))
                .build());
        assertThat(tasks.assigned()).isEqualTo(3);
        assertThat(List.of(
                        progress().getUnopened(),
                        progress().getUnopened(),
                        progress().getUnopened()))
                .containsExactly(3, 2, 2);
        assertThat(progress().getAssignedThrough()).isEqualTo(1);
    }
}
