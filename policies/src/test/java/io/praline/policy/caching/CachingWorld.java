package io.praline.policy.caching;

import io.praline.policy.Terms.Goal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A made-up world of jobs that read the same data split by split, compute it or read it from entries, and write these.
 *
 * <pre>
 *   a record    takes a worker max(r, c) + apart x min(r, c)     r seconds to read it, c to compute it with the worker's threads
 *               takes the job max(that / workers, 1 / trainer)
 *   money       for its client, for the workers that it keeps busy (whole ones), for bytes as long as they are kept
 * </pre>
 *
 * CachedEntries that no job uses go where others need the room, and when they cost more than {@link CacheBudget} says they are worth.
 *
 * @param budgetBytes of the store
 */
record CachingWorld(List<Job> jobs, int splits, double recordsPerSplit, double budgetBytes, CacheTerms terms) {
    /** Of every worker, when attempts change over. */
    static final double CHANGE_SECONDS = 0.5;

    /** Of one worker. */
    static final double PROFILE_SECONDS = 4;

    private static final double SECONDS_PER_HOUR = 3600;

    /**
     * One of them.
     *
     * @param at seconds after the world's beginning
     * @param trainer records/s that it takes
     */
    record Job(double at, int epochs, int workers, double trainer, CachedPipeline pipeline) {}

    /** What a job does with its next split: reads an entry if it is there, else computes it, and may write it. */
    record Way(Optional<CachePoint> point, boolean put) {
        static final Way COMPUTE = new Way(Optional.empty(), false);
    }

    /** Who says so, for one job. */
    interface Player {
        Way next(Seen job);
    }

    /** What came of it, over all jobs. */
    record Result(double seconds, double money) {
        double value(Goal goal) {
            return switch (goal) {
                case COST -> money;
                case TIME -> seconds;
                case BALANCED -> money * seconds;
            };
        }
    }

    /** A job as it runs, and what may be seen of it. */
    final class Seen {
        final Job job;
        private final Player player;
        private final Run run;
        private final SplittableRandom order;
        private int[] waiting;
        private int epoch;
        private int left;
        private double now;
        private double seconds;
        private double workerSeconds;
        private Way way = Way.COMPUTE;
        private Optional<Double> computed = Optional.empty();
        private Optional<Double> cached = Optional.empty();

        private Seen(Job job, Player player, Run run, long seed) {
            this.job = job;
            this.player = player;
            this.run = run;
            order = new SplittableRandom(seed);
            now = job.at();
            shuffle();
        }

        private void shuffle() {
            waiting = IntStream.range(0, splits).toArray();
            left = splits;
            for (int i = splits - 1; i > 0; i--) {
                int other = order.nextInt(i + 1);
                int kept = waiting[i];
                waiting[i] = waiting[other];
                waiting[other] = kept;
            }
        }

        double now() {
            return now;
        }

        int epoch() {
            return epoch;
        }

        boolean over() {
            return epoch == job.epochs();
        }

        double epochsLeft() {
            return job.epochs() - epoch - 1 + (double) left / splits;
        }

        double recordsPerEpoch() {
            return splits * recordsPerSplit;
        }

        double storedShare(CachePoint point) {
            return (double) run.entries(job.pipeline(), point).count / splits;
        }

        /** What other jobs do not use, who have not the same points. */
        double room() {
            double taken = 0;
            for (Seen other : run.jobs) {
                if (other != this && other.running(now) && other.way.point().isPresent()) {
                    CachePoint point = other.way.point().get();
                    if (!job.pipeline().points().contains(point)) {
                        CachedEntries entries = run.entries(other.job.pipeline(), point);
                        taken += entries.count * entries.bytes;
                    }
                }
            }
            return Math.max(0, budgetBytes - taken);
        }

        private boolean running(double at) {
            return !over() && job.at() <= at;
        }

