package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.epoch.SuspectRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.Blame;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.identity.ExclusionReason;
import io.praline.policy.Counted;
import io.praline.schema.Split;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Splits that were open when workers crashed. At the third time such a split is read alone, on a worker that has nothing
 * else, so that it takes no more than one at a time with it; where that crashes too the next one gets half of what it had,
 * until one record is left, which is left out like a bad one.
 *
 * <p>A crash is a process that ceased without a word and another came in its place, or that neither beats nor can be reached.
 * Who drains or leaves, or is silent and can be reached, did not crash.
 */
final class Isolation {
    /** Where a split cannot be read in parts its job fails at this one, of those that count: see {@link SuspectRow}. */
    private static final int MOST_CRASHES = 6;

    /** Until then it is known whether whoever read alone crashed. */
    private static final Duration DOUBT = Duration.ofSeconds(10);

    private final Ledger ledger;
    private final Jobs jobs;
    private final Epochs epochs;
    private final Draining draining;
    private final Fences fences;
    private final Journal journal;
    private final Outgoing out;

    Isolation(
            Ledger ledger, Jobs jobs, Epochs epochs, Draining draining, Fences fences, Journal journal, Outgoing out) {
        this.ledger = ledger;
        this.jobs = jobs;
        this.epochs = epochs;
        this.draining = draining;
        this.fences = fences;
        this.journal = journal;
        this.out = out;
    }

    // ---- who crashed

    /** A consumer cannot reach the worker of this attempt: what the attempt has open may be to blame, if it crashed. */
    static void unreached(Job job, EpochLedger epoch, int attempt, Instant at) {
        job.blame().unreached(epoch.place(attempt).incarnation(), open(epoch, attempt), at);
        if (epoch.loneSplits().readsAlone(attempt)) {
            job.blame().aloneFrom(at.plus(DOUBT));
        }
    }

    private static Set<Blame.Open> open(EpochLedger epoch, int attempt) {
        Set<Blame.Open> open = new HashSet<>();
        boolean alone = epoch.loneSplits().readsAlone(attempt);
        epoch.openWith(attempt).forEach(ordinal -> open.add(new Blame.Open(epoch.epoch(), ordinal, alone)));
        return open;
    }

    /** Another process came in the place of this one, which did not say that it would leave. */
    void replaced(Pool pool, KnownWorker worker, Instant at) {
        if (!worker.row().draining()) {
            for (Job job : pool.open()) {
                JobFault.in(job.id(), () -> crashed(pool, job, worker, true, at));
            }
        }
    }

    /** It is silent; where consumers cannot reach it either it crashed. */
    void silent(Pool pool, KnownWorker worker, Instant at) {
        if (!worker.row().draining()) {
            for (Job job : pool.open()) {
                JobFault.in(job.id(), () -> crashed(pool, job, worker, false, at));
            }
        }
    }

    private void crashed(Pool pool, Job job, KnownWorker worker, boolean certain, Instant at) {
        Place place = worker.place();
        Optional<Set<Blame.Open>> unreached = job.blame().take(place.incarnation(), worker.beaten());
        if (!certain && unreached.isEmpty()) {
            return;
        }
        SortedSet<Blame.Open> open = new TreeSet<>(unreached.orElse(Set.of()));
        for (EpochLedger epoch : job.open()) {
            for (int attempt : epoch.attemptsAt(place)) {
                AttemptRow row = epoch.attempts().get(attempt);
                if (row.fence().isEmpty() && row.end().isEmpty()) {
                    open.addAll(open(epoch, attempt));
                }
            }
        }
        List<Long> hopeless = new ArrayList<>();
        int most = 0;
        for (Blame.Open each : open) {
            EpochLedger epoch = job.epochs().get(each.epoch());
            int crashes = epoch.row().complete() ? 0 : crashed(job, epoch, each, place.worker(), at);
            if (crashes >= MOST_CRASHES) {
                hopeless.add(each.ordinal());
                most = Math.max(most, crashes);
            }
        }
        if (!hopeless.isEmpty()) {
            job.doom(hopeless(job, hopeless) + " was open when " + most + " workers crashed, " + place.worker()
                    + " the last of them, and cannot be read in parts: look for what crashes them in their logs");
            pool.due(TurnCause.JOB_ENDED);
        }
    }

