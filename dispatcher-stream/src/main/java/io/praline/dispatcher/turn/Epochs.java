package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptGraph;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.policy.Counted;
import io.praline.schema.Decided;
import io.praline.schema.Observed;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The epochs of a job, which begin one after the other and are read by attempts: these are started here, given splits
 * ({@link SplitAssignment}), told to drain ({@link Draining}), fenced and closed ({@link Fences}). What is done for an event
 * costs what the event concerns, not what the job has.
 */
final class Epochs {
    /** Epochs of a job that are under way at the same time, unless a loop has nothing left of these: the next one begins while the last one drains. */
    private static final int OVERLAPPING = 2;

    private final Ledger ledger;
    private final ProtocolLimits limits;
    private final SplitAssignment splits;
    private final Draining draining;
    private final Fences fences;
    private final Journal journal;
    private final Outgoing out;

    Epochs(
            Ledger ledger,
            ProtocolLimits limits,
            SplitAssignment splits,
            Draining draining,
            Fences fences,
            Journal journal,
            Outgoing out) {
        this.ledger = ledger;
        this.limits = limits;
        this.splits = splits;
        this.draining = draining;
        this.fences = fences;
        this.journal = journal;
        this.out = out;
    }

    /** Whatever can go on without new workers goes on. The job is planned and has not ended. */
    void advance(Pool pool, Job job, Instant at) {
        if (job.epochs().isEmpty()) {
            begin(pool, job, 0);
        }
        boolean consumersChanged = job.takeConsumersChanged();
        for (EpochLedger epoch : job.open()) {
            fences.settle(pool, job, epoch, consumersChanged, at);
            if (!epoch.row().complete()) {
                rescue(pool, job, epoch, at);
                splits.fill(pool, job, epoch, at);
                draining.finish(pool, job, epoch, at);
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
                && job.open().stream().allMatch(epoch -> epoch.row().complete());
    }

    /** Splits of the epoch that can be assigned now. */
    static long left(Job job, EpochLedger epoch) {
        return job.splits() - epoch.row().assigned() + epoch.returnedSplits();
    }

    private void begin(Pool pool, Job job, int epoch) {
        pool.due(TurnCause.EPOCH_BEGAN);
        job.begin(ledger.openEpoch(job.id(), epoch, job.tracked()));
        job.tell(Job.Telling.WITHIN_A_SECOND);
    }

    private void beginNext(Pool pool, Job job) {
        EpochLedger front = front(job);
        boolean exhausted = front.row().assigned() == job.splits();
        if (!exhausted || job.last(front) || job.row().paused()) {
            return;
        }
        long open = job.open().stream()
                .filter(epoch -> !epoch.row().complete() && !inDoubtOnly(job, epoch))
                .count();
        if (open < OVERLAPPING || Lanes.anyTookAll(job)) { // the second looks at every attempt
            begin(pool, job, front.epoch() + 1);
        }
    }

    /** A new attempt on the worker, which runs what the job's attempts run now; its splits follow. */
    int start(Job job, EpochLedger epoch, Place place, Instant at) {
        return start(job, epoch, place, job.courses().graph(epoch.epoch()), at);
    }

    /** A new attempt on the worker, in the user's own order and without entries; its splits follow. */
    int startAsWritten(Job job, EpochLedger epoch, Place place, Instant at) {
        return start(job, epoch, place, AttemptGraph.AS_WRITTEN, at);
    }

    private int start(Job job, EpochLedger epoch, Place place, AttemptGraph graph, Instant at) {
        int attempt = epoch.start(place, graph);
        epoch.claims().serve(attempt, Lanes.open(job));
        job.seen(epoch.epoch(), attempt, at);
        job.attention().watch(epoch.epoch(), attempt);
        job.attention().hunger(epoch.epoch(), attempt);
        sendStart(job, epoch, attempt);
        job.tell(Job.Telling.NOW);
        return attempt;
    }

    /** An attempt ends with what it has, and another goes on in its place. */
    void succeed(Job job, EpochLedger epoch, int attempt, Observed seen, String reason, Instant at) {
        Place place = epoch.place(attempt);
        draining.drain(job, epoch, attempt, at, reason);
        int next = start(job, epoch, place, at);
        journal.write(job, at, new Journal.Entry(seen, started(epoch, next), reason));
    }

    void sendStart(Job job, EpochLedger epoch, int attempt) {
        epoch.claims().serve(attempt, Lanes.open(job));
        out.command(CommandWriter.start(job.outline(), job.row(), epoch, attempt, Lanes.all(job)));
    }

    /** Splits came back to an epoch that has no attempt to take them, and that the pool's turn does not look after. */
    private void rescue(Pool pool, Job job, EpochLedger epoch, Instant at) {
        boolean exhausted = epoch.row().assigned() == job.splits();
        boolean looked =
                epoch == front(job) && epoch.returnedSplits() > limits.room().first();
        boolean busy = !epoch.attemptsIn(State.TAKING).isEmpty()
                || (job.singleTask() && !epoch.attemptsIn(State.DRAINING).isEmpty());
        if (!exhausted
                || epoch.returnedSplits() == 0
                || looked
                || busy
                || job.row().paused()
                || rescuers(pool, job).findAny().isEmpty()) {
            return;
        }
        int wanted = job.singleTask()
                ? 1
                : 1 + epoch.returnedSplits() / (4 * limits.room().first());
        List<KnownWorker> idlest = rescuers(pool, job)
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
                            Counted.of(epoch.returnedSplits(), "split") + " of epoch " + epoch.epoch()
                                    + " came back and nobody reads that epoch any more: "
                                    + worker.place().worker() + " finishes it"));
        }
    }

    private static Stream<KnownWorker> rescuers(Pool pool, Job job) {
        return pool.workersFor(job)
                .filter(worker -> !pool.isReserved(worker.place().worker()));
    }

    /** Tasks and plans of a worker for each of its slots; counted once for all workers, when it is asked for. */
    static ToDoubleFunction<KnownWorker> busy(Pool pool) {
        Map<String, Integer> tasks = new HashMap<>();
        for (Job job : pool.open()) {
            job.row()
                    .planning()
                    .planner()
                    .filter(pool::alive)
                    .ifPresent(planner -> tasks.merge(planner.worker(), 1, Integer::sum));
            for (EpochLedger epoch : job.open()) {
                Stream.of(State.TAKING, State.DRAINING)
                        .flatMap(state -> epoch.attemptsIn(state).stream())
                        .forEach(attempt -> tasks.merge(epoch.place(attempt).worker(), 1, Integer::sum));
            }
        }
        return worker -> (double) tasks.getOrDefault(worker.place().worker(), 0)
                / worker.row().slots();
    }

    /** The digest of the graph that the job's newest attempts run; empty: the user's own. */
    static String variant(Job job) {
        return job.order().variant(front(job).epoch());
    }

    static Decided started(EpochLedger epoch, int attempt) {
        return DecisionWriter.decided(
                JournalCommand.START_ATTEMPT,
                epoch.place(attempt).worker(),
                Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt));
    }

    /**
     * Whether nothing of the epoch is unassigned and every attempt has its last batch in a lane, but for what is in doubt
     * with a consumer that was lost: who has taken all that was made for it may go on to the next epoch.
     */
    static boolean delivered(Job job, EpochLedger epoch) {
        return epoch.row().complete()
                || (epoch.row().assigned() == job.splits()
                        && left(job, epoch) == 0
                        && !epoch.loneSplits().any()
                        && epoch.attemptsIn(State.TAKING).isEmpty()
                        && epoch.attemptsIn(State.DRAINING).isEmpty()
                        && all(epoch, State.FENCED, row -> Lanes.waitsForLost(job, row))
                        && all(epoch, State.ENDED, row -> Lanes.told(job, row)));
    }

    /** Whether every epoch of the job is. */
    static boolean allDelivered(Job job) {
        return job.epochs().size() == job.allEpochs() && job.open().stream().allMatch(epoch -> delivered(job, epoch));
    }

    private static boolean all(EpochLedger epoch, State state, Predicate<AttemptRow> hold) {
        return epoch.attemptsIn(state).stream()
                .allMatch(attempt -> hold.test(epoch.attempts().get(attempt)));
    }

    /** Whether only what is in doubt keeps an epoch from its end. */
    private static boolean inDoubtOnly(Job job, EpochLedger epoch) {
        return Lanes.doubtful(job) && delivered(job, epoch);
    }

    private void complete(Pool pool, Job job, EpochLedger epoch, Instant at) {
        if (epoch.row().closedSplits() < job.splits()) {
            return;
        }
        epoch.setComplete();
        ledger.dropEpochDetails(job.id(), epoch.epoch());
        LedgerRecords.closedKeys(job.id(), epoch.epoch(), job.row().planning().pages())
                .forEach(out::ledgerPageGone);
        draining.complete(job, epoch, at);
        pool.due(TurnCause.EPOCH_COMPLETED);
        job.tell(Job.Telling.NOW);
    }

    /** Attempts of the job that are not closed and that the process runs. */
    static int attemptsAt(Job job, Place place) {
        return job.open().stream()
                .mapToInt(epoch -> epoch.attemptsAt(place).size())
                .sum();
    }

    /** Whether the process is alive and takes new work. */
    static boolean serves(Pool pool, Place place) {
        return pool.alive(place) && !pool.workers().get(place.worker()).row().draining();
    }
}
