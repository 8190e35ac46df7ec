package io.praline.client.metrics;

import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ChannelDown;
import io.praline.schema.ConsumptionReport;
import io.praline.topics.BoundedText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a consumer's reports: numbered without gaps, kept until the ledger confirms them, sent again until then. What is
 * heard at one moment stands in one report or in later ones, never earlier: an answered fence follows all claims made
 * before it. The last report says that the process uses nothing any more; nothing is heard after it.
 *
 * <p>Owned by its stream's lock. Times are {@code System.nanoTime} of whoever calls.
 */
public final class ConsumptionReporter {
    private final ConsumerIdentity identity;
    private final ReportLimits limits;
    private final Deque<Sent> unconfirmed = new ArrayDeque<>();

    private final List<BatchClaims> touched = new ArrayList<>();
    private final List<AttemptRef> ended = new ArrayList<>();
    private final List<AttemptRef> fencesAnswered = new ArrayList<>();
    private final List<ChannelDown> channelsDown = new ArrayList<>();
    private final List<Integer> discarded = new ArrayList<>();
    private boolean leaving;
    private boolean left;
    private boolean unsure;
    private boolean urgent;
    private long nextSequence;
    private boolean minted;
    private long mintedAtNanos;

    public ConsumptionReporter(ConsumerIdentity identity, ReportLimits limits) {
        this.identity = identity;
        this.limits = limits;
    }

    /** Something of these claims is new; it is reported within the interval. */
    public void changed(BatchClaims claims) {
        if (!leaving && claims.touch()) {
            touched.add(claims);
        }
    }

    /** The attempt's END came and all its batches were handed to the loop. */
    public void ended(LaneKey lane) {
        tell(ended, ref(lane));
    }

    /** The attempt's unclaimed batches are discarded: no claim of it may be made from here on. */
    public void fenceAnswered(LaneKey lane) {
        tell(fencesAnswered, ref(lane));
    }

    /** The attempt's channel was lost and not got back. */
    public void channelDown(AttemptKey attempt, String workerIncarnation, String reason) {
        tell(
                channelsDown,
                new ChannelDown(attempt.epoch(), attempt.attempt(), workerIncarnation, BoundedText.reason(reason)));
    }

    /**
     * All that was not claimed of this generation, and of those before it, is discarded: no claim of them may be made from here
     * on.
     */
    public void discarded(int generation) {
        if (!discarded.contains(generation)) {
            tell(discarded, generation);
        }
    }

    /**
     * The process uses nothing any more: what it claimed and did not acknowledge by now is to be given again.
     *
     * @param unsure whether its loop may have trained on that
     */
    public void left(boolean unsure) {
        if (!leaving) {
            leaving = true;
            this.unsure = unsure;
            urgent = true;
        }
    }

    private <T> void tell(List<T> news, T one) {
        if (!leaving) {
            news.add(one);
            urgent = true;
        }
    }

    /** What waits is due now: somebody waits for it. */
    public void hurry() {
        urgent = hasNews();
    }

    /** Whether something waits that must not wait for the interval. */
    public boolean urgent() {
        return urgent;
    }

    /** Reports that must be sent now, in this order: new ones where it is time, and old ones whose confirmation does not come. */
    public List<ConsumptionReport> due(long nowNanos) {
        List<ConsumptionReport> due = new ArrayList<>();
        resend(due, nowNanos);
        boolean time = !minted || nowNanos - mintedAtNanos >= limits.interval().toNanos();
        if (hasNews() && (urgent || time)) {
            mint(due, nowNanos);
        }
        return due;
    }

    /** Kafka did not take a report: it goes out again with the next ones. */
    public void failed(long reportSequence) {
        sent(reportSequence).ifPresent(sent -> sent.failed = true);
    }

    /** Kafka has a report: the dispatcher will read it, whoever is gone by then. */
    public void written(long reportSequence) {
        sent(reportSequence).ifPresent(sent -> sent.written = true);
    }

    private Optional<Sent> sent(long reportSequence) {
        return unconfirmed.stream()
                .filter(sent -> sent.report.getReportSequence() == reportSequence)
                .findFirst();
    }

