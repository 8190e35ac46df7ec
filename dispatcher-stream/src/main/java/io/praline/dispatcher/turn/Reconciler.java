package io.praline.dispatcher.turn;

import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import java.time.Duration;
import java.time.Instant;

/**
 * What a worker lists in its beats, held against what the accounts say that it has. A command that it was not seen to take
 * is sent again; an attempt that it does not list any more has failed, and what it owes is read again. The other way round,
 * an attempt that it lists and should not have is fenced, as its beat comes ({@link Fences#stray}).
 */
final class Reconciler {
    /** So many times a start is repeated before another attempt takes its place. */
    private static final int MOST_STARTS = 5;

    private final ProtocolLimits limits;
    private final Epochs epochs;
    private final Draining draining;
    private final Fences fences;
    private final SplitAssignment splits;

    Reconciler(ProtocolLimits limits, Epochs epochs, Draining draining, Fences fences, SplitAssignment splits) {
        this.limits = limits;
        this.epochs = epochs;
        this.draining = draining;
        this.fences = fences;
        this.splits = splits;
    }

    /** Time has passed for those of the job's attempts that are watched. */
    void look(Pool pool, Job job, Instant at) {
        for (EpochLedger epoch : job.open()) {
            for (int attempt : job.attention().watched(epoch.epoch())) {
                if (epoch.attempts().get(attempt).fence().isPresent()) {
                    if (Lanes.settles(pool, job, epoch, attempt, at)) {
                        job.fenceWaitsNoMore(); // for its worker, which is gone or did not tell what it sent
                    }
                } else if (pool.alive(epoch.place(attempt))) {
                    look(pool, job, epoch, attempt, at);
                }
            }
        }
    }

    /** Of those with which nothing is outstanding any more none is watched: what changes that has them watched again. */
    void rest(Pool pool, Job job, Instant at) {
        for (EpochLedger epoch : job.open()) {
            for (int attempt : job.attention().watched(epoch.epoch())) {
                if (rests(pool, job, epoch, attempt, at)) {
                    job.attention().rests(epoch.epoch(), attempt);
                }
            }
        }
    }

    private static boolean rests(Pool pool, Job job, EpochLedger epoch, int attempt, Instant at) {
        AttemptRow row = epoch.attempts().get(attempt);
        LastBeat seen = job.seen(epoch.epoch(), attempt, at);
        if (row.fence().isPresent()) {
            return Lanes.rests(pool, job, epoch, attempt, seen, at);
        }
        Place place = epoch.place(attempt);
        if (!pool.alive(place)) {
            return false;
        }
        boolean listed = seen.heard().isPresent()
                && seen.heard().equals(pool.workers().get(place.worker()).beaten());
        return listed
                && (row.end().isPresent() || !untaken(row, seen))
                && seen.membership() >= job.row().membership()
                && Lanes.told(job, row);
    }

    private void look(Pool pool, Job job, EpochLedger epoch, int attempt, Instant at) {
        AttemptRow row = epoch.attempts().get(attempt);
        LastBeat seen = job.seen(epoch.epoch(), attempt, at);
        String worker = epoch.place(attempt).worker();
        if (unlisted(row, seen, pool.workers().get(worker))) {
            String reason = "worker " + worker
                    + (wasListed(row, seen) ? " has it no more and did not tell why" : " did not take it up");
            fences.fence(pool, job, epoch, attempt, reason, at);
        } else if (untold(job, row, seen, at)) {
            fences.fence(
                    pool,
                    job,
                    epoch,
                    attempt,
                    "worker " + worker + " did not tell what was sent on a lane that closed",
                    at);
        } else if (row.end().isEmpty()
                && untaken(row, seen)
                && Duration.between(seen.sent(), at).compareTo(limits.repeatAfter()) >= 0) {
            repeat(job, epoch, attempt, row, seen);
            seen.sent(at);
        }
    }

    /**
     * Whether a lane closed long ago, which its worker knows, and is not told of: where the record that named it first was
     * lost, it never had one. Until it is told the attempt gets nothing, and nothing of its epoch counts as delivered.
     */
    private static boolean untold(Job job, AttemptRow row, LastBeat seen, Instant at) {
        return Lanes.isLate(job, seen, at) && !Lanes.told(job, row);
    }

    /** Whether beats came for long enough that did not list it. Counted between beats: while none comes nothing is known. */
    private boolean unlisted(AttemptRow row, LastBeat seen, KnownWorker worker) {
        if (row.end().isPresent() && row.facts() == 0) {
            return false; // workers that number no facts list an attempt until they have told its end
        }
        Duration most = wasListed(row, seen)
                ? limits.workerSilence()
                : limits.repeatAfter().multipliedBy(MOST_STARTS);
        Instant listed = seen.heard().orElse(seen.since());
        return worker.beaten()
                .filter(beat -> Duration.between(listed, beat).compareTo(most) > 0)
                .isPresent();
    }

    private static boolean wasListed(AttemptRow row, LastBeat seen) {
        return seen.heard().isPresent()
                || row.facts() > 0
                || (row.assignment() > 0 && !row.untaken().containsKey(1));
    }

    private static boolean untaken(AttemptRow row, LastBeat seen) {
        return seen.heard().isEmpty()
                || !row.untaken().isEmpty()
                || (row.finish().isPresent() && !seen.finishing());
    }

    private void repeat(Job job, EpochLedger epoch, int attempt, AttemptRow row, LastBeat seen) {
        if (seen.heard().isEmpty()) {
            epochs.sendStart(job, epoch, attempt);
        }
        splits.repeat(job, epoch, attempt);
        if (!seen.finishing()) {
            row.finish().ifPresent(finish -> draining.send(job, epoch, attempt, finish));
        }
    }
}
