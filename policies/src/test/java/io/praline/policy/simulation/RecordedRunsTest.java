package io.praline.policy.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Command;
import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Clock;
import io.praline.policy.Observation.Granted;
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
import io.praline.policy.scaling.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every policy decides, and on what grounds, in worlds of many kinds and in histories without sense: as it was recorded.
 * A change that moves a decision moves a line of {@code recorded/*.txt}, which {@link #main} writes again: the difference is
 * what the change does.
 *
 * <pre>
 *   turn second what was seen: reason [-> target]     where the reason is another one than before
 *       numbers of the decision                         and at the end: what the policy remembers
 * </pre>
 */
class RecordedRunsTest {
    private static final double FOREVER = Double.POSITIVE_INFINITY;
    private static final Set<String> PUBLISHED =
            Set.of("short", "local only", "remote only", "dear remote workers", "the trainer doubles, then halves");
    private static final List<Double> LOCAL = List.of(150.0, 290.0, 410.0, 500.0);

    /** Writes the runs anew into a folder: {@code policies/src/test/resources/io/praline/policy/simulation/recorded}. */
    public static void main(String[] folder) throws IOException {
        for (String name : runs().toList()) {
            Files.writeString(Path.of(folder[0], name + ".txt"), text(name));
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aRunGoesAsItWasRecorded(String name) throws IOException {
        try (InputStream recorded = RecordedRunsTest.class.getResourceAsStream("recorded/" + name + ".txt")) {
            assertThat(recorded)
                    .as("how %s goes is not written down: main writes it", name)
                    .isNotNull();
            assertThat(text(name)).isEqualTo(new String(recorded.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    static Stream<String> runs() {
        return Stream.concat(
                Policies.names().stream().flatMap(policy -> Stream.of(policy + "-worlds", policy + "-histories")),
                Stream.of("pools"));
    }

    private static String text(String name) {
        if (name.equals("pools")) {
            return pools();
        }
        String policy = name.substring(0, name.lastIndexOf('-'));
        return name.endsWith("-worlds") ? worlds(policy) : histories(policy);
    }

    // ---- worlds: what is seen makes sense, and what is decided has effect

    private static String worlds(String policy) {
        StringBuilder text = new StringBuilder();
        // the published ones say so much in each window that a few worlds are enough
        List<Scenario> worlds = policy.equals(Policies.USUAL)
                ? scenarios()
                : scenarios().stream()
                        .filter(scenario -> PUBLISHED.contains(scenario.name()))
                        .toList();
        for (Scenario scenario : worlds) {
            Written written = new Written(Policies.named(policy, Map.of()), new Lines());
            Run run = Simulation.run(scenario, written, 7);
            text.append("== ")
                    .append(scenario.name())
                    .append('\n')
                    .append(written.lines.text)
                    .append(written.lines.memory());
            text.append(outcome(run.outcome()));
            if (scenario.name().equals("short")) {
                run.course().forEach(point -> text.append(point(point)));
            }
        }
        return text.toString();
    }

    private static List<Scenario> scenarios() {
        World usual = world(Goal.COST, new Prices(5, 0.5, 0), new Limits(20, 4), rates(1_000, 100, 0), 0, Noise.NONE);
        World noisy = noisy(usual);
        return List.of(
                Worlds.alone(
                        "short",
                        new World(
                                usual.terms(),
                                usual.rates(),
                                usual.delays(),
                                Worlds.NOISE,
                                new Training(30_000, 100, 2, 50, 1_000),
                                200)),
                Worlds.alone("without noise", usual),
                Worlds.alone("with noise", noisy),
                Worlds.alone(
                        "time",
                        noisy(world(
                                Goal.TIME,
                                new Prices(5, 0.5, 0),
                                new Limits(20, 4),
                                rates(1_500, 100, 0.02),
                                0,
                                Noise.NONE))),
                Worlds.alone(
                        "balanced, local workers slow the trainer down",
                        noisy(world(
                                Goal.BALANCED,
                                new Prices(5, 0.5, 0),
                                new Limits(20, 4),
                                rates(900, 120, 0.2),
                                0,
                                Noise.NONE))),
                Worlds.alone(
                        "remote only",
                        noisy(world(
                                Goal.COST,
                                new Prices(5, 0.5, 0),
                                new Limits(12, 0),
                                rates(700, 100, 0),
                                0,
                                Noise.NONE))),
                Worlds.alone(
                        "local only",
                        noisy(world(
                                Goal.COST,
                                new Prices(5, 0.5, 0),
                                new Limits(0, 4),
                                rates(700, 100, 0.05),
                                0,
                                Noise.NONE))),
                Worlds.alone(
                        "dear remote workers",
                        noisy(world(
                                Goal.COST,
                                new Prices(1, 3, 0),
                                new Limits(20, 4),
                                rates(1_000, 100, 0),
                                0,
                                Noise.NONE))),
                Worlds.alone(
                        "dear egress",
                        noisy(world(
                                Goal.COST,
                                new Prices(5, 0.5, 0.02),
                                new Limits(20, 4),
                                rates(1_000, 100, 0),
                                100_000,
                                Noise.NONE))),
                Worlds.alone(
                        "only egress costs",
                        noisy(world(
                                Goal.COST,
                                new Prices(0, 0, 0.02),
                                new Limits(20, 4),
                                rates(1_000, 100, 0),
                                100_000,
                                Noise.NONE))),
                Worlds.alone(
                        "nothing costs anything",
                        world(Goal.COST, new Prices(0, 0, 0), new Limits(20, 4), rates(1_000, 100, 0), 0, Noise.NONE)),
                Worlds.alone(
                        "a slow trainer",
                        noisy(world(
                                Goal.COST,
                                new Prices(5, 0.5, 0),
                                new Limits(20, 4),
                                rates(80, 100, 0.1),
                                0,
                                Noise.NONE))),
                Worlds.alone(
                        "workers die",
                        new World(noisy.terms(), noisy.rates(), noisy.delays(), noisy.noise(), noisy.training(), 900)),
                Worlds.alone(
                        "much garbage",
                        new World(
                                noisy.terms(),
                                noisy.rates(),
                                noisy.delays(),
                                new Noise(0.1, 0.1, 0.2),
                                noisy.training(),
                                FOREVER)),
                Worlds.alone(
                        "the trainer doubles, then halves",
                        noisy,
                        new Change(1_200, with(noisy, rates(2_000, 100, 0))),
                        new Change(2_000, with(noisy, rates(500, 100, 0)))),
                Worlds.alone(
                        "remote workers get slow, then fast",
                        usual,
                        new Change(1_200, with(usual, rates(1_000, 40, 0))),
                        new Change(2_500, with(usual, rates(1_000, 250, 0)))),
                Worlds.alone(
                        "other terms come",
                        noisy,
                        new Change(
                                1_200,
                                with(noisy, new Terms(Goal.COST, new Prices(5, 4, 0), new Limits(20, 4), FOREVER))),
                        new Change(
                                1_900,
                                with(noisy, new Terms(Goal.TIME, new Prices(5, 4, 0), new Limits(6, 2), FOREVER)))),
                Worlds.alone("a cap", with(noisy, new Terms(Goal.COST, new Prices(5, 0.5, 0), new Limits(20, 4), 2))));
    }

    private static World world(Goal goal, Prices prices, Limits limits, Rates rates, double bytes, Noise noise) {
        return new World(
                new Terms(goal, prices, limits, FOREVER),
                rates,
                new Delays(20, 10, 5),
                noise,
                new Training(400_000, 100, 6, 300, bytes),
                FOREVER);
    }

    private static Rates rates(double trainer, double remote, double slowdown) {
        return new Rates(trainer, remote, LOCAL, slowdown);
    }

    private static World noisy(World world) {
        return new World(
                world.terms(),
                world.rates(),
                world.delays(),
                Worlds.NOISE,
                world.training(),
                world.remoteMeanLifetimeSeconds());
    }

    private static World with(World world, Rates rates) {
        return new World(world.terms(), rates, world.delays(), world.noise(), world.training(), FOREVER);
    }

    private static World with(World world, Terms terms) {
        return new World(terms, world.rates(), world.delays(), world.noise(), world.training(), FOREVER);
    }

    // ---- histories: anything may be seen at any time

    private static String histories(String policy) {
        StringBuilder text = new StringBuilder();
        for (int seed = 0; seed < (policy.equals(Policies.USUAL) ? 8 : 4); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Lines lines = new Lines();
            PolicyState state = PolicyState.UNKNOWN;
            Instant at = Instant.ofEpochSecond(1_000_000_000);
            for (int i = 0; i < 100; i++) {
                at = at.plusMillis(random.nextInt(40_000));
                Observation seen = i == 0 ? terms(random, at) : any(random, at, state.wanted());
                Turn turn = Turn.take(state, seen, Policies.named(policy, Map.of()));
                state = turn.state();
                lines.add(seen, turn.decision());
            }
            text.append("== history ")
                    .append(seed)
                    .append('\n')
                    .append(lines.text)
                    .append(lines.memory());
        }
        return text.toString();
    }

    private static Observation any(SplittableRandom random, Instant at, Target wanted) {
        return switch (random.nextInt(24)) {
            case 0 -> new Planned(at, 1 + random.nextInt(3), 0, random.nextInt(4) == 0);
            case 1 -> new PoolChanged(at, random.nextInt(8), 16);
            case 2 -> terms(random, at);
            case 3 -> new Pinned(at, random.nextBoolean() ? Optional.of(target(random)) : Optional.empty());
            case 4 -> new TenantSpent(at, random.nextInt(50), 40);
            case 5 -> new Clock(at);
            case 6, 7 -> new Granted(at, random.nextBoolean() ? wanted : target(random));
            case 8, 9, 10 ->
                new RateMeasured(
                        at,
                        "w" + random.nextInt(4),
                        random.nextBoolean(),
                        1 + random.nextInt(3),
                        50 + random.nextInt(300));
            default -> {
                Target tasks = random.nextInt(3) > 0 ? wanted : target(random);
                yield new WindowClosed(
                        at,
                        random.nextInt(2),
                        300,
                        random.nextInt(9) * 5_000L,
                        random.nextInt(2) * 4_000_000_000L,
                        5 + random.nextInt(120),
                        random.nextDouble(),
                        random.nextInt(6),
                        tasks.local(),
                        tasks.remote(),
                        random.nextInt(6) == 0);
            }
        };
    }

    private static Target target(SplittableRandom random) {
        return new Target(random.nextInt(6), random.nextInt(4));
    }

    private static Observation terms(SplittableRandom random, Instant at) {
        int local = random.nextInt(5);
        return new TermsSet(
                at,
                new Terms(
                        List.of(Goal.COST, Goal.TIME, Goal.BALANCED).get(random.nextInt(3)),
                        new Prices(random.nextInt(6), random.nextInt(3), random.nextInt(2) * 0.01),
                        new Limits(random.nextInt(12) + (local == 0 ? 1 : 0), local),
                        random.nextInt(8) == 0 ? 5 : FOREVER));
    }

    // ---- pools: jobs that share workers

    private static String pools() {
        StringBuilder text = new StringBuilder();
        for (String policy : List.of("fitted", "every-worker")) {
            for (Scenario scenario : crowds()) {
                Crowd crowd = PoolSimulation.run(scenario, Policies.named(policy, Map.of()), 7);
                text.append(String.format(
                        Locale.ROOT,
                        "== %s, %s\njain %.6g, longest under share %d, windows %d, turns %d,"
                                + " divisions %d, ended %d, seconds %.6g\n",
                        policy,
                        scenario.name(),
                        crowd.jain(),
                        crowd.longestUnderShare(),
                        crowd.windows(),
                        crowd.turns(),
                        crowd.divisions(),
                        crowd.ended(),
                        crowd.seconds()));
                crowd.jobs().forEach(job -> text.append(outcome(job)));
                text.append(figures(Summary.of(policy, scenario.name(), crowd.jobs())));
            }
        }
        return text.toString();
    }

    private static List<Scenario> crowds() {
        World four = member(new Limits(4, 0), 800);
        World eight = member(new Limits(8, 2), 1_500);
        return List.of(
                crowd("two of equal weight", four, FOREVER, new Entry("a", 2, 0, 40, 1, four)),
                crowd(
                        "weights 3 to 1",
                        four,
                        FOREVER,
                        new Entry("heavy", 1, 0, 0, 3, four),
                        new Entry("light", 1, 15, 0, 1, eight)),
                crowd(
                        "more jobs than workers",
                        member(new Limits(2, 0), 800),
                        FOREVER,
                        new Entry("many", 5, 3, 7, 1, four)),
                crowd(
                        "with local workers",
                        four,
                        FOREVER,
                        new Entry("a", 2, 0, 60, 1, eight),
                        new Entry("b", 2, 30, 60, 1, four)),
                crowd(
                        "workers die",
                        new World(four.terms(), four.rates(), four.delays(), four.noise(), four.training(), 60),
                        FOREVER,
                        new Entry("a", 3, 0, 10, 1, eight)),
                crowd(
                        "cut off",
                        four,
                        100,
                        new Entry("a", 3, 0, 30, 1, eight),
                        new Entry("late", 1, 500, 0, 1, eight)));
    }

    private static Scenario crowd(String name, World pool, double untilSeconds, Entry... jobs) {
        return new Scenario(name, pool, List.of(), List.of(jobs), untilSeconds);
    }

    private static World member(Limits limits, double trainer) {
        return new World(
                new Terms(Goal.COST, new Prices(5, 0.5, 0.01), limits, FOREVER),
                rates(trainer, 170, 0.05),
                new Delays(6, 4, 2),
                Worlds.NOISE,
                new Training(60_000, 100, 2, 25, 2_000),
                FOREVER);
    }

    // ---- text

    /** Writes down what {@code inner} sees and decides. */
    private record Written(Policy inner, Lines lines) implements Policy {
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
            return inner.parameters();
        }

        @Override
        public boolean elastic(PolicyState state) {
            return inner.elastic(state);
        }

        @Override
        public Decision decide(PolicyState state, Observation seen) {
            Decision decision = inner.decide(state, seen);
            lines.add(seen, decision);
            return decision;
        }
    }

    private static final class Lines {
        private final StringBuilder text = new StringBuilder();
        private String reason = "";
        private int turns;
        private SortedMap<String, Double> memory = Collections.emptySortedMap();

        void add(Observation seen, Decision decision) {
            turns++;
            memory = decision.memory().orElse(memory);
            if (decision.reason().equals(reason)
                    && decision.commands().isEmpty()
                    && decision.numbers().isEmpty()) {
                return;
            }
            reason = decision.reason();
            text.append(String.format(Locale.ROOT, "%d %.2f %s: %s", turns, seconds(seen), told(seen), reason));
            for (Command command : decision.commands()) {
                text.append(" -> ").append(command.match(ScaleTo::workers));
            }
            text.append('\n').append(numbers(decision.numbers()));
        }

        /** What the policy remembers at the end. */
        String memory() {
            return numbers(memory);
        }

        private static double seconds(Observation seen) {
            return seen.at().toEpochMilli() / 1e3 - 1e9;
        }

        private static String told(Observation seen) {
            return seen instanceof WindowClosed window
                    ? String.format(
                            Locale.ROOT,
                            "%.6g/s by %s%s",
                            window.elements() / window.seconds(),
                            window.tasks(),
                            window.straddles() ? ", straddling" : "")
                    : seen.getClass().getSimpleName();
        }

        private static String numbers(Map<String, Double> numbers) {
            return numbers.isEmpty()
                    ? ""
                    : numbers.entrySet().stream()
                            .map(one -> one.getKey() + "=" + number(one.getValue()))
                            .collect(Collectors.joining(", ", "    ", "\n"));
        }
    }

    /** Six digits: more of them may be another machine's. */
    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.6g", value);
    }

    private static String outcome(Outcome outcome) {
        Convergence convergence = outcome.convergence();
        return String.format(
                Locale.ROOT,
                "    ends with %s: an epoch %.6g, at best %.6g, regret %.6g; at rest %s after %d windows and %.6g, then"
                        + " %d changes; followed %d; windows %d, dropped %d, seconds %.6g, spent %.6g\n",
                outcome.last(),
                outcome.costPerEpoch(),
                outcome.oracleCostPerEpoch(),
                outcome.regret(),
                convergence.reached(),
                convergence.windows(),
                convergence.cost(),
                convergence.changesAfter(),
                outcome.changesFollowed(),
                outcome.windows(),
                outcome.droppedWindows(),
                outcome.seconds(),
                outcome.spent());
    }

    private static String point(Point point) {
        String millis =
                point.batchMillis().isPresent() ? number(point.batchMillis().getAsDouble()) : "none";
        return String.format(
                Locale.ROOT,
                "    at %.6g wants %s, has %s, batch %s ms, spent %.6g\n",
                point.seconds(),
                point.wanted(),
                point.serving(),
                millis,
                point.spent());
    }

    private static String figures(Summary summary) {
        List<String> figures = new ArrayList<>();
        for (Summary.Figure figure : summary.figures()) {
            figures.add(figure.name() + " " + number(figure.mean()) + " p95 " + number(figure.p95()));
        }
        return "    " + summary.policy() + " in " + summary.scenario() + ": " + String.join(", ", figures) + "\n";
    }
}
