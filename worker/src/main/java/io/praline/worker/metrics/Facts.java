package io.praline.worker.metrics;

import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.ClosedLane;
import io.praline.schema.Exclusion;
import io.praline.schema.OpenedSplit;
import io.praline.schema.SplitDigest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What must be told of one attempt, and reach the accounts once: numbered in the order in which it happened, told again from
 * the first unconfirmed number on where no confirmation comes. Not safe for several threads.
 *
 * <pre>
 *   waiting -> numbered -> told -> confirmed        told: all numbers up to {@code toldThrough}
 *                 ^         |
 *                 +---------+  putBack, or 5 s without news of it
 * </pre>
 */
final class Facts {
    /** Longer than a confirmation takes, and short enough for a lost record to be made good within ten seconds. */
    private static final Duration TELL_AGAIN = Duration.ofSeconds(5);

    /** Facts that are told and not confirmed: what comes meanwhile waits, and becomes few large ones. */
    private static final int MOST_UNCONFIRMED = 16;

    /** An exclusion's words beside its tickets. */
    private static final int EXCLUSION_BYTES = 64;

    /** A closed lane's numbers beside its tickets. */
    private static final int LANE_BYTES = 32;

    /**
     * What a piece counts for at least. One of 20,000 neighbours takes a few bytes, and the dispatcher takes no record of more
     * than 64 Mi tickets: of so many bytes each, a beat has 31 million of them at most, and a piece more for each attempt.
     */
    private static final int LEAST_BYTES = 256;

    private final Deque<SplitDigest> digests = new ArrayDeque<>();
    private final Deque<OpenedSplit> opened = new ArrayDeque<>();
    private final Deque<Exclusion> excluded = new ArrayDeque<>();
    private final Deque<ClosedLane> closed = new ArrayDeque<>();
    private Optional<AttemptEnd> end = Optional.empty();
    private Optional<AttemptFailure> failure = Optional.empty();
    private final Deque<Fact> unconfirmed = new ArrayDeque<>();
    private int numbered;
    private int toldThrough;
    private int confirmedThrough;
    private long quietSince;

    /**
     * What one entry of a beat tells.
     *
     * @param number counted from 1
     * @param closed lanes that closed, or pieces of what is told of one; the only ones that may follow the end
     * @param end how the attempt ended, behind all else
     * @param failure why it broke, behind all else
     */
    record Fact(
            int number,
            List<SplitDigest> digests,
            List<OpenedSplit> opened,
            List<Exclusion> excluded,
            List<ClosedLane> closed,
            Optional<AttemptEnd> end,
            Optional<AttemptFailure> failure) {
        Fact {
            digests = List.copyOf(digests);
            opened = List.copyOf(opened);
            excluded = List.copyOf(excluded);
            closed = List.copyOf(closed);
        }
    }

    void digests(List<SplitDigest> news) {
        digests.addAll(news);
    }

    /** Whether a digest waits that can be told. */
    boolean hurry() {
        return !digests.isEmpty() && mayNumber();
    }

    void opened(OpenedSplit split) {
        opened.add(split);
    }

    void excluded(List<Exclusion> exclusions) {
        excluded.addAll(exclusions);
    }

    void closed(List<ClosedLane> pieces) {
        closed.addAll(pieces);
    }

    void ended(AttemptEnd how) {
        end = Optional.of(how);
    }

    void failed(AttemptFailure why) {
        failure = Optional.of(why);
    }

    /** From now on only closed lanes count: of all else nothing is told any more, nor of what is told again. */
    void onlyClosed() {
        digests.clear();
        opened.clear();
        excluded.clear();
        end = Optional.empty();
        failure = Optional.empty();
        List<Fact> left = unconfirmed.stream()
                .map(fact -> new Fact(
                        fact.number, List.of(), List.of(), List.of(), fact.closed, Optional.empty(), Optional.empty()))
                .toList();
        unconfirmed.clear();
        unconfirmed.addAll(left);
    }

