package io.praline.policy.scaling;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Reasons;
import io.praline.policy.Target;
import io.praline.policy.Terms.Limits;
import io.praline.policy.scaling.fitted.Search;
import java.util.SortedMap;

/**
 * The workers that a small model of the job expects to be best; R is remote, L local workers:
 *
 * <pre>
 *   rate(R, L) = min(trainer(L), remote x R + local(L))            elements/s
 *   best       = the (R, L) within the limits that makes what the goal asks for smallest, over what the model is unsure of
 *
 *   begin      one worker of each kind that is allowed: their clocks and one window tell all three rates roughly, and are
 *              waited for a little
 *   move       to best, if it gains more than {@code gain}, half as much again for each change that went before
 *   try        another target, at most {@code trials} times: if the hope of it, over {@code horizonSeconds}, outweighs what
 *              the trial is expected to lose
 *   hold       after some windows in which neither was worth it; now only twice {@code gain} and more moves it
 *   re-open    when the last few windows depart from the model on the same side by more than {@code departure} and than
 *              their noise: the rate that changed is corrected, and all is open again; or when a worker's clock moves by
 *              more than {@code departure} what the model it came to rest upon expected of such a worker
 * </pre>
 *
 * <p>No single window decides anything, but one that the workers' clocks confirm: the first one may even be one in which
 * workers were still coming. Workers that were asked for and do not come are planned without after a while; the wish for
 * them stays, so that it is not asked up and down while they start.
 *
 * <p>All but the beginning is a {@link Search}, and each part of that gives its rule in numbers.
 *
 * @param trials changes that are made to learn something, between two re-openings
 * @param gain that a change must be expected to bring, as a share of what the goal asks for
 * @param departure from the model that is no noise any more, as a share
 * @param horizonSeconds in which a change must bring in what it costs
 * @param startSeconds for which a remote worker is paid before it serves
 */
public record FittedPlacement(int trials, double gain, double departure, double horizonSeconds, double startSeconds)
        implements Policy {

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
        return 4;
    }

    @Override
    public SortedMap<String, String> parameters() {
        return Parameters.of(this);
    }

    @Override
    public Decision decide(PolicyState state, Observation seen) {
        if (!state.planned()) {
            return Decision.nothing(seen.at(), Reasons.UNPLANNED);
        }
        if (state.wanted().workers() == 0) {
            return begin(state, seen);
        }
        Search search = new Search(trials, gain, departure, horizonSeconds, startSeconds);
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
                return search.termsSet(state, set);
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
                return search.rateMeasured(state, rate);
            }

            @Override
            public Decision windowClosed(WindowClosed window) {
                return search.windowClosed(state, window);
            }

            @Override
            public Decision orderChanged(Observation.OrderChanged order) {
                return search.orderChanged(state, order);
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
}
