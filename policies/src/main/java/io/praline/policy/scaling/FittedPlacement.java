package io.praline.policy.scaling;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms.Limits;
import io.praline.policy.scaling.fitted.ExpectedImprovement;
import io.praline.policy.scaling.fitted.ExpectedImprovement.Prospect;
import io.praline.policy.scaling.fitted.FittedMemory;
import io.praline.policy.scaling.fitted.FittedMemory.Progress;
import io.praline.policy.scaling.fitted.FittedMemory.Rate;
import io.praline.policy.scaling.fitted.Medians;
import io.praline.policy.scaling.fitted.RateModel;
import io.praline.policy.scaling.fitted.RecentWindows;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The workers that a small model of the job expects to be best. {@link RateModel} is the model, {@link ExpectedImprovement} what it expects
 * of each target; R is remote, L local workers:
 *
 * <pre>
 *   rate(R, L) = min(trainer(L), remote x R + local(L))            elements/s
 *   best       = the (R, L) within the limits that makes what the goal asks for smallest, over what the model is unsure of
 *
 *   begin      one worker of each kind that is allowed: their clocks and one window tell all three rates roughly, and are
 *              waited for, for {@value #PATIENCE_SECONDS} s
 *   move       to best, if it gains more than {@code gain}, half as much again for each change that went before
 *   try        another target, at most {@code trials} times: if the hope of it, over {@code horizonSeconds}, outweighs what
 *              the trial is expected to lose
 *   hold       after {@value #CALM} windows in which neither was worth it; now only twice {@code gain} and more moves it
 *   re-open    when the last {@value #IN_ROW} windows, or all but one of the last {@value #LATELY}, depart from the model on
 *              the same side by more than {@code departure} (or {@value #NOISES} times the windows' noise, where that is
 *              more): the rate that changed is corrected, and all is open again; or when a worker's clock moves by more
 *              than {@code departure} what the model it came to rest upon expected of such a worker
 * </pre>
 *
 * <p>No single window decides anything, but one that the workers' clocks confirm: the first one may even be one in which
 * workers were still coming. Workers that were asked for and do not
 * come are planned without after {@value #PATIENCE} windows and {@value #PATIENCE_SECONDS} s; the wish for a kind of which none
 * comes stays, so that it is not asked up and down.
 *
 * @param trials changes that are made to learn something, between two re-openings
 * @param gain that a change must be expected to bring, as a share of what the goal asks for
 * @param departure from the model that is no noise any more, as a share
 * @param horizonSeconds in which a change must bring in what it costs
 * @param startSeconds for which a remote worker is paid before it serves
 */
public record FittedPlacement(int trials, double gain, double departure, double horizonSeconds, double startSeconds)
        implements Policy {
    private static final Target EVERY = new Target(Integer.MAX_VALUE, Integer.MAX_VALUE);
    private static final int CALM = 4;
    private static final int LATELY = 5;
    private static final int IN_ROW = 3;
    private static final double NOISES = 3;
    private static final int PATIENCE = 3;

    /** However short windows are, a worker is given so long to come. */
    private static final int PATIENCE_SECONDS = 30;

    /** Each change makes the next one harder. */
    private static final double HARDER = 1.5;

    /** Where it has come to rest, or where its last target is not in force yet, only so much (as a share) moves it. */
    private static final double LARGE_GAIN = 0.1;

    /** Windows for which a trial lasts, to be believed and undone. */
    private static final int TRIAL_WINDOWS = 3;

    /** Seconds of training that a change costs by itself: batches that lay ready elsewhere, caches that are cold. */
    private static final double CHANGE_SECONDS = 5;

    /** A better target must be better in so much of what is possible. */
    private static final double CONFIDENT = 0.6;

    private static final double SURE = 0.9;

    /** A trial may bring less than a change that is made for good: it also teaches. */
    private static final double HOPE = 0.6;

    /** Alternatives that a decision tells of. */
    private static final int TOLD = 4;

    public FittedPlacement {
        if (trials < 0) {
            throw new IllegalArgumentException("trials must not be negative, is " + trials);
        }
        if (!(gain > 0 && gain < 1) || !(departure > 0)) {
            throw new IllegalArgumentException(
                    "gain must be between 0 and 1 and departure above 0, are " + gain + " and " + departure);
        }
        if (!(horizonSeconds > 0) || !(startSeconds >= 0)) {
            throw new IllegalArgumentException("horizonSeconds must be above 0 and startSeconds not negative, are "
                    + horizonSeconds + " and " + startSeconds);
        }
    }

    /** With what served well in many made-up worlds. */
    public FittedPlacement() {
        this(3, 0.02, 0.15, 3600, 60);
    }

    @Override
    public String name() {
        return "fitted";
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public SortedMap<String, String> parameters() {
        return Parameters.of(this);
    }

    @Override
    public Decision decide(PolicyState state, Observation seen) {
        if (!state.planned()) {
            return Decision.nothing(seen.at(), "its splits are not known yet");
        }
        if (state.wanted().workers() == 0) {
            return begin(state, seen);
        }
        return seen.match(new Observation.Cases<>() {
            @Override
            public Decision planned(Observation.Planned plan) {
                return Decision.nothing(seen.at(), "it goes on with " + state.wanted());
            }

            @Override
            public Decision poolChanged(Observation.PoolChanged pool) {
                return Decision.nothing(seen.at(), "other workers of the pool are no news for " + state.wanted());
            }

            @Override
            public Decision termsSet(Observation.TermsSet set) {
                return termsChanged(state, seen);
            }

            @Override
            public Decision pinned(Observation.Pinned pin) {
                return Decision.nothing(seen.at(), "it decides again from " + state.wanted() + " on");
            }

            @Override
            public Decision granted(Observation.Granted grant) {
                return Decision.nothing(seen.at(), "it has " + grant.workers() + " of " + state.wanted());
            }

            @Override
            public Decision rateMeasured(RateMeasured rate) {
                return measured(state, rate);
            }

            @Override
            public Decision windowClosed(WindowClosed window) {
                return window.straddles() ? straddled(state, window) : closed(state, window);
            }

            @Override
            public Decision tenantSpent(Observation.TenantSpent tenant) {
                return Decision.nothing(seen.at(), "its tenant has money left for " + state.wanted());
            }

            @Override
            public Decision clock(Observation.Clock clock) {
                return Decision.nothing(seen.at(), "nothing happened");
            }
        });
    }

    private static Decision begin(PolicyState state, Observation seen) {
        Limits limits = state.terms().limits();
        Target target = limits.cut(new Target(1, 1));
        if (state.plan().singleTask() || state.plan().splits() == 1) {
            target = target.remote() > 0 ? new Target(1, 0) : new Target(0, 1);
        }
        return Decision.of(seen.at(), new ScaleTo(target), "it begins with " + target + " to measure what each makes");
    }

    private Decision termsChanged(PolicyState state, Observation seen) {
        FittedMemory learned = FittedMemory.read(state.memory());
        FittedMemory open =
                learned.with(learned.progress().reopened(learned.progress().sinceMillis()));
        return plan(state, seen, open, fit(state, open), gain);
    }

    private Decision measured(PolicyState state, RateMeasured rate) {
        FittedMemory before = FittedMemory.read(state.memory());
        Rate told = new Rate(rate.worker(), rate.elementsPerSecond());
        FittedMemory learned = rate.local() ? before.withLocal(rate.beside(), told) : before.withRemote(told);
        RateModel fit = fit(state, learned);
        if (learned.progress().calm() < CALM) {
            return plan(state, rate, learned, fit, LARGE_GAIN / 2);
        }
        if (contradicts(fit(state, before), fit, rate)) {
            Progress open = learned.progress().reopened(learned.progress().sinceMillis());
            return plan(state, rate, learned.with(open), fit, gain);
        }
        return Decision.nothing(rate.at(), "it holds " + state.wanted()).remembering(learned.write());
    }

    /** What it rested upon was another model than the one that goes by this rate too. */
    private boolean contradicts(RateModel before, RateModel after, RateMeasured rate) {
        Target one = rate.local() ? new Target(0, rate.beside()) : new Target(1, 0);
        return Math.abs(StrictMath.log(after.supply(one) / before.supply(one))) > departure;
    }

    private Decision closed(PolicyState state, WindowClosed window) {
        FittedMemory before = FittedMemory.read(state.memory());
        FittedMemory learned = before.with(shortage(state, window, before.progress()));
        RecentWindows recent = RecentWindows.of(state, learned.progress().sinceMillis());
        if (recent.windows().isEmpty()) {
            return Decision.nothing(window.at(), "a window without elements tells nothing");
        }
        learned = learned.with(
                recent.of(recent.windows().get(recent.windows().size() - 1).tasks())
                        .point());
        RateModel fit = fit(state, learned);
        Optional<FittedMemory> departed = departed(state, learned, fit, recent);
        if (departed.isPresent()) {
            return plan(state, window, departed.get(), fit(state, departed.get()), gain);
        }
        Progress progress = learned.progress();
        double needed = progress.calm() >= CALM
                ? Math.max(LARGE_GAIN / 2, 2 * gain)
                : Math.min(LARGE_GAIN / 2, gain * Math.pow(HARDER, Math.max(0, progress.changes() - 1)));
        return plan(state, window, learned, fit, needed);
    }

    /** Before anything else is known, such a window is better than none, if the workers' clocks confirm it. */
    private Decision straddled(PolicyState state, WindowClosed window) {
        FittedMemory before = FittedMemory.read(state.memory());
        if (before.points().isEmpty() && window.elements() > 0) {
            FittedMemory learned = before.with(RecentWindows.of(window).point());
            RateModel fit = fit(state, learned);
            if (fit.known()) {
                return plan(state, window, learned, fit, gain);
            }
        }
        return Decision.nothing(window.at(), "the workers changed while this window was measured");
    }

    private static Progress shortage(PolicyState state, WindowClosed window, Progress progress) {
        Target wanted = state.wanted();
        boolean fewer = window.remoteTasks() < wanted.remote() || window.localTasks() < wanted.local();
        boolean missed = fewer && (progress.shortWindows() > 0 || waited(state, window));
        return progress.shorter(missed ? progress.shortWindows() + 1 : 0);
    }

    /** What is learned now, if the last windows are not what the model expects. */
    private Optional<FittedMemory> departed(
            PolicyState state, FittedMemory learned, RateModel fit, RecentWindows recent) {
        RecentWindows lately = recent.last(LATELY);
        if (lately.windows().size() < LATELY || !fit.known()) {
            return Optional.empty();
        }
        double tolerance = Math.max(departure, NOISES * recent.before(LATELY).noise());
        double[] trainer = lately.logs(
                one -> lately.trainerRate(one) / fit.trainer(one.tasks().local()));
        if (departs(trainer, tolerance)) {
            FittedMemory scaled = learned.scaled(1, StrictMath.exp(Medians.median(trainer)));
            return Optional.of(reopened(state, scaled, since(lately, trainer)));
        }
        double[] rate = lately.logs(one -> lately.lastingRate(one) / fit.rate(one.tasks()));
        if (departs(rate, tolerance)) {
            double moved = Medians.median(lately.logs(one -> lately.lastingRate(one) / fit.supply(one.tasks())));
            return Optional.of(reopened(state, learned.scaled(StrictMath.exp(moved), 1), since(lately, rate)));
        }
        return Optional.empty();
    }

    /** All of the last few, or all but one of the last some, are off on the same side: that is no chance. */
    private static boolean departs(double[] logs, double tolerance) {
        double side = Math.signum(Medians.median(logs));
        int off = 0;
        int inRow = 0;
        for (double log : logs) {
            boolean away = log * side > tolerance;
            off += away ? 1 : 0;
            inRow = away ? inRow + 1 : 0;
        }
        return inRow >= IN_ROW || off >= LATELY - 1;
    }

    /** When the first of those windows closed that departed as they all did. */
    private static long since(RecentWindows lately, double[] logs) {
        double half = Medians.median(logs) / 2;
        int first = 0;
        while (half > 0 ? logs[first] < half : logs[first] > half) {
            first++;
        }
        return lately.windows().get(first).window().at().toEpochMilli();
    }

    private static FittedMemory reopened(PolicyState state, FittedMemory learned, long sinceMillis) {
        RecentWindows recent = RecentWindows.of(state, sinceMillis);
        Target tasks = recent.windows().get(recent.windows().size() - 1).tasks();
        return learned.with(learned.progress().reopened(sinceMillis))
                .with(recent.of(tasks).point());
    }

    private static RateModel fit(PolicyState state, FittedMemory learned) {
        return RateModel.of(
                learned,
                Math.max(state.terms().limits().maxLocal(), state.wanted().local()));
    }

    private Decision plan(PolicyState state, Observation seen, FittedMemory learned, RateModel fit, double needed) {
        Target now = state.wanted();
        if (!fit.known()) {
            return Decision.nothing(seen.at(), "it waits for windows that agree, to know what the trainer takes")
                    .remembering(learned.write());
        }
        Progress progress = learned.progress();
        boolean isShort = progress.shortWindows() >= PATIENCE;
        boolean inForce = isShort || state.granted().equals(now);
        ExpectedImprovement outlook =
                new ExpectedImprovement(fit, state, bytesPerElement(state, seen), isShort ? served(state) : EVERY);
        boolean must = !outlook.allowed(now);
        if (!must && begins(state, seen, learned)) {
            return Decision.nothing(seen.at(), "a worker that it begins with is not measured yet")
                    .remembering(learned.write());
        }
        Target least = isShort && !must ? absent(state) : Target.NONE;
        List<Prospect> prospects = outlook.prospects(now).stream()
                .filter(one ->
                        one.target().remote() >= least.remote() && one.target().local() >= least.local())
                .toList();
        Optional<Prospect> best = prospects.stream().max(Comparator.comparingDouble(Prospect::gain));
        double enough = inForce ? needed : Math.max(needed, LARGE_GAIN);
        if (best.isPresent() && (must || better(state, outlook, progress, best.get(), enough))) {
            String why = must ? "its limits do not allow " + now : "a better one than " + now + " is expected";
            Choice choice = new Choice(best.get(), why, better(best.get()));
            return move(state, seen, learned.with(progress.moved(false)), outlook, choice, prospects);
        }
        boolean settling = inForce && seen instanceof WindowClosed;
        Optional<Prospect> trial =
                settling && believed(learned, now) ? trial(state, outlook, progress, prospects) : Optional.empty();
        if (trial.isPresent()) {
            String why = "the model is unsure, and a trial is worth what it may lose";
            Choice choice = new Choice(trial.get(), why, hope(trial.get()));
            return move(state, seen, learned.with(progress.moved(true)), outlook, choice, prospects);
        }
        Progress next = settling ? progress.calmer() : progress;
        if (settling && next.calm() < CALM) {
            return Decision.nothing(seen.at(), "nothing better than " + now)
                    .with(numbers(state, seen, outlook, now, prospects))
                    .remembering(learned.with(next).write());
        }
        return Decision.nothing(seen.at(), next.calm() >= CALM ? "it holds " + now : "nothing better than " + now)
                .remembering(learned.with(next).write());
    }

    private boolean better(
            PolicyState state, ExpectedImprovement outlook, Progress progress, Prospect best, double least) {
        double confidence = progress.calm() >= CALM ? SURE : CONFIDENT;
        return best.gain() > least
                && best.confidence() > confidence
                && pays(state, outlook, best.target(), best.gain(), 0);
    }

    private Optional<Prospect> trial(
            PolicyState state, ExpectedImprovement outlook, Progress progress, List<Prospect> prospects) {
        if (progress.calm() >= CALM || progress.trials() >= trials) {
            return Optional.empty();
        }
        return prospects.stream()
                .filter(prospect -> prospect.hope() > HOPE * gain
                        && pays(state, outlook, prospect.target(), prospect.hope(), lost(state, prospect)))
                .max(Comparator.comparingDouble(Prospect::hope));
    }

    private static boolean believed(FittedMemory learned, Target now) {
        return learned.points().stream().anyMatch(point -> point.tasks().equals(now) && point.error() < 0.2);
    }

    /** Whoever it began with is given time to come and to be measured: without that it would choose between guesses. */
    private static boolean begins(PolicyState state, Observation seen, FittedMemory learned) {
        Target wanted = state.wanted();
        boolean unmeasured = (wanted.remote() > 0 && learned.remoteRates().isEmpty())
                || (wanted.local() > 0 && learned.localRates().isEmpty());
        return unmeasured && learned.progress().changes() == 0 && !waited(state, seen);
    }

    /** Workers that were asked for just now may still come. */
    private static boolean waited(PolicyState state, Observation seen) {
        return !seen.at().isBefore(state.scaledAt().plusSeconds(PATIENCE_SECONDS));
    }

    /** What is wished of those kinds of which none serves: that wish stays until one comes. */
    private static Target absent(PolicyState state) {
        Target served = served(state);
        return new Target(
                served.remote() == 0 ? state.wanted().remote() : 0,
                served.local() == 0 ? state.wanted().local() : 0);
    }

    /** Those that served the last window. */
    private static Target served(PolicyState state) {
        List<WindowClosed> windows = state.windows();
        Target served = windows.get(windows.size() - 1).tasks();
        return new Target(
                served.remote() < state.wanted().remote() ? served.remote() : Integer.MAX_VALUE,
                served.local() < state.wanted().local() ? served.local() : Integer.MAX_VALUE);
    }

    /** Whether so much gain, for as long as is looked ahead, is more than the change costs; all in seconds of today's job. */
    private boolean pays(
            PolicyState state, ExpectedImprovement outlook, Target target, double gained, double lostSeconds) {
        double perHour = outlook.cost(state.wanted(), 3600);
        int more = Math.max(0, target.remote() - state.wanted().remote());
        double start = perHour > 0 ? more * state.terms().prices().remotePerHour() / perHour * startSeconds : 0;
        return gained * horizonSeconds > CHANGE_SECONDS + start + lostSeconds;
    }

    private static double lost(PolicyState state, Prospect prospect) {
        double windowSeconds = Medians.median(
                state.windows().stream().mapToDouble(WindowClosed::seconds).toArray());
        return Math.max(0, -prospect.gain()) * TRIAL_WINDOWS * windowSeconds;
    }

    /**
     * What it goes to.
     *
     * @param to the target
     * @param why it goes there, in words
     * @param promise what is expected of it, in words
     */
    private record Choice(Prospect to, String why, String promise) {}

    private static String better(Prospect to) {
        return String.format(Locale.ROOT, "%.1f %% %s", 100 * Math.abs(to.gain()), to.gain() < 0 ? "worse" : "better");
    }

    /** A trial is not made for what is expected of it, which may be a loss. */
    private static String hope(Prospect to) {
        return String.format(
                Locale.ROOT,
                "and that it is better with a chance of %.0f %%: it hopes for %.1f %%",
                100 * to.confidence(),
                100 * to.hope());
    }

    private static Decision move(
            PolicyState state,
            Observation seen,
            FittedMemory learned,
            ExpectedImprovement outlook,
            Choice choice,
            List<Prospect> prospects) {
        Prospect to = choice.to;
        RateModel fit = outlook.fit();
        String reason = String.format(
                Locale.ROOT,
                "%s: the trainer takes %.4g/s beside %d local, a remote worker makes %.4g/s and %d local ones %.4g/s;"
                        + " with %s it expects %.4g/s, %s",
                choice.why,
                fit.trainer(to.target().local()),
                to.target().local(),
                fit.remote(),
                to.target().local(),
                fit.local(to.target().local()),
                to.target(),
                fit.rate(to.target()),
                choice.promise);
        return Decision.of(seen.at(), new ScaleTo(to.target()), reason)
                .with(numbers(state, seen, outlook, to.target(), prospects))
                .remembering(learned.write());
    }

    /** What it expects of a target and of the best others, and by which rates. */
    private static SortedMap<String, Double> numbers(
            PolicyState state, Observation seen, ExpectedImprovement outlook, Target chosen, List<Prospect> prospects) {
        RateModel fit = outlook.fit();
        SortedMap<String, Double> numbers = new TreeMap<>();
        numbers.put("expectedElementsPerSecond", fit.rate(chosen));
        numbers.put("expectedCostPerHour", outlook.cost(chosen, 3600));
        numbers.put("expectedCostPerMillionElements", costPerMillion(outlook, chosen));
        double egress = outlook.egressPerHour(chosen);
        if (egress > 0) {
            numbers.put("expectedEgressPerHour", egress);
        }
        numbers.put("trainerElementsPerSecond", fit.trainer(chosen.local()));
        numbers.put("remoteElementsPerSecond", fit.remote());
        numbers.put("localElementsPerSecond", fit.local(chosen.local()));
        numbers.put("clockFactor", fit.clockFactor());
        List<Target> alternatives = Stream.concat(
                        Stream.of(state.wanted()),
                        prospects.stream()
                                .sorted(Comparator.comparingDouble(Prospect::gain)
                                        .reversed())
                                .map(Prospect::target))
                .filter(target -> !target.equals(chosen))
                .limit(TOLD)
                .toList();
        for (Target other : alternatives) {
            String name = "alternative " + other.remote() + "+" + other.local() + ": ";
            numbers.put(name + "costPerMillionElements", costPerMillion(outlook, other));
            numbers.put(name + "elementsPerSecond", fit.rate(other));
        }
        elementsPerBatch(state, seen)
                .ifPresent(elements -> numbers.put("expectedBatchMillis", 1e3 * elements / fit.rate(chosen)));
        return numbers;
    }

    private static double costPerMillion(ExpectedImprovement outlook, Target target) {
        return outlook.cost(target, 1e6 / outlook.fit().rate(target));
    }

    /** As most windows have it; until there is a steady one, as this one has it, and 0 where none tells. */
    private static double bytesPerElement(PolicyState state, Observation seen) {
        double[] steady = state.windows().stream()
                .filter(FittedPlacement::tellsBytes)
                .mapToDouble(FittedPlacement::bytesPerElement)
                .toArray();
        if (steady.length > 0) {
            return Medians.median(steady);
        }
        return seen instanceof WindowClosed window && tellsBytes(window) ? bytesPerElement(window) : 0;
    }

    private static boolean tellsBytes(WindowClosed window) {
        return window.bytes() > 0 && window.elements() > 0;
    }

    private static double bytesPerElement(WindowClosed window) {
        return (double) window.bytes() / window.elements();
    }

    private static OptionalDouble elementsPerBatch(PolicyState state, Observation seen) {
        List<WindowClosed> windows = state.windows();
        if (seen instanceof WindowClosed window) {
            return OptionalDouble.of(window.elements() / (double) window.batches());
        }
        if (windows.isEmpty()) {
            return OptionalDouble.empty();
        }
        WindowClosed last = windows.get(windows.size() - 1);
        return OptionalDouble.of(last.elements() / (double) last.batches());
    }
}
