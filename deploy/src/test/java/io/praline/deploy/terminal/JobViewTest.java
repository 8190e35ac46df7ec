package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobOrder;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class JobViewTest {
    private static final ConsumerSlot HERE =
            new ConsumerSlot(0, 0, ConsumerState.HERE, "i", "trainer-1", 7L, 0L, 0L, null, List.of(), 0L);
    private static final ConsumerSlot LOST =
            new ConsumerSlot(1, 3, ConsumerState.IN_DOUBT, "k", "trainer-2", 9L, 1_120L, 60_000L, null, List.of(), 3L);

    @Test
    void aJobThatNobodyNamedStandsBelowItsHeader() {
        JobStatus named = JobStatus.newBuilder(view(JobState.RUNNING, HERE).status())
                .setJob("job-20261128-073648-3938acde")
                .build();

        assertThat(new JobView(named).row().indexOf("RUNNING"))
                .isEqualTo(JobView.header().indexOf("STATE"));
    }

    @Test
    void showsWhoHoldsEachPlaceAndWhatIsInDoubt() {
        JobView view = view(JobState.RUNNING, HERE, LOST);

        assertThat(view.lines())
                .contains(
                        "consumer 0  HERE since 1970-01-01T00:00:00Z, generation 0, host trainer-1",
                        "consumer 1  IN_DOUBT since 1970-01-01T00:01:00Z, generation 3, host trainer-2,"
                                + " 1,120 elements and those of 3 uncounted splits in doubt");
        assertThat(view.object()).containsEntry("inDoubt", 1_120L);
        assertThat(view.object().get("slots"))
                .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                .last()
                .isEqualTo(Map.of(
                        "consumer",
                        1,
                        "state",
                        "IN_DOUBT",
                        "generation",
                        3,
                        "host",
                        "trainer-2",
                        "inDoubt",
                        1_120L,
                        "inDoubtSplits",
                        3L,
                        "sinceMillis",
                        60_000L));
    }

    @Test
    void onlyWhatIsLostCanBeGivenUp() {
        JobView view = view(JobState.RUNNING, HERE, LOST);

        assertThat(view.lost(1)).isEqualTo(LOST);
        assertThatThrownBy(() -> view.lost(0))
                .isInstanceOf(CommandFailed.class)
                .hasMessage(
                        "consumer 0 of job j is HERE, and nothing of it is in doubt; only what is lost can be given up");
        assertThatThrownBy(() -> view.lost(2)).hasMessage("job j has no consumer 2; it has 2, counted from 0");
        assertThatThrownBy(() -> view(JobState.COMPLETED, HERE, LOST).lost(1))
                .hasMessage("job j has ended already: COMPLETED");
    }

    @Test
    void showsInALineInWhichOrderStepsRun() {
        JobOrder changed = new JobOrder(
                "exact",
                "changed",
                "d2",
                List.of("cast behind batch_4", "mul behind batch_4"),
                "it is faster",
                3.5,
                3.2);
        JobOrder usual = new JobOrder("tolerant", "usual", "", List.of(), "nothing can move", 0.0, 0.0);

        assertThat(ordered(changed).lines())
                .contains("order       exact, changed, 3.20 times as fast on a sample: it is faster; moved: cast behind"
                        + " batch_4; mul behind batch_4");
        assertThat(ordered(usual).lines()).contains("order       tolerant, usual: nothing can move");
        assertThat(ordered(changed).object().get("order"))
                .isEqualTo(Map.of(
                        "mode",
                        "exact",
                        "state",
                        "changed",
                        "variant",
                        "d2",
                        "moved",
                        List.of("cast behind batch_4", "mul behind batch_4"),
                        "reason",
                        "it is faster",
                        "predictedGain",
                        3.5,
                        "measuredGain",
                        3.2));
        assertThat(view(JobState.RUNNING, HERE).lines()).noneMatch(line -> line.startsWith("order"));
        assertThat(view(JobState.RUNNING, HERE).object()).containsEntry("order", null);
    }

    @Test
    void saysWhatIsKeptOfItAndHowMuchCameFromThere() {
        JobView kept =
                new JobView(JobStatus.newBuilder(view(JobState.RUNNING, HERE).status())
                        .setCache("it is to keep what comes out of map")
                        .setCacheHits(800)
                        .build());
        assertThat(kept.lines())
                .contains("cache       800 elements came from entries: it is to keep what comes out of map");
        assertThat(kept.object())
                .containsEntry("cacheHits", 800L)
                .containsEntry("cache", "it is to keep what comes out of map");
        assertThat(view(JobState.RUNNING, HERE).lines()).noneMatch(line -> line.startsWith("cache"));
    }

    private static JobView ordered(JobOrder order) {
        return new JobView(JobStatus.newBuilder(view(JobState.RUNNING, HERE).status())
                .setOrder(order)
                .build());
    }

    private static JobView view(JobState state, ConsumerSlot... slots) {
        return new JobView(JobStatus.newBuilder()
                .setJob("j")
                .setPool("default")
                .setTenant("default")
                .setRequester("r")
                .setPipelineName("")
                .setPipelineDigest("d")
                .setState(state)
                .setReason("")
                .setFailure(FailureKind.NONE)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setPlan(1)
                .setSplits(1)
                .setEpochs(1)
                .setConsumers(slots.length)
                .setSeed(0)
                .setComponents(List.of())
                .setAttempts(List.of())
                .setProgress(List.of())
                .setConfirmed(List.of())
                .setBadRecords(List.of())
                .setTransformations(List.of())
                .setSubmittedAtMillis(0)
                .setChangedAtMillis(0)
                .setSlots(List.of(slots))
                .build());
    }
}
