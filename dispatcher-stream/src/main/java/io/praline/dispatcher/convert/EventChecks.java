package io.praline.dispatcher.convert;

import static io.praline.dispatcher.convert.Bounds.require;

import io.praline.dispatcher.ledger.epoch.Elements;
import io.praline.dispatcher.ledger.epoch.SplitRow;
import io.praline.identity.Ticket;
import io.praline.schema.ActuatorReport;
import io.praline.schema.Attach;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptProgress;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.Cancel;
import io.praline.schema.ChannelDown;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ClosedLane;
import io.praline.schema.ConsumerSequence;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.DropCache;
import io.praline.schema.Exclusion;
import io.praline.schema.GiveUp;
import io.praline.schema.JobRequest;
import io.praline.schema.Pin;
import io.praline.schema.PinCache;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.Resume;
import io.praline.schema.Split;
import io.praline.schema.SplitDigest;
import io.praline.schema.SplitPage;
import io.praline.schema.Submit;
import io.praline.schema.TransformationMetrics;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Agreements;
import io.praline.topics.BoundedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/**
 * What must hold of what others tell. Each throws {@link IllegalArgumentException} with one line that says what is wrong;
 * texts for people are cut instead.
 */
final class EventChecks {
    /** Of a split's first 1, 2, 4, 8, 16, 32 and 64 elements. */
    private static final int MOST_DIGESTS = 7;

    /** Ways to a worker. */
    private static final int MOST_ADDRESSES = 100;

    /** A job's name and a host's, or a pool's. */
    private static final int MOST_SUBJECT_BYTES = 2 * Bounds.MOST_TEXT_BYTES;

    /** Windows of one beat; each is a turn of the job's policy. */
    private static final int MOST_WINDOWS = 10_000;

    /** Transformations of one pipeline, those of functions among them: each is in every status. */
    private static final int MOST_METRICS = 10_000;

    /** Sources of one graph. */
    private static final int MOST_SOURCES = 10_000;

    /** Names of the files of one split, and their versions: it must fit into a command with all else that is said of it. */
    private static final int MOST_NAMED_BYTES = 512 << 10;

    private EventChecks() {}

    static void check(WorkerHeartbeat beat) {
        Bounds.name("worker", beat.getWorker());
        Bounds.name("incarnation", beat.getIncarnation());
        if (!beat.getServesJob().isEmpty()) {
            Bounds.name("servesJob", beat.getServesJob());
        }
        Bounds.text("host", beat.getHost());
        if (beat.getSlots() < 1 || beat.getSlots() > Agreements.MOST_SLOTS) {
            throw new IllegalArgumentException(
                    "slots must be in 1.." + Agreements.MOST_SLOTS + ", is " + beat.getSlots());
        }
        require(!beat.getAddresses().isEmpty(), "addresses must not be empty");
        Bounds.size("addresses", beat.getAddresses().size(), MOST_ADDRESSES);
        Bounds.text("addresses", String.join("", beat.getAddresses()), 4 * Bounds.MOST_TEXT_BYTES);
        Bounds bounds = new Bounds();
        beat.getAttempts().forEach(attempt -> check(attempt, bounds));
        beat.getCache().ifPresent(report -> {
            CacheRecords.check(report);
            cut(report, "failure");
        });
    }

