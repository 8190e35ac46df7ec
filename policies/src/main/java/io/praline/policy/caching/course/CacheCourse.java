package io.praline.policy.caching.course;

import io.praline.policy.caching.AutoCaching;
import io.praline.policy.caching.CacheChoice;
import io.praline.policy.caching.CacheForecast;
import io.praline.policy.caching.CacheMode;
import io.praline.policy.caching.CacheOutlook;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.CacheSituation;
import io.praline.policy.caching.CacheTerms;
import io.praline.policy.caching.course.CacheState.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A job's way to entries: what is there is read at once, points are measured while it runs, and entries are written once the
 * order of its steps is settled and where that pays. Whatever goes wrong, it computes.
 *
 * @param mode what may be kept
 * @param tracked whether the job's elements carry tickets
 * @param singleTask whether only one task may run at a time, which reads everything in one order
 * @param terms what matters to the job
 */
public record CacheCourse(CacheMode mode, boolean tracked, boolean singleTask, CacheTerms terms) {
    /** Measuring takes some seconds of one worker, and attempts that change over lose some: less is not worth it. */
    static final Duration WORTH = Duration.ofSeconds(15);

    /** Seconds of workers that a change must concern. */
    static final double MATTERS = 5;

    /** What was decided is decided otherwise for what is so much better: entries were written, and others must be. */
    static final double CHANGE = 0.1;

    /** Before this time nothing is decided otherwise. */
    static final Duration REST = Duration.ofSeconds(30);

    /** Measuring takes some seconds; whoever has not answered by then will not. */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    static final int MOST_UNANSWERED = 3;

    /** A store that gives this many entries that are no good is not to be trusted. */
    static final int MOST_BROKEN = 5;

    /** Before anything is known of the job but what it was asked to be. */
    public CacheState begin(Instant at) {
        CacheState waiting = CacheState.waiting(at);
        if (mode == CacheMode.OFF) {
            return waiting.to(Phase.OFF, "it computes, as was asked for", at);
        }
        if (!tracked) {
            return waiting.to(Phase.OFF, "it computes: without tickets nobody can say which elements are kept", at);
        }
        if (singleTask) {
            return waiting.to(Phase.OFF, "it computes: one task reads everything, and only whole splits are kept", at);
        }
        return waiting;
    }

    /** What follows from an event; late and repeated ones are normal. */
    public CacheTurn take(CacheState state, CacheEvent seen) {
        if (!state.open()) {
            return CacheTurn.nothing(state);
        }
        return seen.match(new CacheEvent.Cases<>() {
            @Override
            public CacheTurn planned(CacheEvent.Planned job) {
                boolean known = !state.points().isEmpty() || state.settled();
                return known
                        ? CacheTurn.nothing(state)
                        : reading(state.withPoints(job.points(), job.blocked(), false, false), job.at());
            }

            @Override
            public CacheTurn stored(CacheEvent.Stored entries) {
                CacheState known = state.withStored(entries.shares());
                return missing(state, known) ? without(known, entries.at()) : reading(known, entries.at());
            }

            @Override
            public CacheTurn orderSettled(CacheEvent.OrderSettled order) {
                return settled(state, order);
            }

            @Override
            public CacheTurn profiled(CacheEvent.Profiled profile) {
                boolean its = profile.points().equals(state.points()) && !state.measured() && profile.allNanos() > 0;
                return CacheTurn.nothing(its ? state.withMeasures(profile.measures(), profile.allNanos()) : state);
            }

            @Override
            public CacheTurn failed(CacheEvent.Failed trial) {
                boolean its = state.asked().isPresent() && trial.trial() == state.trial();
                return its ? unmeasured(state, trial.why(), trial.at()) : CacheTurn.nothing(state);
            }

            @Override
            public CacheTurn unanswered(CacheEvent.Unanswered trial) {
                return state.asked().isPresent() ? again(state, trial.why(), trial.at()) : CacheTurn.nothing(state);
            }

            @Override
            public CacheTurn passed(CacheEvent.Passed time) {
                return CacheCourse.this.passed(state, time);
            }

            @Override
            public CacheTurn broke(CacheEvent.Broke entry) {
                return CacheCourse.broke(state, entry);
            }

            @Override
            public CacheTurn rate(CacheEvent.Rate task) {
                return TaskRates.take(state, task);
            }

            @Override
            public CacheTurn doubted(CacheEvent.Doubted points) {
                return CacheCourse.doubted(state, points.at());
            }
        });
    }

