package io.praline.dispatcher.turn.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is done for a whole pool, step by step. One that throws is left out from then on, so that all else goes on, and tried
 * again:
 *
 * <pre>
 *   after = 1 min, twice as long each time that it throws again, 10 min at most
 * </pre>
 *
 * Each throw costs what memory knows beside the rows, such as since when somebody is silent: steps that were tried at every
 * tick would keep the dispatcher from ever finding a worker lost. Outlives what is made anew from the rows after a throw, and
 * is as new where another dispatcher takes over. Owned by the stream thread.
 */
public final class PoolSteps {
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final SortedMap<Step, LeftOut> leftOut = new TreeMap<>();
    private final List<News> news = new ArrayList<>();
    private int saying;

    private record Step(String pool, String what) implements Comparable<Step> {
        private static final Comparator<Step> ORDER =
                Comparator.comparing(Step::pool).thenComparing(Step::what);

        @Override
        public int compareTo(Step other) {
            return ORDER.compare(this, other);
        }
    }

    private record LeftOut(Duration pause, Instant until, String why) {}

    /**
     * What became of a step.
     *
     * @param pool whose it is; empty: of what is beside all pools
     * @param step what is done by it
     * @param why it is left out; empty: it is done again
     */
    public record News(String pool, String step, Optional<Throwable> why) {
        /** The step and whose it is, for people. */
        public String what() {
            return pool.isEmpty() ? step : "pool " + pool + ": " + step;
        }
    }

    /**
     * Does the step, unless it is left out.
     *
     * @param pool whose it is; empty: of what is beside all pools
     * @param what is done by it, for people
     */
    public void take(String pool, String what, Instant at, Runnable step) {
        if (isLeftOut(pool, what, at)) {
            return;
        }
        try {
            step.run();
        } catch (JobFault | PoolFault known) {
            throw known;
        } catch (RuntimeException | StackOverflowError thrown) {
            throw new PoolFault(pool, what, at, thrown);
        }
        if (leftOut.remove(new Step(pool, what)) != null) {
            news.add(new News(pool, what, Optional.empty()));
        }
    }

    /** Whether it is left out now. */
    public boolean isLeftOut(String pool, String what, Instant at) {
        LeftOut known = leftOut.get(new Step(pool, what));
        return known != null && at.isBefore(known.until());
    }

    /** The step at which this was thrown is left out from now on. */
    public void leaveOut(PoolFault fault) {
        Step step = new Step(fault.pool(), fault.step());
        Optional<LeftOut> before = Optional.ofNullable(leftOut.get(step));
        Duration twice = before.map(LeftOut::pause).orElse(Duration.ZERO).multipliedBy(2);
        Duration pause = before.isEmpty() ? FIRST : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        String why = String.valueOf(fault.getCause());
        leftOut.put(step, new LeftOut(pause, fault.at().plus(pause), why));
        // said once, and not each time that it is tried
        if (before.filter(known -> known.why().equals(why)).isEmpty()) {
            news.add(new News(fault.pool(), fault.step(), Optional.of(fault.getCause())));
        }
    }

    /** How many are left out. */
    public int size() {
        return leftOut.size();
    }

    /** What is to be said of them, which is said when {@link #written} follows. */
    public List<News> news() {
        saying = news.size();
        return List.copyOf(news);
    }

    /** What was asked for as news is said. */
    public void written() {
        news.subList(0, saying).clear();
        saying = 0;
    }

    /** Nothing was said. */
    public void dropped() {
        saying = 0;
    }
}
