package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.deploy.page.Limit.Urgency;
import io.praline.dispatcher.convert.WaitingFor;
import io.praline.policy.Terms;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LimitTest {
    private static final JobStatus RUNNING = Statuses.running("train-7");

    private static Limit of(Entries journal) {
        return Limit.of(RUNNING, journal.figures());
    }

    private static Entries journal() {
        return new Entries("train-7").begun(Terms.USUAL);
    }

    @Test
    void aLoopThatHardlyWaitsIsTheLimitItself() {
        assertThat(of(journal().wants(2, 0).has(2, 0).window(2, 0, 0.02)))
                .isEqualTo(new Limit(
                        Urgency.FINE,
                        "Your training step limits it: the loop waits 2 % of its time for batches.",
                        "More workers would not make it faster.",
                        List.of()));
    }

    // decode has 300 of 400 ns
    @Test
    void aLoopThatWaitsIsToldWhichStepIsSlowAndWhyThereAreNoMoreWorkers() {
        JobStatus measured = JobStatus.newBuilder(RUNNING)
                .setTransformations(List.of(Statuses.step("decode", 300), Statuses.step("flip", 100)))
                .build();
        assertThat(Limit.of(
                        measured,
                        journal().wants(2, 0).has(2, 0).window(2, 0, 0.4).figures()))
                .isEqualTo(new Limit(
                        Urgency.LOOK,
                        "Batches limit it: the loop waits 40 % of its time for them, and decode takes 75 % of the"
                                + " workers' time.",
                        "It has 2 remote and 0 local workers: nothing is worth a change.",
                        List.of("praline explain train-7", "praline job pin train-7 --remote 3 --local 0")));
    }

    @Test
    void aLoopThatWaitsWhileWorkersAreMissingNeedsWorkers() {
        assertThat(of(journal().wants(4, 0).has(1, 0).window(1, 0, 0.4)))
                .extracting(Limit::advice, Limit::commands)
                .containsExactly(
                        "It wants 4 remote and 0 local workers and has 1 remote and 0 local: start more, or see who"
                                + " has the others.",
                        List.of("praline workers", "praline explain train-7"));
    }

    @Test
    void aPinIsNamedBeforeWhatItsPolicyThinks() {
        assertThat(of(journal().pinned(1, 0).wants(1, 0).has(1, 0).window(1, 0, 0.4)))
                .extracting(Limit::advice, Limit::commands)
                .containsExactly(
                        "It is pinned to 1 remote and 0 local workers: unpin it, or pin it to more.",
                        List.of("praline job unpin train-7", "praline job pin train-7 --remote 2 --local 0"));
    }

    @Test
    void aJobThatHasAllItMayHaveIsToldSo() {
        Terms two = new Terms(Terms.USUAL.goal(), Terms.USUAL.prices(), new Terms.Limits(2, 0), 5);
        assertThat(of(new Entries("train-7").begun(two).wants(2, 0).has(2, 0).window(2, 0, 0.4))
                        .advice())
                .isEqualTo("It has as many workers as it may have: submit it with a higher --max-remote.");
    }

    @Test
    void aJobOfOneTaskIsNotToldToTakeMore() {
        assertThat(of(new Entries("train-7").singleTask().wants(1, 0).has(1, 0).window(1, 0, 0.4))
                        .advice())
                .isEqualTo("One task reads it, as the notes of its plan say why: more workers would not" + " help.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "paused     | LOOK | It is paused.  | praline job resume j",
                "capacity   | ACT  | Waits: why.    | praline workers",
                "workers    | ACT  | Waits: why.    | praline workers",
                "slots      | LOOK | Waits: why.    | praline workers",
                "policy     | LOOK | Waits: why.    | praline explain j",
                "cap        | ACT  | Waits: why.    | praline explain j",
                "consumer   | ACT  | Waits: why.    | praline run --attach j --consumer 0",
                "storage    | LOOK | Waits: why.    | praline explain j",
                "later word | LOOK | Waits: why.    | praline explain j"
            })
    void everyWaitHasItsReasonAndWhatToType(String word, Urgency urgency, String sentence, String first) {
        Limit limit = Limit.of(Statuses.of("j", JobState.WAITING, word, "why"), JobFigures.NONE);
        assertThat(limit.urgency()).isEqualTo(urgency);
        assertThat(limit.sentence()).isEqualTo(sentence);
        assertThat(limit.commands()).first().isEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void forWhateverItWaitsThereIsSomethingToDo(WaitingFor what) {
        Limit limit = Limit.of(Statuses.of("j", JobState.WAITING, what.text(), "why"), JobFigures.NONE);
        assertThat(limit.advice()).isNotEmpty();
    }

    @Test
    void whatIsInDoubtIsToldWithBothWaysOut() {
        JobStatus status = JobStatus.newBuilder(Statuses.running("j"))
                .setSlots(List.of(new ConsumerSlot(
                        1, 3, ConsumerState.IN_DOUBT, "k", "trainer-2", 9L, 1_200L, 0L, null, List.of(), 2L)))
                .build();
        assertThat(Limit.of(status, JobFigures.NONE))
                .isEqualTo(new Limit(
                        Urgency.LOOK,
                        "Consumer 1 was lost, with 1,200 elements and those of 2 uncounted splits of which nobody knows whether they were used.",
                        "Start it again in its place, or give them up: that may train on them twice.",
                        List.of("praline run --attach j --consumer 1", "praline job j --give-up 1")));
    }

    @Test
    void endsAreTold() {
        JobStatus done = JobStatus.newBuilder(Statuses.of("j", JobState.COMPLETED, "", ""))
                .setProgress(List.of(Statuses.epoch(0, 500, 500, 8, true), Statuses.epoch(1, 500, 500, 8, true)))
                .build();
        assertThat(Limit.of(done, JobFigures.NONE).sentence())
                .isEqualTo("Done: 1,000 elements in 2 epochs were trained on.");
        JobStatus failed = JobStatus.newBuilder(Statuses.of("j", JobState.FAILED, "", "record 3 of a is\n broken"))
                .setFailure(FailureKind.REFUSED)
                .build();
        assertThat(Limit.of(failed, JobFigures.NONE))
                .isEqualTo(new Limit(
                        Urgency.ACT,
                        "Failed: record 3 of a is broken.",
                        "Mend the pipeline, the data or the options, and submit it again.",
                        List.of("praline explain j")));
    }

    @Test
    void anIdIsOneWordOfAShellWhateverIsInIt() {
        assertThat(Limit.word("a'; rm -rf *")).isEqualTo("'a'\\''; rm -rf *'");
        assertThat(Limit.of(Statuses.of("a b", JobState.WAITING, "paused", "it is paused"), JobFigures.NONE)
                        .commands())
                .containsExactly("praline job resume 'a b'");
    }
}
