package io.praline.client.local;

import io.praline.schema.ActuatorReport;
import java.time.Duration;
import java.util.Optional;

/**
 * When the dispatcher is to hear what came of a target: when something of it has changed, and every ten seconds, so that it
 * hears of a target that was lost on its way. Owned by one thread. Times are {@code System.nanoTime} of whoever calls.
 */
public final class TargetReports {
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final String subject;
    private final String incarnation;
    private final int most;
    private Optional<ActuatorReport> last = Optional.empty();
    private long lastNanos;

    /**
     * Of targets that know what bounds them.
     *
     * @param subject the target's
     * @param incarnation UUID of this process
     */
    public TargetReports(String subject, String incarnation) {
        this(subject, incarnation, 0);
    }

    /**
     * Of targets that should not exceed a bound.
     *
     * @param subject the target's
     * @param incarnation UUID of this process
     * @param most workers that are ever started; 0: nothing is said of it
     */
    public TargetReports(String subject, String incarnation, int most) {
        this.subject = subject;
        this.incarnation = incarnation;
        this.most = most;
    }

    /**
     * What is to be sent now.
     *
     * @param running those about to leave included
     * @param hindrance why there are not more
     */
    public Optional<ActuatorReport> due(int wanted, int running, Optional<String> hindrance, long nowNanos) {
        ActuatorReport now = new ActuatorReport(subject, incarnation, wanted, running, hindrance.orElse(""), most);
        boolean changed = !last.equals(Optional.of(now));
        boolean overdue = nowNanos - lastNanos >= PERIOD.toNanos();
        if (!changed && !overdue) {
            return Optional.empty();
        }
        last = Optional.of(now);
        lastNanos = nowNanos;
        return last;
    }
}
