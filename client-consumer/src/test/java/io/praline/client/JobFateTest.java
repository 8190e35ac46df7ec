package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import org.junit.jupiter.api.Test;

class JobFateTest {
    private final JobFate fate = new JobFate(StatusOf.JOB, StreamFixture.settings(0, true));

    @Test
    void goesOnWhileTheJobRuns() {
        follow(StatusOf.running());

        assertThat(fate.goesOn()).isTrue();
        assertThat(fate.isFinal()).isFalse();
        assertThat(fate.names().name(0)).isEqualTo("x");
    }

    @Test
    void isCompletedWithTheJob() {
        follow(StatusOf.ended(JobState.COMPLETED, ""));

        assertThat(fate.goesOn()).isFalse();
        assertThat(fate.isCompleted()).isTrue();
        assertThat(fate.isFinal()).isTrue();
        assertThatCode(fate::requireOpen).doesNotThrowAnyException();
    }

    @Test
    void takesACancellationForTheEndOnlyWhereThisProcessAskedForIt() {
        fate.cancelling();
        follow(StatusOf.ended(JobState.CANCELLED, "enough"));
        assertThat(fate.isCompleted()).isTrue();

        JobFate another = new JobFate(StatusOf.JOB, StreamFixture.settings(0, true));
        another.follow(StatusOf.ended(JobState.CANCELLED, "enough").build());
        assertThatThrownBy(another::requireNotFailed).hasMessage("job j was cancelled: enough");
    }

    @Test
    void saysWhyTheJobFailed() {
        follow(StatusOf.ended(JobState.FAILED, "a record is bad").failure(FailureKind.REFUSED));

        assertThat(fate.goesOn()).isFalse();
        assertThatThrownBy(fate::requireOpen).hasMessage("job j was refused: a record is bad");
    }

    @Test
    void keepsTheReasonThatItCannotLearnOfTheJobAnyMore() {
        RuntimeException cause = new IllegalStateException("the broker is gone");
        fate.lose(cause);

        assertThatThrownBy(fate::requireNotFailed)
                .hasMessage("job j failed: the broker is gone")
                .hasCause(cause);
    }

    @Test
    void doesNotTakeAnotherProcessesJobForItsOwn() {
        JobStatus other = StatusOf.running()
                .requester("client-2")
                .submission("of another spec")
                .build();

        assertThat(fate.accepts(other)).isFalse();
        assertThat(fate.status()).isEmpty();
        assertThat(fate.isCancellable()).isFalse();
    }

    @Test
    void mayCancelItsOwnJobUntilThatHasEnded() {
        assertThat(fate.isCancellable()).isTrue();
        fate.accepts(StatusOf.running().build());
        assertThat(fate.isCancellable()).isTrue();
        fate.accepts(StatusOf.ended(JobState.COMPLETED, "").build());
        assertThat(fate.isCancellable()).isFalse();
    }

    private void follow(StatusOf status) {
        JobStatus newest = status.build();
        assertThat(fate.accepts(newest)).isTrue();
        fate.follow(newest);
    }
}
