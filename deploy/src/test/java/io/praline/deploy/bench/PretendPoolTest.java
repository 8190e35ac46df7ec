package io.praline.deploy.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.MeasurementWindow;
import io.praline.schema.ScalingTarget;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PretendPoolTest {
    private final PretendPool pool = new PretendPool(20, "t");

    private OptionalLong told(int workers, long nowNanos) {
        return pool.told(new ScalingTarget("job-t-00010@host-job-t-00010", workers, "", 0L), nowNanos);
    }

    private List<MeasurementWindow> windows(int client, long nowNanos) {
        return pool.clientBeat(client, true, nowNanos).getWindows();
    }

    @Test
    void aJobThatMovesClosesNoWindowBeforeItsLastOneIsAnswered() {
        assertThat(windows(10, 100))
                .extracting(MeasurementWindow::getLocalTasks)
                .containsExactly(0);
        assertThat(windows(10, 200)).isEmpty();
        assertThat(told(1, 350)).hasValue(250);
        assertThat(pool.unanswered()).isZero();
        assertThat(windows(10, 400))
                .extracting(MeasurementWindow::getLocalTasks)
                .containsExactly(1);
        assertThat(pool.unanswered()).isEqualTo(1);
    }

    @Test
    void aCommandThatAnswersNoWindowIsNotMeasured() {
        assertThat(told(1, 50)).isEmpty();
        assertThat(windows(10, 100)).hasSize(1);
        assertThat(told(0, 150)).isEmpty();
        assertThat(pool.told(new ScalingTarget(PretendPool.POOL, 1, "", 0L), 150))
                .isEmpty();
    }

    @Test
    void everyTenthJobMovesAndTheOthersCloseAWindowWithEachBeat() {
        assertThat(pool.moving()).isEqualTo(2);
        assertThat(windows(1, 100)).hasSize(1);
        assertThat(windows(1, 200)).hasSize(1);
    }
}