        /** Of the jobs that are there now. */
        SortedMap<String, Double> usesByOthers() {
            SortedMap<String, Double> uses = new TreeMap<>();
            for (Seen other : run.jobs) {
                if (other == this || !other.running(now)) {
                    continue;
                }
                for (CachePoint point : job.pipeline().points()) {
                    if (other.job.pipeline().points().contains(point)) {
                        uses.merge(point.prefix(), other.epochsLeft(), Double::sum);
                    }
                }
            }
            return uses;
        }

        /** Elements/s of one worker with the last split, where all of it was computed; or else read. */
        Optional<Double> computedRate() {
            return computed;
        }

        Optional<Double> cachedRate() {
            return cached;
        }

        /** A worker measures. */
        void profile() {
            workerSeconds += PROFILE_SECONDS;
            seconds += PROFILE_SECONDS / job.workers();
            now += PROFILE_SECONDS / job.workers();
        }

        private void step() {
            Way next = player.next(this);
            if (!next.equals(way) && seconds > 0) {
                workerSeconds += CHANGE_SECONDS * job.workers();
                seconds += CHANGE_SECONDS;
                now += CHANGE_SECONDS;
            }
            way = next;
            computed = Optional.empty();
            cached = Optional.empty();
            if (way.point().isEmpty()) {
                take(waiting[left - 1], left - 1, job.pipeline().computes());
                computed = Optional.of(rate(job.pipeline().computes()));
                return;
            }
            CachePoint point = way.point().get();
            CachedEntries entries = run.entries(job.pipeline(), point);
            double saved = job.pipeline().computes() - job.pipeline().reads(point);
            entries.secondsPerByte = Math.max(0, saved * recordsPerSplit / entries.bytes);
            entries.usesPerHour = SECONDS_PER_HOUR
                    / (recordsPerEpoch() * Math.max(job.pipeline().reads(point) / job.workers(), 1 / job.trainer()));
            int index = index(entries);
            int split = waiting[index];
            if (entries.made[split]) {
                take(split, index, job.pipeline().reads(point));
                cached = Optional.of(rate(job.pipeline().reads(point)));
            } else if (way.put() && !entries.beingMade[split] && run.fits(entries, now)) {
                entries.beingMade[split] = true;
                run.used += entries.bytes;
                double begun = now;
                take(split, index, job.pipeline().writes(point));
                run.making.add(new Making(entries, split, begun, now));
            } else {
                take(split, index, job.pipeline().computes());
                computed = Optional.of(rate(job.pipeline().computes()));
            }
        }

        /** A split that nobody is just making, if there is one. */
        private int index(CachedEntries entries) {
            for (int i = left - 1; i >= 0; i--) {
                if (!entries.beingMade[waiting[i]] || entries.made[waiting[i]]) {
                    return i;
                }
            }
            return left - 1;
        }

        private double rate(double pace) {
            return Math.min(1 / pace, job.trainer() / job.workers());
        }

        private void take(int split, int index, double pace) {
            waiting[index] = waiting[left - 1];
            waiting[left - 1] = split;
            left--;
            double each = Math.max(pace / job.workers(), 1 / job.trainer());
            double lasts = recordsPerSplit * each;
            now += lasts;
            seconds += lasts;
            workerSeconds += lasts * Math.ceil(pace / each - 1e-9);
            if (left == 0) {
                epoch++;
                shuffle();
            }
        }
    }

    /** An entry on its way. */
    private record Making(CachedEntries entries, int split, double begun, double done) {}

    /** All of it, once. */
    private final class Run {
        private final Map<String, CachedEntries> stores = new TreeMap<>();
        private final List<Making> making = new ArrayList<>();
        private final Seen[] jobs;
        private double used;
        private double byteSeconds;
        private double at;

        private Run(List<? extends Player> players, long seed) {
            jobs = new Seen[players.size()];
            for (int i = 0; i < jobs.length; i++) {
                jobs[i] = new Seen(CachingWorld.this.jobs.get(i), players.get(i), this, seed + i);
            }
        }