    /** Entries that are there are read at once, before anything is measured. */
    private CacheTurn reading(CacheState state, Instant at) {
        boolean undecided = state.phase() != Phase.USING && !state.measured();
        Optional<CachePoint> there = mode.allowed(state.points()).stream()
                .filter(point -> share(state, point) > 0)
                .max(Comparator.comparingDouble(point -> share(state, point)));
        if (!undecided || there.isEmpty()) {
            return CacheTurn.nothing(state);
        }
        double most = share(state, there.get());
        CachePoint latest = mode.allowed(state.points()).stream()
                .filter(point -> share(state, point) >= most / 2)
                .reduce(there.get(), (earlier, later) -> later);
        double share = share(state, latest);
        String why = format(
                "%.0f %% of its splits have an entry with %s: they are read from there at once",
                share * 100, latest.kept());
        return use(state, latest, false, why, at).with(Map.of("storedShare", share, "point", number(latest)));
    }

    /** By points that are not its own it would keep nothing, and say that it does. */
    private static CacheTurn doubted(CacheState state, Instant at) {
        if (state.asked().isPresent() || state.unanswered() >= MOST_UNANSWERED) {
            return CacheTurn.nothing(state);
        }
        CacheState asking = state.asking(at);
        return new CacheTurn(
                asking,
                Optional.of(new CacheCommand.Profile(asking.trial())),
                true,
                "its order was shown for a job of another seed: its cache points are to be measured by its own",
                new TreeMap<>());
    }

    /** Whether entries that were to be read are none of the job's, and nobody measured whether to make some. */
    private static boolean missing(CacheState before, CacheState now) {
        return !now.measured()
                && !now.put()
                && now.used()
                        .filter(point -> share(before, point) > 0 && share(now, point) == 0)
                        .isPresent();
    }

    private CacheTurn without(CacheState state, Instant at) {
        String why = "it computes: none of its splits has an entry with "
                + state.used().orElseThrow().kept() + " any more";
        CacheState waiting = state.to(Phase.WAITING, why, at);
        CacheTurn elsewhere = reading(waiting, at);
        return elsewhere.command().isPresent() ? elsewhere : leave(state, waiting);
    }

    private static double share(CacheState state, CachePoint point) {
        return state.stored().getOrDefault(point.prefix(), 0.0);
    }

    private CacheTurn settled(CacheState state, CacheEvent.OrderSettled order) {
        if (state.settled() && order.points().equals(state.points())) {
            return CacheTurn.nothing(state);
        }
        List<CachePoint> allowed = mode.allowed(order.points());
        boolean goesOn = state.used().filter(allowed::contains).isPresent();
        CacheState known = order.points().equals(state.points())
                ? state.withSettled()
                : state.withPoints(order.points(), order.blocked(), true, goesOn);
        if (allowed.isEmpty()) {
            String why = "it computes: nothing of it may be kept"
                    + (order.blocked().isEmpty() ? "" : ", " + order.blocked());
            return leave(state, known.to(Phase.COMPUTING, why, order.at()));
        }
        if (mode.forced() && allowed.size() == 1) {
            return use(known, allowed.get(0), true, kept(allowed.get(0)), order.at());
        }
        if (known.used().isPresent()) {
            return CacheTurn.nothing(known);
        }
        CacheTurn other = reading(known, order.at());
        if (state.used().isEmpty() || other.command().isPresent()) {
            return other;
        }
        CachePoint left = state.used().get();
        Optional<CachePoint> same = allowed.stream()
                .filter(point -> point.prefix().equals(left.prefix()))
                .findFirst();
        if (same.isPresent()) {
            String why =
                    "in the new order of its steps it still keeps " + same.get().kept();
            return use(known, same.get(), false, why, order.at());
        }
        String why = "it computes: in the new order of its steps nothing makes " + left.kept() + " as before";
        return leave(state, known.to(Phase.WAITING, why, order.at()));
    }

