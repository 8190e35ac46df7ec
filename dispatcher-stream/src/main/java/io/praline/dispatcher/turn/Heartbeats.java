package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptGraph;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.Elements;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.epoch.SplitRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.dispatcher.turn.progress.RateMeter;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.identity.AttemptKey;
import io.praline.identity.ExclusionReason;
import io.praline.policy.Counted;
import io.praline.policy.Observation;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.OpenedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitDigest;
import io.praline.schema.WorkerHeartbeat;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What workers tell: that they are there, and how their attempts go. */
final class Heartbeats {
    /** In a job of weeks now and then something breaks; what breaks again and again has a cause. */
    private static final Duration FAILURES_WITHIN = Duration.ofHours(1);

    private final Ledger ledger;
    private final ProtocolLimits limits;
    private final Membership membership;
    private final Jobs jobs;
    private final Fences fences;
    private final Ordering ordering;
    private final Caching caching;
    private final Stores stores;
    private final JobTurn jobTurn;
    private final Outgoing out;

    Heartbeats(
            Ledger ledger,
            ProtocolLimits limits,
            Membership membership,
            Jobs jobs,
            Fences fences,
            Ordering ordering,
            Caching caching,
            Stores stores,
            JobTurn jobTurn,
            Outgoing out) {
        this.ledger = ledger;
        this.limits = limits;
        this.membership = membership;
        this.jobs = jobs;
        this.fences = fences;
        this.ordering = ordering;
        this.caching = caching;
        this.stores = stores;
        this.jobTurn = jobTurn;
        this.out = out;
    }

    /** Folds a beat in; gives the jobs that it was about. */
    List<Job> fold(Pool pool, Event.Beat event) {
        WorkerHeartbeat beat = event.beat();
        Instant at = event.at();
        if (pool.isReplaced(beat.getWorker(), beat.getIncarnation())) {
            out.ignored(Ignored.STALE_INCARNATION);
            return List.of();
        }
        KnownWorker worker = membership.present(pool, beat, at);
        worker.planning(Set.copyOf(beat.getPlanning()));
        beat.getCache().ifPresent(report -> stores.told(pool, worker.place(), report, at));
        Set<Job> concerned = new LinkedHashSet<>();
        SortedSet<AttemptKey> listed = new TreeSet<>();
        for (AttemptProgress progress : beat.getAttempts()) {
            Optional<Job> its = Optional.ofNullable(pool.jobs().get(progress.getJob()));
            its.ifPresentOrElse(
                    job -> JobFault.in(job.id(), () -> progress(pool, worker, progress, at))
                            .ifPresent(open -> {
                                concerned.add(open);
                                listed.add(key(progress));
                            }),
                    () -> stray(worker, progress, at));
        }
        worker.lists(listed).forEach(missing -> watch(pool, missing));
        Optional<Place> here = Optional.of(worker.place());
        for (String id : pool.unplanned()) {
            Job job = pool.jobs().get(id);
            if (job.row().planning().planner().equals(here)) {
                boolean lists = worker.planning().contains(id);
                job.unlistedSince(lists ? Optional.empty() : job.unlistedSince().or(() -> Optional.of(at)));
            }
        }
        confirm(worker, at, out);
        if (beat.getLeaving()) {
            membership.lost(pool, worker.place(), "worker " + beat.getWorker() + " left", at);
        }
        return List.copyOf(concerned);
    }

    /** Its worker lists it no more: if it is not closed, time will tell why. */
    private static void watch(Pool pool, AttemptKey missing) {
        Job job = pool.jobs().get(missing.job());
        EpochLedger epoch = job == null ? null : job.epochs().get(missing.epoch());
        if (epoch != null && epoch.attempts().containsKey(missing.attempt())) {
            job.attention().watch(missing.epoch(), missing.attempt());
        }
    }

