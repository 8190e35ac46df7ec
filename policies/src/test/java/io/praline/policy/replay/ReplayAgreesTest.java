package io.praline.policy.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Observation;
import io.praline.policy.Observation.Clock;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Pinned;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.PolicyStateText;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import io.praline.policy.Turn;
import io.praline.policy.scaling.Policies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever is seen live, the same policy decides the same when it sees it again. */
class ReplayAgreesTest {

    @Property(tries = 300)
    void aPolicyOverItsOwnTurnsMatchesInEveryStep(
            @ForAll("policies") String name, @ForAll("seen") List<Observation> seen) {
        Policy policy = Policies.named(name, Map.of());
        List<Turn> live = live(PolicyState.UNKNOWN, seen, policy);
        assertThat(Replay.ofTurns(PolicyState.UNKNOWN, recorded(live), policy))
                .isEqualTo(new Replay(seen.size(), List.of()));
    }

    @Property(tries = 300)
    void alsoFromASnapshotInTheMiddle(
            @ForAll("policies") String name,
            @ForAll("seen") List<Observation> before,
            @ForAll("seen") List<Observation> after) {
        Policy policy = Policies.named(name, Map.of());
        PolicyState reached = state(live(PolicyState.UNKNOWN, before, policy));
        List<Turn> live = live(reached, after, policy);
        PolicyState snapshot = PolicyStateText.read(PolicyStateText.write(reached));
        assertThat(Replay.ofTurns(snapshot, recorded(live), policy)).isEqualTo(new Replay(after.size(), List.of()));
    }

    /** Whatever a policy or a pin says. */
    @Property(tries = 300)
    void noTargetIsBeyondTheLimits(@ForAll("policies") String name, @ForAll("seen") List<Observation> seen) {
        for (Turn turn : live(PolicyState.UNKNOWN, seen, Policies.named(name, Map.of()))) {
            if (turn.state().planned()) {
                Target wanted = turn.state().wanted();
                assertThat(turn.state().terms().limits().cut(wanted)).isEqualTo(wanted);
                assertThat(turn.state().plan().singleTask() ? wanted.workers() : 0)
                        .isLessThanOrEqualTo(1);
                assertThat(
                                turn.state().spending().amount()
                                                >= turn.state().terms().cap()
                                        ? wanted
                                        : Target.NONE)
                        .isEqualTo(Target.NONE);
            }
        }
    }

    private static List<Turn> live(PolicyState start, List<Observation> seen, Policy policy) {
        List<Turn> turns = new ArrayList<>();
        PolicyState state = start;
        for (Observation observation : seen) {
            Turn turn = Turn.take(state, observation, policy);
            turns.add(turn);
            state = turn.state();
        }
        return turns;
    }

    private static PolicyState state(List<Turn> turns) {
        return turns.isEmpty()
                ? PolicyState.UNKNOWN
                : turns.get(turns.size() - 1).state();
    }

    private static List<Recorded> recorded(List<Turn> turns) {
        return turns.stream()
                .map(turn -> new Recorded(turn.seen(), turn.decision().commands()))
                .toList();
    }

    @Provide
    Arbitrary<String> policies() {
        return Arbitraries.of(Policies.names());
    }

    /** Long runs of windows with a few of all other kinds, in an order of time that is nearly kept. */
    @Provide
    Arbitrary<List<Observation>> seen() {
        Arbitrary<Instant> at = Arbitraries.longs().between(0, 20_000_000).map(Instant::ofEpochMilli);
        Arbitrary<Integer> few = Arbitraries.integers().between(0, 12);
        Arbitrary<Target> target = Combinators.combine(few, few).as(Target::new);
        Arbitrary<Observation> window = Combinators.combine(
                        at,
                        Arbitraries.integers().between(0, 1),
                        Arbitraries.doubles().between(0.5, 200),
                        Arbitraries.doubles().between(0, 40),
                        target,
                        Arbitraries.of(false, false, false, true))
                .as((when, consumer, seconds, queue, tasks, straddles) -> new WindowClosed(
                        when, consumer, 500, 16_000, seconds, 0.1, queue, tasks.local(), tasks.remote(), straddles));
        Arbitrary<Observation> limits = Combinators.combine(
                        at, few, few, Arbitraries.doubles().between(0.01, 20))
                .as((when, remote, local, cap) -> new TermsSet(
                        when, new Terms(Goal.COST, new Prices(4.96, 0.4, 0), new Limits(remote + 1, local), cap)));
        Arbitrary<Observation> local = at.map(when -> new TermsSet(
                when, new Terms(Goal.TIME, new Prices(1, 0.4, 0), new Limits(0, 4), Double.POSITIVE_INFINITY)));
        Arbitrary<Observation> planned = Combinators.combine(at, Arbitraries.of(false, false, true))
                .as((when, single) -> new Planned(when, 40, 0, single));
        Arbitrary<Observation> others = Arbitraries.oneOf(
                planned,
                limits,
                local,
                Combinators.combine(at, few).as((when, workers) -> new PoolChanged(when, workers, 2 * workers)),
                Combinators.combine(at, target).as(Granted::new),
                Combinators.combine(at, target.optional(0.5)).as(Pinned::new),
                Combinators.combine(at, few).as((when, rate) -> new RateMeasured(when, "w1", false, 1, rate + 0.5)),
                at.map(Clock::new));
        return Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(3, window), net.jqwik.api.Tuple.of(2, others))
                .list()
                .ofMaxSize(60)
                .map(ReplayAgreesTest::nearlyInOrder);
    }

    private static List<Observation> nearlyInOrder(List<Observation> seen) {
        return seen.stream()
                .sorted(java.util.Comparator.comparing(
                        observation -> observation.at().getEpochSecond() / 1_000))
                .collect(Collectors.toList());
    }
}