    private static String kept(CachePoint point) {
        return "it keeps " + point.kept() + ", as was asked for";
    }

    private CacheTurn passed(CacheState state, CacheEvent.Passed time) {
        if (state.asked().isPresent()) {
            boolean late = Duration.between(state.asked().get(), time.at()).compareTo(PATIENCE) > 0;
            return late
                    ? again(state, "nobody answered within " + PATIENCE.toSeconds() + " s", time.at())
                    : CacheTurn.nothing(state);
        }
        List<CachePoint> allowed = mode.allowed(state.points());
        CacheOutlook outlook = time.outlook();
        if (!state.settled() || allowed.isEmpty() || outlook.recordsPerEpoch() == 0) {
            return CacheTurn.nothing(state);
        }
        if (mode == CacheMode.AUTO && TaskRates.slow(state, outlook)) {
            String why = format(
                    "it computes: a task made %.0f elements/s from entries, and %.0f where it computed",
                    state.cachedRate(), state.computedRate());
            return leave(state, state.to(Phase.OFF, why, time.at()));
        }
        if (state.measured()) {
            return decide(state, outlook, time.at());
        }
        return unmeasuredYet(state, allowed, outlook, time.at());
    }

    private CacheTurn unmeasuredYet(CacheState state, List<CachePoint> allowed, CacheOutlook outlook, Instant at) {
        double others = allowed.stream().mapToDouble(outlook::others).max().orElse(0);
        if (!mode.forced() && outlook.epochsLeft() + others <= 1) {
            if (state.phase() != Phase.WAITING) {
                return CacheTurn.nothing(state);
            }
            String why = format(
                    "it computes: %.1f epochs of it are left and %.1f of other jobs, and what is read once is not worth"
                            + " keeping",
                    outlook.epochsLeft(), others);
            CacheState computing = state.to(Phase.COMPUTING, why, at);
            return CacheTurn.said(computing, why)
                    .with(Map.of("epochsLeft", outlook.epochsLeft(), "epochsOfOthers", others));
        }
        double rate = state.computedRate() > 0 ? state.computedRate() : state.cachedRate();
        boolean settles = mode.forced() && allowed.size() == 1;
        if (settles || rate == 0 || state.unanswered() >= MOST_UNANSWERED) {
            return CacheTurn.nothing(state);
        }
        double left = (outlook.epochsLeft() + others)
                * outlook.recordsPerEpoch()
                / Math.min(outlook.trainerRecordsPerSecond(), rate * outlook.workers());
        if (left < WORTH.toSeconds()) {
            return CacheTurn.nothing(state);
        }
        CacheState asking = state.asking(at);
        String why = format(
                "%.1f epochs of it are left and %.1f of other jobs, about %.0f s: its cache points are to be measured",
                outlook.epochsLeft(), others, left);
        return new CacheTurn(
                asking,
                Optional.of(new CacheCommand.Profile(asking.trial())),
                true,
                why,
                new TreeMap<>(
                        Map.of("epochsLeft", outlook.epochsLeft(), "epochsOfOthers", others, "secondsLeft", left)));
    }

