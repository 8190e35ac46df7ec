package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.Doubt;
import io.praline.dispatcher.ledger.epoch.Elements;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.schema.AttemptProgress;
import io.praline.schema.ClosedLane;
import io.praline.schema.ConsumerLane;
import io.praline.schema.ConsumerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The lanes of a job's attempts, one for each generation of a consumer: which are open, what workers are told of them, and
 * whose are done with.
 */
final class Lanes {
    /** In this time any worker has told what was sent on a lane that closed, also where beats are lost. */
    private static final Duration TOLD = Duration.ofSeconds(30);

    /** In this time any worker that is there has said in a beat that an attempt is fenced, and that it remembers what it sent. */
    private static final Duration HEARD = Duration.ofSeconds(5);

    private final ProtocolLimits limits;
    private final Outgoing out;

    Lanes(ProtocolLimits limits, Outgoing out) {
        this.limits = limits;
        this.out = out;
    }

    /** The lanes of every place that was ever taken, as workers are to have them: one that was closed is never opened again. */
    static List<ConsumerLane> all(Job job) {
        return CommandWriter.lanes(job.consumers());
    }

    /** Generations whose lanes are open. */
    static List<Integer> open(Job job) {
        return job.places().values().stream()
                .filter(ConsumerRow::takes)
                .map(ConsumerRow::generation)
                .toList();
    }

    /** Whether batches may go to anybody. */
    static boolean anyOpen(Job job) {
        // a place that nobody has taken yet takes nothing
        for (ConsumerRow place : job.consumers().values()) {
            if (place.takes()) {
                return true;
            }
        }
        return false;
    }

    /** Whether this generation has nothing that it did not claim, and claims nothing any more. */
    static boolean settled(Job job, int generation) {
        return job.consumers().values().stream()
                .noneMatch(place -> (place.generation() == generation && place.state() != ConsumerState.LEFT)
                        || place.former(generation)
                                .filter(former -> !former.discarded())
                                .isPresent());
    }

    /** Whether this generation was settled without a word of its process, which may have trained on what was sent to it. */
    static boolean ceased(Job job, int generation) {
        return job.consumers().values().stream()
                .anyMatch(place -> place.ceased().contains(generation));
    }

    /** Whether an attempt owes something that may have been sent to a generation that ceased. */
    static boolean ceased(Job job, AttemptRow row) {
        return served(job, row)
                .anyMatch(generation -> !row.answered().contains(generation)
                        && !row.closed().contains(generation)
                        && ceased(job, generation));
    }

    /**
     * Whether what a fenced attempt still owes can go to others: nobody has anything of it that it did not tell of. Where
     * somebody was settled without a word its worker, if it is there and knows, tells first what was sent to that one: only
     * that may be trained twice.
     */
    static boolean settles(Pool pool, Job job, EpochLedger epoch, int attempt, Instant at) {
        AttemptRow row = epoch.attempts().get(attempt);
        return answered(job, row) && !(ceased(job, row) && tells(pool, job, epoch, attempt, at));
    }

    /** Whether the worker of a fenced attempt knows what it sent on lanes of which it did not tell yet, and will tell soon. */
    private static boolean tells(Pool pool, Job job, EpochLedger epoch, int attempt, Instant at) {
        LastBeat seen = job.seen(epoch.epoch(), attempt, at);
        return isToHear(pool, job, epoch, attempt, seen, at)
                || (remembers(pool, epoch, attempt, seen)
                        && !told(job, epoch.attempts().get(attempt))
                        && !isLate(job, seen, at));
    }

    /** Whether the fence is so new that no beat of its worker, which is there, may have said yet that it remembers. */
    private static boolean isToHear(Pool pool, Job job, EpochLedger epoch, int attempt, LastBeat seen, Instant at) {
        Instant fenced = epoch.attempts().get(attempt).fence().orElseThrow().at();
        return job.tracked()
                && !seen.fenced()
                && pool.alive(epoch.place(attempt))
                && Duration.between(fenced, at).compareTo(HEARD) < 0;
    }

    /** Whether the newest beat of its worker says that it knows what was sent of a fenced attempt. */
    private static boolean remembers(Pool pool, EpochLedger epoch, int attempt, LastBeat seen) {
        Place place = epoch.place(attempt);
        return seen.fenced()
                && pool.alive(place)
                && seen.heard().equals(pool.workers().get(place.worker()).beaten());
    }

    /** Whether its worker has known for long which lanes of it are closed, and told no more than is told now. */
    static boolean isLate(Job job, LastBeat seen, Instant at) {
        return seen.membership() >= job.row().membership()
                && Duration.between(seen.served(), at).compareTo(TOLD) >= 0;
    }