    /**
     * All reports up to and with this one are in the ledger; a number seen before is a no-op.
     *
     * @return of each lane that was news of, the last batch that they say to be claimed, as all before it are
     */
    public Map<LaneKey, Long> confirmed(long throughSequence) {
        Map<LaneKey, Long> claimed = new HashMap<>();
        while (!unconfirmed.isEmpty() && unconfirmed.peek().report.getReportSequence() <= throughSequence) {
            claimed.putAll(unconfirmed.remove().claimed); // in the order of its lane, so that the last is the highest
        }
        return claimed;
    }

    /** Whether a report has waited for its confirmation for longer than the lease. */
    public boolean leaseOver(long nowNanos) {
        return !unconfirmed.isEmpty()
                && nowNanos - unconfirmed.peek().firstSentNanos
                        >= limits.lease().toNanos();
    }

    /** Whether all that happened is confirmed. */
    public boolean settled() {
        return unconfirmed.isEmpty() && !hasNews();
    }

    /** Whether Kafka has all that happened. */
    public boolean written() {
        return !hasNews() && unconfirmed.stream().allMatch(sent -> sent.written);
    }

    private boolean hasNews() {
        return !touched.isEmpty()
                || !ended.isEmpty()
                || !fencesAnswered.isEmpty()
                || !channelsDown.isEmpty()
                || !discarded.isEmpty()
                || (leaving && !left);
    }

    // what comes behind a lost report was not applied either, so all from there on goes out again
    private void resend(List<ConsumptionReport> due, long nowNanos) {
        boolean lost = false;
        for (Sent sent : unconfirmed) {
            lost |= sent.failed
                    || nowNanos - sent.lastSentNanos >= limits.resendAfter().toNanos();
            if (lost) {
                sent.failed = false;
                sent.lastSentNanos = nowNanos;
                due.add(sent.report);
            }
        }
    }

    private void mint(List<ConsumptionReport> due, long nowNanos) {
        List<BatchUse> uses = new ArrayList<>();
        Map<LaneKey, Long> claimed = new HashMap<>();
        int bytes = 0;
        for (BatchClaims claims : touched) {
            bytes += claims.drainTo(uses);
            if (claims.isClaimed()) {
                claimed.merge(claims.lane(), claims.sequence(), Math::max);
            }
            if (bytes >= limits.reportBytes()) {
                keep(due, nowNanos, uses, claimed, false);
                uses = new ArrayList<>();
                claimed = new HashMap<>();
                bytes = 0;
            }
        }
        touched.clear();
        if (!uses.isEmpty() || hasNews()) {
            keep(due, nowNanos, uses, claimed, true);
        }
        ended.clear();
        fencesAnswered.clear();
        channelsDown.clear();
        discarded.clear();
        left = leaving;
        urgent = false;
        minted = true;
        mintedAtNanos = nowNanos;
    }

    /**
     * A report goes out, and is kept.
     *
     * @param claimed of lanes the last batch that it, or one before it, says to be claimed
     * @param last whether what is told beside batches goes with it: it stands behind all of them
     */
    private void keep(
            List<ConsumptionReport> due, long nowNanos, List<BatchUse> uses, Map<LaneKey, Long> claimed, boolean last) {
        ConsumptionReport report = new ConsumptionReport(
                identity.pool(),
                identity.job(),
                identity.consumer(),
                identity.incarnation(),
                nextSequence++,
                uses,
                last ? List.copyOf(ended) : List.of(),
                last ? List.copyOf(fencesAnswered) : List.of(),
                last ? List.copyOf(channelsDown) : List.of(),
                List.of(),
                last ? List.copyOf(discarded) : List.of(),
                last && leaving,
                last && leaving && unsure);
        unconfirmed.add(new Sent(report, claimed, nowNanos));
        due.add(report);
    }

    private static AttemptRef ref(LaneKey lane) {
        return new AttemptRef(lane.attempt().epoch(), lane.attempt().attempt(), lane.generation());
    }

    private static final class Sent {
        private final ConsumptionReport report;
        private final Map<LaneKey, Long> claimed;
        private final long firstSentNanos;
        private long lastSentNanos;
        private boolean failed;
        private boolean written;

        private Sent(ConsumptionReport report, Map<LaneKey, Long> claimed, long nowNanos) {
            this.report = report;
            this.claimed = claimed;
            this.firstSentNanos = nowNanos;
            this.lastSentNanos = nowNanos;
        }
    }
}
