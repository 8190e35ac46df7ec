package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.AttemptRow;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.Place;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.identity.AttemptKey;
import io.praline.schema.Decided;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The attempts of a job, epoch by epoch: started, told to drain, fenced, closed.
 *
 * <p>How an epoch ends. When its last split is assigned, all of its attempts but one are told to drain, which leaves the
 * elements of their short last batches behind. The one that stays, the <em>keeper</em>, gets those as they come back;
 * when nobody else can give anything back it is told to drain too, and delivers its short last batch. So an epoch has at
 * most one. Where the keeper is lost, another attempt is started in its place. In the last epoch the keeper also waits
 * for the attempts of the epochs before, so that its end is the end of the stream.
 */
final class Epochs {
    /** Epochs of a job that are under way at the same time: the next one begins while the last one drains. */
    private static final int OVERLAPPING = 2;

    private final Ledger ledger;
    private final ProtocolLimits limits;
    private final SplitAssignment splits;
    private final Journal journal;
    private final Outgoing out;

    Epochs(Ledger ledger, ProtocolLimits limits, SplitAssignment splits, Journal journal, Outgoing out) {
        this.ledger = ledger;
        this.limits = limits;
        this.splits = splits;
        this.journal = journal;
        this.out = out;
    }

    /** Whatever can go on without new workers goes on. The job is planned and has not ended. */
    void advance(Pool pool, Job job, Instant at) {
        if (job.epochs().isEmpty()) {
            begin(pool, job, 0);
        }
        for (EpochLedger epoch : List.copyOf(job.epochs().values())) {
            settleFences(pool, job, epoch, at);
            closeDone(pool, job, epoch, at);
            if (!epoch.row().complete()) {
                rescue(pool, job, epoch, at);
                splits.fill(pool, job, epoch, at);
                finish(pool, job, epoch, at);
                complete(pool, job, epoch, at);
            }
        }
        beginNext(pool, job);
    }

    /** The epoch that began last. */
    static EpochLedger front(Job job) {
        return job.epochs().get(job.epochs().lastKey());
    }

    /** Whether every epoch is complete. */
    static boolean allComplete(Job job) {
        return job.epochs().size() == job.allEpochs()
                && job.epochs().values().stream().allMatch(epoch -> epoch.row().complete());
    }

    /** Splits of the epoch that can be assigned now. */
    static long left(Job job, EpochLedger epoch) {
        return job.splits() - epoch.row().assigned() + epoch.returnedSplits();
    }

    private void begin(Pool pool, Job job, int epoch) {
        pool.due(TurnCause.EPOCH_BEGAN);
        job.epochs().put(epoch, ledger.openEpoch(job.id(), epoch, job.tracked()));
        job.tell(Job.Telling.WITHIN_A_SECOND);
    }

    private void beginNext(Pool pool, Job job) {
        EpochLedger front = front(job);
        long open = job.epochs().values().stream()
                .filter(epoch -> !epoch.row().complete() && !inDoubtOnly(job, epoch))
                .count();
        boolean exhausted = front.row().assigned() == job.splits();
        if (exhausted && !job.last(front) && open < OVERLAPPING && !job.row().paused()) {
            begin(pool, job, front.epoch() + 1);
        }
    }

    /** A new attempt on the worker; its splits follow. */
    int start(Job job, EpochLedger epoch, Place place, Instant at) {
        int attempt = epoch.start(place);
        epoch.serve(attempt, Consumers.open(job));
        job.seen(epoch.epoch(), attempt, at);
        sendStart(job, epoch, attempt);
        job.tell(Job.Telling.NOW);
        return attempt;
    }

    void sendStart(Job job, EpochLedger epoch, int attempt) {
        epoch.serve(attempt, Consumers.open(job));
        out.command(CommandWriter.start(job.outline(), job.row(), epoch, attempt, Consumers.lanes(job)));
    }

    /** Splits came back to an epoch that has no attempt to take them, and that the pool's turn does not look after. */
    private void rescue(Pool pool, Job job, EpochLedger epoch, Instant at) {
        boolean exhausted = epoch.row().assigned() == job.splits();
        boolean looked =
                epoch == front(job) && epoch.returnedSplits() > limits.room().first();
        boolean busy = epoch.attempts().values().stream()
                .anyMatch(it -> it.takesWork() || (job.singleTask() && it.draining()));
        if (!exhausted
                || epoch.returnedSplits() == 0
                || looked
                || busy
                || job.row().paused()) {
            return;
        }
        int wanted = job.singleTask()
                ? 1
                : 1 + epoch.returnedSplits() / (4 * limits.room().first());
        List<KnownWorker> idlest = pool.workersFor(job)
                .sorted(Comparator.comparingDouble(busy(pool)))
                .limit(wanted)
                .toList();
        for (KnownWorker worker : idlest) {
            int attempt = start(job, epoch, worker.place(), at);
            journal.write(
                    job,
                    at,
                    new Journal.Entry(
                            DecisionWriter.observed(
                                    JournalKind.SPLITS_RETURNED,
                                    job.id(),
                                    Map.of("epoch", (double) epoch.epoch(), "splits", (double) epoch.returnedSplits())),
                            started(epoch, attempt),
                            epoch.returnedSplits() + " splits of epoch " + epoch.epoch()
                                    + " came back and nobody reads that epoch any more: "
                                    + worker.place().worker() + " finishes it"));
        }
    }