    /** Whether nothing is outstanding with the worker of a fenced attempt: it is told which lanes closed, and told of them. */
    static boolean rests(Pool pool, Job job, EpochLedger epoch, int attempt, LastBeat seen, Instant at) {
        if (isToHear(pool, job, epoch, attempt, seen, at)) {
            return false;
        }
        return !remembers(pool, epoch, attempt, seen)
                || (seen.membership() >= job.row().membership()
                        && told(job, epoch.attempts().get(attempt)));
    }

    /** Whether nobody has anything of a fenced attempt that it did not tell of. */
    private static boolean answered(Job job, AttemptRow row) {
        return served(job, row).allMatch(generation -> answered(job, row, generation));
    }

    private static boolean answered(Job job, AttemptRow row, int generation) {
        return row.answered().contains(generation) || row.closed().contains(generation) || settled(job, generation);
    }

    /** Whether a fenced attempt waits for consumers alone that were lost: what it owes may be with them. */
    static boolean waitsForLost(Job job, AttemptRow row) {
        return row.fence().isPresent()
                && !answered(job, row)
                && served(job, row)
                        .filter(generation -> !answered(job, row, generation))
                        .allMatch(generation -> lost(job, generation));
    }

    /** Whether something of a fenced attempt may come back though no consumer does that was lost: else that is waited for. */
    static boolean comesBack(Pool pool, Job job, EpochLedger epoch, int attempt, Instant at) {
        AttemptRow row = epoch.attempts().get(attempt);
        boolean tells = pool.alive(epoch.place(attempt))
                && Duration.between(row.fence().orElseThrow().at(), at).compareTo(TOLD) < 0;
        return tells || !waitsForLost(job, row);
    }

    /** Whether something may be given again that was sent to somebody. */
    static boolean doubtful(Job job) {
        return job.consumers().values().stream().anyMatch(job.heard()::doubts);
    }

    /**
     * Of those of which nobody knows what they have it is looked who has nothing: no attempt has a lane of theirs of which it
     * is not told what was sent on it, and of all that was sent nothing is left. Nobody waits for these then.
     */
    static void clear(Job job) {
        boolean doubtful = false;
        for (ConsumerRow place : job.consumers().values()) {
            for (int generation : place.doubtful()) {
                doubtful = true;
                if (!job.heard().isCleared(generation) && hasNothing(job, generation)) {
                    job.heard().clear(generation);
                    job.tell(Job.Telling.NOW);
                }
            }
        }
        if (!doubtful) {
            job.open().forEach(epoch -> epoch.claims().forgetHeld());
        }
    }

    private static boolean hasNothing(Job job, int generation) {
        return job.open().stream().allMatch(epoch -> epoch.attempts().values().stream()
                        .allMatch(row -> isKnown(job, row, generation)))
                && job.open().stream().noneMatch(epoch -> epoch.claims().holds(generation));
    }

    /** Whether it is in the accounts what a generation has of an attempt. */
    private static boolean isKnown(Job job, AttemptRow row, int generation) {
        return served(job, row).noneMatch(served -> served == generation)
                || row.answered().contains(generation)
                || (row.fence().isPresent() && row.openSplits() == 0)
                || (job.tracked()
                        && (row.closed().contains(generation)
                                || row.handedOver().contains(generation)));
    }

    /**
     * What was sent to a place and of which nobody knows whether its processes have it: all that a fenced attempt owes, if
     * it waits for nobody but processes of which nobody knows.
     */
    static Doubt inDoubt(Job job, ConsumerRow place) {
        List<Integer> doubtful = place.doubtful();
        Doubt doubt = Doubt.NONE;
        for (EpochLedger epoch : job.open()) {
            List<Integer> fenced = epoch.attemptsIn(State.FENCED).stream()
                    .filter(attempt -> mayHave(job, epoch.attempts().get(attempt), doubtful))
                    .toList();
            doubt = doubt.plus(epoch.claims().inDoubt(doubtful, fenced));
        }
        return doubt;
    }

    private static boolean mayHave(Job job, AttemptRow fenced, List<Integer> doubtful) {
        List<Integer> silent = served(job, fenced)
                .filter(generation -> !answered(job, fenced, generation))
                .toList();
        return silent.stream().anyMatch(doubtful::contains)
                && silent.stream().allMatch(generation -> isDoubtful(job, generation));
    }

    private static boolean isDoubtful(Job job, int generation) {
        return job.consumers().values().stream()
                .anyMatch(place -> place.doubtful().contains(generation));
    }

