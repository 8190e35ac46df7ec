package io.praline.dispatcher;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * When a dispatcher commits. Where somebody waits for what an event brought about it does so at once, if it did not just
 * before; else together with what follows in that time, since a commit takes several milliseconds, however much is in it.
 * Where very many follow each other, more of them share one. What nobody waits for is committed with that, or once a second.
 * For all partitions of the stream thread, which owns it: a commit is one for all of them.
 */
final class CommitPace {
    /** From one commit to the next. */
    static final Duration TOGETHER = Duration.ofMillis(20);

    /** The same where more than {@link #FEW} events came since: then commits are what broker and dispatcher are busy with. */
    static final Duration MANY_TOGETHER = Duration.ofMillis(50);

    /** So many are committed though nobody waits for them: more would be taken again by whoever goes on behind a crash. */
    static final int MOST = 5_000;

    /** What nobody waits for is looked at once a second, by each partition at another time. */
    private static final Duration LATE = Duration.ofSeconds(1);

    /** Events between two commits that are 20 ms apart, of 2,000 in a second. */
    private static final int FEW = 40;

    private final LongSupplier nanoTime;
    private long committed;
    private int events;
    private boolean waitedFor;

    CommitPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.committed = nanoTime.getAsLong() - TOGETHER.toNanos();
    }

    /**
     * Something was written.
     *
     * @param urgent whether somebody waits for it
     */
    void wrote(boolean urgent) {
        events++;
        waitedFor |= urgent;
    }

    /** How long it is until what somebody waits for, or has become much, is to be committed, zero: now; empty where nothing is. */
    Optional<Duration> due() {
        if (events >= MOST) {
            return Optional.of(Duration.ZERO);
        }
        if (!waitedFor) {
            return Optional.empty();
        }
        Duration least = events > FEW ? MANY_TOGETHER : TOGETHER;
        long left = least.toNanos() - (nanoTime.getAsLong() - committed);
        return Optional.of(Duration.ofNanos(Math.max(0, left)));
    }

    /** Whether something was written that nobody waits for, and nothing committed for so long that it must be. */
    boolean isLate() {
        return events > 0 && nanoTime.getAsLong() - committed >= LATE.toNanos();
    }

    /** All that was written is committed. */
    void committed() {
        committed = nanoTime.getAsLong();
        events = 0;
        waitedFor = false;
    }
}
