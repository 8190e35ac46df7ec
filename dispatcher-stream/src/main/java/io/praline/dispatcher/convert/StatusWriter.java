package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.Doubt;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.epoch.EpochRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.ordering.course.OrderState;
import io.praline.schema.AttemptPlace;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.Guarantee;
import io.praline.schema.JobStatus;
import io.praline.schema.PlanCompleted;
import io.praline.schema.TransformationMetrics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All that is public about a job. */
public final class StatusWriter {
    private StatusWriter() {}

    /**
     * A job's accounts.
     *
     * @param epochs those that began
     * @param places its consumers'
     * @param delivered epochs of which every attempt has its last batch in a lane, those that are complete among them or not
     * @param order of its steps; empty before it is planned
     * @param kept which of its elements are
     * @param badRecords lines on bad records that were tolerated
     * @param metrics where the time of its attempts went
     * @param spent what it has cost; empty where that is not known any more
     */
    public record Accounts(
            JobRow row,
            SortedMap<Integer, EpochLedger> epochs,
            Places places,
            Set<Integer> delivered,
            Optional<OrderState> order,
            Kept kept,
            List<String> badRecords,
            List<TransformationMetrics> metrics,
            Optional<Double> spent) {}

    /**
     * What is kept of a job.
     *
     * @param why in a sentence; empty where there is nothing to say
     * @param hits elements that loops are done with and that came from entries
     */
    public record Kept(String why, long hits) {}

    /**
     * The places of a job's consumers.
     *
     * @param rows by number
     * @param beats the newest of each that was read
     * @param inDoubt what was sent to each and of which nothing is known; none where it is not doubtful
     * @param lease how long who holds one may hand out batches after a beat that is echoed
     */
    public record Places(
            SortedMap<Integer, ConsumerRow> rows,
            SortedMap<Integer, Long> beats,
            SortedMap<Integer, Doubt> inDoubt,
            Duration lease) {}

    /** The job as it is now. */
    public static JobStatus status(JobOutline job, Accounts accounts, WallTime wall, Instant at) {
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
                .setGuarantee(row.givenUp().isEmpty() ? job.guarantee() : Guarantee.AT_LEAST_ONCE)
                .setGuaranteeReasons(Stream.concat(
                                job.plan().map(PlanCompleted::getGuaranteeReasons).orElse(List.of()).stream(),
                                row.givenUp().stream())
                        .toList())
                .setNotes(job.plan().map(PlanCompleted::getNotes).orElse(List.of()))
                .setPlan(row.planning().plan())
                .setSplits(job.splits())
                .setEpochs(job.epochs())
                .setConsumers(accounts.places().rows().size())
                .setSeed(job.submit().getSeed())
                .setComponents(job.plan().map(PlanCompleted::getComponents).orElse(List.of()))
                .setAttempts(row.standing().ended() ? List.of() : attempts(accounts.epochs()))
                .setProgress(accounts.epochs().values().stream()
                        .map(epoch -> progress(job, epoch, accounts.delivered().contains(epoch.epoch())))
                        .toList())
                .setConfirmed(confirmed(accounts.places().rows()))
                .setSlots(slots(accounts.places(), wall))
                .setLeaseMillis((int) accounts.places().lease().toMillis())
                .setBadRecords(List.copyOf(accounts.badRecords()))
                .setTransformations(accounts.metrics())
                .setOrder(OrderRecords.status(
                                job,
                                row.standing().ended() ? accounts.order().map(OrderState::ofEnded) : accounts.order())
                        .orElse(null))
                .setCache(accounts.kept().why())
                .setCacheHits(accounts.kept().hits())
                .setSubmission(job.submit().getDigest())
                .setSpent(accounts.spent().orElse(null))
                .setSubmittedAtMillis(wall.millis(row.submittedAt()))
                .setChangedAtMillis(wall.millis(at))
                .build();
    }

    private static List<Confirmation> confirmed(SortedMap<Integer, ConsumerRow> places) {
        List<Confirmation> confirmed = new ArrayList<>();
        places.forEach((consumer, place) -> {
            SortedMap<String, Long> processes = new TreeMap<>();
            place.formers().forEach(former -> processes.put(former.incarnation(), former.applied()));
            if (!place.incarnation().isEmpty()) {
                processes.put(place.incarnation(), place.applied());
            }
            processes.forEach(
                    (incarnation, applied) -> confirmed.add(new Confirmation(consumer, incarnation, applied)));
        });
        return confirmed;
    }

    private static List<ConsumerSlot> slots(Places places, WallTime wall) {
        List<ConsumerSlot> slots = new ArrayList<>();
        places.rows().forEach((consumer, place) -> {
            Doubt doubt = places.inDoubt().getOrDefault(consumer, Doubt.NONE);
            slots.add(ConsumerSlot.newBuilder()
                    .setConsumer(consumer)
                    .setGeneration(place.generation())
                    .setState(place.state())
                    .setFinished(place.finished())
                    .setIncarnation(place.incarnation())
                    .setHost(place.host())
                    .setBeat(places.beats().getOrDefault(consumer, 0L))
                    .setInDoubt(doubt.elements())
                    .setInDoubtSplits(doubt.uncountedSplits())
                    .setSinceMillis(wall.millis(place.since()))
                    .setSucceeded(place.succeeded())
                    .build());
        });
        return slots;
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

    private static EpochProgress progress(JobOutline job, EpochLedger epoch, boolean delivered) {
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
                .setDelivered(delivered || row.complete())
                .setPossiblyTwice(row.possiblyTwice())
                .setPossiblyTwiceSplits(row.possiblyTwiceSplits())
                .build();
    }

    /** What two attempts together did in the same transformation. */
    public static TransformationMetrics sum(TransformationMetrics one, TransformationMetrics two) {
        return TransformationMetrics.newBuilder()
                .setName(one.getName())
                .setKind(one.getKind())
                .setElements(plus(one.getElements(), two.getElements()))
                .setBytes(plus(one.getBytes(), two.getBytes()))
                .setNanos(plus(one.getNanos(), two.getNanos()))
                .build();
    }

    /** Numbers that are not negative; a sum that no number holds is the largest. */
    private static long plus(long one, long two) {
        long sum = one + two;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
