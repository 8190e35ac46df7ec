package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ManyAttemptsBenchmark.Running;
import io.praline.schema.AssignSplits;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A commit takes milliseconds, whatever is in it: a task that has enough to read is given more with what others wait for. */
class SplitsAheadOfTasksTest {
    private final Rig rig = ManyAttemptsBenchmark.rig();
    private Running running;

    @BeforeEach
    void start() {
        running = ManyAttemptsBenchmark.start(rig, 1).get(0);
        // its membership, its phase and its first rate are news
        beat(1, 14, 1);
        beat(1, 14, 1);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** The task says so; the number of splits that it is given then. */
    private int beat(int assignedThrough, int unopened, double splitSeconds) {
        rig.allCommands();
        rig.beat(Rig.worker(running.worker(), 1)
                .setAttempts(List.of(AttemptProgress.newBuilder()
                        .setJob("job")
                        .setEpoch(0)
                        .setAttempt(running.attempt())
                        .setPhase(AttemptPhase.RUNNING)
                        .setAssignedThrough(assignedThrough)
                        .setUnopened(unopened)
                        .setMembership(1_000)
                        .setSplitSeconds(splitSeconds)
                        .setOpened(List.of())
                        .setExcluded(List.of())
                        .setBatches(0)
                        .setElements(0)
                        .setBytes(0)
                        .setOutboxBytes(0)
                        .build()))
                .build());
        return rig.allCommands().stream()
                .filter(command -> command.getBody() instanceof AssignSplits)
                .mapToInt(command ->
                        ((AssignSplits) command.getBody()).getSplits().size())
                .sum();
    }

    // 15 s ahead are 15 splits of a second; with ten of them it has enough for ten seconds
    @Test
    void whoHasEnoughToReadIsGivenMoreWithWhatOthersWaitFor() {
        assertThat(beat(1, 10, 1)).isEqualTo(5);
        assertThat(rig.urgent()).isFalse();
    }

    @Test
    void whoRunsShortIsGivenMoreAtOnce() {
        assertThat(beat(1, 2, 1)).isEqualTo(13);
        assertThat(rig.urgent()).isTrue();
    }
}