    private Optional<Job> progress(Pool pool, KnownWorker worker, AttemptProgress progress, Instant at) {
        Optional<Job> found =
                Optional.ofNullable(pool.jobs().get(progress.getJob())).filter(job -> !job.ended());
        EpochLedger epoch =
                found.map(job -> job.epochs().get(progress.getEpoch())).orElse(null);
        int attempt = progress.getAttempt();
        AttemptRow row = epoch == null ? null : epoch.attempts().get(attempt);
        boolean its = row != null
                && epoch.place(attempt).incarnation().equals(worker.place().incarnation());
        if (!its) {
            stray(worker, progress, at);
            return Optional.empty();
        }
        Job job = found.get();
        if (row.fence().isPresent()) {
            fenced(job, epoch, worker, progress, at);
            return found;
        }
        LastBeat seen = job.seen(progress.getEpoch(), attempt, at);
        boolean first = seen.heard().isEmpty();
        LastBeat.Entries before = seen.entries();
        job.beats().told(progress.getEpoch(), attempt, at, progress);
        if (!first) {
            // what an attempt did before this dispatcher took over is counted already
            caching.used(pool, job, row, before, seen.entries());
        }
        job.attention().hunger(progress.getEpoch(), attempt);
        rate(pool, job, worker, progress, at);
        epoch.taken(attempt, progress.getAssignedThrough());
        if (progress.getMetrics().isPresent()) {
            job.tell(Job.Telling.WITHIN_A_SECOND);
        }
        if (isNew(worker, epoch, progress)) {
            facts(pool, job, epoch, worker, progress, at);
        }
        return found;
    }

    private void stray(KnownWorker worker, AttemptProgress progress, Instant at) {
        if (progress.getFenced()) {
            fences.forget(worker, key(progress), at);
        } else {
            fences.stray(worker, key(progress), false, at);
        }
    }

    /** Of what is told of a fenced attempt, what was sent on its lanes counts. All else that it had is read again. */
    private void fenced(Job job, EpochLedger epoch, KnownWorker worker, AttemptProgress progress, Instant at) {
        int attempt = progress.getAttempt();
        job.seen(progress.getEpoch(), attempt, at).fenced(at, progress);
        job.attention().watch(progress.getEpoch(), attempt);
        if (!progress.getFenced()) {
            fences.stray(worker, key(progress), job.tracked(), at);
        }
        if (isNew(worker, epoch, progress)) {
            Lanes.closed(job, epoch, progress);
        }
    }

    /** Whether what it tells is to be applied now; facts without a number are told once. */
    private boolean isNew(KnownWorker worker, EpochLedger epoch, AttemptProgress progress) {
        int number = progress.getFacts();
        if (number == 0) {
            return true;
        }
        boolean next = epoch.fact(progress.getAttempt(), number);
        int known = epoch.attempts().get(progress.getAttempt()).facts();
        worker.confirmations().due(key(progress), known);
        if (!next) {
            out.ignored(number > known ? Ignored.GAP : Ignored.DUPLICATE);
        }
        return next;
    }

    /** Tells the worker which facts are in the accounts, where it is time. */
    static void confirm(KnownWorker worker, Instant at, Outgoing out) {
        SortedMap<AttemptKey, Integer> facts = worker.confirmations().take(at);
        if (!facts.isEmpty()) {
            out.command(CommandWriter.confirm(worker.place(), facts));
        }
    }

    private static AttemptKey key(AttemptProgress progress) {
        return new AttemptKey(progress.getJob(), progress.getEpoch(), progress.getAttempt());
    }

