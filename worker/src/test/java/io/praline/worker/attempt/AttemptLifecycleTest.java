package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.identity.AttemptKey;
import io.praline.schema.FailureKind;
import io.praline.schema.FinishAttempt;
import io.praline.worker.attempt.AttemptStage.Ended;
import io.praline.worker.attempt.AttemptStage.Failed;
import io.praline.worker.attempt.AttemptStage.Fenced;
import io.praline.worker.attempt.AttemptStage.Running;
import io.praline.worker.attempt.AttemptStage.Settling;
import io.praline.worker.attempt.AttemptStage.Starting;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AttemptLifecycleTest {
    private final AttemptFailed failure = new AttemptFailed(FailureKind.REFUSED, "the file is damaged");
    private final List<AttemptStage> stages =
            List.of(new Starting(), new Running(), new Settling(), new Ended(), new Failed(failure), new Fenced());

    private final AttemptLifecycle lifecycle = new AttemptLifecycle(new AttemptKey("j", 0, 1));

    private List<AttemptStage> after(AttemptStage stage) {
        return stages.stream().filter(stage::mayBecome).toList();
    }

    @Test
    void goesForwardStageByStageAndMayBeStoppedInEach() {
        Failed failed = new Failed(failure);
        Fenced fenced = new Fenced();

        assertThat(after(new Starting())).containsExactly(new Running(), failed, fenced);
        assertThat(after(new Running())).containsExactly(new Settling(), failed, fenced);
        assertThat(after(new Settling())).containsExactly(new Ended(), failed, fenced);
        assertThat(after(new Ended())).containsExactly(failed, fenced);
        assertThat(after(failed)).containsExactly(fenced);
        assertThat(after(fenced)).containsExactly(fenced);
    }

    @Test
    void goesFromStartToEnd() {
        assertThat(lifecycle.stage()).isEqualTo(new Starting());
        assertThat(lifecycle.running()).isTrue();
        assertThat(lifecycle.stage()).isEqualTo(new Running());
        assertThat(lifecycle.settling()).isTrue();
        assertThat(lifecycle.stage()).isEqualTo(new Settling());
        assertThat(lifecycle.ended()).isTrue();
        assertThat(lifecycle.stage()).isEqualTo(new Ended());
        assertThat(lifecycle.stopped()).isFalse();
    }

    // how far it goes before the step that cannot be, and what that says
    static List<Map.Entry<List<Consumer<AttemptLifecycle>>, String>> stepsThatCannotBe() {
        Consumer<AttemptLifecycle> running = AttemptLifecycle::running;
        Consumer<AttemptLifecycle> settling = AttemptLifecycle::settling;
        Consumer<AttemptLifecycle> ended = AttemptLifecycle::ended;
        return List.of(
                Map.entry(List.of(settling), "Settling[], is Starting[]"),
                Map.entry(List.of(ended), "Ended[], is Starting[]"),
                Map.entry(List.of(running, running), "Running[], is Running[]"),
                Map.entry(List.of(running, ended), "Ended[], is Running[]"),
                Map.entry(List.of(running, settling, running), "Running[], is Settling[]"),
                Map.entry(List.of(running, settling, settling), "Settling[], is Settling[]"),
                Map.entry(List.of(running, settling, ended, running), "Running[], is Ended[]"),
                Map.entry(List.of(running, settling, ended, ended), "Ended[], is Ended[]"));
    }

    @ParameterizedTest
    @MethodSource("stepsThatCannotBe")
    void aStepThatCannotBeIsLoud(Map.Entry<List<Consumer<AttemptLifecycle>>, String> steps) {
        List<Consumer<AttemptLifecycle>> all = steps.getKey();
        all.subList(0, all.size() - 1).forEach(step -> step.accept(lifecycle));
        AttemptStage before = lifecycle.stage();

        assertThatThrownBy(() -> all.get(all.size() - 1).accept(lifecycle))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("attempt " + new AttemptKey("j", 0, 1) + " cannot become " + steps.getValue());
        assertThat(lifecycle.stage()).isEqualTo(before);
    }

    @Test
    void theFirstFailureStays() {
        lifecycle.running();

        assertThat(lifecycle.fail(failure)).isTrue();
        assertThat(lifecycle.fail(new AttemptFailed(FailureKind.FAILED, "the graph was closed")))
                .isFalse();
        assertThat(lifecycle.stage()).isEqualTo(new Failed(failure));
        assertThat(lifecycle.stopped()).isTrue();
        assertThat(lifecycle.fenced()).isFalse();
    }

    @Test
    void whatIsFencedFailsNoMore() {
        lifecycle.fence();

        assertThat(lifecycle.fail(failure)).isFalse();
        assertThat(lifecycle.stage()).isEqualTo(new Fenced());
    }

    @Test
    void isFencedInEveryStageAndMoreThanOnce() {
        lifecycle.running();
        lifecycle.fail(failure);
        lifecycle.fence();
        lifecycle.fence();

        assertThat(lifecycle.stage()).isEqualTo(new Fenced());
        assertThat(lifecycle.stopped()).isTrue();
        assertThat(lifecycle.fenced()).isTrue();
    }

    // a fence may come between any two steps of the puller, which then hears of it
    @Test
    void whoGoesForwardHearsThatItWasStopped() {
        lifecycle.fence();

        assertThat(lifecycle.running()).isFalse();
        assertThat(lifecycle.settling()).isFalse();
        assertThat(lifecycle.ended()).isFalse();
        assertThat(lifecycle.stage()).isEqualTo(new Fenced());
    }

    @Test
    void aFileThatIsCountedLateFailsWhatHasEnded() {
        lifecycle.running();
        lifecycle.settling();
        lifecycle.ended();

        assertThat(lifecycle.fail(failure)).isTrue();
        assertThat(lifecycle.stage()).isEqualTo(new Failed(failure));
    }

    @Test
    void theFirstOrderToFinishStands() {
        assertThat(lifecycle.deliverTail()).isFalse();
        assertThat(lifecycle.last()).isFalse();

        assertThat(lifecycle.finish(new FinishAttempt("j", 0, 1, 3, true, false)))
                .isTrue();
        assertThat(lifecycle.finish(new FinishAttempt("j", 0, 1, 4, false, true)))
                .isFalse();
        assertThat(lifecycle.deliverTail()).isTrue();
        assertThat(lifecycle.last()).isFalse();
        assertThat(lifecycle.stage()).isEqualTo(new Starting());
    }
}