    private static void check(AttemptProgress attempt, Bounds bounds) {
        Bounds.name("job", attempt.getJob());
        Bounds.attempt(attempt.getEpoch(), attempt.getAttempt());
        Bounds.number("assignedThrough", attempt.getAssignedThrough(), Integer.MAX_VALUE - 1);
        Bounds.number("unopened", attempt.getUnopened(), Ticket.MAX_ORDINAL);
        Bounds.seconds("splitSeconds", attempt.getSplitSeconds());
        Bounds.seconds("busySeconds", attempt.getBusySeconds());
        Bounds.number("batches", attempt.getBatches(), Bounds.MOST_COUNTED);
        Bounds.number("elements", attempt.getElements(), Bounds.MOST_COUNTED);
        Bounds.number("bytes", attempt.getBytes(), Bounds.MOST_TOTAL);
        Bounds.number("cachedElements", attempt.getCachedElements(), Bounds.MOST_COUNTED);
        Bounds.number("cachedSplits", attempt.getCachedSplits(), Bounds.MOST_COUNTED);
        Bounds.number("storedSplits", attempt.getStoredSplits(), Bounds.MOST_COUNTED);
        Bounds.number("facts", attempt.getFacts(), Integer.MAX_VALUE - 1);
        Bounds.number("membership", attempt.getMembership(), Integer.MAX_VALUE - 1);
        attempt.getOpened().forEach(opened -> {
            Bounds.number("records", opened.getRecords(), Long.MAX_VALUE);
            require(
                    opened.getOrdinal() >= 0 && opened.getOrdinal() <= Ticket.MAX_ORDINAL,
                    "ordinal " + opened.getOrdinal() + " is none");
        });
        for (SplitDigest read : attempt.getDigests()) {
            require(
                    read.getOrdinal() >= 0 && read.getOrdinal() <= Ticket.MAX_ORDINAL,
                    "ordinal " + read.getOrdinal() + " is none");
            require(
                    read.getDigests().size() <= MOST_DIGESTS
                            && read.getDigests().stream().allMatch(digest -> digest >= 0),
                    "digests must be at most " + MOST_DIGESTS + " and none negative, are " + read.getDigests());
        }
        attempt.getExcluded().forEach(excluded -> check(excluded, bounds));
        for (ClosedLane lane : attempt.getClosedLanes()) {
            Bounds.consumer(lane.getConsumer());
            bounds.elements(lane.getSent());
            bounds.elements(lane.getUnsent());
        }
        attempt.getEnd().ifPresent(end -> check(end, bounds));
        cut(attempt, "waitsFor");
        attempt.getFailure().ifPresent(failure -> {
            Bounds.number("stillSeconds", failure.getStillSeconds(), Bounds.MOST_COUNTED);
            cut(failure, "reason");
        });
        attempt.getMetrics().ifPresent(metrics -> {
            Bounds.size("metrics", metrics.size(), MOST_METRICS);
            metrics.forEach(EventChecks::check);
        });
    }

    private static void check(Exclusion excluded, Bounds bounds) {
        Bounds.name("reason", excluded.getReason());
        Bounds.number("elements", excluded.getElements(), Bounds.MOST_ELEMENTS);
        bounds.elements(excluded.getTickets());
        cutAll(excluded, "details");
    }

    private static void check(AttemptEnd end, Bounds bounds) {
        bounds.elements(end.getRemainder());
        for (ConsumerSequence last : end.getLastSequences()) {
            Bounds.consumer(last.getConsumer());
            require(
                    last.getLastSequence() >= -1 && last.getLastSequence() <= Bounds.MOST_COUNTED,
                    "lastSequence must be in -1.." + Bounds.MOST_COUNTED + ", is " + last.getLastSequence());
        }
    }

    private static void check(TransformationMetrics metrics) {
        Bounds.text("a transformation's name", metrics.getName());
        Bounds.text("a transformation's kind", metrics.getKind());
        Bounds.number("elements of a transformation", metrics.getElements(), Bounds.MOST_TOTAL);
        Bounds.number("bytes of a transformation", metrics.getBytes(), Bounds.MOST_TOTAL);
        Bounds.number("nanos of a transformation", metrics.getNanos(), Bounds.MOST_TOTAL);
    }

    static void check(ActuatorReport report) {
        require(!report.getSubject().isBlank(), "subject must not be empty");
        Bounds.text("subject", report.getSubject(), MOST_SUBJECT_BYTES);
        Bounds.text("incarnation", report.getIncarnation());
        require(
                report.getWanted() >= 0 && report.getRunning() >= 0,
                "wanted and running must not be negative, are " + report.getWanted() + " and " + report.getRunning());
        require(report.getMost() >= 0, "most must not be negative, is " + report.getMost());
        Bounds.number("most", report.getMost(), Agreements.MOST_WORKERS);
        cut(report, "reason");
    }

