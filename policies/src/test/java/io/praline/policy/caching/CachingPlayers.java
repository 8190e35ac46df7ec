package io.praline.policy.caching;

import io.praline.policy.caching.CachingWorld.Job;
import io.praline.policy.caching.CachingWorld.Player;
import io.praline.policy.caching.CachingWorld.Seen;
import io.praline.policy.caching.CachingWorld.Way;
import io.praline.policy.caching.course.CacheCommand;
import io.praline.policy.caching.course.CacheCourse;
import io.praline.policy.caching.course.CacheEvent;
import io.praline.policy.caching.course.CacheState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Who decides in made-up worlds. */
final class CachingPlayers {
    private CachingPlayers() {}

    /** What is measured of a job: all that is true, with an error. */
    static final class Measuring {
        private final SplittableRandom random;
        private final double error;

        Measuring(long seed, double error) {
            random = new SplittableRandom(seed);
            this.error = error;
        }

        double measured(double truth) {
            double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
            double normal = radius * StrictMath.cos(2 * StrictMath.PI * random.nextDouble());
            return truth * Math.max(0.1, 1 + error * normal);
        }

        List<PointMeasure> profile(CachedPipeline pipeline) {
            List<PointMeasure> measures = new ArrayList<>();
            for (PointMeasure point : pipeline.measures()) {
                measures.add(new PointMeasure(
                        point.number(),
                        measured(point.computeNanos()),
                        point.bytes(),
                        measured(point.writeNanos()),
                        measured(point.readNanos())));
            }
            return measures;
        }
    }

    /** Always the same. */
    static Player fixed(Way way) {
        return job -> way;
    }

    /** Ours. */
    static final class OfCourse implements Player {
        private final Job job;
        private final Measuring measuring;
        private final CacheCourse course;
        private CacheState state;
        private Way way = Way.COMPUTE;
        private double profiledAt = Double.POSITIVE_INFINITY;
        private boolean settled;

        OfCourse(CachingWorld world, Job job, Measuring measuring) {
            this.job = job;
            this.measuring = measuring;
            course = new CacheCourse(CacheMode.AUTO, true, false, world.terms());
            state = course.begin(at(job.at()));
            take(new CacheEvent.Planned(at(job.at()), job.pipeline().points(), "", job.epochs(), world.splits()));
        }

        private static Instant at(double seconds) {
            return Instant.ofEpochSecond(1_000_000_000).plusNanos((long) (seconds * 1e9));
        }

        @Override
        public Way next(Seen seen) {
            Instant now = at(seen.now());
            seen.computedRate().ifPresent(rate -> take(new CacheEvent.Rate(now, false, measuring.measured(rate))));
            seen.cachedRate().ifPresent(rate -> take(new CacheEvent.Rate(now, true, measuring.measured(rate))));
            SortedMap<String, Double> shares = new TreeMap<>();
            for (CachePoint point : job.pipeline().points()) {
                if (seen.storedShare(point) > 0) {
                    shares.put(point.prefix(), seen.storedShare(point));
                }
            }
            if (!shares.equals(state.stored())) {
                take(new CacheEvent.Stored(now, shares));
            }
            if (!settled && seen.now() >= job.at() + 2) {
                settled = true;
                take(new CacheEvent.OrderSettled(now, job.pipeline().points(), ""));
            }
            if (seen.now() >= profiledAt) {
                profiledAt = Double.POSITIVE_INFINITY;
                take(new CacheEvent.Profiled(
                        now,
                        job.pipeline().points(),
                        measuring.profile(job.pipeline()),
                        measuring.measured(job.pipeline().allNanos()),
                        1000));
            }
            CacheOutlook outlook = new CacheOutlook(
                    seen.epochsLeft(),
                    seen.usesByOthers(),
                    0,
                    seen.recordsPerEpoch(),
                    job.workers(),
                    job.pipeline().threads(),
                    measuring.measured(job.trainer()),
                    seen.room());
            Optional<CacheCommand> command = take(new CacheEvent.Passed(now, outlook));
            if (command.isPresent() && command.get() instanceof CacheCommand.Profile) {
                seen.profile();
                profiledAt = seen.now() + CachingWorld.PROFILE_SECONDS;
            }
            return way;
        }

        private Optional<CacheCommand> take(CacheEvent event) {
            var turn = course.take(state, event);
            state = turn.state();
            turn.command().ifPresent(command -> {
                if (command instanceof CacheCommand.Use use) {
                    way = new Way(Optional.of(use.point()), use.put());
                } else if (command instanceof CacheCommand.Stop) {
                    way = Way.COMPUTE;
                }
            });
            return turn.command();
        }
    }

    /** As published: what is there is read, else the first epoch is computed, and decides. */
    static final class OfCachew implements Player {
        private final Measuring measuring;
        private Optional<Way> decided = Optional.empty();
        private boolean begun;

        OfCachew(Measuring measuring) {
            this.measuring = measuring;
        }

        @Override
        public Way next(Seen seen) {
            List<CachePoint> points = seen.job.pipeline().points();
            if (!begun) {
                begun = true;
                decided = CachewCaching.places(points).stream()
                        .filter(point -> seen.storedShare(point) == 1)
                        .reduce((earlier, later) -> later)
                        .map(point -> new Way(Optional.of(point), false));
            }
            if (decided.isEmpty() && seen.epoch() == 1) {
                CacheSituation situation = new CacheSituation(
                        points,
                        measuring.profile(seen.job.pipeline()),
                        measuring.measured(seen.job.pipeline().allNanos()),
                        new TreeMap<>(),
                        0,
                        CacheOutlook.alone(seen.epochsLeft(), seen.recordsPerEpoch(), seen.job.workers(), 1));
                Optional<CachePoint> chosen = CachewCaching.choose(situation);
                decided = Optional.of(new Way(chosen, chosen.isPresent()));
            }
            return decided.orElse(Way.COMPUTE);
        }
    }
}
