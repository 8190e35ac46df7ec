package io.praline.policy.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Observation;
import io.praline.policy.Observation.Clock;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.OrderChanged;
import io.praline.policy.Observation.Pinned;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.TenantSpent;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import io.praline.policy.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is seen, in whatever order and however extreme: no policy breaks, nor exceeds what its job may have. */
class AnyHistoryTest {
    private static final int HISTORIES = 150;
    private static final int TURNS = 150;

    static Stream<String> policies() {
        return Policies.names().stream();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void itNeitherBreaksNorExceedsItsBounds(String name) {
        Policy policy = Policies.named(name, Map.of());
        for (int seed = 0; seed < HISTORIES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int consumers = 1 + random.nextInt(4);
            PolicyState state = PolicyState.UNKNOWN.apply(terms(random, Instant.ofEpochSecond(999_999_999)));
            Instant at = Instant.ofEpochSecond(1_000_000_000);
            for (int i = 0; i < TURNS; i++) {
                at = at.plusMillis(random.nextInt(20_000));
                Observation seen = any(random, at, state, consumers);
                Turn turn = Turn.take(state, seen, policy);
                assertThat(turn.broken())
                        .as("history %d, turn %d: %s", seed, i, seen)
                        .isEmpty();
                state = turn.state();
                if (!turn.decision().commands().isEmpty()) {
                    Limits limits = state.terms().limits();
                    assertThat(state.wanted().remote()).isBetween(0, limits.maxRemote());
                    assertThat(state.wanted().local()).isBetween(0, limits.maxLocal());
                }
                assertThat(turn.decision().numbers().values()).noneMatch(number -> number.isNaN());
                assertThat(state.memory().values()).allMatch(Double::isFinite);
            }
        }
    }

    private static Observation any(SplittableRandom random, Instant at, PolicyState state, int consumers) {
        return switch (random.nextInt(26)) {
            case 0, 1 -> new Planned(at, 1L << random.nextInt(12), 0, random.nextInt(6) == 0);
            case 2 -> new PoolChanged(at, random.nextInt(8), 16);
            case 3 -> terms(random, at);
            case 4 ->
                new Pinned(
                        at,
                        random.nextInt(4) == 0
                                ? Optional.of(new Target(random.nextInt(4), random.nextInt(4)))
                                : Optional.empty());
            case 5 -> new TenantSpent(at, random.nextInt(50), 45);
            case 6 -> new Clock(at);
            case 7, 8, 9 -> new OrderChanged(at, StrictMath.exp(6 * random.nextDouble() - 3));
            case 10, 11 -> new Granted(at, served(random, state.wanted()));
            case 12, 13, 14, 15 ->
                new RateMeasured(
                        at,
                        "w" + random.nextInt(40),
                        random.nextBoolean(),
                        1 + random.nextInt(20),
                        StrictMath.exp(14 * random.nextDouble() - 7));
            default -> {
                Target tasks = served(random, state.wanted());
                yield new WindowClosed(
                        at,
                        random.nextInt(consumers),
                        1 + random.nextInt(500),
                        random.nextInt(10) == 0 ? 0 : 1 + (long) StrictMath.exp(12 * random.nextDouble()),
                        random.nextInt(2) * 4_000_000_000L,
                        StrictMath.exp(8 * random.nextDouble() - 2),
                        List.of(0.0, 0.5, 0.999, 1.0).get(random.nextInt(4)),
                        random.nextInt(3) * 1e3,
                        tasks.local(),
                        tasks.remote(),
                        random.nextInt(8) == 0);
            }
        };
    }

    /** Often fewer than it wants, now and then any. */
    private static Target served(SplittableRandom random, Target wanted) {
        return switch (random.nextInt(4)) {
            case 0 -> new Target(random.nextInt(300), random.nextInt(20));
            case 1 -> new Target(wanted.remote() / 2, wanted.local() / 2);
            default -> wanted;
        };
    }

    private static TermsSet terms(SplittableRandom random, Instant at) {
        int local = List.of(0, 0, 1, 5, 40).get(random.nextInt(5));
        int remote = List.of(0, 1, 8, 100, 5_000).get(random.nextInt(5));
        return new TermsSet(
                at,
                new Terms(
                        List.of(Goal.COST, Goal.TIME, Goal.BALANCED).get(random.nextInt(3)),
                        new Prices(random.nextInt(3) * 2.5, random.nextInt(3) * 0.4, random.nextInt(2) * 0.01),
                        new Limits(local + remote == 0 ? 1 : remote, local),
                        random.nextInt(12) == 0 ? 5 : Double.POSITIVE_INFINITY));
    }
}