    /** Folds in what happened to the attempt. */
    private void facts(
            Pool pool, Job job, EpochLedger epoch, KnownWorker worker, AttemptProgress progress, Instant at) {
        int attempt = progress.getAttempt();
        AttemptGraph graph = epoch.attempts().get(attempt).graph();
        boolean variant = !graph.variant().isEmpty();
        for (SplitDigest read : progress.getDigests()) {
            if (variant) {
                if (!epoch.agrees(read.getOrdinal(), read.getDigests())) {
                    variantBroke(pool, job, epoch, attempt, readOtherwise(job, worker, read), at);
                    return;
                }
            } else if (read.getOrdinal() < job.splits() && !epoch.digest(read.getOrdinal(), read.getDigests())) {
                jobs.end(pool, job, JobState.FAILED, readOtherwise(job, worker, read), FailureKind.REFUSED, at);
                return;
            }
        }
        for (OpenedSplit opened : progress.getOpened()) {
            if (opened.getOrdinal() >= job.splits()) {
                continue;
            }
            if (opened.getRecords() > SplitRow.MAX_RECORDS) {
                jobs.end(pool, job, JobState.FAILED, tooLong(job, opened), FailureKind.REFUSED, at);
                return;
            }
            if (!epoch.count(attempt, opened.getOrdinal(), opened.getRecords())) {
                jobs.end(pool, job, JobState.FAILED, changed(job, worker, opened), FailureKind.REFUSED, at);
                return;
            }
        }
        for (Exclusion excluded : progress.getExcluded()) {
            exclude(pool, job, epoch, attempt, excluded, at);
            if (job.ended()) {
                return;
            }
        }
        Lanes.closed(job, epoch, progress);
        if (!progress.getOpened().isEmpty() || !progress.getExcluded().isEmpty()) {
            job.tell(Job.Telling.WITHIN_A_SECOND);
        }
        AttemptRow row = epoch.attempts().get(attempt);
        progress.getEnd().filter(end -> row.end().isEmpty()).ifPresent(end -> {
            pool.due(TurnCause.ATTEMPT_ENDED);
            if (!epoch.end(attempt, end(end, progress.getElements()), Elements.of(end.getRemainder()))) {
                String uncounted = "it ended and had not counted the records of a split";
                broken(pool, job, epoch, attempt, uncounted, Duration.ZERO, at);
            }
        });
        boolean told =
                progress.getEnd().isPresent() || !progress.getClosedLanes().isEmpty();
        if (told && !job.ended() && Epochs.delivered(job, epoch)) {
            job.tell(Job.Telling.NOW); // loops wait for it at the end of their epoch
        }
        if (progress.getFailure().isPresent()) {
            AttemptFailure failure = progress.getFailure().get();
            if (failure.getKind() == FailureKind.CACHE && graph.cache().isPresent()) {
                entryBroke(pool, job, epoch, attempt, failure.getReason(), at);
            } else if (variant) {
                variantBroke(pool, job, epoch, attempt, failure.getReason(), at);
            } else if (failure.getKind() == FailureKind.REFUSED) {
                jobs.end(pool, job, JobState.FAILED, failure.getReason(), FailureKind.REFUSED, at);
            } else {
                Duration still = Duration.ofSeconds(failure.getStillSeconds());
                broken(pool, job, epoch, attempt, failure.getReason(), still, at);
            }
        }
    }

    /** The job's policy learns what a task can make long before a window closes. */
    private void rate(Pool pool, Job job, KnownWorker worker, AttemptProgress progress, Instant at) {
        RateMeter.Totals totals = new RateMeter.Totals(
                progress.getBatches(),
                progress.getElements(),
                progress.getCachedElements(),
                progress.getStoredSplits(),
                progress.getBusySeconds());
        boolean local = worker.place().local();
        int beside = local ? Wish.localTasks(pool, job) : 1;
        RateMeter meter = job.beats()
                .rate(progress.getEpoch(), progress.getAttempt(), worker.place().worker(), at);
        meter.seen(totals, beside, at).ifPresent(rate -> {
            AttemptRow row = job.epochs().get(progress.getEpoch()).attempts().get(progress.getAttempt());
            if (meter.made() == RateMeter.Made.COMPUTED) {
                ordering.rate(pool, job, row, rate, at);
            }
            caching.rate(pool, job, meter.made(), rate, at);
            jobTurn.take(
                    pool, job, new Observation.RateMeasured(at, worker.place().worker(), local, beside, rate));
        });
    }

