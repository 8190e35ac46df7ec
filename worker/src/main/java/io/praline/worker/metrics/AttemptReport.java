package io.praline.worker.metrics;

import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.ClosedLane;
import io.praline.schema.Exclusion;
import io.praline.schema.OpenedSplit;
import io.praline.schema.SplitDigest;
import io.praline.schema.TransformationMetrics;
import java.util.List;
import java.util.Optional;

/**
 * What is to be told of one attempt: where it stands, by every beat, and {@link Facts}, each until it is confirmed. Safe for
 * several threads.
 */
public final class AttemptReport {
    private final AttemptKey key;
    private final Runnable urgent;

    private Live live;
    private AttemptPhase phase = AttemptPhase.STARTING;
    private final Facts facts = new Facts();
    private Optional<List<TransformationMetrics>> metrics = Optional.empty();
    private boolean metricsUntold;
    private boolean finishing;
    private boolean over;
    private boolean fenced;
    private long batches;
    private long elements;
    private long bytes;
    private int lastThrough;
    private int lastUnopened;

    /** What was made: batches, elements in them, bytes in them. */
    public record Totals(long batches, long elements, long bytes) {
        /** Nothing. */
        public static final Totals NONE = new Totals(0, 0, 0);

        public Totals plus(Totals other) {
            return new Totals(batches + other.batches, elements + other.elements, bytes + other.bytes);
        }
    }

    /** Numbers that are asked for when a beat is made. */
    public interface Live {
        /** All assignments up to and with this number are taken. */
        int assignedThrough();

        /** Splits assigned whose reading has not begun. */
        int unopened();

        /** Mean seconds from one split's opening to the next; 0 until measured. */
        double splitSeconds();

        /** Bytes made and not yet taken by a client. */
        long outboxBytes();

        /** Seconds in which it was held back by nothing. */
        double busySeconds();

        /** The newest change of the job's consumers that was taken. */
        int membership();

        /** Lanes that closed since this was asked last, in pieces. */
        List<ClosedLane> closedLanes();

        /** Why its next split does not come, in a line; empty where it is not kept waiting. */
        default Optional<String> waitsFor() {
            return Optional.empty();
        }

        /** What it has had to do with entries so far. */
        default Cached cached() {
            return Cached.NOTHING;
        }
    }

    /**
     * Entries that an attempt read and made.
     *
     * @param elements that came from entries
     * @param splits that entries stood in for
     * @param stored entries that it made
     */
    public record Cached(long elements, long splits, long stored) {
        public static final Cached NOTHING = new Cached(0, 0, 0);
    }

    /** @param urgent called when something should be told at once; must not block */
    public AttemptReport(AttemptKey key, Live live, Runnable urgent) {
        this.key = key;
        this.live = live;
        this.urgent = urgent;
    }

    public AttemptKey key() {
        return key;
    }

    /** The session is made. */
    public void ready() {
        synchronized (this) {
            phase = fenced ? phase : AttemptPhase.RUNNING;
        }
        urgent.run();
    }

    /**
     * It is fenced: from now on it is told as that, and of what happens to it only what was sent on lanes that close.
     *
     * @param sent knows that
     */
    public synchronized void fenced(Live sent) {
        fenced = true;
        over = true;
        live = sent;
        phase = AttemptPhase.ENDED;
        metrics = Optional.empty();
        facts.onlyClosed();
    }

    /** Nothing more will be assigned. */
    public synchronized void draining() {
        finishing = true;
        if (phase == AttemptPhase.RUNNING) {
            phase = AttemptPhase.DRAINING;
        }
    }

    public synchronized void opened(long ordinal, long records) {
        if (!fenced) {
            facts.opened(new OpenedSplit(ordinal, records));
        }
    }

    /** What is news of the first elements of splits. */
    public synchronized void digests(List<SplitDigest> news) {
        if (!fenced) {
            facts.digests(news);
        }
    }

    /** Whether something should be told before the elements that it is about are consumed, where that is possible. */
    public synchronized boolean hurries() {
        return facts.hurry();
    }

    public synchronized void batch(long batchElements, int batchesInIt, long batchBytes) {
        batches += batchesInIt;
        elements += batchElements;
        bytes += batchBytes;
    }

    public synchronized void metrics(List<TransformationMetrics> totals) {
        if (!fenced) {
            metrics = Optional.of(totals);
            metricsUntold = true;
        }
    }

