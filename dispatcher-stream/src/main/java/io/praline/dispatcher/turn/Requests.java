package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.Observation;
import io.praline.policy.Target;
import io.praline.policy.caching.CacheMode;
import io.praline.policy.ordering.course.OrderMode;
import io.praline.schema.Attach;
import io.praline.schema.Cancel;
import io.praline.schema.FailureKind;
import io.praline.schema.GiveUp;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.schema.Submit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What clients ask for: that a job is taken, paused, pinned, given up, or that a consumer has its place in it. */
final class Requests {
    private final Rules rules;
    private final Pools pools;
    private final Jobs jobs;
    private final Planning planning;
    private final Consumers consumers;
    private final Tenants tenants;
    private final Statuses statuses;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Outgoing out;

    Requests(
            Rules rules,
            Pools pools,
            Jobs jobs,
            Planning planning,
            Consumers consumers,
            Tenants tenants,
            Statuses statuses,
            JobTurn jobTurn,
            Journal journal,
            Outgoing out) {
        this.rules = rules;
        this.pools = pools;
        this.jobs = jobs;
        this.planning = planning;
        this.consumers = consumers;
        this.tenants = tenants;
        this.statuses = statuses;
        this.jobTurn = jobTurn;
        this.journal = journal;
        this.out = out;
    }

    /** Folds a request in; gives the job that it was about. */
    List<Job> fold(Pool pool, Event.Request event) {
        JobRequest request = event.request();
        Optional<Pool> elsewhere = pools.holding(request.getJob()).filter(other -> other != pool);
        if (elsewhere.isPresent()) {
            // the same id in another pool: its owner's status tells the one who asks that it is taken
            out.ignored(Ignored.UNKNOWN_JOB);
            if (request.getBody() instanceof Submit) {
                statuses.tellAgain(elsewhere.get().jobs().get(request.getJob()), event.at());
            }
            return List.of();
        }
        Job job = pool.jobs().get(request.getJob());
        if (request.getBody() instanceof Submit) {
            if (job == null) {
                submitted(pool, event);
                return List.of(pool.jobs().get(request.getJob()));
            }
            out.ignored(Ignored.DUPLICATE);
            statuses.tellAgain(job, event.at());
            return List.of();
        }
        if (job == null) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        if (job.ended()) {
            job.tell(Job.Telling.NOW);
        } else if (request.getBody() instanceof Cancel cancel) {
            String reason = cancel.getReason().isBlank() ? "it was cancelled on request" : cancel.getReason();
            jobs.end(pool, job, JobState.CANCELLED, reason, FailureKind.NONE, event.at());
        } else if (request.getBody() instanceof Pause pause) {
            paused(pool, job, pause.getPaused(), event.at());
        } else if (request.getBody() instanceof Pin pin) {
            pinned(pool, job, pin, event.at());
        } else if (request.getBody() instanceof Attach attach) {
            attached(pool, job, attach, event.at());
        } else if (request.getBody() instanceof GiveUp given) {
            consumers.giveUp(pool, job, given.getConsumer(), event.at());
        }
        return List.of(job);
    }

    private void submitted(Pool pool, Event.Request event) {
        JobRequest request = event.request();
        Instant at = event.at();
        Submit submit = (Submit) request.getBody();
        Optional<String> wrong = event.wrong().or(() -> wrong(pool, submit));
        Job job = jobs.submitted(request, wrong.isPresent(), at);
        pools.add(job);
        job.changed();
        job.tell(Job.Telling.NOW);
        if (wrong.isPresent()) {
            jobs.end(pool, job, JobState.FAILED, wrong.get(), FailureKind.REFUSED, at);
        } else {
            jobTurn.take(pool, job, new Observation.TermsSet(at, rules.terms(submit, pool.size())));
            tenants.submitted(pool, submit, at);
            planning.plan(pool, job, "it was submitted", at);
            pool.due(TurnCause.JOB_SUBMITTED);
        }
    }

    /** Who submitted another job by the same id, a moment later, must not take the place of this one's consumer. */
    private void attached(Pool pool, Job job, Attach attach, Instant at) {
        if (attach.getDigest().isEmpty()
                || attach.getDigest().equals(job.submit().getDigest())) {
            consumers.attach(pool, job, attach, at);
        } else {
            out.ignored(Ignored.OTHER_SUBMISSION);
            job.tell(Job.Telling.NOW);
        }
    }

    private Optional<String> wrong(Pool pool, Submit submit) {
        try {
            rules.policy(submit);
            rules.shadow(submit);
            rules.terms(submit, pool.size());
            OrderMode.of(submit.getOrder());
            CacheMode.of(submit.getCache());
        } catch (IllegalArgumentException refused) {
            return Optional.of(refused.getMessage());
        }
        return Optional.empty();
    }

    /** Somebody takes the numbers out of the policy's hands, or gives them back. */
    private void pinned(Pool pool, Job job, Pin pin, Instant at) {
        Optional<Target> target =
                pin.getPinned() ? Optional.of(new Target(pin.getRemote(), pin.getLocal())) : Optional.empty();
        if (job.leading().state().pinned().equals(target)) {
            out.ignored(Ignored.DUPLICATE);
            return;
        }
        jobTurn.take(pool, job, new Observation.Pinned(at, target));
        job.tell(Job.Telling.NOW);
    }

    private void paused(Pool pool, Job job, boolean paused, Instant at) {
        if (job.row().paused() == paused) {
            out.ignored(Ignored.DUPLICATE);
            return;
        }
        job.row().paused(paused);
        job.row().servedSince(at);
        job.changed();
        pool.due(TurnCause.JOB_PAUSED);
        job.tell(Job.Telling.NOW);
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(JournalKind.PAUSE_REQUESTED, job.id(), Map.of()),
                        DecisionWriter.decided(
                                paused ? JournalCommand.PAUSE : JournalCommand.GO_ON, job.id(), Map.of()),
                        paused ? "it was asked to pause" : "it was asked to go on"));
    }
}
