package io.praline.dispatcher.convert;

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
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import io.praline.policy.Terms.Limits;
import io.praline.policy.Terms.Prices;
import java.time.Instant;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Any observation that there can be. */
public final class Observations {
    /** Whole numbers are journaled as doubles: exact as far as those go. */
    private static final long LARGEST = 1L << 53;

    private Observations() {}

    public static Arbitrary<Observation> any() {
        Arbitrary<Instant> at = Arbitraries.longs().between(0, 50_000_000).map(Instant::ofEpochMilli);
        Arbitrary<Integer> count = Arbitraries.integers().between(0, Integer.MAX_VALUE);
        Arbitrary<Integer> few = Arbitraries.integers().between(0, 9);
        Arbitrary<Target> target = Combinators.combine(few, few).as(Target::new);
        Arbitrary<Long> many = Arbitraries.longs().between(1, LARGEST);
        Arbitrary<Double> positive = Arbitraries.doubles().between(1e-9, 1e9).ofScale(9);
        Arbitrary<Boolean> either = Arbitraries.of(true, false);
        Arbitrary<Terms> terms = Combinators.combine(
                        Arbitraries.of(Goal.class),
                        Combinators.combine(positive, positive, positive).as(Prices::new),
                        Combinators.combine(count.filter(most -> most > 0), count)
                                .as(Limits::new),
                        Arbitraries.oneOf(positive, Arbitraries.just(Double.POSITIVE_INFINITY)))
                .as(Terms::new);
        Arbitrary<long[]> sizes = Combinators.combine(
                        many, many, Arbitraries.longs().between(0, LARGEST))
                .as((batches, elements, bytes) -> new long[] {batches, elements, bytes});
        Arbitrary<Observation> window = Combinators.combine(
                        at, few, sizes, positive.filter(seconds -> seconds < 86_400), positive, target, either)
                .as((when, consumer, size, seconds, queue, tasks, straddles) -> new WindowClosed(
                        when,
                        consumer,
                        size[0],
                        size[1],
                        size[2],
                        seconds,
                        1 / (1 + queue),
                        queue,
                        tasks.local(),
                        tasks.remote(),
                        straddles));
        Arbitrary<Observation> rare = Arbitraries.oneOf(
                Combinators.combine(at, many, many, either).as(Planned::new),
                Combinators.combine(at, few, few)
                        .as((when, workers, more) -> new PoolChanged(when, workers, workers + more)),
                Combinators.combine(at, terms).as(TermsSet::new),
                Combinators.combine(at, target.optional(0.5)).as(Pinned::new),
                Combinators.combine(at, target).as(Granted::new),
                Combinators.combine(at, Arbitraries.strings().ofMaxLength(20), either, few, positive)
                        .as((when, worker, local, beside, rate) ->
                                new RateMeasured(when, worker, local, beside + 1, rate)),
                Combinators.combine(
                                at, positive, Arbitraries.oneOf(positive, Arbitraries.just(Double.POSITIVE_INFINITY)))
                        .as(TenantSpent::new),
                at.map(Clock::new));
        return Arbitraries.frequencyOf(Tuple.of(1, window), Tuple.of(2, rare));
    }
}
