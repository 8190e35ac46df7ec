package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.WorkerRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.policy.Counted;
import io.praline.policy.Observation;
import io.praline.policy.PolicyState;
import io.praline.schema.WorkerHeartbeat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who is there: workers that join, change, and are lost. */
final class Membership {
    private final Fences fences;
    private final Isolation isolation;
    private final Planning planning;
    private final Ordering ordering;
    private final Stores stores;
    private final JobTurn jobTurn;
    private final Journal journal;

    Membership(
            Fences fences,
            Isolation isolation,
            Planning planning,
            Ordering ordering,
            Stores stores,
            JobTurn jobTurn,
            Journal journal) {
        this.fences = fences;
        this.isolation = isolation;
        this.planning = planning;
        this.ordering = ordering;
        this.stores = stores;
        this.jobTurn = jobTurn;
        this.journal = journal;
    }

    /** The worker of this beat, which is live now; its process before, if it was another, is lost. */
    KnownWorker present(Pool pool, WorkerHeartbeat beat, Instant at) {
        KnownWorker known = pool.workers().get(beat.getWorker());
        List<String> replaced = new ArrayList<>(
                known == null
                        ? pool.buried().comes(pool.name() + "/" + beat.getWorker(), beat.getIncarnation())
                        : known.row().replaced());
        if (known != null && !known.place().incarnation().equals(beat.getIncarnation())) {
            pool.buried().add(known.place().incarnation());
            replaced.add(known.place().incarnation());
            isolation.replaced(pool, known, at);
            lost(pool, known.place(), "worker " + beat.getWorker() + " was started anew", at);
            known = null;
        }
        WorkerRow row = row(beat, known == null ? at : known.row().joined(), replaced);
        boolean joined = known == null;
        boolean drains = row.draining() && (joined || !known.row().draining());
        boolean changed = joined || !known.row().equals(row);
        if (changed) {
            known = pool.put(beat.getWorker(), row);
        }
        known.beat(at, beat.getCores());
        if (changed) {
            pool.due(TurnCause.WORKERS_CHANGED);
            JournalKind what = drains
                    ? JournalKind.WORKER_DRAINING
                    : joined ? JournalKind.WORKER_JOINED : JournalKind.WORKER_CHANGED;
            journal.write(
                    pool,
                    at,
                    new Journal.Entry(
                            DecisionWriter.observed(what, beat.getWorker(), Map.of("slots", (double) beat.getSlots())),
                            List.of(),
                            reason(what, row),
                            numbers(pool)));
        }
        return known;
    }

    private static WorkerRow row(WorkerHeartbeat beat, Instant joined, List<String> replaced) {
        Place place = new Place(
                beat.getWorker(), beat.getIncarnation(), beat.getHost(), beat.getAddresses(), beat.getLocal());
        boolean bound = beat.getLocal() && !beat.getServesJob().isEmpty();
        return new WorkerRow(
                place,
                beat.getSlots(),
                beat.getDraining() || beat.getLeaving(),
                bound ? Optional.of(beat.getServesJob()) : Optional.empty(),
                joined,
                replaced);
    }

    private static String reason(JournalKind what, WorkerRow row) {
        String worker = "worker " + row.place().worker();
        String whose = row.onlyFor()
                .map(job -> " on host " + row.place().host() + ", for job " + job + " only")
                .orElse("");
        return switch (what) {
            case WORKER_JOINED -> worker + " joined with " + Counted.of(row.slots(), "slot") + whose;
            case WORKER_DRAINING -> worker + " is about to leave and takes no new work";
            default -> worker + " has changed and has " + Counted.of(row.slots(), "slot") + whose;
        };
    }

    private static Map<String, Double> numbers(Pool pool) {
        return Map.of("workers", (double) pool.workersThatServe(), "slots", (double) pool.slotsThatServe());
    }

    /** A worker's process left, was silent for too long, or was replaced: its attempts are fenced, its plans made by others. */
    void lost(Pool pool, Place place, String why, Instant at) {
        KnownWorker known = pool.workers().get(place.worker());
        boolean unplanned = known != null && !known.row().draining();
        if (known != null) {
            pool.buried().gone(pool.name() + "/" + place.worker(), known.row().replaced(), place.incarnation());
        }
        pool.remove(place.worker());
        stores.gone(pool, place.worker());
        pool.due(TurnCause.WORKERS_CHANGED);
        for (Job job : pool.open()) {
            JobFault.in(job.id(), () -> lost(pool, job, place, unplanned, why, at));
        }
        journal.write(
                pool,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(JournalKind.WORKER_LOST, place.worker(), Map.of()),
                        List.of(),
                        why,
                        numbers(pool)));
    }

    private void lost(Pool pool, Job job, Place place, boolean unplanned, String why, Instant at) {
        job.unreachable().gone(place.worker());
        ordering.lost(pool, job, place, unplanned, why, at);
        for (EpochLedger epoch : job.open()) {
            for (int attempt : List.copyOf(epoch.attemptsAt(place))) {
                AttemptRow row = epoch.attempts().get(attempt);
                if (row.fence().isEmpty() && row.end().isEmpty()) {
                    fences.fence(pool, job, epoch, attempt, why, at);
                } else {
                    // what has ended may all be with its consumers: they tell if it is not
                    job.attention().watch(epoch.epoch(), attempt);
                }
            }
        }
        if (job.row().planning().planner().filter(place::equals).isPresent()) {
            planning.lost(pool, job, unplanned, why, at);
        }
    }

    /** The policies of the pool's jobs see how large it is, where it is another than they know: once for all that came meanwhile. */
    void observe(Pool pool, Instant at) {
        PolicyState.Pool now = new PolicyState.Pool(pool.workersThatServe(), pool.slotsThatServe());
        for (Job job : pool.open()) {
            if (job.planned() && !job.leading().state().pool().equals(now)) {
                Observation seen = new Observation.PoolChanged(at, now.workers(), now.slots());
                JobFault.in(job.id(), () -> jobTurn.take(pool, job, seen));
            }
        }
    }
}