    static void check(ClientHeartbeat beat) {
        Bounds.name("job", beat.getJob());
        Bounds.consumer(beat.getConsumer());
        Bounds.name("incarnation", beat.getIncarnation());
        Bounds.text("host", beat.getHost());
        Bounds.number("beat", beat.getBeat(), Bounds.MOST_COUNTED);
        Bounds.size("windows", beat.getWindows().size(), MOST_WINDOWS);
    }

    /** Gives the elements of its batches, in their order. */
    static List<Elements> elements(ConsumptionReport report) {
        Bounds.name("job", report.getJob());
        Bounds.name("incarnation", report.getIncarnation());
        Bounds.consumer(report.getConsumer());
        Bounds.number("reportSequence", report.getReportSequence(), Bounds.MOST_COUNTED);
        Bounds bounds = new Bounds();
        List<Elements> elements = new ArrayList<>();
        for (BatchUse batch : report.getBatches()) {
            Bounds.attempt(batch.getEpoch(), batch.getAttempt());
            Bounds.number("sequence", batch.getSequence(), Bounds.MOST_COUNTED);
            Bounds.number("elements", batch.getElements(), Bounds.MOST_ELEMENTS);
            elements.add(bounds.elements(batch.getTickets()));
        }
        for (AttemptRef ended : report.getEnded()) {
            Bounds.attempt(ended.getEpoch(), ended.getAttempt());
        }
        for (AttemptRef answered : report.getFencesAnswered()) {
            Bounds.attempt(answered.getEpoch(), answered.getAttempt());
        }
        for (ChannelDown down : report.getChannelsDown()) {
            Bounds.attempt(down.getEpoch(), down.getAttempt());
            cut(down, "reason");
        }
        return elements;
    }

    static void check(JobRequest request) {
        Bounds.text("requester", request.getRequester());
        if (request.getBody() instanceof PinCache pin) {
            CacheRecords.group(pin.getTenant(), pin.getPrefix());
            return;
        }
        if (request.getBody() instanceof DropCache drop) {
            CacheRecords.group(drop.getTenant(), drop.getPrefix());
            return;
        }
        Bounds.name("job", request.getJob());
        require(
                !(request.getBody() instanceof Submit) || !request.getJob().startsWith(DecisionWriter.POOLS),
                "job must not begin with '" + DecisionWriter.POOLS + "', as journals of pools do, is '"
                        + request.getJob() + "'");
        require(!(request.getBody() instanceof Resume), "jobs cannot be resumed from a checkpoint yet");
        if (request.getBody() instanceof Pin pin && pin.getPinned()) {
            require(
                    pin.getRemote() >= 0 && pin.getLocal() >= 0,
                    "pinned workers must not be negative, are " + pin.getRemote() + " remote and " + pin.getLocal()
                            + " local");
            Bounds.number("pinned remote workers", pin.getRemote(), Agreements.MOST_WORKERS);
            Bounds.number("pinned local workers", pin.getLocal(), Agreements.MOST_WORKERS);
        }
        if (request.getBody() instanceof Attach attach) {
            Bounds.consumer(attach.getConsumer());
            Bounds.name("incarnation", attach.getIncarnation());
            Bounds.text("host", attach.getHost());
            Bounds.text("digest", attach.getDigest());
            Bounds.text("follows", attach.getFollows());
        }
        if (request.getBody() instanceof GiveUp given) {
            Bounds.consumer(given.getConsumer());
        }
        if (request.getBody() instanceof Cancel cancel) {
            cut(cancel, "reason");
        }
    }