    /** Tasks and plans of a worker for each of its slots; counted once for all workers, when it is asked for. */
    static ToDoubleFunction<KnownWorker> busy(Pool pool) {
        Map<String, Integer> tasks = new HashMap<>();
        for (Job job : pool.jobs().values()) {
            if (job.ended()) {
                continue;
            }
            job.row()
                    .planning()
                    .planner()
                    .filter(pool::alive)
                    .ifPresent(planner -> tasks.merge(planner.worker(), 1, Integer::sum));
            for (EpochLedger epoch : job.epochs().values()) {
                epoch.attempts().forEach((attempt, row) -> {
                    if (row.fence().isEmpty() && row.end().isEmpty()) {
                        tasks.merge(epoch.place(attempt).worker(), 1, Integer::sum);
                    }
                });
            }
        }
        return worker -> (double) tasks.getOrDefault(worker.place().worker(), 0)
                / worker.row().slots();
    }

    static Decided started(EpochLedger epoch, int attempt) {
        return DecisionWriter.decided(
                JournalCommand.START_ATTEMPT,
                epoch.place(attempt).worker(),
                Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt));
    }

    /** Tells attempts to drain once the last split is assigned. */
    private void finish(Pool pool, Job job, EpochLedger epoch, Instant at) {
        if (left(job, epoch) > 0 || epoch.row().assigned() < job.splits()) {
            return;
        }
        List<Integer> running = epoch.attempts().keySet().stream()
                .filter(it -> epoch.attempts().get(it).takesWork())
                .toList();
        if (running.isEmpty()) {
            return;
        }
        // the one with the most ahead of it will be the last anyway
        int keeper = running.stream()
                .max(Comparator.<Integer, Boolean>comparing(it -> serves(pool, epoch.place(it)))
                        .thenComparing(it -> SplitAssignment.ahead(job, epoch, it, at))
                        .thenComparing(Comparator.reverseOrder()))
                .orElseThrow();
        for (int attempt : running) {
            if (attempt != keeper) {
                drain(job, epoch, attempt, at, "every split of epoch " + epoch.epoch() + " is assigned");
            }
        }
        boolean others =
                epoch.attempts().entrySet().stream().anyMatch(it -> it.getKey() != keeper && unsettled(it.getValue()));
        if (others) {
            return;
        }
        boolean last = job.last(epoch);
        if (last && (!othersSettled(job, epoch) || Consumers.doubtful(job))) {
            return;
        }
        sendFinish(
                job,
                epoch,
                keeper,
                new AttemptRow.Finish(true, last),
                at,
                last
                        ? "every split of the last epoch is assigned and nothing can come back: the stream ends with it"
                        : "every split of epoch " + epoch.epoch() + " is assigned and nothing can come back");
    }

    /** Whether elements may yet come back from it. */
    private static boolean unsettled(AttemptRow attempt) {
        return attempt.fence().isPresent() || attempt.end().isEmpty();
    }

    private static boolean othersSettled(Job job, EpochLedger last) {
        return job.epochs().values().stream()
                .filter(epoch -> epoch != last && !epoch.row().complete())
                .allMatch(epoch -> left(job, epoch) == 0
                        && epoch.attempts().values().stream().noneMatch(Epochs::unsettled));
    }

    /** Nothing more for this attempt; what it cannot make a whole batch of comes back. */
    void drain(Job job, EpochLedger epoch, int attempt, Instant at, String reason) {
        // without tickets nothing can come back, so that even a short batch must be delivered
        sendFinish(job, epoch, attempt, new AttemptRow.Finish(!job.tracked(), false), at, reason);
    }

    private void sendFinish(
            Job job, EpochLedger epoch, int attempt, AttemptRow.Finish finish, Instant at, String reason) {
        epoch.finish(attempt, finish);
        sendFinish(job, epoch, attempt, finish);
        job.seen(epoch.epoch(), attempt, at).sent(at);
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.EPOCH_ASSIGNED,
                                job.id(),
                                Map.of("epoch", (double) epoch.epoch(), "left", (double) left(job, epoch))),
                        DecisionWriter.decided(
                                JournalCommand.FINISH_ATTEMPT,
                                epoch.place(attempt).worker(),
                                Map.of(
                                        "epoch",
                                        (double) epoch.epoch(),
                                        "attempt",
                                        (double) attempt,
                                        "deliverTail",
                                        finish.deliverTail() ? 1.0 : 0.0,
                                        "last",
                                        finish.last() ? 1.0 : 0.0)),
                        reason));
    }

    void sendFinish(Job job, EpochLedger epoch, int attempt, AttemptRow.Finish finish) {
        out.command(CommandWriter.finish(job.outline(), epoch, attempt, finish));
    }

    /** Stops an attempt; what its consumers did not claim goes to others once they have answered. */
    void fence(Pool pool, Job job, EpochLedger epoch, int attempt, String reason, Instant at) {
        epoch.fence(attempt, reason, at);
        sendFence(job, epoch, attempt, epoch.place(attempt), reason);
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
        job.tell(Job.Telling.NOW);
        pool.due(TurnCause.ATTEMPT_ENDED);
    }

    private void sendFence(Job job, EpochLedger epoch, int attempt, Place place, String reason) {
        out.command(CommandWriter.fence(new AttemptKey(job.id(), epoch.epoch(), attempt), place, reason));
    }

    private void settleFences(Pool pool, Job job, EpochLedger epoch, Instant at) {
        for (int attempt : List.copyOf(epoch.attempts().keySet())) {
            AttemptRow row = epoch.attempts().get(attempt);
            if (row.fence().isPresent() && Consumers.answered(job, row)) {
                Place place = epoch.place(attempt);
                if (Consumers.ceased(job, row)) {
                    epoch.addPossiblyTwice(epoch.inDoubt(List.of(), List.of(attempt)));
                }
                int owed = epoch.settle(attempt);
                job.forget(epoch.epoch(), attempt);
                job.tell(Job.Telling.NOW);
                pool.due(TurnCause.ATTEMPT_ENDED);
                journal.write(
                        job,
                        at,
                        new Journal.Entry(
                                DecisionWriter.observed(
                                        JournalKind.FENCE_ANSWERED,
                                        place.worker(),
                                        Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt)),
                                DecisionWriter.decided(
                                        JournalCommand.ASSIGN_AGAIN, job.id(), Map.of("splits", (double) owed)),
                                "every consumer has answered: what attempt " + attempt + " of epoch " + epoch.epoch()
                                        + " still owed of " + owed + " splits goes to others"));
            }
        }
    }

    /**
     * Whether nothing of the epoch is unassigned and every attempt has its last batch in a lane, but for what is in doubt
     * with a consumer that was lost: who has taken all that was made for it may go on to the next epoch.
     */
    static boolean delivered(Job job, EpochLedger epoch) {
        return epoch.row().complete()
                || (epoch.row().assigned() == job.splits()
                        && left(job, epoch) == 0
                        && epoch.attempts().values().stream()
                                .allMatch(row -> unsettled(row)
                                        ? Consumers.waitsForLost(job, row)
                                        : Consumers.lanesTold(job, row)));
    }

    /** Whether only what is in doubt keeps an epoch from its end. */
    private static boolean inDoubtOnly(Job job, EpochLedger epoch) {
        return Consumers.doubtful(job) && delivered(job, epoch);
    }

    private void closeDone(Pool pool, Job job, EpochLedger epoch, Instant at) {
        for (int attempt : List.copyOf(epoch.attempts().keySet())) {
            if (epoch.attempts().get(attempt).fence().isEmpty() && epoch.done(attempt)) {
                Place place = epoch.place(attempt);
                int lost = epoch.close(attempt);
                if (pool.alive(place)) {
                    sendFence(job, epoch, attempt, place, "all of it was consumed");
                }
                job.forget(epoch.epoch(), attempt);
                job.tell(Job.Telling.NOW);
                pool.due(TurnCause.ATTEMPT_ENDED);
                if (lost > 0) {
                    journal.write(
                            job,
                            at,
                            new Journal.Entry(
                                    DecisionWriter.observed(
                                            JournalKind.ATTEMPT_ENDED,
                                            place.worker(),
                                            Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt)),
                                    DecisionWriter.decided(
                                            JournalCommand.ASSIGN_AGAIN, job.id(), Map.of("splits", (double) lost)),
                                    "attempt " + attempt + " of epoch " + epoch.epoch() + " ended without telling what"
                                            + " became of elements of " + lost + " splits: they are read again"));
                }
            }
        }
    }

    private void complete(Pool pool, Job job, EpochLedger epoch, Instant at) {
        if (epoch.row().closedSplits() < job.splits()) {
            return;
        }
        epoch.setComplete();
        ledger.dropEpochDetails(job.id(), epoch.epoch());
        for (int attempt : List.copyOf(epoch.attempts().keySet())) {
            if (!job.last(epoch) && epoch.attempts().get(attempt).takesWork()) {
                sendFinish(
                        job,
                        epoch,
                        attempt,
                        new AttemptRow.Finish(true, false),
                        at,
                        "every element of epoch " + epoch.epoch() + " is accounted for");
            }
        }
        pool.due(TurnCause.EPOCH_COMPLETED);
        job.tell(Job.Telling.NOW);
    }

    /** Whether the process is alive and takes new work. */
    static boolean serves(Pool pool, Place place) {
        return pool.alive(place) && !pool.workers().get(place.worker()).row().draining();
    }
}
