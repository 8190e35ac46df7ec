package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.progress.Detour;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.policy.Counted;
import io.praline.policy.Observation;
import io.praline.policy.Target;
import io.praline.policy.pool.Division;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolState;
import io.praline.policy.pool.SlotClaim;
import io.praline.policy.pool.Worker;
import io.praline.schema.Decided;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The pool's turn: who gets which worker. */
final class PoolTurn {
    /** It takes about half of this for each job and each worker: more than half of all time must not go there. */
    private static final Duration FOR_A_JOB = Duration.ofNanos(50_000);

    private static final Duration FOR_A_WORKER = Duration.ofNanos(10_000);

    private final FairShare division;
    private final Epochs epochs;
    private final Draining draining;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Targets targets;

    PoolTurn(FairShare division, Epochs epochs, Draining draining, JobTurn jobTurn, Journal journal, Targets targets) {
        this.division = division;
        this.epochs = epochs;
        this.draining = draining;
        this.jobTurn = jobTurn;
        this.journal = journal;
        this.targets = targets;
    }

    /** What a job asks for, and has. */
    private record Asking(Job job, Wish wish, SlotClaim claim) {
        static Asking of(Pool pool, Job job, Wish wish) {
            SlotClaim claim = new SlotClaim(
                    job.id(),
                    job.submit().getTenant(),
                    job.submit().getWeight(),
                    wish.remote(),
                    Wish.remoteHolders(pool, job),
                    job.row().servedSince());
            return new Asking(job, wish, claim);
        }
    }

    /**
     * Whether the whole pool may have its turn now. Where many events follow each other, as behind a backlog, they share
     * one; the next event after a few milliseconds takes it, at the latest a tick. In whole milliseconds, so that the turn
     * of a small pool never waits.
     */
    static boolean may(Pool pool, Instant at) {
        Duration least = FOR_A_JOB
                .multipliedBy(pool.openJobs())
                .plus(FOR_A_WORKER.multipliedBy(pool.workers().size()));
        long since = Duration.between(pool.turnedAt(), at).toMillis();
        return since < 0 || since >= least.toMillis();
    }

    /** Whether a job that could use a slot has none, so that slots must change hands as time passes. */
    boolean somebodyWaits(Pool pool, Instant at) {
        return pool.open().stream()
                .filter(job -> canUse(job, at))
                .anyMatch(job -> JobFault.in(job.id(), () -> waits(pool, job)));
    }

    private static boolean waits(Pool pool, Job job) {
        Optional<Wish> wish = Wish.of(pool, job);
        boolean remote = pool.workersThatServe() > 0
                && wish.filter(it -> it.remote() > 0).isPresent();
        return (remote && !Wish.holdsRemote(pool, job))
                || (wish.filter(it -> !it.local().isEmpty()).isPresent()
                        && Wish.holders(pool, job).findAny().isEmpty());
    }

    private static boolean canUse(Job job, Instant at) {
        return !job.ended()
                && job.planned()
                && !job.epochs().isEmpty()
                && Consumers.comes(job, at).isEmpty();
    }

    /** Divides the slots anew, starts tasks where a job got a worker, and ends them where it lost one. */
    void take(Pool pool, Instant at) {
        drainLeaving(pool, at);
        boolean reserved = pool.reserved().isPresent();
        SortedMap<String, Asking> asking = new TreeMap<>();
        for (Job job : pool.open()) {
            if (canUse(job, at)) {
                JobFault.in(job.id(), () -> Wish.of(pool, job)
                        .ifPresent(wish -> asking.put(job.id(), Asking.of(pool, job, wish))));
            }
        }
        List<Worker> workers = pool.workers().values().stream()
                .filter(worker ->
                        !worker.row().draining() && worker.row().onlyFor().isEmpty())
                .filter(worker -> !(reserved && pool.isReserved(worker.place().worker())))
                .map(worker -> new Worker(worker.place().worker(), worker.row().slots()))
                .toList();
        List<SlotClaim> claims = asking.values().stream().map(Asking::claim).toList();
        SortedMap<String, SortedSet<String>> avoided = new TreeMap<>();
        asking.forEach((id, each) -> avoided.put(id, each.job.unreachable().workers()));
        Division divided = Detour.around(division.divide(new PoolState(at, workers, claims)), workers, avoided);
        for (Asking each : asking.values()) {
            JobFault.in(each.job.id(), () -> give(pool, each, divided.workers().get(each.job.id()), asking.size(), at));
        }
        targets.take(pool, at);
    }

