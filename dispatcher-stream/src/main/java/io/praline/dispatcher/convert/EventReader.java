package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.Elements;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.SplitRow;
import io.praline.identity.Ticket;
import io.praline.policy.Observation;
import io.praline.schema.ActuatorReport;
import io.praline.schema.AttemptProgress;
import io.praline.schema.BatchUse;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Clock;
import io.praline.schema.ClosedLane;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Exclusion;
import io.praline.schema.JobRequest;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.Pin;
import io.praline.schema.PlanMessage;
import io.praline.schema.Resume;
import io.praline.schema.Split;
import io.praline.schema.SplitDigest;
import io.praline.schema.SplitPage;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Agreements;
import io.praline.topics.Topics;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes to events. What is wrong with a record is found here, so that nothing behind it can stumble over one.
 *
 * @param partitions of each of the dispatcher's inputs
 */
public record EventReader(AvroCodec codec, int partitions) {
    /** More than any machine has cores; slots of a pool are added up and dealt one by one. */
    private static final int MOST_SLOTS = 1_000;

    /** Of a split's first 1, 2, 4, 8, 16, 32 and 64 elements. */
    private static final int MOST_DIGESTS = 7;

    /**
     * The event in a record.
     *
     * @param key null for none
     * @param value null for none
     * @throws UnreadableRecord if it cannot be taken, with the reason
     */
    public Event read(String topic, int partition, byte[] key, byte[] value, Instant at) throws UnreadableRecord {
        if (key == null) {
            throw new UnreadableRecord("it has no key");
        }
        int right = Topics.partitionOf(key, partitions);
        if (right != partition) {
            throw new UnreadableRecord("its key belongs into partition " + right + ", not " + partition
                    + ": its producer does not partition by murmur2");
        }
        try {
            Event event = event(topic, value, at);
            String pool = new String(key, StandardCharsets.UTF_8);
            require(pool.equals(event.pool()), "its key is '" + pool + "', but its pool is '" + event.pool() + "'");
            requireName("pool", pool);
            return event;
        } catch (IllegalArgumentException wrong) {
            throw new UnreadableRecord(wrong.getMessage(), wrong);
        }
    }

    private Event event(String topic, byte[] value, Instant at) throws UnreadableRecord {
        if (topic.equals(Topics.WORKER_HEARTBEATS.name())) {
            WorkerEvent event = codec.read(Topics.WORKER_HEARTBEATS, value);
            if (event.getBody() instanceof WorkerHeartbeat beat) {
                check(beat);
                return new Event.Beat(at, event.getPool(), beat);
            }
            if (event.getBody() instanceof ActuatorReport report) {
                requireName("subject", report.getSubject());
                require(
                        report.getWanted() >= 0 && report.getRunning() >= 0,
                        "wanted and running must not be negative, are " + report.getWanted() + " and "
                                + report.getRunning());
                require(report.getMost() >= 0, "most must not be negative, is " + report.getMost());
                return new Event.Actuator(at, event.getPool(), report);
            }
            if (event.getBody() instanceof Clock) {
                return new Event.Tick(at, event.getPool());
            }
            throw new UnreadableRecord("its body is of a kind that is not known here");
        }
        if (topic.equals(Topics.CONSUMPTION.name())) {
            ConsumptionReport report = codec.read(Topics.CONSUMPTION, value);
            return new Event.Report(at, report.getPool(), report, elements(report));
        }
        if (topic.equals(Topics.CLIENT_HEARTBEATS.name())) {
            ClientHeartbeat beat = codec.read(Topics.CLIENT_HEARTBEATS, value);
            requireName("job", beat.getJob());
            require(beat.getConsumer() >= 0, "consumer must not be negative, is " + beat.getConsumer());
            return new Event.Client(at, beat.getPool(), beat);
        }
        if (topic.equals(Topics.JOB_REQUESTS.name())) {
            JobRequest request = codec.read(Topics.JOB_REQUESTS, value);
            requireName("job", request.getJob());
            require(!(request.getBody() instanceof Resume), "jobs cannot be resumed from a checkpoint yet");
            if (request.getBody() instanceof Pin pin && pin.getPinned()) {
                require(
                        pin.getRemote() >= 0 && pin.getLocal() >= 0,
                        "pinned workers must not be negative, are " + pin.getRemote() + " remote and " + pin.getLocal()
                                + " local");
            }
            return new Event.Request(at, request.getPool(), request);
        }
        if (topic.equals(Topics.SPLITS.name())) {
            PlanMessage message = codec.read(Topics.SPLITS, value);
            requireName("job", message.getJob());
            if (message.getBody() instanceof SplitPage page) {
                check(page);
            }
            return new Event.Plan(at, message.getPool(), message);
        }
        throw new IllegalStateException("the dispatcher does not read " + topic);
    }

