package io.praline.client;

import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.metrics.ReportLimits;
import io.praline.client.metrics.WindowLimits;
import io.praline.client.stream.Coverage;
import io.praline.client.stream.Frame;
import io.praline.client.stream.Moment;
import io.praline.client.stream.StreamEffects;
import io.praline.client.stream.StreamSettings;
import io.praline.identity.LaneKey;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobStatus;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A stream's core for the simulation: as {@code BatchStream} and {@code StreamLinks} have it, without their threads. */
public final class OpenStream {
    private static final long MEMORY_BYTES = 1L << 16;

    private final StreamCore core;
    private final ConsumptionReporter reporter;

    /** What is to be sent now, in this order. */
    public record Outgoing(List<ConsumptionReport> reports, Optional<ClientHeartbeat> beat) {}

    /** What the loop's question finds. */
    public enum Turn {
        READY,
        WAIT,
        OVER
    }

    /**
     * @param lease how long a beat is good while the dispatcher has not said so
     * @param reportBytes of batches in a report, about
     */
    public OpenStream(
            ConsumerIdentity identity,
            boolean owner,
            boolean manual,
            Duration lease,
            int reportBytes,
            StreamEffects effects) {
        ReportLimits usual = ReportLimits.DEFAULT;
        this.reporter = new ConsumptionReporter(
                identity, new ReportLimits(usual.interval(), usual.resendAfter(), usual.lease(), reportBytes));
        this.core = new StreamCore(
                identity.job(),
                new StreamSettings(
                        identity.consumer(),
                        identity.incarnation(),
                        owner ? Optional.of(identity.job()) : Optional.empty(),
                        manual,
                        MEMORY_BYTES,
                        lease),
                reporter,
                new DemandReporter(identity, WindowLimits.DEFAULT),
                new Coverage(),
                effects);
    }

    public Turn turn(Moment now) {
        return switch (core.turn(now)) {
            case READY -> Turn.READY;
            case WAIT -> Turn.WAIT;
            case OVER -> Turn.OVER;
        };
    }

    public Optional<Batch> take(Moment now, long waitedNanos) {
        return core.take(now, waitedNanos);
    }

    public void batch(Frame frame) {
        core.batch(frame);
    }

    public void end(LaneKey lane, long lastSequence, EndOf of) {
        core.end(lane, lastSequence, of);
    }

    public void down(LaneKey lane, String reason) {
        core.down(lane, reason);
    }

    public void refused(LaneKey lane, RefusalCode code, String reason) {
        core.refused(lane, code, reason);
    }

    public void status(JobStatus newest, Moment now) {
        core.status(newest, now);
    }

    public Outgoing tick(Moment now) {
        StreamCore.Outgoing outgoing = core.tick(now);
        return new Outgoing(outgoing.reports(), outgoing.beat());
    }

    public void attaching(Moment now) {
        core.attaching(now);
    }

    public void reportFailed(long reportSequence) {
        core.reportFailed(reportSequence);
    }

    public void reportWritten(long reportSequence) {
        core.reportWritten(reportSequence);
    }

    public ClientHeartbeat farewell(long nowNanos) {
        return core.farewell(nowNanos);
    }

    public Optional<JobStatus> status() {
        return core.status();
    }

    /**
     * The loop asks no more.
     *
     * @param unsure whether it may have trained on what it did not acknowledge
     */
    public void leave(boolean unsure) {
        core.leave(unsure);
    }

    /** Whether nothing was told of the job. */
    public boolean isUntold() {
        return core.isUntold();
    }

    /** Whether the job goes on and has not heard that this process came. */
    public boolean isOutside() {
        return core.isOutside();
    }

    /** Whether the dispatcher has heard all that there was to tell. */
    public boolean isSettled() {
        return reporter.settled();
    }

    /** Whether Kafka has all that there was to tell. */
    public boolean isWritten() {
        return reporter.written();
    }

    public void close() {
        core.close();
    }
}