    /**
     * The turn of a job that wants other workers on its trainer's host only, or has another host. Where it has what it
     * wishes for of the pool, the division would be the one before; where it has not, the whole pool's turn is due.
     */
    void take(Pool pool, Job job, Instant at) {
        Optional<Wish> wish = canUse(job, at) ? Wish.of(pool, job) : Optional.empty();
        if (wish.isPresent()) {
            Asking asking = Asking.of(pool, job, wish.get());
            if (asking.claim.holds().size() != wish.get().remote()) {
                pool.due(TurnCause.WISH_OPEN);
                return;
            }
            long asked = pool.open().stream().filter(each -> canUse(each, at)).count();
            give(pool, asking, asking.claim.holds(), (int) asked, at);
        }
        targets.local(pool, job, at);
    }

    private void give(Pool pool, Asking asking, SortedSet<String> remote, int asked, Instant at) {
        Job job = asking.job;
        EpochLedger front = Epochs.front(job);
        String why = reason(pool, asking, remote.size(), asked);
        SortedSet<String> workers = new TreeSet<>(remote);
        workers.addAll(asking.wish.local());
        for (int attempt : List.copyOf(front.attemptsIn(State.TAKING))) {
            if (!workers.contains(front.place(attempt).worker())) {
                draining.drain(job, front, attempt, at, why);
            }
        }
        Set<String> holders = Wish.holders(pool, job).collect(Collectors.toSet());
        List<Decided> started = new ArrayList<>();
        for (String worker : workers) {
            if (!holders.contains(worker)) {
                Place place = pool.workers().get(worker).place();
                started.add(Epochs.started(front, epochs.start(job, front, place, at)));
            }
        }
        if (asking.claim.holds().isEmpty() != remote.isEmpty()) {
            job.row().servedSince(at);
            job.changed();
        }
        if (!started.isEmpty()) {
            Map<String, Double> seen = Map.of(
                    "wish",
                    (double) asking.wish.remote(),
                    "held",
                    (double) asking.claim.holds().size(),
                    "local",
                    (double) asking.wish.local().size());
            journal.write(
                    job,
                    at,
                    new Journal.Entry(
                            DecisionWriter.observed(JournalKind.SLOTS_DIVIDED, job.id(), seen),
                            started,
                            why,
                            Map.of("slots", (double) pool.slotsThatServe(), "jobs", (double) asked)));
        }
        Target got = new Target(remote.size(), asking.wish.local().size());
        if (!got.equals(job.leading().state().granted())) {
            jobTurn.take(pool, job, new Observation.Granted(at, got));
        }
    }

    private static String reason(Pool pool, Asking asking, int granted, int asked) {
        if (asking.job.row().paused()) {
            return "it is paused";
        }
        int local = asking.wish.local().size();
        String beside = asking.job.wanted().local() == 0 ? "" : " beside " + local + " on its trainer's host";
        return "it wishes for " + Counted.of(asking.wish.remote(), "worker") + beside + " and gets " + granted + ": "
                + Counted.of(asked, "job has", "jobs share") + " " + Counted.of(pool.slotsThatServe(), "slot") + " of "
                + Counted.of(pool.workersThatServe(), "worker")
                + (granted < asking.wish.remote() && pool.full() ? ", the most that the pool may have" : "");
    }

    /** Attempts of workers that are about to leave get nothing more. */
    private void drainLeaving(Pool pool, Instant at) {
        List<Place> leaving = pool.workers().values().stream()
                .filter(worker -> worker.row().draining())
                .map(KnownWorker::place)
                .toList();
        if (!leaving.isEmpty()) {
            for (Job job : pool.open()) {
                JobFault.in(job.id(), () -> drain(job, leaving, at));
            }
        }
    }

    private void drain(Job job, List<Place> leaving, Instant at) {
        for (EpochLedger epoch : job.open()) {
            for (Place place : leaving) {
                for (int attempt : List.copyOf(epoch.attemptsAt(place))) {
                    if (epoch.attempts().get(attempt).takesWork()) {
                        draining.drain(job, epoch, attempt, at, "worker " + place.worker() + " is about to leave");
                    }
                }
            }
        }
    }
}