    private static void check(WorkerHeartbeat beat) {
        requireName("worker", beat.getWorker());
        requireName("incarnation", beat.getIncarnation());
        if (!beat.getServesJob().isEmpty()) {
            requireName("servesJob", beat.getServesJob());
        }
        require(
                beat.getSlots() >= 1 && beat.getSlots() <= MOST_SLOTS,
                "slots must be in 1.." + MOST_SLOTS + ", is " + beat.getSlots());
        require(!beat.getAddresses().isEmpty(), "addresses must not be empty");
        for (AttemptProgress attempt : beat.getAttempts()) {
            requireName("job", attempt.getJob());
            require(attempt.getEpoch() >= 0, "epoch must not be negative, is " + attempt.getEpoch());
            require(
                    attempt.getBusySeconds() >= 0 && attempt.getBusySeconds() < Double.POSITIVE_INFINITY,
                    "busySeconds must not be negative, is " + attempt.getBusySeconds());
            require(attempt.getAttempt() >= 0, "attempt must not be negative, is " + attempt.getAttempt());
            attempt.getOpened().forEach(opened -> {
                require(opened.getRecords() >= 0, "records must not be negative, is " + opened.getRecords());
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
            for (Exclusion excluded : attempt.getExcluded()) {
                require(excluded.getElements() >= 0, "elements must not be negative, is " + excluded.getElements());
                Elements.of(excluded.getTickets());
            }
            require(attempt.getMembership() >= 0, "membership must not be negative, is " + attempt.getMembership());
            for (ClosedLane lane : attempt.getClosedLanes()) {
                require(
                        lane.getConsumer() >= 0 && lane.getGeneration() >= 0,
                        "consumer and generation must not be negative");
                Elements.of(lane.getSent());
                Elements.of(lane.getUnsent());
            }
            attempt.getEnd().ifPresent(end -> Elements.of(end.getRemainder()));
        }
    }

    private static void check(SplitPage page) {
        require(page.getPage() >= 0, "page must not be negative, is " + page.getPage());
        require(!page.getSplits().isEmpty(), "a page must not be empty");
        require(
                page.getSplits().size() <= Agreements.SPLITS_A_PAGE,
                "a page must hold at most " + Agreements.SPLITS_A_PAGE + " splits, holds "
                        + page.getSplits().size());
        require(
                (page.getPage() + 1L) * Agreements.SPLITS_A_PAGE - 1 <= Ticket.MAX_ORDINAL,
                "a plan must have at most " + Ticket.MAX_ORDINAL + " splits");
        for (Split split : page.getSplits()) {
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
            long records = split.getRecords().orElse(0L);
            require(
                    records >= 0 && records <= SplitRow.MAX_RECORDS,
                    "a split must hold at most " + SplitRow.MAX_RECORDS + " records, holds " + records);
        }
    }

    private static List<Elements> elements(ConsumptionReport report) {
        requireName("job", report.getJob());
        requireName("incarnation", report.getIncarnation());
        require(report.getConsumer() >= 0, "consumer must not be negative, is " + report.getConsumer());
        require(
                report.getReportSequence() >= 0,
                "reportSequence must not be negative, is " + report.getReportSequence());
        List<Elements> elements = new ArrayList<>();
        for (BatchUse batch : report.getBatches()) {
            require(batch.getSequence() >= 0 && batch.getElements() >= 0, "sequence and elements must not be negative");
            elements.add(Elements.of(batch.getTickets()));
        }
        return elements;
    }

    /**
     * A client's window as policies see it.
     *
     * @throws IllegalArgumentException naming what it measured that cannot be
     */
    public static Observation.WindowClosed window(Instant at, int consumer, MeasurementWindow window) {
        return new Observation.WindowClosed(
                at,
                consumer,
                window.getBatches(),
                window.getElements(),
                window.getBytes(),
                window.getSeconds(),
                window.getWaitShare(),
                window.getQueueDepth(),
                window.getLocalTasks(),
                window.getRemoteTasks(),
                window.getStraddles());
    }

    private static void requireName(String what, String name) {
        // only what is wrong is made printable: every beat has names
        if (!Ledger.isName(name)) {
            throw new IllegalArgumentException(
                    what + " must be 1 to 200 bytes of UTF-8 without control characters, is '" + printable(name) + "'");
        }
    }

    private static String printable(String name) {
        String clean = name.replaceAll("\\p{Cntrl}", "?");
        return clean.length() > 80 ? clean.substring(0, 80) + "..." : clean;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
