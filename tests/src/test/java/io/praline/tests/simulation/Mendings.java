package io.praline.tests.simulation;

import io.praline.identity.ExclusionReason;
import io.praline.schema.Attach;
import io.praline.schema.AttemptProgress;
import io.praline.schema.BatchUse;
import io.praline.schema.ClosedLane;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.FenceAttempt;
import io.praline.schema.JobRequest;
import io.praline.schema.JobStatus;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * Which mendings are in place. The simulation has all of them; with one taken out again, at the wiring, it must find what was
 * mended.
 *
 * @param contained whether an event that throws costs no more than its job
 * @param rewriting what becomes of records on their way
 * @param seeing how a trainer sees a status
 * @param lockstep whether the loops go step by step together, as data-parallel ranks do
 * @param poisoned whether there is another job of which every record makes a turn throw
 * @param skipped whether of an entry what is not owed is left out
 * @param looking whether a loop's lease is looked at when it takes a batch, and not only when it asks whether there is one
 */
record Mendings(
        boolean contained,
        Supplier<Kafka.Rewriting> rewriting,
        Seeing seeing,
        boolean lockstep,
        boolean poisoned,
        boolean skipped,
        boolean looking) {
    /** All of them. */
    static final Mendings ALL =
            new Mendings(true, () -> Mendings::asItIs, (status, incarnation) -> status, false, false, true, true);

    /** How a status looks to a trainer's process. */
    @FunctionalInterface
    interface Seeing {
        JobStatus seen(JobStatus status, String incarnation);
    }

    private static Optional<SpecificRecord> asItIs(String topic, SpecificRecord value) {
        return Optional.of(value);
    }

    Mendings inLockstep() {
        return new Mendings(contained, rewriting, seeing, true, poisoned, skipped, looking);
    }

    Mendings withPoison() {
        return new Mendings(contained, rewriting, seeing, lockstep, true, skipped, looking);
    }

    /** D1: what is not in a lane counts as delivered, and what is in doubt as done. */
    Mendings withoutWaitingForOthers() {
        return seenAs((status, incarnation) -> status.setProgress(delivered(status, true))
                .setSlots(status.getSlots().stream()
                        .map(slot -> ConsumerSlot.newBuilder(slot)
                                .setInDoubt(0)
                                .setFinished(null)
                                .build())
                        .toList()));
    }

    /** D2: a lease that is never over. */
    Mendings withoutLease() {
        return seenAs((status, incarnation) -> status.setLeaseMillis(Integer.MAX_VALUE));
    }

    /** D3: whoever has the place, each process takes itself for that one. */
    Mendings withoutIncarnations() {
        return seenAs((status, incarnation) -> status.setLeaseMillis(Integer.MAX_VALUE)
                .setSlots(status.getSlots().stream()
                        .map(slot -> itsOwn(slot, incarnation))
                        .toList()));
    }

    private static ConsumerSlot itsOwn(ConsumerSlot slot, String incarnation) {
        boolean its = incarnation.startsWith("c" + slot.getConsumer() + "-")
                && !slot.getIncarnation().isEmpty();
        return its ? ConsumerSlot.newBuilder(slot).setIncarnation(incarnation).build() : slot;
    }

    /** D4: an epoch is over once all of it is acknowledged, and not before. */
    Mendings withoutDelivered() {
        return seenAs((status, incarnation) -> status.setProgress(delivered(status, false)));
    }

    private static List<EpochProgress> delivered(JobStatus.Builder status, boolean delivered) {
        return status.getProgress().stream()
                .map(epoch ->
                        EpochProgress.newBuilder(epoch).setDelivered(delivered).build())
                .toList();
    }

    /** D6: an event that throws ends the dispatcher. */
    Mendings withoutContainment() {
        return new Mendings(false, rewriting, seeing, lockstep, poisoned, skipped, looking);
    }

    /** D7: a fact is told once. */
    Mendings withoutTellingAgain() {
        return new Mendings(contained, ToldOnce::new, seeing, lockstep, poisoned, skipped, looking);
    }

    /** What a fenced attempt sent is not remembered. */
    Mendings withoutMemoryOfFenced() {
        return new Mendings(contained, () -> Mendings::forgotten, seeing, lockstep, poisoned, skipped, looking);
    }

    private static Optional<SpecificRecord> forgotten(String topic, SpecificRecord value) {
        if (value instanceof WorkerCommand command && command.getBody() instanceof FenceAttempt fence) {
            return Optional.of(WorkerCommand.newBuilder(command)
                    .setBody(FenceAttempt.newBuilder(fence).setKeepSent(false).build())
                    .build());
        }
        return Optional.of(value);
    }

    /** An entry gives what it holds, owed or not. */
    Mendings withoutSkippingInEntries() {
        return new Mendings(contained, rewriting, seeing, lockstep, poisoned, false, looking);
    }

    /** Whether a process may hand out a batch is looked at when its loop asks for one, and not when it takes it. */
    Mendings withoutLookingAgain() {
        return new Mendings(contained, rewriting, seeing, lockstep, poisoned, skipped, false);
    }

    /** What was promised to a loop is claimed when it is taken, also where all that was not claimed was told as discarded before. */
    Mendings withoutClaimingFirst() {
        return new Mendings(contained, ClaimedLate::new, seeing, lockstep, poisoned, skipped, looking);
    }

    /** A record that fails is told as one that a filter dropped. */
    Mendings withoutTellingOfBad() {
        return new Mendings(contained, () -> Mendings::filtered, seeing, lockstep, poisoned, skipped, looking);
    }

    private static Optional<SpecificRecord> filtered(String topic, SpecificRecord value) {
        if (!(value instanceof WorkerEvent event) || !(event.getBody() instanceof WorkerHeartbeat beat)) {
            return Optional.of(value);
        }
        List<AttemptProgress> told = beat.getAttempts().stream()
                .map(each -> AttemptProgress.newBuilder(each)
                        .setExcluded(each.getExcluded().stream()
                                .map(one -> Exclusion.newBuilder(one)
                                        .setReason(ExclusionReason.FILTER.word())
                                        .build())
                                .toList())
                        .build())
                .toList();
        return Optional.of(new WorkerEvent(
                event.getPool(),
                WorkerHeartbeat.newBuilder(beat).setAttempts(told).build()));
    }

    /** Whoever takes a place says that the one before is dead: what that has is given again at once. */
    Mendings withoutHoldingBack() {
        return sentAs((topic, value) -> {
            if (!(value instanceof JobRequest request) || !(request.getBody() instanceof Attach attach)) {
                return value;
            }
            return JobRequest.newBuilder(request)
                    .setBody(Attach.newBuilder(attach).setReplace(true).build())
                    .build();
        });
    }

    /** A report counts as confirmed when the one before it is. */
    Mendings confirmingTooMuch() {
        return seenAs((status, incarnation) -> status.setConfirmed(status.getConfirmed().stream()
                .map(each -> Confirmation.newBuilder(each)
                        .setReportSequence(each.getReportSequence() + 1)
                        .build())
                .toList()));
    }

    /** Of a lane that closed it is not told what was sent on it. */
    Mendings withoutTellingOfSent() {
        return sentAs((topic, value) -> {
            if (!(value instanceof WorkerEvent event) || !(event.getBody() instanceof WorkerHeartbeat beat)) {
                return value;
            }
            List<AttemptProgress> told = beat.getAttempts().stream()
                    .map(each -> AttemptProgress.newBuilder(each)
                            .setClosedLanes(each.getClosedLanes().stream()
                                    .map(lane -> ClosedLane.newBuilder(lane)
                                            .setSent(ByteBuffer.allocate(0))
                                            .build())
                                    .toList())
                            .build())
                    .toList();
            return new WorkerEvent(
                    event.getPool(),
                    WorkerHeartbeat.newBuilder(beat).setAttempts(told).build());
        });
    }

    private Mendings sentAs(BiFunction<String, SpecificRecord, SpecificRecord> change) {
        Kafka.Rewriting changed = (topic, value) -> Optional.of(change.apply(topic, value));
        return new Mendings(contained, () -> changed, seeing, lockstep, poisoned, skipped, looking);
    }

    private Mendings seenAs(BiFunction<JobStatus.Builder, String, JobStatus.Builder> change) {
        return new Mendings(
                contained,
                rewriting,
                (status, incarnation) ->
                        change.apply(JobStatus.newBuilder(status), incarnation).build(),
                lockstep,
                poisoned,
                skipped,
                looking);
    }

    /** Moves claims from the report that tells of what is discarded to the one behind it. */
    private static final class ClaimedLate implements Kafka.Rewriting {
        private final Map<String, List<BatchUse>> late = new HashMap<>();

        @Override
        public Optional<SpecificRecord> of(String topic, SpecificRecord value) {
            if (!(value instanceof ConsumptionReport report)) {
                return Optional.of(value);
            }
            String next = report.getIncarnation() + "#" + (report.getReportSequence() + 1);
            String its = report.getIncarnation() + "#" + report.getReportSequence();
            List<BatchUse> batches = new ArrayList<>(late.getOrDefault(its, List.of()));
            if (report.getDiscarded().isEmpty()) {
                batches.addAll(report.getBatches());
            } else {
                late.put(next, report.getBatches());
            }
            return Optional.of(
                    ConsumptionReport.newBuilder(report).setBatches(batches).build());
        }
    }

    /** Leaves out of beats what was told before. */
    private static final class ToldOnce implements Kafka.Rewriting {
        private final Set<String> told = new HashSet<>();

        @Override
        public Optional<SpecificRecord> of(String topic, SpecificRecord value) {
            if (!(value instanceof WorkerEvent event) || !(event.getBody() instanceof WorkerHeartbeat beat)) {
                return Optional.of(value);
            }
            List<AttemptProgress> once = beat.getAttempts().stream()
                    .map(each -> once(beat.getIncarnation(), each))
                    .toList();
            return Optional.of(new WorkerEvent(
                    event.getPool(),
                    WorkerHeartbeat.newBuilder(beat).setAttempts(once).build()));
        }

        private AttemptProgress once(String worker, AttemptProgress progress) {
            String fact = worker + "/" + progress.getEpoch() + "/" + progress.getAttempt() + "#" + progress.getFacts();
            if (progress.getFacts() == 0 || told.add(fact)) {
                return progress;
            }
            return AttemptProgress.newBuilder(progress)
                    .setFacts(0)
                    .setOpened(List.of())
                    .setExcluded(List.of())
                    .setClosedLanes(List.of())
                    .setEnd(null)
                    .setFailure(null)
                    .build();
        }
    }
}
