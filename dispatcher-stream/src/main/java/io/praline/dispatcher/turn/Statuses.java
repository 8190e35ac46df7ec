package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.StatusWriter;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.Doubt;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.policy.PolicyState;
import io.praline.policy.caching.course.CacheState;
import io.praline.schema.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells what is public about jobs, at once where somebody waits for it, else once a second. Of an open job it is told again
 * after five seconds in which nothing changed: whoever missed it acts on it then.
 */
final class Statuses {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private static final Duration FOR_AN_ATTEMPT = Duration.ofNanos(50_000);
    private static final Duration FOR_AN_EPOCH = Duration.ofNanos(5_000);

    private final ProtocolLimits limits;
    private final Pools pools;
    private final WallTime wall;
    private final Outgoing out;

    Statuses(ProtocolLimits limits, Pools pools, WallTime wall, Outgoing out) {
        this.limits = limits;
        this.pools = pools;
        this.wall = wall;
        this.out = out;
    }

    /** Tells the job's status if it is due. */
    void tell(Job job, Instant at) {
        boolean due =
                switch (job.telling()) {
                    case NOTHING -> again(job, at);
                    case WITHIN_A_SECOND -> !at.isBefore(job.told().plus(EVERY));
                    case NOW -> !at.isBefore(job.told().plus(gap(job)));
                };
        if (due) {
            write(job, at);
        }
    }

    private void write(Job job, Instant at) {
        boolean urgent = job.telling() == Job.Telling.NOW;
        job.told(at);
        out.status(status(job, at), urgent);
    }

    /** All that is public about the job. */
    private JobStatus status(Job job, Instant at) {
        Set<Integer> delivered = job.open().stream()
                .filter(epoch -> Epochs.delivered(job, epoch))
                .map(EpochLedger::epoch)
                .collect(Collectors.toSet());
        SortedMap<Integer, Doubt> doubts = new TreeMap<>();
        job.consumers().forEach((consumer, place) -> {
            if (!place.doubtful().isEmpty() && job.tracked() && !job.ended()) {
                doubts.put(consumer, Lanes.inDoubt(job, place));
            }
        });
        return StatusWriter.status(
                job.outline(),
                new StatusWriter.Accounts(
                        job.row(),
                        job.epochs(),
                        new StatusWriter.Places(job.places(), job.heard().beats(), doubts, limits.lease()),
                        delivered,
                        job.order().state(),
                        new StatusWriter.Kept(kept(job), fromEntries(job)),
                        job.badRecords(),
                        job.beats().metrics(),
                        spent(job, at)),
                wall,
                at);
    }

    /** Elements that its loops are done with: what one that is gone had taken, another one is given again. */
    private static long fromEntries(Job job) {
        long taken = job.cache().hits();
        for (EpochLedger epoch : job.open()) {
            for (Map.Entry<Integer, AttemptRow> each : epoch.attempts().entrySet()) {
                taken += job.beats()
                        .fromEntries(
                                epoch.epoch(), each.getKey(), each.getValue().taken());
            }
        }
        long consumed = job.epochs().values().stream()
                .mapToLong(epoch -> epoch.row().consumed())
                .sum();
        return Math.min(taken, consumed);
    }

    /** By its leading policy's state, which is not kept behind its end. */
    private static Optional<Double> spent(Job job, Instant at) {
        Instant until = job.ended() ? job.row().standing().since() : at;
        PolicyState known = job.leading().state();
        return known.equals(PolicyState.UNKNOWN) ? Optional.empty() : Optional.of(known.spentUntil(until));
    }

    /** A job is about to end: what is wrong by now with where elements would be kept is what it had, and is told behind its end. */
    void ends(Job job) {
        job.cache().because(kept(job));
    }

    /** What is kept of it and why, and what is wrong with where that would be. */
    private String kept(Job job) {
        Optional<CacheState> known = job.cache().state();
        boolean matters = known.filter(CacheState::open).isPresent() && !job.ended();
        Optional<String> wrong =
                matters ? Stores.wrong(pools.of(job.pool()), known.get().used().isPresent()) : Optional.empty();
        return known.map(CacheState::reason).orElse("")
                + wrong.map(what -> "; " + what).orElse("");
    }

    /** Of an open job that was told of so long ago it is told again, whatever has changed. */
    static boolean again(Job job, Instant at) {
        return !job.ended() && !at.isBefore(job.told().plus(AGAIN));
    }

    /** A status of thousands of attempts or epochs takes a while to write and to read: it must not be written for each of them. */
    private static Duration gap(Job job) {
        return Duration.ofMillis(FOR_AN_ATTEMPT
                .multipliedBy(job.attempts())
                .plus(FOR_AN_EPOCH.multipliedBy(job.epochs().size()))
                .toMillis());
    }

    /** Somebody goes on with a job that has ended, as one does who missed that. */
    static void missed(Job job, Instant at) {
        if (!at.isBefore(job.told().plus(AGAIN))) {
            job.tell(Job.Telling.NOW);
        }
    }

    /** Somebody asks, though nothing has changed. */
    void tellAgain(Job job, Instant at) {
        job.tell(Job.Telling.NOW);
        write(job, at);
    }
}
