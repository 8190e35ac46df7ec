package io.praline.policy.scaling.fitted;

import static io.praline.policy.Quantity.BATCH_MILLIS;
import static io.praline.policy.Quantity.COST_PER_HOUR;
import static io.praline.policy.Quantity.COST_PER_MILLION_ELEMENTS;
import static io.praline.policy.Quantity.EGRESS_PER_HOUR;
import static io.praline.policy.Quantity.ELEMENTS_PER_SECOND;

import io.praline.policy.Alternative;
import io.praline.policy.DecisionNumbers;
import io.praline.policy.Expected;
import io.praline.policy.Observation;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.ExpectedImprovement.Prospect;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a decision tells of its target and of the best {@value #TOLD} others, so that it can be held against what comes:
 *
 * <pre>
 *   elementsPerSecond        rate(R, L)
 *   batchMillis              1000 x elements of a batch / rate(R, L)            the last window's batches
 *   costPerHour              money with these workers, egress included
 *   costPerMillionElements   the same for 10^6 / rate(R, L) seconds
 *   egressPerHour            what of costPerHour is egress; not told where it is nothing
 * </pre>
 *
 * @param state of the job
 * @param seen what it decides on
 * @param improvement by which it decides
 * @param prospects among which it chooses
 */
record Forecast(PolicyState state, Observation seen, ExpectedImprovement improvement, List<Prospect> prospects) {
    /** Alternatives that a decision tells of. */
    private static final int TOLD = 4;

    /** Why it goes there, by which rates. */
    String reason(Choice choice) {
        Target to = choice.to().target();
        RateModel model = improvement.model();
        return String.format(
                Locale.ROOT,
                "%s: the trainer takes %.4g/s beside %d local, a remote worker makes %.4g/s and %d local ones %.4g/s;"
                        + " with %s it expects %.4g/s, %s",
                choice.why(),
                model.trainer(to.local()),
                to.local(),
                model.eachRemote(to.remote()),
                to.local(),
                model.local(to.local()),
                to,
                model.rate(to),
                choice.promise());
    }

    /** What it expects of a target and of the best others, and by which rates. */
    DecisionNumbers numbers(Target chosen) {
        RateModel model = improvement.model();
        SortedMap<String, Double> rates = new TreeMap<>();
        rates.put("trainerElementsPerSecond", model.trainer(chosen.local()));
        rates.put("remoteElementsPerSecond", model.eachRemote(chosen.remote()));
        rates.put("localElementsPerSecond", model.local(chosen.local()));
        rates.put("clockFactor", model.clockFactor());
        List<Alternative> alternatives = others(chosen).stream()
                .map(other -> new Alternative(other, rateAndCost(other)))
                .toList();
        return new DecisionNumbers(expected(chosen), alternatives, rates);
    }

    private Expected expected(Target chosen) {
        Expected expected = rateAndCost(chosen).with(COST_PER_HOUR, improvement.cost(chosen, 3600));
        double egress = improvement.egressPerHour(chosen);
        if (egress > 0) {
            expected = expected.with(EGRESS_PER_HOUR, egress);
        }
        OptionalDouble elements = elementsPerBatch();
        return elements.isEmpty()
                ? expected
                : expected.with(
                        BATCH_MILLIS,
                        1e3 * elements.getAsDouble() / improvement.model().rate(chosen));
    }

    private Expected rateAndCost(Target workers) {
        double rate = improvement.model().rate(workers);
        return Expected.NOTHING
                .with(ELEMENTS_PER_SECOND, rate)
                .with(COST_PER_MILLION_ELEMENTS, improvement.cost(workers, 1e6 / rate));
    }

    private List<Target> others(Target chosen) {
        return Stream.concat(
                        Stream.of(state.wanted()),
                        prospects.stream()
                                .sorted(Comparator.comparingDouble(Prospect::gain)
                                        .reversed())
                                .map(Prospect::target))
                .filter(target -> !target.equals(chosen))
                .limit(TOLD)
                .toList();
    }

    private OptionalDouble elementsPerBatch() {
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
