package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.Observation;
import io.praline.policy.Terms;
import java.time.Instant;
import java.util.List;

/** What those tell who start workers: what came of a target, and how many they start at most. */
final class Actuators {
    private final Rules rules;
    private final JobTurn jobTurn;
    private final Targets targets;

    Actuators(Rules rules, JobTurn jobTurn, Targets targets) {
        this.rules = rules;
        this.jobTurn = jobTurn;
        this.targets = targets;
    }

    /** Folds an actuator's report in; gives the jobs that it may concern. */
    List<Job> fold(Pool pool, Event.Actuator event) {
        if (event.report().getSubject().equals(CommandWriter.subject(pool.name()))) {
            bounded(pool, event.report().getMost(), event.at());
        }
        targets.followed(pool, event.report(), event.at());
        return pool.capacities().told(event.report(), event.at())
                ? List.copyOf(pool.jobs().values())
                : List.of();
    }

    /** Whoever starts the pool's workers starts no more than these; 0: it does not tell. */
    private void bounded(Pool pool, int most, Instant at) {
        pool.capacities().mostHeard(at);
        if (pool.row().most() == most) {
            return;
        }
        pool.row(pool.row().withMost(most));
        pool.due(TurnCause.BOUND_CHANGED);
        for (Job job : pool.jobs().values()) {
            Terms terms = job.ended() ? job.leading().state().terms() : rules.terms(job.submit(), pool.size());
            if (!terms.equals(job.leading().state().terms())) {
                JobFault.in(job.id(), () -> jobTurn.take(pool, job, new Observation.TermsSet(at, terms)));
            }
        }
    }

    /** The bound that was not told since then holds no longer. */
    void unbounded(Pool pool, Instant since, Instant at) {
        if (pool.capacities().mostHeard().isEmpty()) {
            pool.capacities().mostHeard(at); // taken over: silence is counted from here
        } else if (pool.row().most() > 0 && pool.capacities().mostHeard().get().isBefore(since)) {
            bounded(pool, 0, at);
        }
    }
}
