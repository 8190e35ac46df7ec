package io.praline.client;

import io.praline.client.StreamCore.Turn;
import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.ConsumptionReporter;
import io.praline.client.metrics.DemandReporter;
import io.praline.client.metrics.ReportLimits;
import io.praline.client.metrics.WindowLimits;
import io.praline.client.stream.Coverage;
import io.praline.client.stream.Frames;
import io.praline.client.stream.Moment;
import io.praline.client.stream.StreamEffects;
import io.praline.client.stream.StreamSettings;
import io.praline.identity.LaneKey;
import io.praline.identity.TicketRuns;
import io.praline.schema.AttemptPlace;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.wire.EndOf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A stream's core with hands for channels, watch and time: every test moves them itself. */
final class StreamFixture {
    static final long MEMORY = 64L << 20;

    final List<String> opened = new ArrayList<>();
    final List<String> closed = new ArrayList<>();
    final List<String> confirmed = new ArrayList<>();
    final List<Long> windows = new ArrayList<>();
    final Frames frames = new Frames();
    final List<Long> freed = frames.freed;
    final List<ConsumptionReport> reports = new ArrayList<>();
    final Coverage coverage = new Coverage();
    final StreamCore core;
    int hurries;
    boolean newsAwaited;
    long nowNanos;
    long wallOffMillis;
    long lastBeat;

    StreamFixture() {
        this(settings(0, true));
    }

    StreamFixture(StreamSettings settings) {
        ConsumerIdentity identity =
                new ConsumerIdentity("default", StatusOf.JOB, settings.consumer(), settings.incarnation(), "host");
        core = new StreamCore(
                StatusOf.JOB,
                settings,
                new ConsumptionReporter(identity, ReportLimits.DEFAULT),
                new DemandReporter(identity, WindowLimits.DEFAULT),
                coverage,
                new StreamEffects() {
                    @Override
                    public void open(LaneKey lane, AttemptPlace place, long windowBytes) {
                        opened.add(words(lane));
                        windows.add(windowBytes);
                    }

                    @Override
                    public void close(LaneKey lane) {
                        closed.add(words(lane));
                    }

                    @Override
                    public void confirmed(LaneKey lane, long through) {
                        confirmed.add(words(lane) + "#" + through);
                    }

                    @Override
                    public void hurry() {
                        hurries++;
                    }

                    @Override
                    public void awaitsNews() {
                        newsAwaited = true;
                    }
                });
    }

    static StreamSettings settings(int consumer, boolean owner) {
        Optional<String> submission = owner ? Optional.of(StatusOf.SUBMISSION) : Optional.empty();
        return new StreamSettings(consumer, StatusOf.CLIENT, submission, false, MEMORY, ReportLimits.DEFAULT.lease());
    }

    LaneKey lane(int epoch, int attempt) {
        return frames.lane(epoch, attempt);
    }

    /** Wall time goes with the other clock, but for what a test sets it off by. */
    Moment now() {
        return new Moment(nowNanos, TimeUnit.NANOSECONDS.toMillis(nowNanos) + wallOffMillis);
    }

    void status(StatusOf status) {
        core.status(status.build(), now());
    }

    Turn turn() {
        return core.turn(now());
    }

    /** A batch of these elements; freeing it is seen by its first ticket. */
    void batch(int epoch, int attempt, long sequence, long... tickets) {
        core.batch(frames.batch(epoch, attempt, sequence, tickets));
    }

    /** As many batches of one element each, in one frame. */
    void packed(int epoch, int attempt, long sequence, long... tickets) {
        core.batch(frames.packed(epoch, attempt, sequence, tickets));
    }

    /** A batch of so many elements that nobody tracks. */
    void untracked(int epoch, int attempt, long sequence, int elements) {
        core.batch(frames.untracked(epoch, attempt, sequence, elements));
    }

    void end(int epoch, int attempt, long lastSequence) {
        core.end(lane(epoch, attempt), lastSequence, EndOf.ATTEMPT);
    }

    void epochEnd(int epoch, int attempt, long lastSequence) {
        core.end(lane(epoch, attempt), lastSequence, EndOf.EPOCH);
    }

    void lastEnd(int epoch, int attempt, long lastSequence) {
        core.end(lane(epoch, attempt), lastSequence, EndOf.JOB);
    }

    /** The tickets of all batches that are there now, each closed at once. */
    List<Long> drain() {
        List<Long> tickets = new ArrayList<>();
        while (turn() == Turn.READY) {
            try (Batch batch = take()) {
                Arrays.stream(batch.tickets()).forEach(tickets::add);
            }
        }
        return tickets;
    }

    Batch take() {
        return core.take(now(), 0).orElseThrow();
    }

    /** What is due now: kept, and told in words such as {@code "0/0#3 ACKED [7, 8]"}, {@code "answered 0/1"}. */
    List<String> report() {
        nowNanos += ReportLimits.DEFAULT.interval().toNanos();
        return reportAtOnce();
    }

    /** What is due without any time passing: what is urgent. */
    List<String> reportAtOnce() {
        StreamCore.Outgoing due = core.tick(now());
        due.beat().ifPresent(beat -> lastBeat = beat.getBeat());
        return report(due.reports());
    }

    /** A beat goes out: gives its number. */
    long beat() {
        advance(Duration.ofSeconds(1));
        reportAtOnce();
        return lastBeat;
    }

    private List<String> report(List<ConsumptionReport> due) {
        reports.addAll(due);
        List<String> said = new ArrayList<>();
        for (ConsumptionReport report : due) {
            report.getBatches().forEach(use -> said.add(words(use)));
            report.getEnded().forEach(ref -> said.add("ended " + words(ref)));
            report.getFencesAnswered().forEach(ref -> said.add("answered " + words(ref)));
            report.getDiscarded().forEach(generation -> said.add("discarded " + generation));
            if (report.getLeft()) {
                said.add("left");
            }
            report.getChannelsDown().forEach(down -> said.add("down " + down.getEpoch() + "/" + down.getAttempt()));
        }
        return said;
    }

    void advance(Duration time) {
        nowNanos += time.toNanos();
    }

    static List<Long> tickets(long from, long until) {
        return LongStream.range(from, until).boxed().collect(Collectors.toList());
    }

    private static String words(BatchUse use) {
        return use.getEpoch() + "/" + use.getAttempt()
                + (use.getGeneration() == 0 ? "" : "@" + use.getGeneration()) + "#" + use.getSequence() + " "
                + use.getUse() + " "
                + Arrays.toString(TicketRuns.decode(use.getTickets()));
    }

    /** The generation is named where it is not the first. */
    private static String words(LaneKey lane) {
        return lane.attempt().epoch() + "/" + lane.attempt().attempt()
                + (lane.generation() == 0 ? "" : "@" + lane.generation());
    }

    private static String words(AttemptRef ref) {
        return ref.getEpoch() + "/" + ref.getAttempt() + (ref.getGeneration() == 0 ? "" : "@" + ref.getGeneration());
    }
}