    private CacheTurn decide(CacheState state, CacheOutlook outlook, Instant at) {
        AutoCaching policy = new AutoCaching(mode, terms);
        CacheSituation situation = new CacheSituation(
                state.points(), state.measures(), state.allNanos(), state.stored(), state.computedRate(), outlook);
        CacheChoice choice = policy.choose(situation);
        CacheForecast chosen = choice.chosen();
        if (chosen.point().equals(state.used()) && chosen.put() == state.put() && state.phase() != Phase.WAITING) {
            return CacheTurn.nothing(state.used().isPresent() ? state.withExpected(chosen.gain()) : state);
        }
        CacheForecast current = choice.all().stream()
                .filter(way -> way.point().equals(state.used()) && way.put() == state.put())
                .findFirst()
                .orElse(choice.computing());
        boolean matters = Math.abs(current.workerSeconds() - chosen.workerSeconds()) >= MATTERS
                && policy.better(chosen, current, margin(state, chosen))
                && (!decided(state) || Duration.between(state.since(), at).compareTo(REST) >= 0);
        if (state.used().isPresent() && !matters) {
            return CacheTurn.nothing(state);
        }
        if (chosen.point().isPresent() && (matters || mode.forced())) {
            return use(state, chosen.point().get(), chosen.put(), chosen.gain(), choice.reason(), at)
                    .with(choice.numbers());
        }
        if (state.phase() == Phase.COMPUTING) {
            return CacheTurn.nothing(state);
        }
        String why = chosen.point().isEmpty()
                ? choice.reason()
                : format(
                        "it computes: %s would save workers %.1f s of what is left, too little to change over for",
                        chosen.said(), current.workerSeconds() - chosen.workerSeconds());
        return leave(state, state.to(Phase.COMPUTING, why, at)).with(choice.numbers());
    }

    /** Whether measures said so before. */
    private static boolean decided(CacheState state) {
        return state.phase() == Phase.COMPUTING || state.expectedGain() > 0;
    }

    private static double margin(CacheState state, CacheForecast chosen) {
        return decided(state) && !chosen.point().equals(state.used()) ? CHANGE : AutoCaching.TIE;
    }

    private CacheTurn again(CacheState state, String why, Instant at) {
        CacheState waiting = state.unanswered(state.unanswered() + 1);
        return waiting.unanswered() < MOST_UNANSWERED
                ? CacheTurn.said(waiting, "its cache points are to be measured by another worker: " + why)
                : unmeasured(waiting, format("it was to be measured %d times, and %s", waiting.unanswered(), why), at);
    }

    /** Nobody will measure it. */
    private CacheTurn unmeasured(CacheState state, String why, Instant at) {
        CacheState known = state.unanswered(MOST_UNANSWERED);
        List<CachePoint> allowed = mode.allowed(known.points());
        if (mode.forced() && !allowed.isEmpty() && known.settled()) {
            CachePoint last = allowed.get(allowed.size() - 1);
            return use(known, last, true, kept(last) + "; it could not be measured, since " + why, at);
        }
        if (known.used().isPresent()) {
            return CacheTurn.said(
                    known, "it reads what entries there are and writes none: it could not be measured, since " + why);
        }
        CacheState computing = known.to(Phase.COMPUTING, "it computes: it could not be measured, since " + why, at);
        return CacheTurn.said(computing, computing.reason());
    }

    private static CacheTurn broke(CacheState state, CacheEvent.Broke entry) {
        if (state.used().isEmpty()) {
            return CacheTurn.nothing(state);
        }
        CacheState known = state.withBroken();
        if (known.broken() < MOST_BROKEN) {
            return CacheTurn.said(known, "an entry was no good and is dropped, " + entry.why());
        }
        String why = format("it computes: %d entries were no good, at last %s", known.broken(), entry.why());
        return leave(state, known.to(Phase.OFF, why, entry.at()));
    }

    /** At a point that was not measured. */
    private static CacheTurn use(CacheState state, CachePoint point, boolean put, String why, Instant at) {
        return using(state, state.using(point, put, 0, why, at), new CacheCommand.Use(point, put, 1));
    }

    private static CacheTurn use(CacheState state, CachePoint point, boolean put, double gain, String why, Instant at) {
        return using(state, state.using(point, put, gain, why, at), new CacheCommand.Use(point, put, gain));
    }

    /** Attempts that do so already are told nothing. */
    private static CacheTurn using(CacheState before, CacheState after, CacheCommand use) {
        boolean so = before.used().equals(after.used()) && before.put() == after.put();
        return so ? CacheTurn.said(after, after.reason()) : CacheTurn.of(after, use);
    }

    /** Attempts that used entries are told to stop. */
    private static CacheTurn leave(CacheState before, CacheState after) {
        return before.used().isPresent()
                ? CacheTurn.of(after, new CacheCommand.Stop())
                : CacheTurn.said(after, after.reason());
    }

    private static double number(CachePoint point) {
        return point.number();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
