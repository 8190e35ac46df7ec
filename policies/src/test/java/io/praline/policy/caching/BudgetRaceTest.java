package io.praline.policy.caching;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.caching.CachingPlayers.Measuring;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Three jobs whose entries save 1, 4 and 10 seconds a byte come at epochs 0, 2 and 5 and read ten epochs each, in another
 * order each time; the store has room for 30 % of all that they read. What is saved, against the most that anybody could have
 * who knows every read to come.
 */
class BudgetRaceTest {
    private static final int SPLITS = 40;
    private static final int EPOCHS = 10;
    private static final int ROOM = 3 * SPLITS * 30 / 100;
    private static final double[] WORTH = {1, 4, 10};
    private static final int[] BEGINS = {0, 2 * SPLITS, 5 * SPLITS};
    private static final int END = BEGINS[2] + EPOCHS * SPLITS;

    /** Epochs take ten minutes. */
    private static final double EPOCHS_PER_HOUR = 6;

    /** Of what is measured of a group's worth. */
    private static final double ERROR = 0.2;

    private static final long FIRST_SEED = 1000;
    private static final int SEEDS = 20;

    /** An entry: a split of a job. */
    private record Name(int job, int split) {}

    /** Who decides what stays. */
    private interface Keeper {
        /** A split is read: told whether it was there. */
        boolean read(int time, Name name);
    }

    /** Which split each job reads in each tick. */
    private static int[][] reads(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[][] reads = new int[WORTH.length][EPOCHS * SPLITS];
        for (int[] job : reads) {
            for (int epoch = 0; epoch < EPOCHS; epoch++) {
                List<Integer> order =
                        new ArrayList<>(IntStream.range(0, SPLITS).boxed().toList());
                for (int i = SPLITS - 1; i >= 0; i--) {
                    Collections.swap(order, i, random.nextInt(i + 1));
                    job[epoch * SPLITS + i] = order.get(i);
                }
            }
        }
        return reads;
    }

    private static boolean runs(int job, int time) {
        return time >= BEGINS[job] && time < BEGINS[job] + EPOCHS * SPLITS;
    }

    private static double saved(int[][] reads, Keeper keeper) {
        double saved = 0;
        for (int time = 0; time < END; time++) {
            for (int job = 0; job < WORTH.length; job++) {
                if (runs(job, time) && keeper.read(time, new Name(job, reads[job][time - BEGINS[job]]))) {
                    saved += WORTH[job];
                }
            }
        }
        return saved;
    }

    /** What was read longest ago goes. */
    private static Keeper leastRecentlyUsed() {
        List<Name> entries = new ArrayList<>();
        return (time, name) -> {
            boolean there = entries.remove(name);
            entries.add(name);
            if (entries.size() > ROOM) {
                entries.remove(0);
            }
            return there;
        };
    }

    /** What came first stays. */
    private static Keeper first() {
        List<Name> entries = new ArrayList<>();
        return (time, name) -> {
            boolean there = entries.contains(name);
            if (!there && entries.size() < ROOM) {
                entries.add(name);
            }
            return there;
        };
    }

    /** When entries above a group's grant go. */
    private enum Going {
        AT_ONCE,
        WHEN_ROOM_IS_NEEDED
    }

