package io.praline.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Clock;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Pinned;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.TenantSpent;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import io.praline.policy.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BoundedTest {
    private static final Bounded FOUR_AND_TWO = new Bounded(new Fixed(4, 2));

    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    private static TermsSet terms(int maxRemote, int maxLocal, double cap) {
        return new TermsSet(at(1), new Terms(Goal.COST, new Prices(1, 0.5, 0), new Limits(maxRemote, maxLocal), cap));
    }

    private static Planned plan(boolean singleTask) {
        return new Planned(at(2), 40, 0, singleTask);
    }

    private static Turn last(Observation... seen) {
        PolicyState state = PolicyState.UNKNOWN;
        Turn turn = null;
        for (Observation observation : seen) {
            turn = Turn.take(state, observation, FOUR_AND_TWO);
            state = turn.state();
        }
        return turn;
    }

    private static void decides(Turn turn, Target target, String reason) {
        assertThat(turn.decision().commands()).isEqualTo(List.of(new ScaleTo(target)));
        assertThat(turn.decision().reason()).isEqualTo(reason);
    }

    private static final double NO_CAP = Double.POSITIVE_INFINITY;

    @Test
    void nothingIsDecidedBeforeThePlan() {
        assertThat(last(terms(9, 9, NO_CAP)).decision())
                .isEqualTo(Decision.nothing(at(1), "its splits are not known yet"));
    }

    @Test
    void aPolicyWithinTheLimitsDecides() {
        decides(
                last(terms(9, 9, NO_CAP), plan(false)),
                new Target(4, 2),
                "its number of workers is fixed: 4 remote and 2 local");
    }

    @Test
    void limitsCutWhatAPolicyWants() {
        decides(
                last(terms(3, 0, NO_CAP), plan(false)),
                new Target(3, 0),
                "its number of workers is fixed: 4 remote and 2 local; its limits allow 3 remote and 0 local");
    }

    @Test
    void limitsThatAreLoweredCutWhatIsThere() {
        decides(
                last(terms(9, 9, NO_CAP), plan(false), terms(4, 1, NO_CAP)),
                new Target(4, 1),
                "it has its fixed number: 4 remote and 2 local; its limits allow 4 remote and 1 local");
    }

    @Test
    void aPinDecidesInsteadOfThePolicyUntilItIsGivenBack() {
        Pinned pin = new Pinned(at(3), Optional.of(new Target(1, 5)));
        decides(
                last(terms(9, 3, NO_CAP), plan(false), pin),
                new Target(1, 3),
                "somebody pinned it to 1 remote and 5 local; its limits allow 9 remote and 3 local");
        assertThat(last(terms(9, 3, NO_CAP), plan(false), pin, new Clock(at(4)))
                        .decision()
                        .commands())
                .isEmpty();
        decides(
                last(terms(9, 3, NO_CAP), plan(false), pin, new Pinned(at(5), Optional.empty())),
                new Target(4, 2),
                "its number of workers is fixed: 4 remote and 2 local");
    }

    @Test
    void onlyOneWorkerServesAJobOfASingleTask() {
        decides(
                last(terms(9, 9, NO_CAP), plan(true)),
                new Target(1, 0),
                "its number of workers is fixed: 4 remote and 2 local; only 1 remote and 0 local may serve it");
    }

    // 1 + 4 x 0.5 = 3 an hour: 1.5 after half an hour, and 1 an hour for the 9 s before
    @Test
    void aJobThatSpentItsCapHasNoWorker() {
        Granted granted = new Granted(at(10), new Target(4, 0));
        decides(
                last(terms(9, 9, 1.5), plan(false), granted, new Clock(at(10 + 1_800))),
                Target.NONE,
                "it has spent 1.5025, its cap is 1.5000: it may have no worker any more");
        Pinned pin = new Pinned(at(10 + 1_801), Optional.of(new Target(1, 5)));
        assertThat(last(terms(9, 9, 1.5), plan(false), granted, pin).state().wanted())
                .isEqualTo(Target.NONE);
        assertThat(last(terms(9, 9, 1.5), plan(false), granted, new Clock(at(10 + 1_790)))
                        .state()
                        .wanted())
                .isEqualTo(new Target(4, 2));
    }

    @Test
    void whereNoneOfTheWantedMayServeOneOfTheAllowedDoes() {
        Bounded remoteOnly = new Bounded(new Fixed(2, 0));
        PolicyState state = PolicyState.UNKNOWN.apply(terms(0, 3, NO_CAP));
        assertThat(Turn.take(state, plan(false), remoteOnly).state().wanted()).isEqualTo(new Target(0, 1));
    }

    @Test
    void aTenantThatHasSpentItsCapLeavesItsJobsNoWorkerUntilTheCapIsRaised() {
        TenantSpent spent = new TenantSpent(at(3), 5.25, 5);
        decides(
                last(terms(9, 9, NO_CAP), plan(false), spent),
                Target.NONE,
                "its tenant's jobs have spent 5.2500 together, the tenant's cap is 5.0000: it may have no worker any more");
        Pinned pin = new Pinned(at(4), Optional.of(new Target(1, 1)));
        assertThat(last(terms(9, 9, NO_CAP), plan(false), spent, pin).state().wanted())
                .isEqualTo(Target.NONE);
        decides(
                last(terms(9, 9, NO_CAP), plan(false), spent, new TenantSpent(at(5), 5.25, 6)),
                new Target(4, 2),
                "its number of workers is fixed: 4 remote and 2 local");
    }

    @Test
    void noWorkerIsPaidOnceExactlyTheCapIsSpent() {
        Observation[] seen = {terms(9, 9, NO_CAP), plan(false), new Clock(at(3602))};
        double spent = last(seen).state().spending().amount();
        assertThat(spent).isPositive();
        Observation[] capped = {seen[0], seen[1], seen[2], terms(9, 9, spent)};
        decides(
                last(capped),
                Target.NONE,
                String.format(
                        Locale.ROOT,
                        "it has spent %.4f, its cap is %.4f: it may have no worker any more",
                        spent,
                        spent));
        Observation[] below = {seen[0], seen[1], seen[2], terms(9, 9, Math.nextUp(spent))};
        assertThat(last(below).state().wanted()).isEqualTo(new Target(4, 2));
    }

    @Test
    void aPinOfNobodyIsKeptAndOneOfAnotherKindBecomesOneWorker() {
        Pinned nobody = new Pinned(at(3), Optional.of(Target.NONE));
        assertThat(last(terms(9, 0, NO_CAP), plan(false), nobody).state().wanted())
                .isEqualTo(Target.NONE);
        Pinned local = new Pinned(at(3), Optional.of(new Target(0, 2)));
        assertThat(last(terms(9, 0, NO_CAP), plan(false), local).state().wanted())
                .isEqualTo(new Target(1, 0));
        Pinned remote = new Pinned(at(3), Optional.of(new Target(2, 0)));
        assertThat(last(terms(0, 9, NO_CAP), plan(false), remote).state().wanted())
                .isEqualTo(new Target(0, 1));
    }

    @Test
    void ofOneTaskTheRemoteOneIsKeptAndTheLocalOneWhereThereIsNoOther() {
        Pinned both = new Pinned(at(3), Optional.of(new Target(2, 2)));
        assertThat(last(terms(9, 9, NO_CAP), plan(true), both).state().wanted()).isEqualTo(new Target(1, 0));
        Pinned local = new Pinned(at(3), Optional.of(new Target(0, 2)));
        assertThat(last(terms(9, 9, NO_CAP), plan(true), local).state().wanted())
                .isEqualTo(new Target(0, 1));
        Pinned one = new Pinned(at(3), Optional.of(new Target(0, 1)));
        assertThat(last(terms(9, 9, NO_CAP), plan(true), one).state().wanted()).isEqualTo(new Target(0, 1));
    }
}
