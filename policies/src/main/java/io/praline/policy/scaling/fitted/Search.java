package io.praline.policy.scaling.fitted;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.OrderChanged;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Reasons;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.ExpectedImprovement.Prospect;
import io.praline.policy.scaling.fitted.FittedMemory.Point;
import io.praline.policy.scaling.fitted.FittedMemory.Progress;
import io.praline.policy.scaling.fitted.FittedMemory.Rate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The search for the workers that are best for a job, one turn at a time. What is measured goes into the {@link FittedMemory},
 * a {@link RateModel} is fitted to that, and a {@link TargetChoice} asks for so much gain, as a share of what the goal asks for:
 *
 * <pre>
 *   after a window           min({@value #LARGE_GAIN} / 2, gain x {@value #HARDER}^(changes so far - 1))
 *     at rest                max({@value #LARGE_GAIN} / 2, 2 x gain)
 *   after a worker's clock   {@value #LARGE_GAIN} / 2
 *     at rest                no gain moves it, unless that opens the search again: the workers that it rests upon make
 *                            another number of elements than they did, or the model is another one with the clock
 *   opened again             gain: by other terms, or by a {@link Departure}
 *   in any case              at least {@value #LARGE_GAIN} while the last target is not in force
 * </pre>
 */
public final class Search {
    private static final Target EVERY = new Target(Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** Each change makes the next one harder. */
    private static final double HARDER = 1.5;

    /** Where it has come to rest, or where its last target is not in force yet, only so much (as a share) moves it. */
    private static final double LARGE_GAIN = 0.1;

    private final double gain;
    private final Departure departure;
    private final TargetChoice choice;

    /**
     * With the parameters of the policy, which has checked them.
     *
     * @param trials changes that are made to learn something, between two re-openings
     * @param gain that a change must be expected to bring, as a share of what the goal asks for
     * @param departure from the model that is no noise any more, as a share
     * @param horizonSeconds in which a change must bring in what it costs
     * @param startSeconds for which a remote worker is paid before it serves
     */
    public Search(int trials, double gain, double departure, double horizonSeconds, double startSeconds) {
        this.gain = gain;
        this.departure = new Departure(departure);
        choice = new TargetChoice(trials, gain, new Payback(horizonSeconds, startSeconds));
    }

    /** Other prices, limits or another goal: what was best need not be. */
    public Decision termsSet(PolicyState state, TermsSet set) {
        FittedMemory learned = FittedMemory.read(state.memory());
        FittedMemory open =
                learned.with(learned.progress().reopened(learned.progress().sinceMillis()));
        return plan(state, set, open, model(state, open), gain);
    }

    /** A worker's own clock told what it makes. */
    public Decision rateMeasured(PolicyState state, RateMeasured rate) {
        FittedMemory before = FittedMemory.read(state.memory());
        Rate told = new Rate(rate.worker(), rate.elementsPerSecond());
        FittedMemory learned = rate.local() ? before.withLocal(rate.beside(), told) : before.withRemote(told);
        RateModel model = model(state, learned);
        if (!learned.progress().atRest()) {
            return plan(state, rate, learned, model, LARGE_GAIN / 2);
        }
        int local = state.wanted().local();
        if (departure.moved(learned.restRates(), learned.told(local))) {
            FittedMemory open = forgotten(state, learned, rate.at());
            return plan(state, rate, open, model(state, open), gain);
        }
        if (departure.contradicts(model(state, before), model, rate)) {
            Progress open = learned.progress().reopened(learned.progress().sinceMillis());
            return plan(state, rate, learned.with(open), model, gain);
        }
        return Decision.nothing(rate.at(), "it holds " + state.wanted()).remembering(learned.write());
    }

    /** What windows told of workers is past, and they are known by their clocks; what the trainer takes is not. */
    private static FittedMemory forgotten(PolicyState state, FittedMemory learned, Instant at) {
        List<Point> kept = learned.points().stream()
                .filter(point -> point.tasks().equals(state.wanted()) && !point.starved())
                .toList();
        Progress progress = learned.progress();
        long since = kept.isEmpty() ? at.toEpochMilli() : progress.sinceMillis();
        return learned.with(kept).resting(state.wanted().local()).with(progress.reopened(since));
    }

    /**
     * New tasks make another number of elements: what is known of workers is scaled by what is expected of them, and all is
     * open again. Their own clocks tell within seconds whether that is true; until then nobody is sent away.
     */
    public Decision orderChanged(PolicyState state, OrderChanged order) {
        FittedMemory scaled = FittedMemory.read(state.memory()).scaled(order.gain(), 1);
        Progress open = scaled.progress().reopened(order.at().toEpochMilli());
        return Decision.nothing(order.at(), "it waits for what workers make in the new order")
                .remembering(scaled.with(open).write());
    }

    /** A window of the training loop, which {@code state} holds already unless workers changed while it was measured. */
    public Decision windowClosed(PolicyState state, WindowClosed window) {
        return window.straddles() ? straddled(state, window) : steady(state, window);
    }

    private Decision steady(PolicyState state, WindowClosed window) {
        FittedMemory before = FittedMemory.read(state.memory());
        RecentWindows recent = RecentWindows.of(state, before.progress().sinceMillis());
        if (recent.open()) {
            return Decision.nothing(window.at(), "once a round of its consumers' windows is often enough");
        }
        if (recent.windows().isEmpty()) {
            return Decision.nothing(window.at(), "a window without elements tells nothing");
        }
        FittedMemory learned = before.with(new Attendance(state).counted(window, before.progress()));
        Target tasks = recent.windows().get(recent.windows().size() - 1).tasks();
        learned = learned.with(RateFit.confirmed(learned, recent.of(tasks).point()));
        RateModel model = model(state, learned);
        Optional<FittedMemory> departed = departure.from(model, state, learned, recent);
        if (departed.isPresent()) {
            return plan(state, window, departed.get(), model(state, departed.get()), gain);
        }
        Progress progress = learned.progress();
        double needed = progress.atRest()
                ? Math.max(LARGE_GAIN / 2, 2 * gain)
                : Math.min(LARGE_GAIN / 2, gain * Math.pow(HARDER, Math.max(0, progress.changes() - 1)));
        return plan(state, window, learned, model, needed);
    }

    /** Before anything else is known, such a window is better than none, if the workers' clocks confirm it. */
    private Decision straddled(PolicyState state, WindowClosed window) {
        FittedMemory before = FittedMemory.read(state.memory());
        if (before.points().isEmpty() && window.elements() > 0) {
            FittedMemory learned = before.with(
                    RateFit.confirmed(before, RecentWindows.of(window).point()));
            RateModel model = model(state, learned);
            if (model.known()) {
                return plan(state, window, learned, model, gain);
            }
        }
        return Decision.nothing(window.at(), Reasons.STRADDLES);
    }

    private static RateModel model(PolicyState state, FittedMemory learned) {
        return RateModel.of(
                learned,
                Math.max(state.terms().limits().maxLocal(), state.wanted().local()));
    }

    private Decision plan(PolicyState state, Observation seen, FittedMemory learned, RateModel model, double needed) {
        Target now = state.wanted();
        if (!model.known()) {
            return Decision.nothing(seen.at(), "it waits for windows that agree, to know what the trainer takes")
                    .remembering(learned.write());
        }
        Progress progress = learned.progress();
        Attendance attendance = new Attendance(state);
        boolean isShort = attendance.isShort(progress);
        boolean inForce = isShort || state.granted().equals(now);
        ExpectedImprovement improvement =
                ExpectedImprovement.of(model, state, seen, isShort ? attendance.served() : EVERY);
        boolean must = !improvement.allowed(now);
        if (!must && attendance.awaitsFirst(seen, learned)) {
            return Decision.nothing(seen.at(), "a worker that it begins with is not measured yet")
                    .remembering(learned.write());
        }
        List<Prospect> prospects = improvement.prospects(now).stream()
                .filter(one -> must || !isShort || attendance.keepsWish(one.target()))
                .toList();
        Forecast forecast = new Forecast(state, seen, improvement, prospects);
        double enough = inForce ? needed : Math.max(needed, LARGE_GAIN);
        Optional<Choice> move = choice.move(state, improvement, progress, prospects, must, enough);
        if (move.isPresent()) {
            return changed(seen, learned.with(progress.moved(false)), forecast, move.get());
        }
        boolean settling = inForce && seen instanceof WindowClosed;
        Optional<Choice> trial = settling ? choice.trial(state, improvement, learned, prospects) : Optional.empty();
        if (trial.isPresent()) {
            return changed(seen, learned.with(progress.moved(true)), forecast, trial.get());
        }
        Progress next = settling ? progress.calmer() : progress;
        FittedMemory kept = next.atRest() && !progress.atRest()
                ? learned.resting(now.local()).with(next)
                : learned.with(next);
        if (settling && !next.atRest()) {
            return Decision.nothing(seen.at(), "nothing better than " + now)
                    .with(forecast.numbers(now).write())
                    .remembering(kept.write());
        }
        return Decision.nothing(seen.at(), next.atRest() ? "it holds " + now : "nothing better than " + now)
                .remembering(kept.write());
    }

    private static Decision changed(Observation seen, FittedMemory learned, Forecast forecast, Choice choice) {
        Target to = choice.to().target();
        return Decision.of(seen.at(), new ScaleTo(to), forecast.reason(choice))
                .with(forecast.numbers(to).write())
                .remembering(learned.write());
    }
}