    /** A task that has many ahead may have crashed at any of them, and most likely at one of the first. */
    private String hopeless(Job job, List<Long> splits) {
        int others = splits.size() - 1;
        return named(job, splits.get(0))
                + (others == 0 ? "" : ", or one of " + Counted.of(others, "split") + " behind it,");
    }

    /** How often it was open then, of late, where no part of it can be read by itself; 0 where one can, or where it is not open any more. */
    private int crashed(Job job, EpochLedger epoch, Blame.Open open, String worker, Instant at) {
        boolean parts = job.tracked() && !job.singleTask();
        // without tickets what is consumed may be the same once more
        long moved = job.tracked() ? epoch.row().moved() : epoch.row().closedSplits();
        SuspectRow.Crash crash = new SuspectRow.Crash(open.alone(), parts, moved, at);
        OptionalInt counted = epoch.loneSplits().crashed(open.ordinal(), crash);
        if (counted.isEmpty()) {
            return 0;
        }
        int crashes = counted.getAsInt();
        boolean cut = parts && epoch.loneSplits().counted(open.ordinal());
        if (parts && (open.alone() || crashes == 3) && (cut || crashes < MOST_CRASHES)) {
            job.tell(Job.Telling.NOW);
            note(
                    job,
                    epoch,
                    open.ordinal(),
                    named(job, open.ordinal()) + " was open when " + crashes + " workers crashed, " + worker
                            + " the last of them: it is read alone",
                    at);
        }
        return cut ? 0 : crashes;
    }

