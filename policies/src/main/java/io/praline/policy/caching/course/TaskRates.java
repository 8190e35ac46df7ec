package io.praline.policy.caching.course;

import io.praline.policy.caching.CacheOutlook;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What tasks make from entries, beside what they make when they compute. */
final class TaskRates {
    /** Rates in a row that are lower than {@value #SLOW} of what is computed: entries are no help. */
    private static final int MOST_SLOW = 3;

    private static final double SLOW = 0.75;

    /** Weight of the newest rate among those that came before. */
    private static final double NEWEST = 0.3;

    private TaskRates() {}

    /** The first that is told of entries is held against the last that was computed. */
    static CacheTurn take(CacheState state, CacheEvent.Rate task) {
        double rate = task.elementsPerSecond();
        if (!(rate > 0)) {
            return CacheTurn.nothing(state);
        }
        if (!task.cached()) {
            return CacheTurn.nothing(
                    state.withRates(smooth(state.computedRate(), rate), state.cachedRate(), state.slow()));
        }
        if (state.used().isEmpty()) {
            return CacheTurn.nothing(state);
        }
        double computed = state.computedRate();
        int slow = rate < SLOW * computed ? state.slow() + 1 : 0;
        CacheState known = state.withRates(computed, smooth(state.cachedRate(), rate), slow);
        if (state.cachedRate() > 0 || computed == 0) {
            return CacheTurn.nothing(known);
        }
        double gain = rate / computed;
        Map<String, Double> numbers =
                new TreeMap<>(Map.of("elementsPerSecond", rate, "elementsPerSecondComputed", computed, "gain", gain));
        String expected = "";
        if (state.expectedGain() > 0) {
            numbers.put("expectedGain", state.expectedGain());
            expected = format(", %.2f were expected", state.expectedGain());
        }
        return CacheTurn.said(
                        known,
                        format(
                                "a task makes %.0f elements/s from entries and made %.0f where it computed: %.2f times as"
                                        + " many%s",
                                rate, computed, gain, expected))
                .with(numbers);
    }

    private static double smooth(double before, double rate) {
        return before == 0 ? rate : before + NEWEST * (rate - before);
    }

    /** Whether entries are read more slowly than elements are computed, and not because the trainer takes no more. */
    static boolean slow(CacheState state, CacheOutlook outlook) {
        return state.slow() >= MOST_SLOW
                && state.cachedRate() * outlook.workers() < SLOW * outlook.trainerRecordsPerSecond();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
