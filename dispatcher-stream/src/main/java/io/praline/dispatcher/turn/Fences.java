package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.identity.AttemptKey;
import io.praline.policy.Counted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Attempts that are stopped, and such as are over: what of them nobody has goes to others. */
final class Fences {
    /** Of more it is forgotten when their worker was told of them last. */
    private static final int MOST_STRAYS = 1_000;

    private final ProtocolLimits limits;
    private final Journal journal;
    private final Outgoing out;

    Fences(ProtocolLimits limits, Journal journal, Outgoing out) {
        this.limits = limits;
        this.journal = journal;
        this.out = out;
    }

    /** Stops an attempt; what its consumers did not claim goes to others once they have answered. */
    void fence(Pool pool, Job job, EpochLedger epoch, int attempt, String reason, Instant at) {
        epoch.fence(attempt, reason, at);
        send(job, epoch, attempt, epoch.place(attempt), reason, job.tracked());
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.ATTEMPT_LOST,
                                epoch.place(attempt).worker(),
                                Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt)),
                        DecisionWriter.decided(
                                JournalCommand.FENCE_ATTEMPT,
                                epoch.place(attempt).worker(),
                                Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt)),
                        reason));
        job.seen(epoch.epoch(), attempt, at).sent(at);
        job.attention().watch(epoch.epoch(), attempt);
        job.tell(Job.Telling.NOW);
        pool.due(TurnCause.ATTEMPT_ENDED);
    }

    private void send(Job job, EpochLedger epoch, int attempt, Place place, String reason, boolean keepSent) {
        out.command(CommandWriter.fence(new AttemptKey(job.id(), epoch.epoch(), attempt), place, reason, keepSent));
    }

    /**
     * An attempt that its worker should not have any more is fenced again, in case the first fence was lost.
     *
     * @param keepSent whether a consumer has not answered, so that what was sent may have to be asked for
     */
    void stray(KnownWorker worker, AttemptKey key, boolean keepSent, Instant at) {
        out.ignored(Ignored.STALE_ATTEMPT);
        if (isDue(worker, key, false, at)) {
            out.command(CommandWriter.fence(key, worker.place(), "it is not one of the job's any more", keepSent));
        }
    }

    /** What its worker sent of a fenced attempt nobody will ask for any more. */
    void forget(KnownWorker worker, AttemptKey key, Instant at) {
        if (isDue(worker, key, true, at)) {
            out.command(CommandWriter.fence(key, worker.place(), "it is settled", false));
        }
    }

    /**
     * Whether a worker is to be told again of an attempt that it lists.
     *
     * @param first whether it is told when it is seen to list it for the first time
     */
    private boolean isDue(KnownWorker worker, AttemptKey key, boolean first, Instant at) {
        Instant before = worker.strays().get(key);
        boolean due = before == null ? first : Duration.between(before, at).compareTo(limits.repeatAfter()) >= 0;
        if (before == null || due) {
            worker.strays().put(key, at);
        }
        if (worker.strays().size() > MOST_STRAYS) {
            worker.strays().clear();
        }
        return due;
    }

    /**
     * Settles what is fenced and answered, and closes what is done, of those attempts to which something happened: no other
     * can have become so. Where a consumer came or went all that are fenced are looked at.
     */
    void settle(Pool pool, Job job, EpochLedger epoch, boolean consumersChanged, Instant at) {
        for (int attempt : epoch.takeStirred()) {
            AttemptRow row = epoch.attempts().get(attempt);
            if (row.fence().isEmpty()) {
                if (epoch.done(attempt)) {
                    close(pool, job, epoch, attempt, at);
                }
            } else if (Lanes.settles(pool, job, epoch, attempt, at)) {
                answered(pool, job, epoch, attempt, at);
            }
        }
        if (consumersChanged) {
            for (int attempt : List.copyOf(epoch.attemptsIn(State.FENCED))) {
                if (Lanes.settles(pool, job, epoch, attempt, at)) {
                    answered(pool, job, epoch, attempt, at);
                }
            }
        }
    }

    private void answered(Pool pool, Job job, EpochLedger epoch, int attempt, Instant at) {
        Place place = epoch.place(attempt);
        if (Lanes.ceased(job, epoch.attempts().get(attempt))) {
            epoch.claims().addOwedAsPossiblyTwice(attempt);
        }
        job.forget(epoch.epoch(), attempt);
        int owed = epoch.settle(attempt);
        over(pool, job);
        again(
                job,
                epoch,
                attempt,
                place,
                JournalKind.FENCE_ANSWERED,
                owed,
                "every consumer has answered: what attempt " + attempt + " of epoch " + epoch.epoch()
                        + " still owed of " + Counted.of(owed, "split") + " goes to others",
                at);
    }

    private void close(Pool pool, Job job, EpochLedger epoch, int attempt, Instant at) {
        Place place = epoch.place(attempt);
        job.forget(epoch.epoch(), attempt);
        int lost = epoch.close(attempt);
        if (pool.alive(place)) {
            send(job, epoch, attempt, place, "all of it was consumed", false);
        }
        over(pool, job);
        if (lost > 0) {
            again(
                    job,
                    epoch,
                    attempt,
                    place,
                    JournalKind.ATTEMPT_ENDED,
                    lost,
                    "attempt " + attempt + " of epoch " + epoch.epoch() + " ended without telling what became of"
                            + " elements of " + Counted.of(lost, "split: it is", "splits: they are") + " read again",
                    at);
        }
    }

    private static void over(Pool pool, Job job) {
        job.tell(Job.Telling.NOW);
        pool.due(TurnCause.ATTEMPT_ENDED);
    }

    private void again(
            Job job,
            EpochLedger epoch,
            int attempt,
            Place place,
            JournalKind kind,
            int splits,
            String why,
            Instant at) {
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                kind, place.worker(), Map.of("epoch", (double) epoch.epoch(), "attempt", (double)
                                        attempt)),
                        DecisionWriter.decided(
                                JournalCommand.ASSIGN_AGAIN, job.id(), Map.of("splits", (double) splits)),
                        why));
    }
}