    private void note(Job job, EpochLedger epoch, long ordinal, String why, Instant at) {
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.SPLIT_SUSPECTED,
                                job.id(),
                                Map.of("epoch", (double) epoch.epoch(), "split", (double) ordinal)),
                        why));
    }

    private String named(Job job, long ordinal) {
        List<String> paths = ledger.split(job.id(), ordinal).getPaths();
        return paths.isEmpty() ? "split " + ordinal : paths.get(0);
    }

    // ---- what is read alone

    /** Whatever is to be read alone goes on, one split at a time; whether others can go on with what is not any more. */
    boolean advance(Pool pool, Job job, Instant at) {
        boolean released = false;
        for (EpochLedger epoch : job.open()) {
            for (long ordinal : epoch.loneSplits().alone()) {
                if (job.ended()) {
                    return false;
                }
                if (epoch.loneSplits().isRead(ordinal)) {
                    giveBack(job, epoch, ordinal, at);
                } else {
                    judge(pool, job, epoch, ordinal, at);
                    released |= !job.ended() && !epoch.loneSplits().alone().contains(ordinal);
                }
            }
            if (job.ended()) {
                return false;
            }
        }
        // what is read of an epoch is taken when those before are delivered, for which the worker may be needed
        Optional<EpochLedger> first = job.open().stream()
                .filter(epoch -> epoch.loneSplits().any() || !Epochs.delivered(job, epoch))
                .findFirst()
                .filter(epoch -> epoch.loneSplits().any());
        if (first.isEmpty()) {
            pool.release(job);
        }
        // without any, a worker that was reserved is no more
        Optional<String> reserved = pool.reserved();
        boolean others = reserved.filter(other -> !other.equals(job.id())).isPresent();
        if (first.isPresent() && !others && !job.row().paused()) {
            goOn(pool, job, first.get(), at);
        }
        return released;
    }

    /**
     * Whoever had it before ends with what it has: its short last batch would wait for what comes back of the split, and the
     * split for that batch.
     */
    private void giveBack(Job job, EpochLedger epoch, long ordinal, Instant at) {
        for (int attempt : epoch.loneSplits().readBeside(ordinal)) {
            if (epoch.attempts().get(attempt).takesWork()) {
                draining.drain(job, epoch, attempt, at, named(job, ordinal) + " is to be read alone");
            }
        }
    }

    /** Nobody reads a split that is read alone: it may be found what crashes, or that nothing does. */
    private void judge(Pool pool, Job job, EpochLedger epoch, long ordinal, Instant at) {
        OptionalLong condemned = epoch.loneSplits().condemned(ordinal);
        if (condemned.isPresent()) {
            condemn(pool, job, epoch, ordinal, condemned.getAsLong(), at);
        }
        if (!job.ended()
                && epoch.loneSplits().alone().contains(ordinal)
                && !epoch.loneSplits().hasMoreAlone(ordinal)) {
            epoch.loneSplits().release(ordinal);
        }
    }

    private void goOn(Pool pool, Job job, EpochLedger epoch, Instant at) {
        OptionalInt lonely = epoch.loneSplits().lonely();
        if (lonely.isPresent()) {
            // also where another dispatcher began with it
            pool.reserve(epoch.place(lonely.getAsInt()).worker(), job);
            return;
        }
        Optional<Long> next = epoch.loneSplits().alone().stream()
                .filter(ordinal -> !epoch.loneSplits().isRead(ordinal))
                .findFirst();
        if (next.isPresent() && !at.isBefore(job.blame().aloneFrom())) {
            worker(pool, job, at).ifPresent(worker -> read(job, epoch, next.get(), worker.place(), at));
        }
    }

    /** A worker that has nothing to do, and is to have nothing else; empty while there is none. */
    private Optional<KnownWorker> worker(Pool pool, Job job, Instant at) {
        Optional<KnownWorker> reserved = pool.workersFor(job)
                .filter(worker -> pool.isReserved(worker.place().worker()))
                .findFirst()
                .or(() -> pool.workersFor(job).min(Comparator.comparingDouble(Epochs.busy(pool))));
        reserved.ifPresent(worker -> {
            pool.reserve(worker.place().worker(), job);
            pool.open().forEach(other -> vacate(pool, other, worker.place(), at));
        });
        return reserved.filter(worker -> pool.open().stream()
                .allMatch(other -> other.open().stream().allMatch(epoch -> epoch.attemptsAt(worker.place())
                                .isEmpty())
                        && !other.row().planning().planner().equals(Optional.of(worker.place()))));
    }

    /**
     * The job's tasks there end, also where it wishes for nothing that the pool's turn could give it elsewhere. What is read of an
     * epoch is taken when those before it are delivered, for which its job may need this worker, or the next one that a split is
     * to be read on alone: such tasks are fenced.
     */
    private void vacate(Pool pool, Job job, Place place, Instant at) {
        String why = "worker " + place.worker() + " is to read a split alone";
        boolean waits = false;
        for (EpochLedger epoch : job.open()) {
            for (int attempt : List.copyOf(epoch.attemptsAt(place))) {
                AttemptRow row = epoch.attempts().get(attempt);
                if (waits && row.fence().isEmpty()) {
                    fences.fence(pool, job, epoch, attempt, why, at);
                } else if (row.takesWork()) {
                    draining.drain(job, epoch, attempt, at, why + ", and ends what it has");
                }
            }
            waits |= !Epochs.delivered(job, epoch);
        }
    }

    private void read(Job job, EpochLedger epoch, long ordinal, Place place, Instant at) {
        int attempt = epochs.startAsWritten(job, epoch, place, at);
        int assignment = epoch.loneSplits().assignAlone(attempt, ordinal);
        Split split = ledger.split(job.id(), ordinal);
        out.command(CommandWriter.assign(job.outline(), epoch, attempt, assignment, List.of(ordinal), which -> split));
        draining.drain(job, epoch, attempt, at, named(job, ordinal) + " is read alone, by worker " + place.worker());
    }

    private void condemn(Pool pool, Job job, EpochLedger epoch, long ordinal, long element, Instant at) {
        String what = "record " + element + " of " + named(job, ordinal) + " crashes the worker that reads it";
        if (epoch.loneSplits().leaveOut(ordinal, element, ExclusionReason.BAD.word())) {
            jobs.leftOut(pool, job, 1, List.of(what), at);
        }
        note(job, epoch, ordinal, what + ": it is left out", at);
    }
}
