package io.praline.tests.simulation;

import io.netty.util.concurrent.Ticker;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Virtual time: what is to be done when, one after the other; and who cannot reach whom just now. */
final class World {
    private static final long START_MILLIS = 1_700_000_000_000L;

    private final Random random;
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final Set<String> cuts = new HashSet<>();
    private final Ticker ticker = new VirtualTicker();
    private long nowNanos = TimeUnit.SECONDS.toNanos(1_000);
    private long numbered;

    World(long seed) {
        random = new Random(seed);
    }

    private record Task(long atNanos, long number, Runnable work) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    Random random() {
        return random;
    }

    long nanos() {
        return nowNanos;
    }

    /** By a clock that is right. */
    long millis() {
        return START_MILLIS + TimeUnit.NANOSECONDS.toMillis(nowNanos);
    }

    Ticker ticker() {
        return ticker;
    }

    /** Between these, in microseconds, evenly. */
    long micros(long from, long until) {
        return from + (long) (random.nextDouble() * (until - from));
    }

    void at(long nanos, Runnable work) {
        tasks.add(new Task(Math.max(nanos, nowNanos), numbered++, work));
    }

    void after(long micros, Runnable work) {
        at(nowNanos + TimeUnit.MICROSECONDS.toNanos(micros), work);
    }

    /** Does what is next; false where nothing is, before that time. */
    boolean step(long untilNanos) {
        Task next = tasks.peek();
        if (next == null || next.atNanos > untilNanos) {
            nowNanos = Math.max(nowNanos, untilNanos);
            return false;
        }
        tasks.remove();
        nowNanos = next.atNanos;
        next.work.run();
        return true;
    }

    // ---- who reaches whom

    void cut(String one, String other) {
        cuts.add(pair(one, other));
    }

    void heal(String one, String other) {
        cuts.remove(pair(one, other));
    }

    boolean isCut(String one, String other) {
        return !cuts.isEmpty() && cuts.contains(pair(one, other));
    }

    Set<String> cuts() {
        return new TreeSet<>(cuts);
    }

    private static String pair(String one, String other) {
        return one.compareTo(other) < 0 ? one + "-" + other : other + "-" + one;
    }

    /** The time of event loops. */
    private final class VirtualTicker implements Ticker {
        @Override
        public long initialNanoTime() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return nowNanos;
        }

        @Override
        public void sleep(long delay, TimeUnit unit) {
            throw new IllegalStateException("nobody sleeps in virtual time");
        }
    }
}