    /** A worker told what was sent on lanes that closed, and what was not: some of it, or the last of it. */
    static void closed(Job job, EpochLedger epoch, AttemptProgress progress) {
        for (ClosedLane lane : progress.getClosedLanes()) {
            long again = epoch.claims()
                    .laneClosed(
                            progress.getAttempt(),
                            lane.getGeneration(),
                            Elements.of(lane.getSent()),
                            Elements.of(lane.getUnsent()),
                            settled(job, lane.getGeneration()),
                            lane.getAll());
            if (again > 0 && ceased(job, lane.getGeneration())) {
                epoch.claims().addPossiblyTwice(again);
            }
            job.tell(Job.Telling.WITHIN_A_SECOND);
        }
    }

    /** Whether the attempt told of each of its lanes that is not open any more what was sent on it, and what was not. */
    static boolean told(Job job, AttemptRow row) {
        if (job.tracked()) {
            for (int generation : row.lanes()) {
                // a finished one has taken all of its lanes, closed or not
                if (!row.closed().contains(generation) && !isHere(job, generation)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isHere(Job job, int generation) {
        for (ConsumerRow place : job.consumers().values()) {
            if (place.here() && place.generation() == generation) {
                return true;
            }
        }
        return false;
    }

    /** Whether a generation took the last batch of its lane of an ended attempt, or never had one. */
    static boolean taken(AttemptRow row, int generation) {
        boolean served = row.servesUntold() || row.lanes().contains(generation);
        return !served
                || row.handedOver().contains(generation)
                || row.closed().contains(generation)
                || row.end()
                        .filter(told -> told.lastSequences().getOrDefault(generation, -1L) < 0)
                        .isPresent();
    }

    /** Generations that may have something of the attempt; of one that an older dispatcher started, those that there were. */
    private static Stream<Integer> served(Job job, AttemptRow row) {
        return row.servesUntold()
                ? IntStream.range(0, job.submit().getConsumers()).boxed()
                : row.lanes().stream();
    }

    private static boolean lost(Job job, int generation) {
        return job.consumers().values().stream()
                .anyMatch(place -> place.state() == ConsumerState.IN_DOUBT
                        && place.doubtful().contains(generation));
    }

    /** Its consumers have changed: workers are told. */
    void serve(Pool pool, Job job, Instant at) {
        job.row().nextMembership();
        job.changed();
        job.tell(Job.Telling.NOW);
        List<Integer> open = open(job);
        List<ConsumerLane> all = all(job);
        for (EpochLedger epoch : job.open()) {
            for (int attempt : epoch.attempts().keySet()) {
                serve(pool, job, epoch, attempt, open, all, at);
            }
        }
    }

    private void serve(
            Pool pool,
            Job job,
            EpochLedger epoch,
            int attempt,
            List<Integer> open,
            List<ConsumerLane> all,
            Instant at) {
        boolean fenced = epoch.attempts().get(attempt).fence().isPresent();
        LastBeat seen = job.seen(epoch.epoch(), attempt, at);
        if (fenced ? remembers(pool, epoch, attempt, seen) : pool.alive(epoch.place(attempt))) {
            if (!fenced) {
                epoch.claims().serve(attempt, open);
            }
            out.command(CommandWriter.serve(job.id(), epoch, attempt, job.row().membership(), all));
            seen.served(at);
            job.attention().watch(epoch.epoch(), attempt);
        }
    }

    /** Again to those of the watched whose beats do not show that they have it. */
    void repeat(Pool pool, Job job, Instant at) {
        for (EpochLedger epoch : job.open()) {
            for (int attempt : job.attention().watched(epoch.epoch())) {
                LastBeat seen = job.seen(epoch.epoch(), attempt, at);
                boolean listed = seen.heard()
                        .filter(heard -> Duration.between(heard, at).compareTo(limits.workerSilence()) <= 0)
                        .isPresent();
                if (listed
                        && seen.membership() < job.row().membership()
                        && Duration.between(seen.served(), at).compareTo(limits.repeatAfter()) >= 0) {
                    serve(pool, job, epoch, attempt, open(job), all(job), at);
                }
            }
        }
    }

    /**
     * Whether somebody has taken the last of its lanes where all that began is delivered. Others may not ask for what lies in
     * theirs before this one goes on, as in an all-reduce, so that the next epoch must not wait for them.
     */
    static boolean anyTookAll(Job job) {
        return job.open().stream().allMatch(epoch -> Epochs.delivered(job, epoch))
                && job.places().values().stream().anyMatch(place -> place.takes() && tookAll(job, place.generation()));
    }

    /** Whether a generation has taken the last batch of each of its lanes. */
    static boolean tookAll(Job job, int generation) {
        return job.open().stream()
                .flatMap(epoch -> epoch.attempts().values().stream())
                .allMatch(row -> taken(row, generation));
    }
}