    /**
     * What is to be told next; empty where nothing is. The end comes with the last of the exclusions, never before them.
     *
     * @param bytes about how many of exclusions, openings and closed lanes there is room for; at least one of them goes
     */
    Optional<Fact> next(int bytes, long nowNanos) {
        if (unconfirmed.isEmpty()) {
            quietSince = nowNanos;
        } else if (nowNanos - quietSince >= TELL_AGAIN.toNanos()) {
            toldThrough = confirmedThrough;
            quietSince = nowNanos;
        }
        if (toldThrough == numbered && mayNumber()) {
            unconfirmed.add(number(bytes));
        }
        if (toldThrough == numbered) {
            return Optional.empty();
        }
        toldThrough++;
        return unconfirmed.stream().filter(fact -> fact.number == toldThrough).findFirst();
    }

    private boolean mayNumber() {
        return waiting() && unconfirmed.size() < MOST_UNCONFIRMED;
    }

    private boolean waiting() {
        return !allTaken() || end.isPresent() || failure.isPresent();
    }

    private boolean allTaken() {
        return digests.isEmpty() && opened.isEmpty() && excluded.isEmpty() && closed.isEmpty();
    }

    private Fact number(int bytes) {
        List<SplitDigest> digestsNow = new ArrayList<>();
        List<OpenedSplit> openedNow = new ArrayList<>();
        List<Exclusion> excludedNow = new ArrayList<>();
        List<ClosedLane> closedNow = new ArrayList<>();
        int room = bytes;
        while (!digests.isEmpty() && (room > 0 || digestsNow.isEmpty())) {
            SplitDigest next = digests.poll();
            digestsNow.add(next);
            room -= (2 + next.getDigests().size()) * Long.BYTES;
        }
        while (!opened.isEmpty() && (room > 0 || openedNow.isEmpty())) {
            openedNow.add(opened.poll());
            room -= 2 * Long.BYTES;
        }
        while (!excluded.isEmpty() && (room > 0 || (excludedNow.isEmpty() && openedNow.isEmpty()))) {
            Exclusion next = excluded.poll();
            excludedNow.add(next);
            room -= atLeast(next.getTickets().remaining()
                    + EXCLUSION_BYTES
                    + next.getDetails().stream().mapToInt(String::length).sum());
        }
        while (!closed.isEmpty()
                && (room > 0 || (closedNow.isEmpty() && excludedNow.isEmpty() && openedNow.isEmpty()))) {
            ClosedLane next = closed.poll();
            closedNow.add(next);
            room -= atLeast(next.getSent().remaining() + next.getUnsent().remaining() + LANE_BYTES);
        }
        boolean all = allTaken();
        Fact fact = new Fact(
                ++numbered,
                digestsNow,
                openedNow,
                excludedNow,
                closedNow,
                all ? end : Optional.empty(),
                all ? failure : Optional.empty());
        if (all) {
            end = Optional.empty();
            failure = Optional.empty();
        }
        return fact;
    }

    private static int atLeast(int bytes) {
        return Math.max(LEAST_BYTES, bytes);
    }

    /** The beat that told it could not be sent. */
    void putBack(int number) {
        toldThrough = Math.min(toldThrough, number - 1);
    }

    /** All facts up to and with this number are in the accounts; those who say so late or again change nothing. */
    void confirmed(int through, long nowNanos) {
        if (through <= confirmedThrough || through > numbered) {
            return;
        }
        confirmedThrough = through;
        toldThrough = Math.max(toldThrough, through);
        unconfirmed.removeIf(fact -> fact.number <= through);
        quietSince = nowNanos;
    }

    /** Whether there is more to tell at once. */
    boolean more() {
        return toldThrough < numbered || mayNumber();
    }

    /** Whether all that happened was told, once at least. */
    boolean allTold() {
        return toldThrough == numbered && !waiting();
    }

    /** Whether all that was told is told a second time by the next beats, from the first unconfirmed one on. */
    boolean tellsAgain(long nowNanos) {
        return !unconfirmed.isEmpty() && nowNanos - quietSince >= TELL_AGAIN.toNanos();
    }
}
