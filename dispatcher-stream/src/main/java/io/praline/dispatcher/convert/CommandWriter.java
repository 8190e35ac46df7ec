package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.epoch.AttemptGraph;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.CacheOrder;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.ConsumerLane;
import io.praline.schema.FactsConfirmed;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanSplits;
import io.praline.schema.ScalingTarget;
import io.praline.schema.ServeConsumers;
import io.praline.schema.Split;
import io.praline.schema.StartAttempt;
import io.praline.schema.Submit;
import io.praline.schema.WorkerCommand;
import io.praline.topics.Topics;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.roaringbitmap.RoaringBitmap;

/** What workers, and those who start them, are told. */
public final class CommandWriter {
    private CommandWriter() {}

    /** Plan the job. */
    public static WorkerCommand planSplits(JobOutline job, int plan, Place planner) {
        Submit submit = job.submit();
        return to(
                planner,
                PlanSplits.newBuilder()
                        .setJob(job.id())
                        .setPlan(plan)
                        .setPipelineName(submit.getPipelineName())
                        .setGraph(submit.getGraph())
                        .setGraphAddress(submit.getGraphAddress().orElse(null))
                        .setComponentNames(submit.getComponentNames())
                        .setDataGlobs(submit.getDataGlobs())
                        .setGuarantee(submit.getGuarantee())
                        .setStrict(submit.getStrict())
                        .setSeed(submit.getSeed())
                        .build());
    }

    /** The lanes of a job's consumers, by their places. */
    public static List<ConsumerLane> lanes(SortedMap<Integer, ConsumerRow> consumers) {
        return consumers.entrySet().stream()
                .map(each -> new ConsumerLane(
                        each.getKey(),
                        each.getValue().generation(),
                        each.getValue().takes()))
                .toList();
    }

    /** Begin an attempt; its splits follow. */
    public static WorkerCommand start(
            JobOutline job, JobRow row, EpochLedger epoch, int attempt, List<ConsumerLane> lanes) {
        AttemptGraph graph = epoch.attempts().get(attempt).graph();
        return to(
                epoch.place(attempt),
                StartAttempt.newBuilder()
                        .setJob(job.id())
                        .setEpoch(epoch.epoch())
                        .setAttempt(attempt)
                        .setPlan(row.planning().plan())
                        .setPipelineDigest(graph(job, graph))
                        .setGuarantee(job.guarantee())
                        .setSeed(job.submit().getSeed())
                        .setConsumers(job.submit().getConsumers())
                        .setComponentNames(job.submit().getComponentNames())
                        .setOrder(List.of())
                        .setSkipBad(job.submit().getSkipBad())
                        .setBatchLimitBytes(job.submit().getBatchLimitBytes())
                        .setThreads(0)
                        .setRamBytes(0)
                        .setLanes(lanes)
                        .setMembership(row.membership())
                        .setCache(graph.cache()
                                .map(use -> new CacheOrder(job.tenant(), use.prefix(), use.point(), use.put()))
                                .orElse(null))
                        .build());
    }

    /** The digest of the graph that an attempt runs. */
    private static String graph(JobOutline job, AttemptGraph graph) {
        return graph.variant().isEmpty()
                ? job.plan().map(PlanCompleted::getPipelineDigest).orElse("")
                : graph.variant();
    }

    /**
     * Read these splits too.
     *
     * @param assignment the number of the assignment by which the attempt has them
     * @param splits by ordinal
     */
    public static WorkerCommand assign(
            JobOutline job,
            EpochLedger epoch,
            int attempt,
            int assignment,
            List<Long> ordinals,
            LongFunction<Split> splits) {
        return to(
                epoch.place(attempt),
                AssignSplits.newBuilder()
                        .setJob(job.id())
                        .setEpoch(epoch.epoch())
                        .setAttempt(attempt)
                        .setAssignment(assignment)
                        .setSplits(ordinals.stream()
                                .map(ordinal -> AssignedSplit.newBuilder()
                                        .setOrdinal(ordinal)
                                        .setSplit(splits.apply(ordinal))
                                        .setSkip(serialized(epoch.skip(attempt, assignment, ordinal)))
                                        .build())
                                .toList())
                        .build());
    }

