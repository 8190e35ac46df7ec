package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JobOutline;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.Place;
import io.praline.dispatcher.ledger.PlanPage;
import io.praline.identity.AttemptKey;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.schema.Decided;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.Pin;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.SplitPage;
import io.praline.schema.Submit;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What happens to a job as a whole: submitted, planned, pinned, paused, ended. */
final class Jobs {
    /** Workers that are lost while they plan are a coincidence once or twice. */
    private static final int MOST_PLANS = 5;

    /** Each of them is looked at every second. */
    private static final int MOST_CONSUMERS = 10_000;

    private final Ledger ledger;
    private final RowRecords records;
    private final Rules rules;
    private final Epochs epochs;
    private final Tenants tenants;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Outgoing out;

    Jobs(
            Ledger ledger,
            RowRecords records,
            Rules rules,
            Epochs epochs,
            Tenants tenants,
            JobTurn jobTurn,
            Journal journal,
            Outgoing out) {
        this.ledger = ledger;
        this.records = records;
        this.rules = rules;
        this.epochs = epochs;
        this.tenants = tenants;
        this.jobTurn = jobTurn;
        this.journal = journal;
        this.out = out;
    }

    /** The job of a header that was found in the store. */
    Job restored(String id, JobRow row) {
        JobRequest request = records.request(ledger.submission(id));
        Optional<PlanCompleted> plan = ledger.plan(id).map(records::plan).map(it -> (PlanCompleted) it.getBody());
        return new Job(
                JobOutline.of(request, plan),
                row,
                policies(id, (Submit) request.getBody(), row),
                ledger.consumers(id),
                ledger.badRecords(id),
                tracked -> ledger.epochs(id, tracked));
    }

    private Job.Policies policies(String id, Submit submit, JobRow row) {
        if (row.standing().ended()) {
            return nobodys();
        }
        Optional<Policy> shadow = row.shadowDropped() ? Optional.empty() : rules.shadow(submit);
        return new Job.Policies(
                new JobPolicy(rules.policy(submit), ledger.known(id)),
                shadow.map(policy -> new JobPolicy(policy, ledger.shadow(id))));
    }

    private Job.Policies nobodys() {
        return new Job.Policies(new JobPolicy(rules.nobodys(), PolicyState.UNKNOWN), Optional.empty());
    }

    /** Whoever starts the pool's workers starts no more than these; 0: it does not tell. */
    void bounded(Pool pool, int most, Instant at) {
        pool.mostHeard(at);
        if (pool.row().most() == most) {
            return;
        }
        pool.row(pool.row().withMost(most));
        pool.turnDue(true);
        for (Job job : pool.jobs().values()) {
            Terms terms = job.ended() ? job.leading().state().terms() : rules.terms(job.submit(), pool.size());
            if (!terms.equals(job.leading().state().terms())) {
                jobTurn.take(pool, job, new Observation.TermsSet(at, terms));
            }
        }
    }

    /** The bound that was not told since then holds no longer. */
    void unbounded(Pool pool, Instant since, Instant at) {
        if (pool.mostHeard().isEmpty()) {
            pool.mostHeard(at); // taken over: silence is counted from here
        } else if (pool.row().most() > 0 && pool.mostHeard().get().isBefore(since)) {
            bounded(pool, 0, at);
        }
    }

    void submitted(Pool pool, JobRequest request, Instant at) {
        Submit submit = (Submit) request.getBody();
        Optional<String> wrong = wrong(pool, submit);
        JobRow row = new JobRow(at, JobRow.Standing.at(JobState.PLANNING, at));
        Job job = new Job(
                JobOutline.of(request, Optional.empty()),
                row,
                wrong.isEmpty() ? policies(request.getJob(), submit, row) : nobodys(),
                new TreeMap<>(),
                List.of(),
                tracked -> new TreeMap<>());
        pool.add(job);
        ledger.saveSubmission(job.id(), records.bytes(request));
        job.changed();
        job.tell(Job.Telling.NOW);
        if (wrong.isPresent()) {
            end(pool, job, JobState.FAILED, wrong.get(), FailureKind.REFUSED, at);
        } else {
            jobTurn.take(pool, job, new Observation.TermsSet(at, rules.terms(submit, pool.size())));
            tenants.submitted(pool, submit, at);
            plan(pool, job, "it was submitted", at);
            pool.turnDue(true);
        }
    }

