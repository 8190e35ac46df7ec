package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.AttemptRow;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.EpochRow;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.Place;
import io.praline.schema.AttemptPlace;
import io.praline.schema.Confirmation;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.JobStatus;
import io.praline.schema.PlanCompleted;
import io.praline.schema.TransformationMetrics;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** All that is public about a job. */
public final class StatusWriter {
    private StatusWriter() {}

    /**
     * A job's accounts.
     *
     * @param epochs those that began
     * @param badRecords lines on bad records that were tolerated
     * @param metrics where the time of its attempts went
     */
    public record Accounts(
            JobRow row,
            SortedMap<Integer, EpochLedger> epochs,
            SortedMap<Integer, ConsumerRow> consumers,
            List<String> badRecords,
            List<TransformationMetrics> metrics) {}

    /** The job as it is now. */
    public static JobStatus status(JobOutline job, Accounts accounts, Instant at) {
        JobRow row = accounts.row();
        return JobStatus.newBuilder()
                .setJob(job.id())
                .setPool(job.pool())
                .setTenant(job.submit().getTenant())
                .setRequester(job.requester())
                .setPipelineName(job.submit().getPipelineName())
                .setPipelineDigest(
                        job.plan().map(PlanCompleted::getPipelineDigest).orElse(""))
                .setState(row.standing().state())
                .setReason(row.standing().reason())
                .setWaitingFor(row.standing().waitingFor())
                .setFailure(row.standing().failure())
                .setGuarantee(job.guarantee())
                .setGuaranteeReasons(
                        job.plan().map(PlanCompleted::getGuaranteeReasons).orElse(List.of()))
                .setPlan(row.planning().plan())
                .setSplits(job.splits())
                .setEpochs(job.epochs())
                .setConsumers(job.submit().getConsumers())
                .setSeed(job.submit().getSeed())
                .setComponents(job.plan().map(PlanCompleted::getComponents).orElse(List.of()))
                .setAttempts(row.standing().ended() ? List.of() : attempts(accounts.epochs()))
                .setProgress(accounts.epochs().values().stream()
                        .map(epoch -> progress(job, epoch))
                        .toList())
                .setConfirmed(accounts.consumers().entrySet().stream()
                        .map(consumer -> Confirmation.newBuilder()
                                .setConsumer(consumer.getKey())
                                .setIncarnation(consumer.getValue().incarnation())
                                .setReportSequence(consumer.getValue().applied())
                                .build())
                        .toList())
                .setBadRecords(List.copyOf(accounts.badRecords()))
                .setTransformations(accounts.metrics())
                .setSubmittedAtMillis(row.submittedAt().toEpochMilli())
                .setChangedAtMillis(at.toEpochMilli())
                .build();
    }

    private static List<AttemptPlace> attempts(SortedMap<Integer, EpochLedger> epochs) {
        List<AttemptPlace> attempts = new ArrayList<>();
        for (EpochLedger epoch : epochs.values()) {
            for (int number : epoch.attempts().keySet()) {
                AttemptRow attempt = epoch.attempts().get(number);
                Place place = epoch.place(number);
                attempts.add(AttemptPlace.newBuilder()
                        .setEpoch(epoch.epoch())
                        .setAttempt(number)
                        .setWorker(place.worker())
                        .setIncarnation(place.incarnation())
                        .setHost(place.host())
                        .setAddresses(place.addresses())
                        .setLocal(place.local())
                        .setFenced(attempt.fence().isPresent())
                        .build());
            }
        }
        return attempts;
    }

    private static EpochProgress progress(JobOutline job, EpochLedger epoch) {
        EpochRow row = epoch.row();
        long accounted = row.consumed()
                + row.excluded().values().stream().mapToLong(Long::longValue).sum();
        return EpochProgress.newBuilder()
                .setEpoch(epoch.epoch())
                // without tickets nobody can tell how many there are but by counting what comes
                .setElements(job.tracked() ? row.elements() : Math.max(row.elements(), accounted))
                .setConsumed(row.consumed())
                .setExcluded(row.excluded().entrySet().stream()
                        .map(excluded -> Exclusion.newBuilder()
                                .setReason(excluded.getKey())
                                .setElements(excluded.getValue())
                                .setTickets(ByteBuffer.allocate(0))
                                .setDetails(List.of())
                                .build())
                        .toList())
                .setSplitsClosed(row.closedSplits())
                .setComplete(row.complete())
                .build();
    }

    /** What two attempts together did in the same transformation. */
    public static TransformationMetrics sum(TransformationMetrics one, TransformationMetrics two) {
        return TransformationMetrics.newBuilder()
                .setName(one.getName())
                .setKind(one.getKind())
                .setElements(one.getElements() + two.getElements())
                .setBytes(one.getBytes() + two.getBytes())
                .setNanos(one.getNanos() + two.getNanos())
                .build();
    }
}
