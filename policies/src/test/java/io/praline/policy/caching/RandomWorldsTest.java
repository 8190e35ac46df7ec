package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Terms.Goal;
import io.praline.policy.caching.CachingPlayers.Measuring;
import io.praline.policy.caching.CachingPlayers.OfCachew;
import io.praline.policy.caching.CachingPlayers.OfCourse;
import io.praline.policy.caching.CachingWorld.Job;
import io.praline.policy.caching.CachingWorld.Player;
import io.praline.policy.caching.CachingWorld.Way;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How much is lost in made-up worlds against the best fixed choice for each job, which one knows afterwards. */
class RandomWorldsTest {
    private static final double ERROR = 0.05;

    /** The policy was written with an eye on worlds below. */
    private static final long FIRST_SEED = 1000;

    private static final int WORLDS = 100;

    private static double between(SplittableRandom random, double from, double to) {
        return from + (to - from) * random.nextDouble();
    }

    private static double logBetween(SplittableRandom random, double from, double to) {
        return from * StrictMath.pow(to / from, random.nextDouble());
    }

    /** One to three jobs on the same data; what they have in common ends somewhere. */
    static CachingWorld world(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double sourceBytes = logBetween(random, 1e4, 1e6);
        double storeRate = logBetween(random, 1.5e8, 3e9);
        double writeRate = storeRate * between(random, 0.3, 1);
        double sourceNanos = sourceBytes / logBetween(random, 5e7, 2e9) * 1e9;
        double cpuNanos = logBetween(random, 2e5, 5e7);
        int steps = 1 + random.nextInt(3);
        double[] shares =
                DoubleStream.generate(random::nextDouble).limit(steps).sorted().toArray();
        if (random.nextDouble() < 0.4) {
            shares[steps - 1] = 1;
        }
        List<CachePoint> points = new ArrayList<>(List.of(new CachePoint(0, "TFRecordDataset", "0")));
        List<PointMeasure> measures = new ArrayList<>(List.of(new PointMeasure(
                0, sourceNanos, sourceBytes, sourceBytes / writeRate * 1e9, sourceBytes / storeRate * 1e9)));
        for (int i = 0; i < steps; i++) {
            double bytes = sourceBytes * logBetween(random, 0.3, 20);
            points.add(new CachePoint(i + 1, "step" + (i + 1), "" + (i + 1)));
            measures.add(new PointMeasure(
                    i + 1,
                    sourceNanos + cpuNanos * shares[i],
                    bytes,
                    bytes / writeRate * 1e9,
                    bytes / storeRate * 1e9));
        }
        double threads = 1 << (1 + random.nextInt(4));
        CachedPipeline pipeline =
                new CachedPipeline(points, measures, sourceNanos + cpuNanos, threads, between(random, 0, 0.6));
        int workers = 1 + random.nextInt(8);
        double capacity = workers / pipeline.computes();
        int splits = 48;
        double recordsPerSplit = capacity * logBetween(random, 30, 1200) / splits;
        double epochSeconds = splits * recordsPerSplit / capacity;
        List<Job> jobs = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            boolean bound = random.nextDouble() < 0.4;
            double trainer = capacity * (bound ? between(random, 0.5, 1.2) : logBetween(random, 1.5, 20));
            int epochs = 1 + random.nextInt(10);
            double at = i == 0 ? 0 : between(random, 0, 2 * jobs.get(0).epochs() * epochSeconds);
            boolean same = i == 0 || random.nextDouble() < 0.7;
            jobs.add(new Job(at, epochs, workers, trainer, same ? pipeline : other(random, pipeline, i)));
        }
        double budget = random.nextBoolean()
                ? Double.POSITIVE_INFINITY
                : between(random, 0.1, 1.2)
                        * measures.get(random.nextInt(measures.size())).bytes()
                        * splits
                        * recordsPerSplit;
        double storage = random.nextDouble() < 0.4 ? 0 : logBetween(random, 2e-5, 5e-2);
        Goal goal = List.of(Goal.COST, Goal.TIME, Goal.BALANCED).get(random.nextInt(3));
        double client = random.nextBoolean() ? 4.96 : 0.5;
        return new CachingWorld(jobs, splits, recordsPerSplit, budget, new CacheTerms(goal, client, 0.43, storage, 0));
    }

    /** The same up to some point, behind which it is another one that costs the same. */
    private static CachedPipeline other(SplittableRandom random, CachedPipeline pipeline, int number) {
        int common = random.nextInt(pipeline.points().size());
        List<CachePoint> points = pipeline.points().stream()
                .map(point -> point.number() <= common
                        ? point
                        : new CachePoint(point.number(), point.step(), point.prefix() + "of" + number))
                .toList();
        return new CachedPipeline(
                points, pipeline.measures(), pipeline.allNanos(), pipeline.threads(), pipeline.apart());
    }

    static double ours(CachingWorld world, long seed) {
        List<Player> players = new ArrayList<>();
        for (int i = 0; i < world.jobs().size(); i++) {
            players.add(new OfCourse(world, world.jobs().get(i), new Measuring(7 * seed + i, ERROR)));
        }
        return world.play(players, seed).value(world.terms().goal());
    }

    static double cachew(CachingWorld world, long seed) {
        List<Player> players = new ArrayList<>();
        for (int i = 0; i < world.jobs().size(); i++) {
            players.add(new OfCachew(new Measuring(7 * seed + i, ERROR)));
        }
        return world.play(players, seed).value(world.terms().goal());
    }

    private static double computing(CachingWorld world, long seed) {
        List<Player> players = world.jobs().stream()
                .map(job -> CachingPlayers.fixed(Way.COMPUTE))
                .toList();
        return world.play(players, seed).value(world.terms().goal());
    }

    /** The best of all ways for each job, together. */
    static double hindsight(CachingWorld world, long seed) {
        return hindsight(world, seed, new ArrayList<>());
    }

    private static double hindsight(CachingWorld world, long seed, List<Player> players) {
        if (players.size() == world.jobs().size()) {
            return world.play(players, seed).value(world.terms().goal());
        }
        List<Way> ways = new ArrayList<>(List.of(Way.COMPUTE));
        for (CachePoint point : world.jobs().get(players.size()).pipeline().points()) {
            ways.add(new Way(Optional.of(point), true));
            if (!players.isEmpty()) {
                ways.add(new Way(Optional.of(point), false));
            }
        }
        double best = Double.POSITIVE_INFINITY;
        for (Way way : ways) {
            players.add(CachingPlayers.fixed(way));
            best = Math.min(best, hindsight(world, seed, players));
            players.remove(players.size() - 1);
        }
        return best;
    }

    /** Of one world, as shares of the best. */
    record Regret(long seed, double ours, double cachew, double computing) {}

    static Regret regret(long seed) {
        CachingWorld world = world(seed);
        double best = hindsight(world, seed);
        return new Regret(
                seed, ours(world, seed) / best - 1, cachew(world, seed) / best - 1, computing(world, seed) / best - 1);
    }

    private static String figures(String name, DoubleStream regrets) {
        double[] sorted = regrets.sorted().toArray();
        return "%s: mean %.1f %%, median %.1f %%, p95 %.1f %%, worst %.1f %%"
                .formatted(
                        name,
                        100 * Arrays.stream(sorted).average().orElseThrow(),
                        100 * sorted[sorted.length / 2],
                        100 * p95(sorted),
                        100 * sorted[sorted.length - 1]);
    }

    private static double p95(double[] sorted) {
        return sorted[(int) Math.ceil(0.95 * sorted.length) - 1];
    }

    @Test
    void ofAHundredWorldsLittleIsLostToTheBestFixedChoice() {
        List<Regret> regrets = LongStream.range(FIRST_SEED, FIRST_SEED + WORLDS)
                .parallel()
                .mapToObj(RandomWorldsTest::regret)
                .toList();
        System.out.println(figures("auto", regrets.stream().mapToDouble(Regret::ours)));
        System.out.println(figures("cachew", regrets.stream().mapToDouble(Regret::cachew)));
        System.out.println(figures("computing", regrets.stream().mapToDouble(Regret::computing)));
        double[] ours = regrets.stream().mapToDouble(Regret::ours).sorted().toArray();
        assertThat(Arrays.stream(ours).average().orElseThrow()).isLessThan(0.05);
        assertThat(p95(ours)).isLessThan(0.12);
    }
}