    private static AttemptRow.End end(AttemptEnd end, long elements) {
        SortedMap<Integer, Long> last = new TreeMap<>();
        end.getLastSequences()
                .forEach(one -> last.put(
                        one.getGeneration() < 0 ? one.getConsumer() : one.getGeneration(), one.getLastSequence()));
        return new AttemptRow.End(last, elements);
    }

    private String named(Job job, long ordinal) {
        Split split = ledger.split(job.id(), ordinal);
        return split.getPaths().isEmpty()
                ? "split " + ordinal
                : split.getPaths().get(0);
    }

    private String readOtherwise(Job job, KnownWorker worker, SplitDigest read) {
        return named(job, read.getOrdinal())
                + " comes out otherwise when it is read again: the first elements that worker "
                + worker.place().worker()
                + " makes of it are not those of an earlier reading, so that what is already consumed cannot be told"
                + " from what is not; leave the data unchanged while a job runs, take out what is not repeatable, and"
                + " submit again";
    }

    private String tooLong(Job job, OpenedSplit opened) {
        return named(job, opened.getOrdinal()) + " holds " + opened.getRecords() + " records, more than the "
                + SplitRow.MAX_RECORDS + " that are told apart in one file: cut it into several";
    }

    private String changed(Job job, KnownWorker worker, OpenedSplit opened) {
        return named(job, opened.getOrdinal()) + " has changed since it was planned: worker "
                + worker.place().worker() + " counts "
                + Counted.of(opened.getRecords(), "record") + " in it, which is not what was counted before";
    }

    private void exclude(Pool pool, Job job, EpochLedger epoch, int attempt, Exclusion excluded, Instant at) {
        long moved;
        if (job.tracked()) {
            moved = epoch.exclude(attempt, excluded.getReason(), Elements.of(excluded.getTickets()));
        } else {
            moved = excluded.getElements();
            epoch.excludeUntracked(excluded.getReason(), moved);
        }
        if (excluded.getReason().equals(ExclusionReason.BAD.word()) && moved > 0) {
            jobs.leftOut(pool, job, moved, excluded.getDetails(), at);
        }
    }

    /** An attempt failed that does not run the user's order: what it had is read again in the user's, which tells why. */
    private void variantBroke(Pool pool, Job job, EpochLedger epoch, int attempt, String reason, Instant at) {
        ordering.broke(pool, job, reason, at);
        fences.fence(
                pool,
                job,
                epoch,
                attempt,
                "it broke on worker " + epoch.place(attempt).worker() + " in another order than the user's: " + reason,
                at);
    }

    /** An attempt read an entry that is no good: nobody's fault but the store's, and what it had is read again. */
    private void entryBroke(Pool pool, Job job, EpochLedger epoch, int attempt, String reason, Instant at) {
        caching.broke(pool, job, reason, at);
        fences.fence(
                pool,
                job,
                epoch,
                attempt,
                "it read an entry that is no good on worker "
                        + epoch.place(attempt).worker() + ": " + reason,
                at);
    }

    /** An attempt broke by no fault of pipeline or data: others try again, a few times. */
    private void broken(Pool pool, Job job, EpochLedger epoch, int attempt, String reason, Duration still, Instant at) {
        job.row().stoodStill(still, at);
        int failed = job.row().engineFailed(at, FAILURES_WITHIN);
        job.changed();
        String worker = epoch.place(attempt).worker();
        if (failed > limits.engineFailures()) {
            String told = "an attempt on worker " + worker + " broke, the " + failed + "th of this job within an hour"
                    + (still.isZero() ? ": " : " in which something came of it: ") + reason;
            jobs.end(pool, job, JobState.FAILED, told, FailureKind.FAILED, at);
        } else {
            fences.fence(pool, job, epoch, attempt, "it broke on worker " + worker + ": " + reason, at);
        }
    }
}