        private CachedEntries entries(CachedPipeline pipeline, CachePoint point) {
            return stores.computeIfAbsent(
                    point.prefix(),
                    prefix -> new CachedEntries(splits, pipeline.measure(point).bytes() * recordsPerSplit));
        }

        private boolean fits(CachedEntries entries, double now) {
            if (used + entries.bytes > budgetBytes) {
                unused(now).filter(other -> other != entries).forEach(other -> used -= other.drop());
            }
            return used + entries.bytes <= budgetBytes;
        }

        private Stream<CachedEntries> unused(double now) {
            Set<String> inUse = Arrays.stream(jobs)
                    .filter(job -> job.running(now))
                    .flatMap(job -> job.way.point().stream())
                    .map(CachePoint::prefix)
                    .collect(Collectors.toSet());
            return stores.entrySet().stream()
                    .filter(store -> !inUse.contains(store.getKey()) && store.getValue().count > 0)
                    .map(Map.Entry::getValue);
        }

        /** What nobody uses from now on goes when it costs more than it is worth; what is used stays. */
        private void idle(double now) {
            Set<CachedEntries> unused = unused(now).collect(Collectors.toSet());
            stores.values().stream()
                    .filter(entries -> !unused.contains(entries))
                    .forEach(entries -> entries.dropAt = Double.POSITIVE_INFINITY);
            double price = terms.storagePerGbHour() / 1e9 / (terms.workerPerHour() / SECONDS_PER_HOUR);
            if (price > 0) {
                unused.stream()
                        .filter(entries -> entries.dropAt == Double.POSITIVE_INFINITY)
                        .forEach(entries -> {
                            double value = CacheBudget.RETURN * entries.usesPerHour * entries.secondsPerByte;
                            double hours = value > price
                                    ? CacheBudget.HALF_LIFE_HOURS * StrictMath.log(value / price) / StrictMath.log(2)
                                    : 0;
                            entries.dropAt = now + hours * SECONDS_PER_HOUR;
                        });
            }
        }

        private void dropUntil(double now) {
            while (true) {
                Optional<CachedEntries> first = stores.values().stream()
                        .filter(entries -> entries.dropAt < now)
                        .min(Comparator.comparingDouble(entries -> entries.dropAt));
                if (first.isEmpty()) {
                    break;
                }
                pass(first.get().dropAt);
                used -= first.get().drop();
            }
            pass(now);
        }

        private void pass(double now) {
            byteSeconds += used * (now - at);
            at = now;
        }

        private Result result() {
            while (true) {
                Seen next = null;
                for (Seen job : jobs) {
                    if (!job.over() && (next == null || job.now < next.now)) {
                        next = job;
                    }
                }
                if (next == null) {
                    break;
                }
                dropUntil(next.now);
                published(at);
                Way before = next.way;
                next.step();
                if (next.over() || !next.way.equals(before)) {
                    idle(next.now);
                }
            }
            double end = Arrays.stream(jobs).mapToDouble(Seen::now).max().orElse(at);
            dropUntil(Math.max(at, end));
            double seconds = Arrays.stream(jobs).mapToDouble(job -> job.seconds).sum();
            double workerSeconds =
                    Arrays.stream(jobs).mapToDouble(job -> job.workerSeconds).sum();
            double money = (seconds * terms.clientPerHour()
                            + workerSeconds * terms.workerPerHour()
                            + byteSeconds / 1e9 * terms.storagePerGbHour())
                    / SECONDS_PER_HOUR;
            return new Result(seconds, money);
        }

        private void published(double at) {
            making.removeIf(entry -> {
                if (entry.done > at) {
                    return false;
                }
                if (entry.entries.made[entry.split]) {
                    used -= entry.entries.bytes;
                } else {
                    entry.entries.made[entry.split] = true;
                    entry.entries.count++;
                }
                return true;
            });
        }
    }

    /** What comes of it where these decide, one for each job. */
    Result play(List<? extends Player> players, long seed) {
        return new Run(players, seed).result();
    }
}
