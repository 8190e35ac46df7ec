package io.praline.dispatcher.turn;

import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import java.time.Duration;
import java.time.Instant;

/**
 * Tells what is public about jobs, at once where somebody waits for it, else once a second. Of an open job it is told again
 * after five seconds in which nothing changed: whoever missed it acts on it then.
 */
final class Statuses {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final ProtocolLimits limits;
    private final Outgoing out;

    Statuses(ProtocolLimits limits, Outgoing out) {
        this.limits = limits;
        this.out = out;
    }

    /** Tells the job's status if it is due. */
    void tell(Job job, Instant at) {
        boolean due =
                switch (job.telling()) {
                    case NOTHING -> !job.ended() && !at.isBefore(job.told().plus(AGAIN));
                    case WITHIN_A_SECOND -> !at.isBefore(job.told().plus(EVERY));
                    case NOW -> true;
                };
        if (due) {
            boolean urgent = job.telling() == Job.Telling.NOW;
            job.told(at);
            out.status(job.status(limits.lease(), at), urgent);
        }
    }

    /** Somebody goes on with a job that has ended, as one does who missed that. */
    static void missed(Job job, Instant at) {
        if (!at.isBefore(job.told().plus(AGAIN))) {
            job.tell(Job.Telling.NOW);
        }
    }

    /** Somebody asks, though nothing has changed. */
    void tellAgain(Job job, Instant at) {
        job.tell(Job.Telling.NOW);
        tell(job, at);
    }
}
