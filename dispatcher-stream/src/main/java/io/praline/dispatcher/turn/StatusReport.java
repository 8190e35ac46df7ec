package io.praline.dispatcher.turn;

import io.praline.dispatcher.ledger.AttemptRow;
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
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** All that is public about a job. */
final class StatusReport {
    private StatusReport() {}

    static JobStatus of(Job job, Instant at) {
        JobRow row = job.row();
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
                .setEpochs(job.allEpochs())
                .setConsumers(job.submit().getConsumers())
                .setSeed(job.submit().getSeed())
                .setComponents(job.plan().map(PlanCompleted::getComponents).orElse(List.of()))
                .setAttempts(attempts(job))
                .setProgress(job.epochs().values().stream()
                        .map(epoch -> progress(job, epoch))
                        .toList())
                .setConfirmed(job.consumers().entrySet().stream()
                        .map(consumer -> Confirmation.newBuilder()
                                .setConsumer(consumer.getKey())
                                .setIncarnation(consumer.getValue().incarnation())
                                .setReportSequence(consumer.getValue().applied())
                                .build())
                        .toList())
                .setBadRecords(List.copyOf(job.badRecords()))
                .setTransformations(job.metrics())
                .setSubmittedAtMillis(row.submittedAt().toEpochMilli())
                .setChangedAtMillis(at.toEpochMilli())
                .build();
    }

    private static List<AttemptPlace> attempts(Job job) {
        List<AttemptPlace> attempts = new ArrayList<>();
        if (job.ended()) {
            return attempts;
        }
        for (EpochLedger epoch : job.epochs().values()) {
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

    private static EpochProgress progress(Job job, EpochLedger epoch) {
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
}
