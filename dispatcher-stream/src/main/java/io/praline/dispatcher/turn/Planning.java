package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.PlanPage;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.policy.Counted;
import io.praline.policy.Observation;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.Observed;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.SplitPage;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Plans: who makes them, and what comes of them, page by page. */
final class Planning {
    /** A status tells of each, in some thirty bytes, and has 32 MB at most; a job that it does not hold fails when it grows. */
    private static final int MOST_EPOCHS = 400_000;

    /** Workers that are lost within an hour while they plan a job are a coincidence a few times. */
    private static final int MOST_LOST = 5;

    private static final Duration LOST_WITHIN = Duration.ofHours(1);

    private final Ledger ledger;
    private final RowRecords records;
    private final Jobs jobs;
    private final Ordering ordering;
    private final Caching caching;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Outgoing out;

    Planning(
            Ledger ledger,
            RowRecords records,
            Jobs jobs,
            Ordering ordering,
            Caching caching,
            JobTurn jobTurn,
            Journal journal,
            Outgoing out) {
        this.ledger = ledger;
        this.records = records;
        this.jobs = jobs;
        this.ordering = ordering;
        this.caching = caching;
        this.jobTurn = jobTurn;
        this.journal = journal;
        this.out = out;
    }

    /**
     * Has the job planned by the worker with the least to do, the one that did not plan it last of all; where there is none
     * it stays without planner.
     */
    void plan(Pool pool, Job job, String why, Instant at) {
        Optional<Place> failed = job.row().planning().planner();
        Optional<KnownWorker> idlest = planners(pool, job)
                .min(Comparator.<KnownWorker, Boolean>comparing(
                                worker -> failed.filter(worker.place()::equals).isPresent())
                        .thenComparing(Comparator.comparingDouble(Epochs.busy(pool))));
        int number = job.row().planning().plan();
        LedgerRecords.filesKeys(job.id(), job.row().planning().pages()).forEach(out::ledgerPageGone);
        if (idlest.isEmpty()) {
            job.row().planning(new JobRow.Planning(number, Optional.empty(), 0, 0, 0, false));
            job.changed();
            String nobody = why + ", and no worker is there to plan it";
            journal.write(job, at, new Journal.Entry(wanted(job), nobody));
            return;
        }
        if (number > 0) {
            ledger.dropPages(job.id());
        }
        Place planner = idlest.get().place();
        job.row().planning(new JobRow.Planning(number + 1, Optional.of(planner), 0, 0, 0, false));
        job.unlistedSince(Optional.empty());
        job.changed();
        job.tell(Job.Telling.NOW);
        out.command(CommandWriter.planSplits(job.outline(), number + 1, planner));
        journal.write(
                job,
                at,
                new Journal.Entry(
                        wanted(job),
                        DecisionWriter.decided(
                                JournalCommand.PLAN_SPLITS, planner.worker(), Map.of("plan", number + 1.0)),
                        why + ": worker " + planner.worker() + " has the least to do and plans it"));
    }

    /**
     * The worker that planned it is there no more: others do, unless so many were lost that the job must be why.
     *
     * @param unplanned whether it had not said that it would go
     */
    void lost(Pool pool, Job job, boolean unplanned, String why, Instant at) {
        int lost = unplanned ? job.row().plannerLost(at, LOST_WITHIN) : 0;
        if (lost == MOST_LOST) {
            String told = lost + " workers were lost within an hour while they planned it, at last " + why
                    + ": look for the cause in their logs";
            jobs.end(pool, job, JobState.FAILED, told, FailureKind.FAILED, at);
        } else {
            plan(pool, job, why + " while it planned", at);
        }
    }

    private static Observed wanted(Job job) {
        return DecisionWriter.observed(JournalKind.PLAN_WANTED, job.id(), Map.of());
    }

    /** Workers that may plan the job: any of the pool, and its own. */
    static Stream<KnownWorker> planners(Pool pool, Job job) {
        return pool.workers().values().stream()
                .filter(worker -> !worker.row().draining())
                .filter(worker -> worker.row().onlyFor().map(job.id()::equals).orElse(true));
    }

