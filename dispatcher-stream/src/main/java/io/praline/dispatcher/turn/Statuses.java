package io.praline.dispatcher.turn;

import java.time.Duration;
import java.time.Instant;

/** Tells what is public about jobs, at once where somebody waits for it, else once a second. */
final class Statuses {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Outgoing out;

    Statuses(Outgoing out) {
        this.out = out;
    }

    /** Tells the job's status if it is due. */
    void tell(Job job, Instant at) {
        boolean due =
                switch (job.telling()) {
                    case NOTHING -> false;
                    case WITHIN_A_SECOND -> !at.isBefore(job.told().plus(EVERY));
                    case NOW -> true;
                };
        if (due) {
            boolean urgent = job.telling() == Job.Telling.NOW;
            job.told(at);
            out.status(job.status(at), urgent);
        }
    }

    /** Somebody asks, though nothing has changed. */
    void tellAgain(Job job, Instant at) {
        job.tell(Job.Telling.NOW);
        tell(job, at);
    }
}
