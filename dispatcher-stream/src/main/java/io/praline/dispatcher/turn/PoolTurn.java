package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.ledger.AttemptRow;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.Place;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.dispatcher.ledger.WorkerRow;
import io.praline.policy.Observation;
import io.praline.policy.Target;
import io.praline.policy.placement.Claim;
import io.praline.policy.placement.Division;
import io.praline.policy.placement.FairShare;
import io.praline.policy.placement.PoolState;
import io.praline.policy.placement.Worker;
import io.praline.schema.Decided;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerHeartbeat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The pool's turn: who is there, and who gets which worker. */
final class PoolTurn {
    private final FairShare division;
    private final Epochs epochs;
    private final Journal journal;
    private final Outgoing out;

    PoolTurn(FairShare division, Epochs epochs, Journal journal, Outgoing out) {
        this.division = division;
        this.epochs = epochs;
        this.journal = journal;
        this.out = out;
    }

    /** What must happen when a worker's process is found to be gone. */
    interface Loss {
        void of(Place place, String why);
    }

    /** The worker of this beat, which is live now; its process before, if it was another, is lost. */
    KnownWorker present(Pool pool, WorkerHeartbeat beat, Instant at, Loss loss) {
        Place place = new Place(
                beat.getWorker(), beat.getIncarnation(), beat.getHost(), beat.getAddresses(), beat.getLocal());
        WorkerRow row = new WorkerRow(place, beat.getSlots(), beat.getDraining() || beat.getLeaving());
        KnownWorker known = pool.workers().get(beat.getWorker());
        if (known != null && !known.place().incarnation().equals(beat.getIncarnation())) {
            pool.bury(known.place());
            loss.of(known.place(), "worker " + beat.getWorker() + " was started anew");
            known = null;
        }
        boolean joined = known == null;
        boolean drains = row.draining() && (joined || !known.row().draining());
        boolean changed = joined || !known.row().equals(row);
        if (changed) {
            known = pool.put(beat.getWorker(), row);
        }
        known.heard(at);
        if (changed) {
            pool.turnDue(true);
            String what = drains ? "workerDraining" : joined ? "workerJoined" : "workerChanged";
            journal.write(
                    pool,
                    at,
                    new Journal.Entry(
                            DecisionWriter.observed(what, beat.getWorker(), Map.of("slots", (double) beat.getSlots())),
                            List.of(),
                            reason(what, beat),
                            Map.of("workers", (double) pool.workersThatServe(), "slots", (double)
                                    pool.slotsThatServe())));
            observe(pool, at);
        }
        return known;
    }

    private static String reason(String what, WorkerHeartbeat beat) {
        return switch (what) {
            case "workerJoined" -> "worker " + beat.getWorker() + " joined with " + beat.getSlots() + " slots";
            case "workerDraining" -> "worker " + beat.getWorker() + " is about to leave and takes no new work";
            default -> "worker " + beat.getWorker() + " has changed and has " + beat.getSlots() + " slots";
        };
    }

    void journalLost(Pool pool, Place place, String why, Instant at) {
        journal.write(
                pool,
                at,
                new Journal.Entry(
                        DecisionWriter.observed("workerLost", place.worker(), Map.of()),
                        List.of(),
                        why,
                        Map.of("workers", (double) pool.workersThatServe(), "slots", (double) pool.slotsThatServe())));
        observe(pool, at);
    }

    /** The policies of the pool's jobs see how large it is. */
    private void observe(Pool pool, Instant at) {
        for (OpenJob job : pool.jobs().values()) {
            if (!job.ended() && job.planned()) {
                journal.turn(job, new Observation.PoolChanged(at, pool.workersThatServe(), pool.slotsThatServe()));
            }
        }
    }

    /** Whether a job that could use a slot has none, so that slots must change hands as time passes. */
    boolean somebodyWaits(Pool pool) {
        return pool.workersThatServe() > 0
                && pool.jobs().values().stream()
                        .anyMatch(job -> !job.ended()
                                && wish(job) > 0
                                && holds(pool, job).isEmpty());
    }

    /** Divides the slots anew, starts tasks where a job got a worker, and ends them where it lost one. */
    void take(Pool pool, Instant at) {
        drainLeaving(pool, at);
        SortedMap<String, OpenJob> claiming = new TreeMap<>();
        List<Claim> claims = new ArrayList<>();
        for (OpenJob job : pool.jobs().values()) {
            if (!job.ended() && job.planned() && !job.epochs().isEmpty()) {
                int wish = wish(job);
                if (wish > 0 || job.row().paused()) {
                    claiming.put(job.id(), job);
                    claims.add(new Claim(
                            job.id(),
                            job.submit().getWeight(),
                            wish,
                            holds(pool, job),
                            job.row().servedSince()));
                }
            }
        }
        List<Worker> workers = pool.workers().values().stream()
                .filter(worker -> !worker.row().draining())
                .map(worker -> new Worker(worker.place().worker(), worker.row().slots()))
                .toList();
        Division divided = division.divide(new PoolState(at, workers, claims));
        for (Claim claim : claims) {
            give(pool, claiming.get(claim.job()), claim, divided.workers().get(claim.job()), claims.size(), at);
        }
        target(pool, at);
    }