    /** Folds a part of a plan in; gives the job that it was about. */
    List<Job> fold(Pool pool, Event.Plan event) {
        PlanMessage message = event.message();
        Optional<Job> about = Optional.ofNullable(pool.jobs().get(message.getJob()));
        about.filter(Job::ended).ifPresent(job -> written(job, message));
        Optional<Job> found = about.filter(job -> !job.ended());
        if (found.isEmpty()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        Job job = found.get();
        JobRow.Planning planning = job.row().planning();
        boolean current = planning.plan() == message.getPlan()
                && planning.planner()
                        .filter(planner -> planner.incarnation().equals(message.getIncarnation()))
                        .isPresent();
        if (!current) {
            out.ignored(Ignored.STALE_PLAN);
            return List.of();
        }
        if (message.getBody() instanceof SplitPage page) {
            page(pool, job, planning, page, event.at());
        } else if (message.getBody() instanceof PlanCompleted completed) {
            completed(pool, job, planning, message, completed, event.at());
        } else if (message.getBody() instanceof PlanFailed failed) {
            FailureKind kind = failed.getKind() == FailureKind.NONE ? FailureKind.FAILED : failed.getKind();
            jobs.end(pool, job, JobState.FAILED, failed.getReason(), kind, event.at());
        }
        return List.of(job);
    }

    /** The graph that its worker wrote down is there, also where nothing comes of the plan: it goes with the job. */
    private void written(Job job, PlanMessage message) {
        if (message.getBody() instanceof PlanCompleted completed
                && job.outline().plan().isEmpty()) {
            job.plan(completed);
            ledger.savePlan(job.id(), records.bytes(message));
        }
    }

    private void page(Pool pool, Job job, JobRow.Planning planning, SplitPage page, Instant at) {
        if (page.getPage() < planning.pages()) {
            out.ignored(Ignored.DUPLICATE);
            return;
        }
        if (page.getPage() > planning.pages() || !planning.full()) {
            plan(pool, job, "a page of its plan is missing or short", at);
            return;
        }
        ledger.savePage(job.id(), page.getPage(), PlanPage.encode(page.getSplits()));
        out.ledgerPage(LedgerRecords.files(job.id(), planning.plan(), page.getPage(), page.getSplits()));
        int sources = page.getSplits().stream()
                .mapToInt(split -> split.getSource() + 1)
                .max()
                .orElse(0);
        job.row()
                .planning(new JobRow.Planning(
                        planning.plan(),
                        planning.planner(),
                        planning.pages() + 1,
                        planning.splits() + page.getSplits().size(),
                        Math.max(planning.sources(), sources),
                        false));
        job.changed();
    }

    private void completed(
            Pool pool, Job job, JobRow.Planning planning, PlanMessage message, PlanCompleted completed, Instant at) {
        if (completed.getSplits() != planning.splits()) {
            plan(
                    pool,
                    job,
                    "its plan says " + Counted.of(completed.getSplits(), "split") + " and holds " + planning.splits(),
                    at);
            return;
        }
        boolean tooWeak = job.submit().getStrict()
                && job.submit().getGuarantee() == Guarantee.EXACTLY_ONCE
                && completed.getGuarantee() != Guarantee.EXACTLY_ONCE;
        if (tooWeak) {
            written(job, message);
            jobs.end(
                    pool,
                    job,
                    JobState.FAILED,
                    "the pipeline cannot keep exactly-once: " + String.join("; ", completed.getGuaranteeReasons()),
                    FailureKind.REFUSED,
                    at);
            return;
        }
        long epochs = (long) job.submit().getEpochs() * completed.getEpochs();
        if (epochs > MOST_EPOCHS) {
            String tooMany = "it has " + epochs + " epochs, more than the " + MOST_EPOCHS
                    + " of which a status can tell: let an epoch read its data more often";
            written(job, message);
            jobs.end(pool, job, JobState.FAILED, tooMany, FailureKind.REFUSED, at);
            return;
        }
        job.row()
                .planning(new JobRow.Planning(
                        planning.plan(),
                        Optional.empty(),
                        planning.pages(),
                        planning.splits(),
                        planning.sources(),
                        true));
        written(job, message);
        pool.planned(job);
        jobs.forgetGraph(job);
        job.row().servedSince(at);
        if (completed.getSplits() == 0) {
            // as one process that walks over nothing
            jobs.end(pool, job, JobState.COMPLETED, "", FailureKind.NONE, at);
            return;
        }
        // the pool first, so that the policy knows it when it decides
        jobTurn.take(pool, job, new Observation.PoolChanged(at, pool.workersThatServe(), pool.slotsThatServe()));
        jobTurn.take(
                pool,
                job,
                new Observation.Planned(at, completed.getSplits(), completed.getBytes(), completed.getSingleTask()));
        caching.begin(pool, job, at);
        ordering.begin(pool, job, at);
        job.tell(Job.Telling.NOW);
        pool.due(TurnCause.JOB_PLANNED);
    }
}
