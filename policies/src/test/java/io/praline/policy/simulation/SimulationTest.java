package io.praline.policy.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.scaling.Policies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final Rates RATES = new Rates(100, 50, List.of(40.0, 60.0), 0.25);

    private static Policy fixed(int remote, int local) {
        return Policies.named("fixed", Map.of("remote", Integer.toString(remote), "local", Integer.toString(local)));
    }

    private static World small(Noise noise) {
        return Worlds.small(Worlds.terms(36, 18, 4, 2), RATES, noise);
    }

    /** Writes down what {@code inner} sees. */
    private record Watched(Policy inner, List<Observation> seen) implements Policy {
        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public int version() {
            return inner.version();
        }

        @Override
        public SortedMap<String, String> parameters() {
            return new TreeMap<>();
        }

        @Override
        public Decision decide(PolicyState state, Observation observation) {
            seen.add(observation);
            return inner.decide(state, observation);
        }

        <T> List<T> all(Class<T> kind) {
            return seen.stream().filter(kind::isInstance).map(kind::cast).toList();
        }

        double secondsOf(Observation one) {
            return one.at().toEpochMilli() / 1e3 - seen.get(0).at().toEpochMilli() / 1e3;
        }
    }

    private static Watched watch(World world, Policy policy) {
        Watched watched = new Watched(policy, new ArrayList<>());
        Simulation.run(Worlds.alone("small", world), watched, 1);
        return watched;
    }

    // 3 workers could make 150/s, the trainer takes 100/s: after a start of 10 s a window of 1,000 takes 10 s, 10,000
    // elements
    // 100 s; the tenth window ends with the training. 50 s an epoch at 36 + 3 x 18 an hour are 1.25; two local workers
    // alone make 60/s
    // for 36 an hour, 5/6.
    @Test
    void aWorldBoundByItsTrainer() {
        Run run = Simulation.run(Worlds.alone("small", small(Noise.NONE)), fixed(3, 0), 1);
        Outcome outcome = run.outcome();
        assertThat(outcome.last()).isEqualTo(new Target(3, 0));
        assertThat(outcome.windows()).isEqualTo(9);
        assertThat(outcome.seconds()).isCloseTo(110, within(1e-6));
        assertThat(outcome.spent()).isCloseTo(110 / 3600.0 * 90, within(1e-6));
        assertThat(outcome.costPerEpoch()).isCloseTo(1.25, within(1e-9));
        assertThat(outcome.oracleCostPerEpoch()).isCloseTo(5 / 6.0, within(1e-9));
        assertThat(outcome.regret()).isCloseTo(0.5, within(1e-9));
        List<WindowClosed> windows = watch(small(Noise.NONE), fixed(3, 0)).all(WindowClosed.class);
        assertThat(windows).hasSize(9).allSatisfy(window -> {
            assertThat(window.seconds()).isCloseTo(10, within(1e-6));
            assertThat(window.waitShare()).isCloseTo(0, within(1e-9));
            assertThat(window.queueDepth()).isGreaterThan(13);
            assertThat(window.tasks()).isEqualTo(new Target(3, 0));
            assertThat(window.straddles()).isFalse();
        });
    }

    // as above, with 10,000 elements of 1 MB, 0.1 for each GB; an epoch is 5 GB
    @Test
    void whatComesFromFarAwayIsPaidFor() {
        World dear = Worlds.ofElements(small(Noise.NONE), 1e6, 0.1);
        Outcome outcome =
                Simulation.run(Worlds.alone("small", dear), fixed(3, 0), 1).outcome();
        assertThat(outcome.spent()).isCloseTo(110 / 3600.0 * 90 + 1, within(1e-6));
        assertThat(outcome.costPerEpoch()).isCloseTo(1.25 + 0.5, within(1e-9));
        assertThat(watch(dear, fixed(3, 0)).all(WindowClosed.class))
                .allSatisfy(window -> assertThat(window.bytes()).isEqualTo(1_000_000_000));
    }

    /** Whatever elements weigh, and whatever egress would cost if they weighed anything. */
    @Property(tries = 40)
    void withoutEgressNothingIsOtherThanItWas(
            @ForAll @DoubleRange(min = 100, max = 4000) double trainer,
            @ForAll @DoubleRange(min = 20, max = 500) double remote,
            @ForAll @DoubleRange(min = 0, max = 1e7) double bytes,
            @ForAll @DoubleRange(min = 0, max = 1) double egressPerGb,
            @ForAll Terms.Goal goal,
            @ForAll long seed) {
        World world = new World(
                Worlds.terms(goal, 4.96, 0.427319, 20, 2),
                new Rates(trainer, remote, List.of(390.0, 676.0), 0.02),
                new Delays(10, 20, 5),
                Worlds.NOISE,
                new Training(100_000, 128, 4, 50, 0),
                Double.POSITIVE_INFINITY);
        Run before = fitted(world, seed);
        assertThat(fitted(Worlds.ofElements(world, bytes, 0), seed)).isEqualTo(before);
        assertThat(fitted(Worlds.ofElements(world, 0, egressPerGb), seed)).isEqualTo(before);
    }

    private static Run fitted(World world, long seed) {
        return Simulation.run(Worlds.alone("any", world), Policies.named("fitted", Map.of()), seed);
    }

    // one worker makes 50/s: a window takes 20 s, half of which the trainer waits
    @Test
    void aWorldBoundByItsWorkers() {
        List<WindowClosed> windows = watch(small(Noise.NONE), fixed(1, 0)).all(WindowClosed.class);
        assertThat(windows).hasSize(9).allSatisfy(window -> {
            assertThat(window.seconds()).isCloseTo(20, within(1e-6));
            assertThat(window.waitShare()).isCloseTo(0.5, within(1e-9));
            assertThat(window.queueDepth()).isLessThan(1.1);
        });
    }

    // local workers serve from 2 s on at 60/s, remote ones from 10 s on: the window that began at 2 s straddles
    @Test
    void aWindowInWhichWorkersCameStraddles() {
        Watched seen = watch(small(Noise.NONE), fixed(1, 2));
        assertThat(seen.all(Granted.class))
                .extracting(Granted::workers)
                .containsExactly(new Target(0, 2), new Target(1, 2));
        assertThat(seen.all(Granted.class).stream().map(seen::secondsOf)).containsExactly(2.0, 10.0);
        assertThat(seen.all(WindowClosed.class).subList(0, 2))
                .extracting(WindowClosed::straddles)
                .containsExactly(true, false);
    }

    // local workers' rates are known at 7 s, each half of 60/s; the remote one's at 15 s
    @Test
    void aWorkersRateIsKnownSeconds() {
        Watched seen = watch(small(Noise.NONE), fixed(1, 2));
        Instant begin = seen.seen().get(0).at();
        assertThat(seen.all(RateMeasured.class))
                .containsExactly(
                        new RateMeasured(begin.plusSeconds(7), "L0", true, 2, 30),
                        new RateMeasured(begin.plusSeconds(7), "L1", true, 2, 30),
                        new RateMeasured(begin.plusSeconds(15), "R0", false, 1, 50));
    }

    @Test
    void theSameSeedIsTheSameRunAndAnotherIsNot() {
        Scenario scenario = Worlds.alone("resnet", Worlds.resnet(Worlds.NOISE));
        Policy pecan = Policies.named("pecan", Map.of());
        Run run = Simulation.run(scenario, pecan, 7);
        assertThat(Simulation.run(scenario, pecan, 7)).isEqualTo(run);
        assertThat(Simulation.run(scenario, pecan, 8)).isNotEqualTo(run);
    }

    @Test
    void withoutNoiseTheSeedDoesNotMatter() {
        Scenario scenario = Worlds.alone("resnet", Worlds.resnet(Noise.NONE));
        Policy pecan = Policies.named("pecan", Map.of());
        assertThat(Simulation.run(scenario, pecan, 1)).isEqualTo(Simulation.run(scenario, pecan, 2));
    }

    // 2 % of windows are garbage and half of that is negative: of 600 windows 6
    @Test
    void negativeTimesAreDropped() {
        Outcome outcome = Simulation.run(Worlds.alone("resnet", Worlds.resnet(Worlds.NOISE)), fixed(20, 0), 3)
                .outcome();
        assertThat(outcome.droppedWindows()).isBetween(1, 15);
    }

    // the published run took 34 windows, its remote workers being faster: here 19 of them come one by one before the
    // local ones
    @Test
    void thePublishedPolicyComesToRestAsPublished() {
        Outcome outcome = Simulation.run(
                        Worlds.alone("resnet", Worlds.resnet(Noise.NONE)), Policies.named("pecan", Map.of()), 1)
                .outcome();
        assertThat(outcome.convergence().reached()).isTrue();
        assertThat(outcome.convergence().windows()).isBetween(34, 70);
    }

    // from 60 s on the trainer takes 50/s: the best is one local worker, 36/40; two remote ones cost 72/50
    @Test
    void aChangeThatIsNotFollowedIsTold() {
        World before = small(Noise.NONE);
        World after =
                Worlds.small(Worlds.terms(36, 18, 4, 2), new Rates(50, 50, List.of(40.0, 60.0), 0.25), Noise.NONE);
        Scenario scenario = Worlds.alone("change", before, new Change(60, after));
        assertThat(Simulation.run(scenario, fixed(2, 0), 1).outcome().changesFollowed())
                .isZero();
        assertThat(Simulation.run(scenario, fixed(0, 1), 1).outcome().changesFollowed())
                .isEqualTo(1);
    }

    // workers live 50 s on average: with 4 of them some die within the minutes of the run, and are replaced
    @Test
    void workersThatDieAreReplaced() {
        World mortal = new World(
                Worlds.terms(36, 18, 4, 2),
                RATES,
                new Delays(10, 5, 2),
                Noise.NONE,
                new Training(50_000, 100, 1, 10, 0),
                50);
        Watched seen = watch(mortal, fixed(4, 0));
        List<Target> granted =
                seen.all(Granted.class).stream().map(Granted::workers).toList();
        assertThat(granted).contains(new Target(3, 0));
        assertThat(granted.subList(granted.indexOf(new Target(3, 0)), granted.size()))
                .contains(new Target(4, 0));
    }
}