    /** Groups have what {@link CacheBudget} grants them, divided again every ten reads; some entry of a group goes. */
    private static Keeper granted(long seed, Going going) {
        List<List<Integer>> entries = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Measuring measuring = new Measuring(seed, ERROR);
        double[] worth = Arrays.stream(WORTH).map(measuring::measured).toArray();
        SplittableRandom random = new SplittableRandom(seed);
        long[] grants = new long[WORTH.length];
        return (time, name) -> {
            if (time % 10 == 0) {
                List<CacheGroup> groups = new ArrayList<>();
                for (int job = 0; job < WORTH.length && time >= BEGINS[job]; job++) {
                    groups.add(group(job, time, entries.get(job).size(), worth[job]));
                }
                CacheBudget.divide(ROOM, groups)
                        .forEach(grant -> grants[Integer.parseInt(grant.prefix())] = grant.bytes());
                if (going == Going.AT_ONCE) {
                    drop(entries, grants, 0, random);
                }
            }
            List<Integer> its = entries.get(name.job());
            boolean there = its.contains(name.split());
            if (!there && its.size() < grants[name.job()]) {
                drop(entries, grants, ROOM - 1, random);
                its.add(name.split());
            }
            assertThat(count(entries)).isLessThanOrEqualTo(ROOM);
            return there;
        };
    }

    private static int count(List<List<Integer>> entries) {
        return entries.stream().mapToInt(List::size).sum();
    }

    /** Entries go that are above their group's grant, until so many are left. */
    private static void drop(List<List<Integer>> entries, long[] grants, int left, SplittableRandom random) {
        for (int job = 0; job < WORTH.length; job++) {
            List<Integer> its = entries.get(job);
            while (its.size() > grants[job] && count(entries) > left) {
                its.remove(random.nextInt(its.size()));
            }
        }
    }

    private static CacheGroup group(int job, int time, int held, double worth) {
        double left = EPOCHS - (double) (time - BEGINS[job]) / SPLITS;
        boolean runs = left > 0;
        double idleHours = runs ? 0 : -left / EPOCHS_PER_HOUR;
        return new CacheGroup(
                "ann",
                Integer.toString(job),
                held,
                SPLITS,
                worth,
                runs ? EPOCHS_PER_HOUR : 0,
                runs ? left : 0,
                runs ? 0 : EPOCHS_PER_HOUR,
                Duration.ofMillis((long) (idleHours * 3_600_000)),
                0,
                false);
    }

    /**
     * The most that can be saved. An entry serves a read if it is kept from the read before it on; of these intervals at most
     * as many may overlap as there is room for: as many ways through time, each the one that adds most.
     */
    private static double best(int[][] reads) {
        FlowOfIntervals flow = new FlowOfIntervals(END);
        for (int job = 0; job < WORTH.length; job++) {
            int[] last = new int[SPLITS];
            Arrays.fill(last, -1);
            for (int i = 0; i < reads[job].length; i++) {
                int split = reads[job][i];
                if (last[split] >= 0) {
                    flow.interval(BEGINS[job] + last[split], BEGINS[job] + i, WORTH[job]);
                }
                last[split] = i;
            }
        }
        return flow.most(ROOM);
    }

    /** Of all seeds. */
    private static double mean(ToDoubleFunction<Long> share) {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .boxed()
                .mapToDouble(share)
                .average()
                .orElseThrow();
    }

    @Test
    void mostOfWhatCouldBeSavedIsSaved() {
        double[] best = LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .mapToDouble(seed -> best(reads(seed)))
                .toArray();
        double ours = mean(seed -> saved(reads(seed), granted(seed, Going.AT_ONCE)) / best[(int) (seed - FIRST_SEED)]);
        double needed = mean(
                seed -> saved(reads(seed), granted(seed, Going.WHEN_ROOM_IS_NEEDED)) / best[(int) (seed - FIRST_SEED)]);
        double recent = mean(seed -> saved(reads(seed), leastRecentlyUsed()) / best[(int) (seed - FIRST_SEED)]);
        double first = mean(seed -> saved(reads(seed), first()) / best[(int) (seed - FIRST_SEED)]);
        System.out.printf(
                "budget %.3f (%.3f where entries go when room is needed), LRU %.3f, keep-first %.3f of the most%n",
                ours, needed, recent, first);
        assertThat(needed).isGreaterThanOrEqualTo(ours);
        assertThat(ours).isGreaterThan(0.9);
        assertThat(ours).isGreaterThan(1.5 * Math.max(recent, first));
    }
}
