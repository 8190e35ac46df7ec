package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.WaitingFor;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.fault.PoolSteps;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.policy.Observation;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What follows from time that passed: who is silent for too long, what must be said again, what can be forgotten. */
final class Silence {
    /** An actuator that has more to start tells so every 10 s. */
    private static final Duration CAPACITY_KEPT = Duration.ofSeconds(30);

    /** How often policies see that time passed. */
    private static final Duration CLOCK = Duration.ofSeconds(5);

    private final Garbage garbage;
    private final ProtocolLimits limits;
    private final Membership membership;
    private final Jobs jobs;
    private final Planning planning;
    private final Actuators actuators;
    private final Epochs epochs;
    private final Fences fences;
    private final Isolation isolation;
    private final Ordering ordering;
    private final Caching caching;
    private final Stores stores;
    private final Consumers consumers;
    private final Reconciler reconciler;
    private final Stuck stuck;
    private final Tenants tenants;
    private final PoolTurn poolTurn;
    private final JobTurn jobTurn;
    private final PoolSteps steps;
    private final Outgoing out;

    Silence(
            Garbage garbage,
            ProtocolLimits limits,
            Membership membership,
            Jobs jobs,
            Planning planning,
            Actuators actuators,
            Epochs epochs,
            Fences fences,
            Isolation isolation,
            Ordering ordering,
            Caching caching,
            Stores stores,
            Consumers consumers,
            Reconciler reconciler,
            Stuck stuck,
            Tenants tenants,
            PoolTurn poolTurn,
            JobTurn jobTurn,
            PoolSteps steps,
            Outgoing out) {
        this.garbage = garbage;
        this.limits = limits;
        this.membership = membership;
        this.jobs = jobs;
        this.planning = planning;
        this.actuators = actuators;
        this.epochs = epochs;
        this.fences = fences;
        this.isolation = isolation;
        this.ordering = ordering;
        this.caching = caching;
        this.stores = stores;
        this.consumers = consumers;
        this.reconciler = reconciler;
        this.stuck = stuck;
        this.tenants = tenants;
        this.poolTurn = poolTurn;
        this.jobTurn = jobTurn;
        this.steps = steps;
        this.out = out;
    }

    /** Folds in that time passed for the pool; gives the jobs to which that makes a difference. */
    List<Job> fold(Pool pool, Event.Tick event) {
        tick(pool, event.away(), event.at());
        Set<Job> concerned = new LinkedHashSet<>(pool.telling());
        pool.open().stream().filter(job -> due(job, event.at())).forEach(concerned::add);
        return List.copyOf(concerned);
    }

    /** Whether an open job may have become another one since something was last heard of it. */
    private static boolean due(Job job, Instant at) {
        return job.row().standing().state() != JobState.RUNNING
                || job.attention().watches()
                || job.movement().obstacle().isPresent()
                || job.readsAlone()
                || Statuses.again(job, at);
    }

    private void tick(Pool pool, boolean away, Instant at) {
        pool.capacities().forget(at.minus(CAPACITY_KEPT));
        step(pool, "the bound of its workers", at, () -> actuators.unbounded(pool, at.minus(CAPACITY_KEPT), at));
        for (KnownWorker worker : List.copyOf(pool.workers().values())) {
            step(pool, "the silence of worker " + worker.place().worker(), at, () -> tick(pool, worker, away, at));
        }
        for (Job job : pool.open()) {
            JobFault.in(job.id(), () -> tick(pool, job, away, at));
        }
        step(pool, "what is kept in stores", at, () -> stores.passed(pool, caching.passed(pool, at), at));
        for (Job job : pool.endedBefore(at.minus(limits.endedKept()))) {
            JobFault.in(job.id(), () -> garbage.forget(job, at));
        }
        step(pool, "what tenants have spent", at, () -> tenants.look(pool, at));
        step(pool, "who waits for a slot", at, () -> {
            if (!pool.turnDue() && (pool.lessNeeded().isPresent() || poolTurn.somebodyWaits(pool, at))) {
                pool.due(TurnCause.TIME_PASSED);
            }
        });
    }

    private void step(Pool pool, String what, Instant at, Runnable step) {
        steps.take(pool.name(), what, at, step);
    }

    private void tick(Pool pool, KnownWorker worker, boolean away, Instant at) {
        if (worker.heard().isEmpty() || away) {
            // taken over, or nobody could be heard: it has time to find the log again, and silence is counted from then
            worker.heard(at.plus(limits.workerSilence()));
        } else if (Duration.between(worker.heard().get(), at).compareTo(limits.workerSilence()) > 0) {
            String why = "worker " + worker.place().worker() + " was silent for "
                    + limits.workerSilence().toSeconds() + " s";
            isolation.silent(pool, worker, at);
            membership.lost(pool, worker.place(), why, at);
        } else {
            Heartbeats.confirm(worker, at, out);
        }
    }

