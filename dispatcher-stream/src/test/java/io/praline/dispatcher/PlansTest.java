package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.PlanSplits;
import io.praline.schema.SplitPage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of plans whose pages come twice, late, not at all, or from whoever was not asked. */
class PlansTest {
    private final Rig rig = new Rig();
    private PlanSplits asked = new PlanSplits();

    @BeforeEach
    void submit() {
        rig.beat(Rig.worker("w1", 1).build());
        rig.submit("job", Rig.submit().build());
        asked = ordered();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    /** The plan that the worker was last asked for. */
    private PlanSplits ordered() {
        return rig.commands("w1").stream()
                .filter(PlanSplits.class::isInstance)
                .map(PlanSplits.class::cast)
                .reduce((one, next) -> next)
                .orElseThrow();
    }

    private void page(int plan, String worker, int number, int splits) {
        rig.planMessage(
                "job",
                plan,
                worker,
                new SplitPage(
                        number, IntStream.range(0, splits).mapToObj(Rig::file).toList()));
    }

    private PlanSplits another(int plan) {
        return PlanSplits.newBuilder(asked).setPlan(plan).build();
    }

    private List<String> whyPlanned() {
        return rig.journal().stream()
                .filter(entry -> entry.getObservation().getKind().equals("planWanted"))
                .map(entry -> entry.getReason())
                .toList();
    }

    @Test
    void aPageThatComesTwiceCountsOnce() {
        page(asked.getPlan(), "w1", 0, 1000);
        page(asked.getPlan(), "w1", 0, 1000);
        page(asked.getPlan(), "w1", 1, 7);
        page(asked.getPlan(), "w1", 1, 7);
        assertThat(rig.ignored(Ignored.DUPLICATE)).isEqualTo(2);

        rig.plan("job", asked, "w1", 1007);
        assertThat(rig.ignored(Ignored.DUPLICATE)).isEqualTo(4);
        assertThat(rig.status("job").getState()).isNotEqualTo(JobState.PLANNING);
        assertThat(rig.status("job").getReason()).isEmpty();
        assertThat(whyPlanned()).hasSize(1);
    }

    @Test
    void whereAPageIsMissingThePlanIsMadeAnew() {
        page(asked.getPlan(), "w1", 1, 1000);

        assertThat(ordered().getPlan()).isEqualTo(asked.getPlan() + 1);
        assertThat(whyPlanned())
                .last()
                .isEqualTo("a page of its plan is missing or short: worker w1 has the least to do and plans it");
    }

    @Test
    void whereAPageBeforeTheLastIsShortThePlanIsMadeAnew() {
        page(asked.getPlan(), "w1", 0, 999);
        assertThat(rig.commands("w1")).isEmpty();
        page(asked.getPlan(), "w1", 1, 1000);

        assertThat(ordered().getPlan()).isEqualTo(asked.getPlan() + 1);
        rig.plan("job", asked, "w1", 5);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.PLANNING);
    }

    @Test
    void whatIsNotThePlanThatWasAskedForIsIgnored() {
        rig.plan("job", another(asked.getPlan() - 1), "w1", 5);
        rig.plan("job", asked, "w2", 5);
        rig.planFailed("job", asked.getPlan() + 1, "w1", FailureKind.REFUSED, "no file");
        assertThat(rig.ignored(Ignored.STALE_PLAN)).isEqualTo(5);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.PLANNING);

        rig.plan("job", asked, "w1", 5);
        assertThat(rig.status("job").getState()).isNotEqualTo(JobState.PLANNING);
        rig.plan("job", asked, "w1", 5);
        assertThat(rig.ignored(Ignored.STALE_PLAN)).isEqualTo(7);
    }

    @Test
    void whatIsPlannedOfAJobThatIsNotThereOrOverIsIgnored() {
        rig.planFailed("another", 1, "w1", FailureKind.REFUSED, "no file");
        assertThat(rig.ignored(Ignored.UNKNOWN_JOB)).isEqualTo(1);

        rig.cancel("job", "enough");
        rig.planFailed("job", asked.getPlan(), "w1", FailureKind.REFUSED, "no file");
        assertThat(rig.ignored(Ignored.UNKNOWN_JOB)).isEqualTo(2);
        assertThat(rig.status("job").getState()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aPlanThatFailsForNoKindOfReasonFailsByTheWorker() {
        rig.planFailed("job", asked.getPlan(), "w1", FailureKind.NONE, "it broke");

        assertThat(rig.status("job"))
                .extracting("state", "failure", "reason")
                .containsExactly(JobState.FAILED, FailureKind.FAILED, "it broke");
    }

    @Test
    void onlyAStrictJobThatAsksForExactlyOnceIsRefusedWhereItsPipelineCannotKeepIt() {
        rig.plan("job", asked, "w1", 5, Guarantee.AT_LEAST_ONCE, false);
        assertThat(rig.status("job").getState()).isNotEqualTo(JobState.FAILED);

        rig.submit(
                "weak",
                Rig.submit()
                        .setStrict(true)
                        .setGuarantee(Guarantee.AT_LEAST_ONCE)
                        .build());
        rig.plan("weak", ordered(), "w1", 5, Guarantee.AT_LEAST_ONCE, false);
        assertThat(rig.status("weak").getState()).isNotEqualTo(JobState.FAILED);

        rig.submit("kept", Rig.submit().setStrict(true).build());
        rig.plan("kept", ordered(), "w1", 5, Guarantee.EXACTLY_ONCE, false);
        assertThat(rig.status("kept").getState()).isNotEqualTo(JobState.FAILED);

        rig.submit("strict", Rig.submit().setStrict(true).build());
        rig.plan("strict", ordered(), "w1", 5, Guarantee.AT_LEAST_ONCE, false);
        assertThat(rig.status("strict"))
                .extracting("state", "failure", "reason")
                .containsExactly(
                        JobState.FAILED, FailureKind.REFUSED, "the pipeline cannot keep exactly-once: a flat_map");
    }

    // w1 and then w2 have a plan for their one slot; w3 leaves; w4 has 0, 1 and 2 for four
    @Test
    void whoHasTheLeastToDoForEachOfItsSlotsPlans() {
        rig.beat(Rig.worker("w2", 1).build());
        rig.beat(Rig.worker("w3", 4).setDraining(true).build());
        rig.submit("next", Rig.submit().build());
        assertThat(rig.commands("w2")).filteredOn(PlanSplits.class::isInstance).hasSize(1);

        rig.beat(Rig.worker("w4", 4).build());
        rig.submit("third", Rig.submit().build());
        rig.submit("fourth", Rig.submit().build());
        rig.submit("fifth", Rig.submit().build());
        assertThat(rig.journal())
                .filteredOn(entry -> entry.getObservation().getKind().equals("planWanted"))
                .extracting(
                        entry -> entry.getJob(),
                        entry -> entry.getDecision().get(0).getSubject())
                .containsExactly(
                        tuple("job", "w1"),
                        tuple("next", "w2"),
                        tuple("third", "w4"),
                        tuple("fourth", "w4"),
                        tuple("fifth", "w4"));
    }
}
