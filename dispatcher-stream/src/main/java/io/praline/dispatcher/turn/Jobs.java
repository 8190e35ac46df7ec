package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JobOutline;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.RemainingPages;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.ClosedPages;
import io.praline.dispatcher.turn.progress.JobPolicies;
import io.praline.dispatcher.turn.progress.JobPolicy;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.progress.course.Courses;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.identity.AttemptKey;
import io.praline.policy.Counted;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.schema.FailureKind;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.PlanCompleted;
import io.praline.schema.Submit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How a job begins and ends. */
final class Jobs {
    private static final int MOST_BAD_LINES = 100;

    private final Ledger ledger;
    private final RowRecords records;
    private final Rules rules;
    private final Tenants tenants;
    private final ClosedPages closedPages;
    private final Statuses statuses;
    private final Journal journal;
    private final Outgoing out;

    Jobs(
            Ledger ledger,
            RowRecords records,
            Rules rules,
            Tenants tenants,
            ClosedPages closedPages,
            Statuses statuses,
            Journal journal,
            Outgoing out) {
        this.ledger = ledger;
        this.records = records;
        this.rules = rules;
        this.tenants = tenants;
        this.closedPages = closedPages;
        this.statuses = statuses;
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
                Courses.of(ledger, id),
                policies(id, (Submit) request.getBody(), row),
                ledger.consumers(id),
                ledger.badRecords(id),
                tracked -> ledger.epochs(id, tracked));
    }

    /** A job of which nothing is left but that it failed: whose it was is known only where its submission can be read. */
    Job failed(String id, String why, Instant at) {
        Optional<JobRequest> known;
        try {
            known = Optional.ofNullable(ledger.submission(id)).map(records::request);
        } catch (RuntimeException unreadable) {
            if (records.away(unreadable)) {
                throw unreadable;
            }
            known = Optional.empty();
        }
        JobRequest request = RowRecords.bare(id, known);
        RemainingPages told = RemainingPages.of(ledger.rows(), id);
        LedgerRecords.filesKeys(id, told.pages()).forEach(out::ledgerPageGone);
        for (int epoch : told.epochs()) {
            LedgerRecords.closedKeys(id, epoch, told.pages()).forEach(out::ledgerPageGone);
        }
        ledger.dropJob(id);
        ledger.saveSubmission(id, records.bytes(request));
        JobRow row = new JobRow(at, JobRow.Standing.ended(JobState.FAILED, why, FailureKind.FAILED, at));
        return new Job(
                JobOutline.of(request, Optional.empty()),
                row,
                Courses.fresh(),
                nobodys(),
                new TreeMap<>(),
                List.of(),
                tracked -> new TreeMap<>());
    }

    private JobPolicies policies(String id, Submit submit, JobRow row) {
        if (row.standing().ended()) {
            return nobodys();
        }
        Optional<Policy> shadow = row.shadowDropped() ? Optional.empty() : rules.shadow(submit);
        return new JobPolicies(
                new JobPolicy(rules.policy(submit), ledger.known(id)),
                shadow.map(policy -> new JobPolicy(policy, ledger.shadow(id))));
    }

    private JobPolicies nobodys() {
        return new JobPolicies(new JobPolicy(rules.nobodys(), PolicyState.UNKNOWN), Optional.empty());
    }

    /** A job that came, and is saved as it came; one that is refused has no policy of its own. */
    Job submitted(JobRequest request, boolean refused, Instant at) {
        JobRow row = new JobRow(at, JobRow.Standing.at(JobState.PLANNING, at));
        ledger.saveSubmission(request.getJob(), records.bytes(request));
        return new Job(
                JobOutline.of(request, Optional.empty()),
                row,
                Courses.fresh(),
                refused ? nobodys() : policies(request.getJob(), (Submit) request.getBody(), row),
                new TreeMap<>(),
                List.of(),
                tracked -> new TreeMap<>());
    }

    /** From now on workers take the graph from its own topic. */
    void forgetGraph(Job job) {
        job.forgetGraph();
        ledger.saveSubmission(job.id(), records.bytes(job.outline().submission()));
    }

    /**
     * So many more of its records are left out since they cannot be read: counted, the first ones named, and too many fail it.
     *
     * @param lines on some of them, for people
     */
    void leftOut(Pool pool, Job job, long records, List<String> lines, Instant at) {
        job.row().addBad(records);
        job.changed();
        int room = MOST_BAD_LINES - job.badRecords().size();
        job.badRecords().addAll(lines.stream().limit(room).toList());
        ledger.saveBadRecords(job.id(), job.badRecords());
        long bad = job.row().bad();
        if (bad > job.submit().getSkipBad()) {
            String first = job.badRecords().isEmpty()
                    ? ""
                    : "; the first of them: " + job.badRecords().get(0);
            String reason = Counted.of(bad, "record is", "records are") + " bad, more than the "
                    + job.submit().getSkipBad() + " that may be skipped: repair " + Counted.word(bad, "it", "them")
                    + " or raise --skip-bad" + first;
            end(pool, job, JobState.FAILED, reason, FailureKind.REFUSED, at);
        }
    }

    /** The job is over: whoever serves it is freed. */
    void end(Pool pool, Job job, JobState state, String reason, FailureKind failure, Instant at) {
        for (EpochLedger epoch : job.open()) {
            epoch.save();
            for (int attempt : epoch.attempts().keySet()) {
                if (pool.alive(epoch.place(attempt))) {
                    AttemptKey key = new AttemptKey(job.id(), epoch.epoch(), attempt);
                    out.command(CommandWriter.fence(key, epoch.place(attempt), "the job has ended", false));
                }
            }
        }
        for (EpochLedger epoch : job.open()) {
            for (int attempt : List.copyOf(epoch.attempts().keySet())) {
                job.forget(epoch.epoch(), attempt);
            }
        }
        closedPages.note(job.id(), job.open());
        closedPages.takeAll(job.id()).forEach(out::ledgerPage);
        ledger.dropDetails(job.id());
        tenants.ended(pool, job, at);
        statuses.ends(job);
        job.row().standing(JobRow.Standing.ended(state, reason, failure, at));
        pool.ended(job);
        forgetGraph(job);
        job.forgetEpochs(number -> ledger.openEpoch(job.id(), number, job.tracked()));
        job.changed();
        job.tell(Job.Telling.NOW);
        pool.due(TurnCause.JOB_ENDED);
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(JournalKind.JOB_ENDED, job.id(), Map.of()),
                        DecisionWriter.decided(ending(state), job.id(), Map.of()),
                        reason.isEmpty() ? "every element is consumed or excluded" : reason));
    }

    private static JournalCommand ending(JobState state) {
        return switch (state) {
            case COMPLETED -> JournalCommand.COMPLETED;
            case FAILED -> JournalCommand.FAILED;
            case CANCELLED -> JournalCommand.CANCELLED;
            case PLANNING, WAITING, RUNNING -> throw new IllegalStateException("a job cannot end as " + state);
        };
    }
}