    private void tick(Pool pool, Job job, boolean away, Instant at) {
        if (away) {
            job.heard().anew(at);
        }
        boolean planned = job.planned();
        boolean unlisted = job.unlistedSince()
                .filter(since -> Duration.between(since, at).compareTo(limits.workerSilence()) > 0)
                .isPresent();
        if (!planned && unlisted && job.row().planning().planner().isPresent()) {
            String worker = job.row().planning().planner().get().worker();
            planning.plan(pool, job, "worker " + worker + " does not plan it any more", at);
        }
        reconciler.look(pool, job, at);
        renew(pool, job, at);
        orphans(pool, job, at);
        consumers.tick(pool, job, at);
        reconciler.rest(pool, job, at);
        patience(pool, job, at);
        clock(pool, job, at);
        if (!job.ended() && job.planned()) {
            Ordering.pace(pool, job, at);
            if (!job.row().paused()) {
                ordering.passed(pool, job, at);
            }
        }
        stuck.look(job, at);
        if (job.unreachable().expire(at)) {
            pool.due(TurnCause.TIME_PASSED);
        }
    }

    /**
     * An attempt without tickets has read for long enough: it ends with what it has, and another goes on. Not before the one
     * that went before it on its worker is consumed: a consumer that pauses would have ever more.
     */
    private void renew(Pool pool, Job job, Instant at) {
        if (job.ended() || !job.outline().renewable() || job.row().paused()) {
            return;
        }
        for (EpochLedger epoch : job.open()) {
            for (int attempt : List.copyOf(epoch.attemptsIn(State.TAKING))) {
                Duration age =
                        Duration.between(job.seen(epoch.epoch(), attempt, at).since(), at);
                if (!limits.renewal().due(age, Epochs.left(job, epoch))) {
                    break; // those behind it began later
                }
                Place place = epoch.place(attempt);
                if (Epochs.serves(pool, place) && Epochs.attemptsAt(job, place) == 1) {
                    renew(job, epoch, attempt, age, at);
                }
            }
        }
    }

    private void renew(Job job, EpochLedger epoch, int attempt, Duration age, Instant at) {
        String reason = "attempt " + attempt + " of epoch " + epoch.epoch() + " has read for " + age.toSeconds()
                + " s, all of which its worker's death would repeat";
        Map<String, Double> seen = Map.of(
                "epoch", (double) epoch.epoch(), "attempt", (double) attempt, "ageSeconds", (double) age.toSeconds());
        String worker = epoch.place(attempt).worker();
        epochs.succeed(
                job, epoch, attempt, DecisionWriter.observed(JournalKind.ATTEMPT_AGED, worker, seen), reason, at);
    }

    /** A cap may be reached while nothing happens. */
    private void clock(Pool pool, Job job, Instant at) {
        if (!job.ended() && job.planned() && Duration.between(job.clocked(), at).compareTo(CLOCK) >= 0) {
            job.clocked(at);
            jobTurn.take(pool, job, new Observation.Clock(at));
        }
    }

    /** A job that nobody reads waits for somebody, but not for ever. */
    private void patience(Pool pool, Job job, Instant at) {
        JobRow.Standing standing = job.row().standing();
        Duration patience = Duration.ofSeconds(job.submit().getConsumerPatienceSeconds());
        boolean nobody = !standing.ended() && WaitingFor.CONSUMER.is(standing.waitingFor());
        if (nobody && Duration.between(standing.since(), at).compareTo(patience) >= 0) {
            jobs.end(pool, job, JobState.FAILED, JobStanding.nobodyCame(job, patience), FailureKind.FAILED, at);
        }
    }

    /** Ended attempts of workers that left or were lost: if their consumers do not get on, what they had is read again. */
    private void orphans(Pool pool, Job job, Instant at) {
        for (EpochLedger epoch : job.open()) {
            for (int attempt : job.attention().watched(epoch.epoch())) {
                AttemptRow row = epoch.attempts().get(attempt);
                LastBeat seen = job.seen(epoch.epoch(), attempt, at);
                if (row.fence().isPresent() || pool.alive(epoch.place(attempt))) {
                    seen.orphanedSince(Optional.empty());
                } else if (seen.orphanedSince().isEmpty()) {
                    seen.orphanedSince(Optional.of(at));
                } else if (Duration.between(seen.orphanedSince().get(), at)
                                .compareTo(limits.workerSilence().multipliedBy(2))
                        > 0) {
                    String reason =
                            "worker " + epoch.place(attempt).worker() + " is gone and not all that it made was taken";
                    fences.fence(pool, job, epoch, attempt, reason, at);
                }
            }
        }
    }
}