    private void give(Pool pool, OpenJob job, Claim claim, SortedSet<String> workers, int claims, Instant at) {
        if (workers.equals(claim.holds())) {
            return;
        }
        EpochLedger front = Epochs.front(job);
        String why = reason(pool, job, claim, workers.size(), claims);
        for (int attempt : List.copyOf(front.attempts().keySet())) {
            String worker = front.place(attempt).worker();
            if (front.attempts().get(attempt).takesWork() && !workers.contains(worker)) {
                epochs.drain(job, front, attempt, at, why);
            }
        }
        List<Decided> started = new ArrayList<>();
        for (String worker : workers) {
            if (!claim.holds().contains(worker)) {
                Place place = pool.workers().get(worker).place();
                started.add(Epochs.started(front, epochs.start(job, front, place, at)));
            }
        }
        if (claim.holds().isEmpty() != workers.isEmpty()) {
            job.row().servedSince(at);
        }
        if (!started.isEmpty()) {
            journal.write(
                    job,
                    at,
                    new Journal.Entry(
                            DecisionWriter.observed(
                                    "slotsDivided", job.id(), Map.of("wish", (double) claim.wish(), "held", (double)
                                            claim.holds().size())),
                            started,
                            why,
                            Map.of("slots", (double) pool.slotsThatServe(), "jobs", (double) claims)));
        }
        journal.turn(job, new Observation.Granted(at, new Target(workers.size(), 0)));
    }

    private static String reason(Pool pool, OpenJob job, Claim claim, int granted, int claims) {
        if (job.row().paused()) {
            return "it is paused";
        }
        return "it wishes for " + claim.wish() + " workers and gets " + granted + ": " + claims + " jobs share "
                + pool.slotsThatServe() + " slots of " + pool.workersThatServe() + " workers";
    }

    /** Tasks that the job could use now in the epoch that began last. */
    private static int wish(OpenJob job) {
        if (!job.planned() || job.row().paused() || job.epochs().isEmpty()) {
            return 0;
        }
        EpochLedger front = Epochs.front(job);
        long left = Epochs.left(job, front);
        if (left == 0 || front.row().complete()) {
            return 0;
        }
        long running =
                front.attempts().values().stream().filter(AttemptRow::takesWork).count();
        if (job.singleTask()) {
            boolean other = job.epochs().values().stream()
                    .flatMap(epoch -> epoch.attempts().values().stream())
                    .anyMatch(attempt -> attempt.end().isEmpty() && !attempt.takesWork());
            return other && running == 0 ? 0 : 1;
        }
        int wanted = Math.max(1, job.row().policyState().wanted().workers());
        return (int) Math.min(wanted, running + left);
    }

    private static SortedSet<String> holds(Pool pool, OpenJob job) {
        SortedSet<String> holds = new TreeSet<>();
        if (!job.epochs().isEmpty()) {
            EpochLedger front = Epochs.front(job);
            for (int attempt : front.attempts().keySet()) {
                if (front.attempts().get(attempt).takesWork() && pool.alive(front.place(attempt))) {
                    holds.add(front.place(attempt).worker());
                }
            }
        }
        return holds;
    }

    /** Attempts of workers that are about to leave get nothing more. */
    private void drainLeaving(Pool pool, Instant at) {
        for (OpenJob job : pool.jobs().values()) {
            if (job.ended()) {
                continue;
            }
            for (EpochLedger epoch : job.epochs().values()) {
                for (int attempt : List.copyOf(epoch.attempts().keySet())) {
                    KnownWorker worker = pool.workers().get(epoch.place(attempt).worker());
                    boolean leaves = worker != null && worker.row().draining();
                    if (leaves && epoch.attempts().get(attempt).takesWork()) {
                        epochs.drain(
                                job,
                                epoch,
                                attempt,
                                at,
                                "worker " + worker.place().worker() + " is about to leave");
                    }
                }
            }
        }
    }

    /** A pool without workers, in which jobs wait, needs one. */
    private void target(Pool pool, Instant at) {
        Optional<OpenJob> waiting =
                pool.jobs().values().stream().filter(job -> !job.ended()).findFirst();
        int target = pool.workersThatServe() == 0 && waiting.isPresent()
                ? 1
                : pool.row().target();
        if (target == pool.row().target()) {
            return;
        }
        String reason = "job " + waiting.get().id() + " waits, and pool " + pool.name() + " has no worker";
        pool.row(new PoolRow(target, pool.row().journal()));
        out.target(ScalingTarget.newBuilder()
                .setSubject(pool.name())
                .setWorkers(target)
                .setReason(reason)
                .setDecidedAtMillis(at.toEpochMilli())
                .build());
        journal.write(
                pool,
                at,
                new Journal.Entry(
                        DecisionWriter.observed("noWorkers", pool.name(), Map.of()),
                        DecisionWriter.decided("poolTarget", pool.name(), Map.of("workers", (double) target)),
                        reason));
    }
}