    /** Elements excluded while the attempt goes on. */
    public synchronized void excluded(List<Exclusion> exclusions) {
        if (!fenced) {
            facts.excluded(exclusions);
        }
    }

    /** How it ended; nothing follows. */
    public void ended(AttemptEnd how) {
        synchronized (this) {
            if (fenced) {
                return;
            }
            phase = AttemptPhase.ENDED;
            over = true;
            metricsUntold = true;
            facts.ended(how);
        }
        urgent.run();
    }

    /** Why it broke; nothing follows. */
    public void failed(AttemptFailure why) {
        synchronized (this) {
            if (fenced) {
                return;
            }
            phase = AttemptPhase.FAILED;
            over = true;
            facts.failed(why);
        }
        urgent.run();
    }

    /** Whether the splits ahead fell to half of what the last beat told, or below, or all that came since are open. */
    public synchronized boolean runsShort() {
        return phase == AttemptPhase.RUNNING
                && (lastUnopened > 0
                        ? live.unopened() <= lastUnopened / 2
                        : live.assignedThrough() > lastThrough && live.unopened() == 0);
    }

    /** Whether it is over and all of it was told, once at least. */
    public synchronized boolean told() {
        return over && facts.allTold();
    }

    /** Counts so far, for those who watch. */
    public synchronized Totals totals() {
        return new Totals(batches, elements, bytes);
    }

    /**
     * What the next beat says.
     *
     * @param ticketBytes about how many bytes of exclusions, openings and closed lanes the beat has room for; at least one
     *     of them goes
     * @param nowNanos by the clock of {@link System#nanoTime}
     */
    public synchronized AttemptProgress take(int ticketBytes, long nowNanos) {
        int membership = live.membership(); // before the lanes: what it closed is told by this beat or a later one
        facts.closed(live.closedLanes());
        metricsUntold |= facts.tellsAgain(nowNanos);
        Optional<Facts.Fact> fact = facts.next(ticketBytes, nowNanos);
        lastThrough = live.assignedThrough();
        lastUnopened = live.unopened();
        Cached cached = live.cached();
        AttemptPhase seen = phase == AttemptPhase.RUNNING && lastUnopened == 0 ? AttemptPhase.IDLE : phase;
        AttemptProgress progress = AttemptProgress.newBuilder()
                .setJob(key.job())
                .setEpoch(key.epoch())
                .setAttempt(key.attempt())
                .setPhase(over && !fenced && !facts.allTold() ? AttemptPhase.DRAINING : seen)
                .setAssignedThrough(lastThrough)
                .setUnopened(lastUnopened)
                .setSplitSeconds(live.splitSeconds())
                .setDigests(fact.map(Facts.Fact::digests).orElse(List.of()))
                .setOpened(fact.map(Facts.Fact::opened).orElse(List.of()))
                .setExcluded(fact.map(Facts.Fact::excluded).orElse(List.of()))
                .setClosedLanes(fact.map(Facts.Fact::closed).orElse(List.of()))
                .setMembership(membership)
                .setBatches(batches)
                .setElements(elements)
                .setBytes(bytes)
                .setOutboxBytes(live.outboxBytes())
                .setBusySeconds(live.busySeconds())
                .setEnd(fact.flatMap(Facts.Fact::end).orElse(null))
                .setFailure(fact.flatMap(Facts.Fact::failure).orElse(null))
                .setMetrics(metricsUntold ? metrics.orElse(null) : null)
                .setFacts(fact.map(Facts.Fact::number).orElse(0))
                .setFinishing(finishing)
                .setCachedElements(cached.elements())
                .setCachedSplits(cached.splits())
                .setStoredSplits(cached.stored())
                .setWaitsFor(live.waitsFor().orElse(""))
                .setFenced(fenced)
                .build();
        metricsUntold = false;
        return progress;
    }

    /** Whether there is more to tell than the beat before had room for. */
    public synchronized boolean more() {
        return facts.more();
    }

    /** The beat could not be sent: what it told is to be told again. */
    public synchronized void putBack(AttemptProgress untold) {
        if (untold.getFacts() > 0) {
            facts.putBack(untold.getFacts());
        }
        metricsUntold |= untold.getMetrics().isPresent();
    }

    /** All facts up to and with this number are in the accounts. */
    public synchronized void confirmed(int through, long nowNanos) {
        facts.confirmed(through, nowNanos);
    }
}
