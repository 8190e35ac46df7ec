package io.praline.policy.ordering.plan;

import java.util.Locale;

/**
 * That a step could move before another but for one condition.
 *
 * @param step what could move
 * @param past what it could move before
 * @param condition the one that does not hold, in words that follow "only where"
 */
public record Blocked(String step, String past, String condition) {
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s moves before %s only where %s", step, past, condition);
    }
}
