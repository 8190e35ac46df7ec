package io.praline.client.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * As many worker processes as the target says, and never more than the bound, those that leave included.
 *
 * <pre>
 *   too few    all that are missing are started at once; but where the last one failed, one is tried, and not before
 *                 pause = 1 s x 2^(failures - 1), at most 60 s
 *   too many   the newest are asked to drain; what has not left after 45 s is killed
 *   a failure  a start that was refused, or an end that nobody asked for; a worker that has run for 60 s clears them
 * </pre>
 *
 * <p>Owned by one thread. Times are {@code System.nanoTime} of whoever calls.
 */
public final class WorkerSet {
    /** Whoever ends all of them wants to go: what a worker still holds is not worth waiting longer for. */
    static final Duration GOODBYE = Duration.ofSeconds(5);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
    private static final Duration PROVEN = Duration.ofSeconds(60);

    /** A worker drains for 30 s at most. */
    private static final Duration DRAIN_PATIENCE = Duration.ofSeconds(45);

    private final int bound;
    private final IntFunction<LaunchedWorker> starter;
    private final TreeMap<Integer, Member> members = new TreeMap<>();
    private int target;
    private int failures;
    private long notBeforeNanos;
    private Optional<String> trouble = Optional.empty();

    private static final class Member {
        private final LaunchedWorker worker;
        private final long startedNanos;
        private boolean leaving;
        private long leavingNanos;

        private Member(LaunchedWorker worker, long startedNanos) {
            this.worker = worker;
            this.startedNanos = startedNanos;
        }
    }

    /**
     * Nothing runs yet.
     *
     * @param bound the most processes at any time
     * @param starter starts the worker of a number, counted from 1
     */
    public WorkerSet(int bound, IntFunction<LaunchedWorker> starter) {
        if (bound < 0) {
            throw new IllegalArgumentException("bound must not be negative, is " + bound);
        }
        this.bound = bound;
        this.starter = starter;
    }

    /** How many there should be; carried out by {@link #look}. */
    public void target(int workers) {
        if (workers < 0) {
            throw new IllegalArgumentException("a target must not be negative, is " + workers);
        }
        target = workers;
    }

    /** Sees what became of the processes and does what is due; gives a line for each change. Returns at once. */
    public List<String> look(long nowNanos) {
        List<String> changes = new ArrayList<>();
        bury(nowNanos, changes);
        int wanted = Math.min(target, bound);
        stopNewest(running() - wanted, nowNanos, changes);
        startMissing(wanted, nowNanos, changes);
        if (failures > 0 && members.values().stream().anyMatch(member -> isProven(member, nowNanos))) {
            failures = 0;
            trouble = Optional.empty();
        }
        return changes;
    }

    /** How many run and have not been asked to leave. */
    private int running() {
        return (int) members.values().stream().filter(member -> !member.leaving).count();
    }

    /** How many processes there are, those that leave included. */
    public int present() {
        return members.size();
    }

    /** Why there are fewer than there should be, in a sentence; empty where nothing stands in the way. */
    public Optional<String> hindrance() {
        if (members.size() >= target) {
            return Optional.empty();
        }
        if (trouble.isEmpty() && target > bound && members.size() == bound) {
            return Optional.of("of the workers that are wanted, " + target + ", at most " + bound
                    + " may run here; allow more if it can bear them");
        }
        return trouble;
    }

    /**
     * Asks all to leave, waits five seconds for it, and ends what has not left as a crash would.
     *
     * @param nanoTime the clock of {@link #look}
     * @param changes gets each change, in words
     */
    public void end(LongSupplier nanoTime, Consumer<String> changes) {
        long until = nanoTime.getAsLong() + GOODBYE.toNanos();
        target(0);
        try {
            look(nanoTime.getAsLong()).forEach(changes);
            while (present() > 0 && nanoTime.getAsLong() - until < 0) {
                TimeUnit.MILLISECONDS.sleep(20);
                look(nanoTime.getAsLong()).forEach(changes);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            killAll();
        }
    }

    /** Ends all that still run, as a crash would. */
    public void killAll() {
        members.values().forEach(member -> member.worker.kill());
        members.clear();
    }

    private void bury(long nowNanos, List<String> changes) {
        for (Map.Entry<Integer, Member> each : List.copyOf(members.entrySet())) {
            Member member = each.getValue();
            if (!member.worker.running()) {
                members.remove(each.getKey());
                if (!member.leaving) {
                    failures = isProven(member, nowNanos) ? 1 : failures + 1;
                    failed("worker " + each.getKey() + " ended: " + member.worker.lastWords(), nowNanos, changes);
                }
            } else if (member.leaving && nowNanos - member.leavingNanos > DRAIN_PATIENCE.toNanos()) {
                changes.add("worker " + each.getKey() + " did not leave within " + DRAIN_PATIENCE.toSeconds()
                        + " s and is killed");
                member.worker.kill();
                members.remove(each.getKey());
            }
        }
    }

    private void stopNewest(int surplus, long nowNanos, List<String> changes) {
        int left = surplus;
        for (Map.Entry<Integer, Member> each : members.descendingMap().entrySet()) {
            Member member = each.getValue();
            if (left > 0 && !member.leaving) {
                member.leaving = true;
                member.leavingNanos = nowNanos;
                member.worker.drain();
                changes.add("worker " + each.getKey() + " is asked to leave");
                left--;
            }
        }
    }

    private void startMissing(int wanted, long nowNanos, List<String> changes) {
        for (int number = 1; running() < wanted && members.size() < bound; number++) {
            if (failures > 0 && nowNanos - notBeforeNanos < 0) {
                return;
            }
            if (members.containsKey(number)) {
                continue;
            }
            try {
                members.put(number, new Member(starter.apply(number), nowNanos));
                changes.add("worker " + number + " is started");
            } catch (RuntimeException refused) {
                failures++;
                failed("worker " + number + " cannot be started: " + refused.getMessage(), nowNanos, changes);
                return;
            }
            if (failures > 0) {
                // one at a time while it is not known that they stay
                notBeforeNanos = nowNanos + pause().toNanos();
            }
        }
    }

    private void failed(String reason, long nowNanos, List<String> changes) {
        trouble = Optional.of(reason);
        Duration pause = pause();
        notBeforeNanos = nowNanos + pause.toNanos();
        changes.add(reason + "; the next one is tried in " + pause.toSeconds() + " s");
    }

    private Duration pause() {
        Duration pause = FIRST_PAUSE;
        for (int failure = 1; failure < failures && pause.compareTo(LONGEST_PAUSE) < 0; failure++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private static boolean isProven(Member member, long nowNanos) {
        return nowNanos - member.startedNanos >= PROVEN.toNanos();
    }
}
