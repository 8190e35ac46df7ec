package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.policy.splits.SplitOrder;
import io.praline.policy.splits.SplitsAhead;
import io.praline.schema.Split;
import io.praline.schema.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Which attempt of an epoch reads which splits: as many as keep a few ahead of each. */
final class SplitAssignment {
    /** A command stays far below the two megabytes that a record may have. */
    private static final int COMMAND_BYTES = 200 << 10;

    /** What an attempt's row keeps of skips until its worker has them: the row is a record too. */
    private static final int UNTAKEN_SKIP_BYTES = 512 << 10;

    /** When what nobody waits for is on its way at the latest. */
    private static final Duration AHEAD_LEAVES = Duration.ofSeconds(1);

    /** Unopened splits of a job whose sources may be read in any proportion, and of one that only one task serves. */
    private static final int WHOLESALE = 10_000;

    private final Ledger ledger;
    private final SplitsAhead room;
    private final Outgoing out;

    SplitAssignment(Ledger ledger, SplitsAhead room, Outgoing out) {
        this.ledger = ledger;
        this.room = room;
        this.out = out;
    }

    /** Gives splits to those of the epoch's attempts that have room. */
    void fill(Pool pool, Job job, EpochLedger epoch, Instant at) {
        long left = Epochs.left(job, epoch);
        if (left == 0 || job.row().paused()) {
            return;
        }
        SortedSet<Integer> all = epoch.attemptsIn(State.TAKING);
        List<Integer> hungry = hungry(pool, job, epoch, all, at);
        boolean wholesale = job.singleTask() || job.row().planning().sources() > 1;
        int others = all.size();
        for (int attempt : hungry) {
            if (left == 0) {
                return; // whoever is left over has room still, for what may come back
            }
            long share = (left + others - 1) / others;
            others--;
            AttemptRow row = epoch.attempts().get(attempt);
            LastBeat seen = job.seen(epoch.epoch(), attempt, at);
            if (!Lanes.told(job, row)) {
                continue; // what it is about to tell of a lane must not be taken for what it would read once more
            }
            if (row.assignment() > 0 && seen.heard().isEmpty() && row.untaken().isEmpty()) {
                job.attention().full(epoch.epoch(), attempt);
                continue; // taken over from another dispatcher: its next beat tells how much lies ahead
            }
            int ahead = ahead(job, epoch, attempt, at);
            int given = wholesale
                    ? (int) Math.min(share, Math.max(0, WHOLESALE - ahead))
                    : room.given(ahead, seen.splitSeconds(), left, all.size());
            if (given > 0) {
                assign(job, epoch, attempt, given, at);
                left -= given;
            } else {
                job.attention().full(epoch.epoch(), attempt);
            }
        }
    }

    /** Attempts that may have room, those with the least ahead of them first; others have none until they are heard again. */
    private static List<Integer> hungry(Pool pool, Job job, EpochLedger epoch, SortedSet<Integer> taking, Instant at) {
        List<Integer> hungry = new ArrayList<>();
        for (int attempt : List.copyOf(job.attention().hungry(epoch.epoch()))) {
            if (taking.contains(attempt) && Epochs.serves(pool, epoch.place(attempt))) {
                hungry.add(attempt);
            } else {
                job.attention().full(epoch.epoch(), attempt);
            }
        }
        if (hungry.size() > 1) {
            hungry.sort(Comparator.<Integer>comparingInt(it -> ahead(job, epoch, it, at))
                    .thenComparing(Comparator.naturalOrder()));
        }
        return hungry;
    }

    /** Splits that the attempt has not opened, as far as is known. */
    static int ahead(Job job, EpochLedger epoch, int attempt, Instant at) {
        return job.seen(epoch.epoch(), attempt, at).unopened()
                + epoch.attempts().get(attempt).untakenSplits();
    }

    private void assign(Job job, EpochLedger epoch, int attempt, int count, Instant at) {
        List<Long> ordinals = new ArrayList<>(epoch.returned(count));
        while (ordinals.size() < count) {
            ordinals.add(epoch.takeNext(order(job, epoch), ordinal -> ledger.split(job.id(), ordinal)
                    .getBytes()));
        }
        LastBeat seen = job.seen(epoch.epoch(), attempt, at);
        boolean runsShort = room.runsShort(seen.unopened(), seen.splitSeconds());
        Consumer<WorkerCommand> sending = runsShort ? out::command : out::commandAhead;
        Map<Long, Split> splits = new HashMap<>();
        ordinals.forEach(ordinal -> splits.put(ordinal, ledger.split(job.id(), ordinal)));
        List<Long> some = new ArrayList<>();
        int bytes = 0;
        for (long ordinal : ordinals) {
            int more = CommandWriter.bytes(splits.get(ordinal)) + epoch.skipBytes(attempt, ordinal);
            if (!some.isEmpty() && bytes + more > COMMAND_BYTES) {
                assign(job, epoch, attempt, some, splits::get, sending);
                some.clear();
                bytes = 0;
            }
            if (epoch.attempts().get(attempt).untakenSkipBytes() > UNTAKEN_SKIP_BYTES && epoch.isReturned(ordinal)) {
                continue; // the next turn gives it, when the worker has some of those before
            }
            some.add(ordinal);
            bytes += more;
        }
        if (!some.isEmpty()) {
            assign(job, epoch, attempt, some, splits::get, sending);
        }
        seen.sent(runsShort ? at : at.plus(AHEAD_LEAVES));
        job.attention().watch(epoch.epoch(), attempt);
    }

    private static SplitOrder order(Job job, EpochLedger epoch) {
        return new SplitOrder(job.splits(), job.submit().getSeed(), epoch.epoch(), job.singleTask());
    }

    private void assign(
            Job job,
            EpochLedger epoch,
            int attempt,
            List<Long> ordinals,
            LongFunction<Split> splits,
            Consumer<WorkerCommand> sending) {
        List<Long> some = List.copyOf(ordinals);
        int number = epoch.assign(attempt, some, ordinal -> records(splits.apply(ordinal)));
        sending.accept(CommandWriter.assign(job.outline(), epoch, attempt, number, some, splits));
    }

    private static OptionalLong records(Split split) {
        return split.getRecords().map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Sends again what the attempt's worker was not seen to take. */
    void repeat(Job job, EpochLedger epoch, int attempt) {
        epoch.attempts()
                .get(attempt)
                .untaken()
                .forEach((number, ordinals) -> out.command(CommandWriter.assign(
                        job.outline(), epoch, attempt, number, ordinals, ordinal -> ledger.split(job.id(), ordinal))));
    }
}
