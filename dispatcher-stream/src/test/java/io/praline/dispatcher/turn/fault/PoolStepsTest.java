package io.praline.dispatcher.turn.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.turn.fault.PoolSteps.News;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolStepsTest {
    private static final Instant START = Instant.ofEpochSecond(1_000_000);
    private final IllegalStateException broken = new IllegalStateException("broken");
    private final PoolSteps steps = new PoolSteps();
    private int taken;

    private void take(Instant at) {
        steps.take("p", "the step", at, () -> taken++);
    }

    private void breaks(Instant at, RuntimeException thrown) {
        try {
            steps.take("p", "the step", at, () -> {
                throw thrown;
            });
        } catch (PoolFault fault) {
            steps.leaveOut(fault);
        }
    }

    private List<News> told() {
        List<News> told = steps.news();
        steps.written();
        return told;
    }

    @Test
    void aFaultNamesThePoolAndTheStep() {
        assertThatThrownBy(() -> steps.take("p", "the step", START, () -> {
                    throw broken;
                }))
                .isInstanceOf(PoolFault.class)
                .hasMessage("pool p: the step: java.lang.IllegalStateException: broken")
                .hasCause(broken);
        assertThatThrownBy(() -> steps.take("", "the step", START, () -> {
                    throw new StackOverflowError();
                }))
                .hasMessage("the step: java.lang.StackOverflowError");
    }

    @Test
    void whatIsKnownAlreadyIsNoOtherStepsFault() {
        JobFault job = new JobFault("job", broken);
        assertThatThrownBy(() -> steps.take("p", "the step", START, () -> {
                    throw job;
                }))
                .isSameAs(job);
        assertThatThrownBy(() -> steps.take("p", "all", START, () -> breaksInside()))
                .hasMessageContaining("the step");
    }

    private void breaksInside() {
        steps.take("p", "the step", START, () -> {
            throw broken;
        });
    }

    // 1, 2, 4, 8, 10, 10 min
    @Test
    void aStepIsLeftOutForLongerEachTimeThatItThrows() {
        Instant at = START;
        List<Long> minutes = new ArrayList<>();
        for (int times = 0; times < 6; times++) {
            breaks(at, broken);
            Instant from = at;
            while (steps.isLeftOut("p", "the step", at)) {
                take(at);
                at = at.plusSeconds(1);
            }
            minutes.add(Duration.between(from, at).toMinutes());
        }
        assertThat(taken).isZero();
        assertThat(minutes).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
        assertThat(steps.isLeftOut("p", "another", START)).isFalse();
        assertThat(steps.isLeftOut("q", "the step", START)).isFalse();
    }

    @Test
    void itIsSaidOnceAndAgainWhereItThrowsSomethingElseOrIsDoneAgain() {
        breaks(START, broken);
        assertThat(told()).containsExactly(new News("p", "the step", Optional.of(broken)));
        breaks(START.plusSeconds(60), broken);
        assertThat(told()).isEmpty();
        ArithmeticException other = new ArithmeticException("/ by zero");
        breaks(START.plusSeconds(180), other);
        assertThat(told()).containsExactly(new News("p", "the step", Optional.of(other)));
        assertThat(steps.size()).isOne();
        take(START.plusSeconds(420));
        assertThat(taken).isOne();
        assertThat(told()).containsExactly(new News("p", "the step", Optional.empty()));
        assertThat(steps.size()).isZero();
        take(START.plusSeconds(421));
        assertThat(told()).isEmpty();
    }

    @Test
    void newsIsSaidAgainWhereNothingWasWritten() {
        breaks(START, broken);
        assertThat(steps.news()).hasSize(1);
        steps.dropped();
        steps.written();
        assertThat(steps.news()).hasSize(1);
        take(START.plusSeconds(60)); // after that was asked for
        steps.written();
        assertThat(steps.news()).containsExactly(new News("p", "the step", Optional.empty()));
        assertThatCode(steps::written).doesNotThrowAnyException();
        assertThat(steps.news()).isEmpty();
    }
}
