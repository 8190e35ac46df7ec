package io.praline.worker.attempt;

import io.praline.identity.AttemptKey;
import io.praline.schema.ClosedLane;
import io.praline.worker.delivery.Membership;
import io.praline.worker.delivery.Outbox;
import io.praline.worker.metrics.AttemptReport;
import io.praline.worker.metrics.WorkerReporter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What fenced attempts sent, until the dispatcher wants to know no more: a consumer that is gone answers no fence, and only
 * what was sent to it may be with it. Tickets alone, at about a bit for each. They are listed in beats, and the oldest go where
 * there are too many. Any thread; changed by that of the commands.
 */
final class FencedAttempts {
    /** More are not fenced while anybody waits for a consumer's answer. */
    static final int MOST = 256;

    private static final long MOST_BYTES = 64L << 20;

    private final WorkerReporter reporter;
    private final int most;
    private final long mostBytes;

    // guarded by this
    private final Map<AttemptKey, Kept> kept = new LinkedHashMap<>();
    private long bytes;

    /** Of one of them. */
    private record Kept(AttemptReport report, Outbox outbox, long bytes) {}

    FencedAttempts(WorkerReporter reporter) {
        this(reporter, MOST, MOST_BYTES);
    }

    /**
     * Within other bounds.
     *
     * @param most attempts of which it is remembered
     * @param mostBytes that it may take, about
     */
    FencedAttempts(WorkerReporter reporter, int most, long mostBytes) {
        this.reporter = reporter;
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /**
     * Remembers what an attempt sent that was listed until now, and is fenced.
     *
     * @param outbox which is closed
     */
    synchronized void keep(AttemptReport report, Outbox outbox) {
        report.fenced(new Sent(outbox));
        Kept one = new Kept(report, outbox, outbox.trailBytes());
        kept.put(report.key(), one);
        bytes += one.bytes;
        Deque<AttemptKey> oldest = new ArrayDeque<>(kept.keySet());
        while (kept.size() > most || bytes > mostBytes) {
            forget(oldest.remove());
        }
    }

    /** Nobody will ask any more what it sent. */
    synchronized void forget(AttemptKey key) {
        Kept one = kept.remove(key);
        if (one != null) {
            bytes -= one.bytes;
            reporter.remove(key);
            one.outbox.forgetSent();
        }
    }

    /** Consumers came or went: what was sent to those that are no more is told. */
    synchronized void serve(AttemptKey key, Membership membership) {
        Kept one = kept.get(key);
        if (one != null) {
            one.outbox.serve(membership);
            reporter.urgent();
        }
    }

    /** What is told of it. */
    synchronized Optional<AttemptReport> report(AttemptKey key) {
        return Optional.ofNullable(kept.get(key)).map(Kept::report);
    }

    /** How many there are. */
    synchronized int size() {
        return kept.size();
    }

    /** What a beat asks for of an attempt that does nothing any more. */
    record Sent(Outbox outbox) implements AttemptReport.Live {
        @Override
        public int assignedThrough() {
            return 0;
        }

        @Override
        public int unopened() {
            return 0;
        }

        @Override
        public double splitSeconds() {
            return 0;
        }

        @Override
        public long outboxBytes() {
            return 0;
        }

        @Override
        public double busySeconds() {
            return 0;
        }

        @Override
        public int membership() {
            return outbox.membership();
        }

        @Override
        public List<ClosedLane> closedLanes() {
            return ClosedLanes.of(outbox.takeClosed());
        }
    }
}
