package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * Attempts that are told to drain.
 *
 * <p>How an epoch ends. When its last split is assigned, all of its attempts but one are told to drain, which leaves the
 * elements of their short last batches behind. The one that stays, the <em>keeper</em>, gets those as they come back;
 * when nobody else can give anything back it is told to drain too, and delivers its short last batch. So an epoch has at
 * most one, but for what a lost consumer may have of a worker that is gone: no epoch waits for that, and what is read again
 * of it makes one more. Where the keeper is lost, another attempt is started in its place. In the last epoch the keeper also
 * waits for the attempts of the epochs before, so that its end is the end of the stream.
 */
final class Draining {
    private final Journal journal;
    private final Outgoing out;

    Draining(Journal journal, Outgoing out) {
        this.journal = journal;
        this.out = out;
    }

    /** Tells attempts to drain once the last split is assigned. */
    void finish(Pool pool, Job job, EpochLedger epoch, Instant at) {
        if (Epochs.left(job, epoch) > 0 || epoch.row().assigned() < job.splits()) {
            return;
        }
        SortedSet<Integer> running = epoch.attemptsIn(State.TAKING);
        if (running.isEmpty()) {
            return;
        }
        int keeper = keeper(pool, job, epoch, running, at);
        for (int attempt : List.copyOf(running)) {
            if (attempt != keeper) {
                drain(job, epoch, attempt, at, "every split of epoch " + epoch.epoch() + " is assigned");
            }
        }
        if (comesBack(pool, job, epoch, keeper, at) || epoch.loneSplits().any()) {
            return;
        }
        boolean last = job.last(epoch);
        if (last && (!othersSettled(job, epoch) || Lanes.doubtful(job))) {
            return;
        }
        tell(
                job,
                epoch,
                keeper,
                new AttemptRow.Finish(true, last),
                at,
                last
                        ? "every split of the last epoch is assigned and nothing can come back: the stream ends with it"
                        : "every split of epoch " + epoch.epoch() + " is assigned and nothing can come back");
    }

    /** The one with the most ahead of it: it will be the last anyway. */
    private static int keeper(Pool pool, Job job, EpochLedger epoch, SortedSet<Integer> running, Instant at) {
        return running.size() == 1
                ? running.first()
                : running.stream()
                        .max(Comparator.<Integer, Boolean>comparing(it -> Epochs.serves(pool, epoch.place(it)))
                                .thenComparing(it -> SplitAssignment.ahead(job, epoch, it, at))
                                .thenComparing(Comparator.reverseOrder()))
                        .orElseThrow();
    }

    /** Whether elements may yet come back to the keeper; what only a lost consumer may have is not waited for. */
    private static boolean comesBack(Pool pool, Job job, EpochLedger epoch, int keeper, Instant at) {
        return epoch.unsettledBeside(keeper)
                && (epoch.attemptsIn(State.TAKING).size() > 1
                        || !epoch.attemptsIn(State.DRAINING).isEmpty()
                        || epoch.attemptsIn(State.FENCED).stream()
                                .anyMatch(attempt -> Lanes.comesBack(pool, job, epoch, attempt, at)));
    }

    private static boolean othersSettled(Job job, EpochLedger last) {
        return job.open().stream()
                .filter(epoch -> epoch != last && !epoch.row().complete())
                .allMatch(epoch -> Epochs.left(job, epoch) == 0
                        && !epoch.unsettled()
                        && !epoch.loneSplits().any());
    }

    /** Nothing more for this attempt; what it cannot make a whole batch of comes back. */
    void drain(Job job, EpochLedger epoch, int attempt, Instant at, String reason) {
        // without tickets nothing can come back, so that even a short batch must be delivered
        tell(job, epoch, attempt, new AttemptRow.Finish(!job.tracked(), false), at, reason);
    }

    /** Every element of the epoch is accounted for: whoever is still there for more ends. */
    void complete(Job job, EpochLedger epoch, Instant at) {
        if (job.last(epoch)) {
            return;
        }
        for (int attempt : List.copyOf(epoch.attemptsIn(State.TAKING))) {
            tell(
                    job,
                    epoch,
                    attempt,
                    new AttemptRow.Finish(true, false),
                    at,
                    "every element of epoch " + epoch.epoch() + " is accounted for");
        }
    }

    private void tell(Job job, EpochLedger epoch, int attempt, AttemptRow.Finish finish, Instant at, String reason) {
        epoch.finish(attempt, finish);
        send(job, epoch, attempt, finish);
        job.seen(epoch.epoch(), attempt, at).sent(at);
        job.attention().watch(epoch.epoch(), attempt);
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.EPOCH_ASSIGNED,
                                job.id(),
                                Map.of("epoch", (double) epoch.epoch(), "left", (double) Epochs.left(job, epoch))),
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

    /** Tells it so, again if need be. */
    void send(Job job, EpochLedger epoch, int attempt, AttemptRow.Finish finish) {
        out.command(CommandWriter.finish(job.outline(), epoch, attempt, finish));
    }
}