    static void check(PlanMessage message) {
        Bounds.name("job", message.getJob());
        Bounds.name("worker", message.getWorker());
        Bounds.name("incarnation", message.getIncarnation());
        if (message.getBody() instanceof SplitPage page) {
            check(page);
        } else if (message.getBody() instanceof PlanCompleted completed) {
            check(completed);
        } else if (message.getBody() instanceof PlanFailed failed) {
            cut(failed, "reason");
        }
    }

    private static void check(PlanCompleted plan) {
        Bounds.number("splits", plan.getSplits(), Ticket.MAX_ORDINAL);
        Bounds.number("bytes", plan.getBytes(), Bounds.MOST_TOTAL);
        require(plan.getEpochs() >= 1, "epochs must be at least 1, is " + plan.getEpochs());
        Bounds.text("pipelineDigest", plan.getPipelineDigest());
        cutAll(plan, "guaranteeReasons");
        cutAll(plan, "notes");
        CacheRecords.points(plan);
        long described = Agreements.describedBytes(plan.getComponents());
        require(
                described <= Agreements.DESCRIBED_BYTES,
                "the names and shapes of " + plan.getComponents().size() + " components take " + described
                        + " bytes, more than " + Agreements.DESCRIBED_BYTES);
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Cuts a text for people, in a record that was just read and is nobody else's yet. */
    private static void cut(SpecificRecord record, String field) {
        int at = record.getSchema().getField(field).pos();
        record.put(at, BoundedText.reason((String) record.get(at)));
    }

    /** As {@link #cut}, a list of such texts: the first of them stay. */
    private static void cutAll(SpecificRecord record, String field) {
        int at = record.getSchema().getField(field).pos();
        record.put(
                at,
                ((List<?>) record.get(at))
                        .stream()
                                .limit(Agreements.REASONS)
                                .map(line -> BoundedText.reason((String) line))
                                .toList());
    }

    private static void check(SplitPage page) {
        Bounds.number("page", page.getPage(), Integer.MAX_VALUE);
        require(!page.getSplits().isEmpty(), "a page must not be empty");
        require(
                page.getSplits().size() <= Agreements.SPLITS_A_PAGE,
                "a page must hold at most " + Agreements.SPLITS_A_PAGE + " splits, holds "
                        + page.getSplits().size());
        require(
                (page.getPage() + 1L) * Agreements.SPLITS_A_PAGE - 1 <= Ticket.MAX_ORDINAL,
                "a plan must have at most " + Ticket.MAX_ORDINAL + " splits");
        page.getSplits().forEach(EventChecks::check);
    }

    private static void check(Split split) {
        boolean oneFile =
                switch (split.getKind()) {
                    case FILE, RECORD_RANGE -> true;
                    case NAMES, INTEGERS, INDEXES, WHOLE -> false;
                };
        require(!oneFile || split.getPaths().size() == 1, "a " + split.getKind() + " split must name one file");
        boolean range =
                switch (split.getKind()) {
                    case RECORD_RANGE, INDEXES -> true;
                    case FILE, NAMES, INTEGERS, WHOLE -> false;
                };
        require(
                !range || (split.getFrom() >= 0 && split.getUntil() >= split.getFrom()),
                "a " + split.getKind() + " split must not run from " + split.getFrom() + " to " + split.getUntil());
        require(split.getSource() >= 0 && split.getBytes() >= 0, "source and bytes must not be negative");
        Bounds.number("source", split.getSource(), MOST_SOURCES);
        Bounds.number("bytes of a split", split.getBytes(), Bounds.MOST_TOTAL / Ticket.MAX_ORDINAL);
        long records = split.getRecords().orElse(0L);
        require(
                records >= 0 && records <= SplitRow.MAX_RECORDS,
                "a split must hold at most " + SplitRow.MAX_RECORDS + " records, holds " + records);
        long names = Stream.concat(split.getPaths().stream(), split.getVersions().stream())
                .mapToLong(EventChecks::length)
                .sum();
        require(
                names <= MOST_NAMED_BYTES,
                "the names and versions of a split must have at most " + MOST_NAMED_BYTES + " bytes, have " + names);
    }
}