    /** About as many bytes as a split takes in a command, without what is to be skipped of it. */
    public static int bytes(Split split) {
        return 64
                + Stream.concat(split.getPaths().stream(), split.getVersions().stream())
                        .mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length + 4)
                        .sum();
    }

    private static ByteBuffer serialized(RoaringBitmap skip) {
        if (skip.isEmpty()) {
            return ByteBuffer.allocate(0);
        }
        skip.runOptimize();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(skip.serializedSizeInBytes());
        try {
            skip.serialize(new DataOutputStream(bytes));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a byte array cannot fail to be written", impossible);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    /** Drain: nothing follows its last assignment. */
    public static WorkerCommand finish(JobOutline job, EpochLedger epoch, int attempt, AttemptRow.Finish finish) {
        return to(
                epoch.place(attempt),
                FinishAttempt.newBuilder()
                        .setJob(job.id())
                        .setEpoch(epoch.epoch())
                        .setAttempt(attempt)
                        .setAssignment(epoch.attempts().get(attempt).assignment())
                        .setDeliverTail(finish.deliverTail())
                        .setLast(finish.last())
                        .build());
    }

    /** The job's consumers changed. */
    public static WorkerCommand serve(
            String job, EpochLedger epoch, int attempt, int membership, List<ConsumerLane> lanes) {
        return to(
                epoch.place(attempt),
                ServeConsumers.newBuilder()
                        .setJob(job)
                        .setEpoch(epoch.epoch())
                        .setAttempt(attempt)
                        .setMembership(membership)
                        .setLanes(lanes)
                        .build());
    }

    /** Do not go on with an attempt. */
    public static WorkerCommand fence(AttemptKey attempt, Place place, String reason, boolean keepSent) {
        return to(
                place,
                FenceAttempt.newBuilder()
                        .setJob(attempt.job())
                        .setEpoch(attempt.epoch())
                        .setAttempt(attempt.attempt())
                        .setReason(reason)
                        .setKeepSent(keepSent)
                        .build());
    }

    /** These facts are in the accounts, of each attempt all up to and with the number. */
    public static WorkerCommand confirm(Place place, SortedMap<AttemptKey, Integer> facts) {
        return to(
                place,
                new ConfirmFacts(facts.entrySet().stream()
                        .map(each -> new FactsConfirmed(
                                each.getKey().job(),
                                each.getKey().epoch(),
                                each.getKey().attempt(),
                                each.getValue()))
                        .toList()));
    }

    /** By whom the targets of a job's workers on its trainer's host are found. */
    public static String subject(String job, String host) {
        return Topics.scalingSubject(job, host);
    }

    /** By whom the targets of a pool's workers are found. */
    public static String subject(String pool) {
        return Topics.scalingSubject(pool);
    }

    /** So many workers there should be, of a pool or on a trainer's host. */
    public static ScalingTarget target(String subject, int workers, String reason, Instant at) {
        return ScalingTarget.newBuilder()
                .setSubject(subject)
                .setWorkers(workers)
                .setReason(reason)
                .setDecidedAtMillis(at.toEpochMilli())
                .build();
    }

    /** The job that a command is about; empty where it is about several, or none. */
    public static Optional<String> job(WorkerCommand command) {
        SpecificRecord body = (SpecificRecord) command.getBody();
        return Optional.ofNullable(body.getSchema().getField("job")).map(field -> (String) body.get(field.pos()));
    }

    static WorkerCommand to(Place place, Object body) {
        return WorkerCommand.newBuilder()
                .setWorker(place.worker())
                .setIncarnation(place.incarnation())
                .setBody(body)
                .build();
    }
}