    private Optional<String> wrong(Pool pool, Submit submit) {
        if (submit.getEpochs() < 1) {
            return Optional.of("epochs must be at least 1, is " + submit.getEpochs());
        }
        if (submit.getConsumers() < 1 || submit.getConsumers() > MOST_CONSUMERS) {
            return Optional.of("consumers must be in 1.." + MOST_CONSUMERS + ", is " + submit.getConsumers());
        }
        if (!(submit.getWeight() > 0) || Double.isInfinite(submit.getWeight())) {
            return Optional.of("weight must be above 0, is " + submit.getWeight());
        }
        if (!(submit.getTenantCap() >= 0)) {
            return Optional.of("tenantCap must be above 0, is " + submit.getTenantCap());
        }
        if (submit.getSkipBad() < 0) {
            return Optional.of("skipBad must not be negative, is " + submit.getSkipBad());
        }
        try {
            rules.policy(submit);
            rules.shadow(submit);
            rules.terms(submit, pool.size());
        } catch (IllegalArgumentException refused) {
            return Optional.of(refused.getMessage());
        }
        return Optional.empty();
    }

    /** Has the job planned by the worker with the least to do; where there is none it stays without planner. */
    void plan(Pool pool, Job job, String why, Instant at) {
        Optional<KnownWorker> idlest = planners(pool, job).min(Comparator.comparingDouble(Epochs.busy(pool)));
        int number = job.row().planning().plan();
        if (idlest.isEmpty()) {
            job.row().planning(new JobRow.Planning(number, Optional.empty(), 0, 0, 0, false));
            job.changed();
            write(job, at, "planWanted", List.of(), why + ", and no worker is there to plan it");
            return;
        }
        if (number == MOST_PLANS) {
            end(
                    pool,
                    job,
                    JobState.FAILED,
                    "planning was given up after " + MOST_PLANS + " attempts: " + why,
                    FailureKind.FAILED,
                    at);
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
        write(
                job,
                at,
                "planWanted",
                List.of(DecisionWriter.decided("planSplits", planner.worker(), Map.of("plan", number + 1.0))),
                why + ": worker " + planner.worker() + " has the least to do and plans it");
    }

    /** Workers that may plan the job: any of the pool, and its own. */
    static Stream<KnownWorker> planners(Pool pool, Job job) {
        return pool.workers().values().stream()
                .filter(worker -> !worker.row().draining())
                .filter(worker -> worker.row().onlyFor().map(job.id()::equals).orElse(true));
    }

    /** A page of the plan, or how it ended; the plan is the job's current one. */
    void planned(Pool pool, Job job, PlanMessage message, Instant at) {
        JobRow.Planning planning = job.row().planning();
        if (message.getBody() instanceof SplitPage page) {
            page(pool, job, planning, page, at);
        } else if (message.getBody() instanceof PlanCompleted completed) {
            completed(pool, job, planning, message, completed, at);
        } else if (message.getBody() instanceof PlanFailed failed) {
            FailureKind kind = failed.getKind() == FailureKind.NONE ? FailureKind.FAILED : failed.getKind();
            end(pool, job, JobState.FAILED, failed.getReason(), kind, at);
        }
    }

    private void page(Pool pool, Job job, JobRow.Planning planning, SplitPage page, Instant at) {
        if (page.getPage() < planning.pages()) {
            out.ignored(Ignored.DUPLICATE);
            return;
        }
        if (page.getPage() > planning.pages() || planning.splits() != (long) planning.pages() * PlanPage.SPLITS) {
            plan(pool, job, "a page of its plan is missing or short", at);
            return;
        }
        ledger.savePage(job.id(), page.getPage(), PlanPage.encode(page.getSplits()));
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
            plan(pool, job, "its plan says " + completed.getSplits() + " splits and holds " + planning.splits(), at);
            return;
        }
        if (completed.getSplits() == 0) {
            end(pool, job, JobState.FAILED, "there is nothing to read: the plan has no split", FailureKind.REFUSED, at);
            return;
        }
        boolean tooWeak = job.submit().getStrict()
                && job.submit().getGuarantee() == Guarantee.EXACTLY_ONCE
                && completed.getGuarantee() != Guarantee.EXACTLY_ONCE;
        if (tooWeak) {
            end(
                    pool,
                    job,
                    JobState.FAILED,
                    "the pipeline cannot keep exactly-once: " + String.join("; ", completed.getGuaranteeReasons()),
                    FailureKind.REFUSED,
                    at);
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
        job.plan(completed);
        pool.plannedOrEnded(job);
        ledger.savePlan(job.id(), records.bytes(message));
        forgetGraph(job);
        job.row().servedSince(at);
        // the pool first, so that the policy knows it when it decides
        jobTurn.take(pool, job, new Observation.PoolChanged(at, pool.workersThatServe(), pool.slotsThatServe()));
        jobTurn.take(
                pool,
                job,
                new Observation.Planned(at, completed.getSplits(), completed.getBytes(), completed.getSingleTask()));
        job.tell(Job.Telling.NOW);
        pool.turnDue(true);
    }

    /** From now on workers take the graph from its own topic. */
    private void forgetGraph(Job job) {
        job.forgetGraph();
        ledger.saveSubmission(job.id(), records.bytes(job.outline().submission()));
    }

    /** Somebody takes the numbers out of the policy's hands, or gives them back. */
    void pinned(Pool pool, Job job, Pin pin, Instant at) {
        Optional<Target> target =
                pin.getPinned() ? Optional.of(new Target(pin.getRemote(), pin.getLocal())) : Optional.empty();
        if (job.leading().state().pinned().equals(target)) {
            out.ignored(Ignored.DUPLICATE);
            return;
        }
        jobTurn.take(pool, job, new Observation.Pinned(at, target));
        job.tell(Job.Telling.NOW);
    }

    void paused(Pool pool, Job job, boolean paused, Instant at) {
        if (job.row().paused() == paused) {
            out.ignored(Ignored.DUPLICATE);
            return;
        }
        job.row().paused(paused);
        job.row().servedSince(at);
        job.changed();
        pool.turnDue(true);
        job.tell(Job.Telling.NOW);
        write(
                job,
                at,
                "pauseRequested",
                List.of(DecisionWriter.decided(paused ? "pause" : "goOn", job.id(), Map.of())),
                paused ? "it was asked to pause" : "it was asked to go on");
    }

    /** The job is over: whoever serves it is freed. */
    void end(Pool pool, Job job, JobState state, String reason, FailureKind failure, Instant at) {
        for (EpochLedger epoch : job.epochs().values()) {
            epoch.save();
            for (int attempt : epoch.attempts().keySet()) {
                if (pool.alive(epoch.place(attempt))) {
                    AttemptKey key = new AttemptKey(job.id(), epoch.epoch(), attempt);
                    out.command(CommandWriter.fence(key, epoch.place(attempt), "the job has ended"));
                }
            }
        }
        for (EpochLedger epoch : job.epochs().values()) {
            for (int attempt : List.copyOf(epoch.attempts().keySet())) {
                job.forget(epoch.epoch(), attempt);
            }
        }
        ledger.dropDetails(job.id());
        pool.plannedOrEnded(job);
        tenants.ended(pool, job, at);
        job.row().standing(JobRow.Standing.ended(state, reason, failure, at));
        forgetGraph(job);
        job.epochs().replaceAll((number, epoch) -> ledger.openEpoch(job.id(), number, job.tracked()));
        job.changed();
        job.tell(Job.Telling.NOW);
        pool.turnDue(true);
        write(
                job,
                at,
                "jobEnded",
                List.of(DecisionWriter.decided(state.name().toLowerCase(Locale.ROOT), job.id(), Map.of())),
                reason.isEmpty() ? "every element is consumed or excluded" : reason);
    }

    /** The consumer whose process this is; empty where another process holds its place. */
    Optional<ConsumerRow> consumer(Job job, int consumer, String incarnation, Instant at) {
        if (consumer >= job.submit().getConsumers()) {
            out.ignored(Ignored.STALE_INCARNATION);
            return Optional.empty();
        }
        ConsumerRow known = job.consumers().get(consumer);
        if (known == null) {
            known = new ConsumerRow(incarnation, "", -1, false);
            job.consumer(consumer, known);
        } else if (!known.incarnation().equals(incarnation)) {
            out.ignored(Ignored.STALE_INCARNATION);
            return Optional.empty();
        }
        job.consumersHeard().put(consumer, at);
        if (known.gone()) {
            known = known.withGone(false);
            job.consumer(consumer, known);
        }
        return Optional.of(known);
    }

    private void write(Job job, Instant at, String kind, List<Decided> decided, String reason) {
        journal.write(
                job,
                at,
                new Journal.Entry(DecisionWriter.observed(kind, job.id(), Map.of()), decided, reason, Map.of()));
    }
}
