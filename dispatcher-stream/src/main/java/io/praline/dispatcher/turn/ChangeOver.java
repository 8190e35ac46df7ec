package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.epoch.AttemptGraph;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Attempts that run something else than they should: between two of a job's splits such a one is told to drain, and another
 * begins in its place, as where one is renewed.
 */
final class ChangeOver {
    private final Epochs epochs;

    ChangeOver(Epochs epochs) {
        this.epochs = epochs;
    }

    /** Attempts of the job that should end do, and others begin in their place. */
    void look(Job job, Pool pool, Instant at) {
        if (!job.courses().mixed() || job.singleTask() || job.row().paused()) {
            return;
        }
        boolean mixed = false;
        for (EpochLedger epoch : job.open()) {
            AttemptGraph wanted = job.courses().graph(epoch.epoch());
            for (int attempt : List.copyOf(epoch.attemptsIn(State.TAKING))) {
                Place place = epoch.place(attempt);
                boolean outdated = !epoch.attempts().get(attempt).graph().equals(wanted) && Epochs.left(job, epoch) > 0;
                if (outdated && Epochs.serves(pool, place) && Epochs.attemptsAt(job, place) == 1) {
                    succeed(job, epoch, attempt, wanted, at);
                } else {
                    mixed |= outdated;
                }
            }
        }
        if (!mixed) {
            job.courses().settled();
        }
    }

    private void succeed(Job job, EpochLedger epoch, int attempt, AttemptGraph wanted, Instant at) {
        String reason = "attempt " + attempt + " of epoch " + epoch.epoch() + " "
                + outdated(epoch.attempts().get(attempt).graph(), wanted);
        Map<String, Double> seen = Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt);
        String worker = epoch.place(attempt).worker();
        epochs.succeed(
                job, epoch, attempt, DecisionWriter.observed(JournalKind.ATTEMPT_OUTDATED, worker, seen), reason, at);
    }

    /** Why it must end, behind its name. */
    private static String outdated(AttemptGraph runs, AttemptGraph wanted) {
        if (!runs.variant().equals(wanted.variant())) {
            return wanted.variant().isEmpty()
                    ? "runs an order that is used no more"
                    : "runs the user's order, and there is a better one";
        }
        if (wanted.cache().isEmpty()) {
            return "reads entries, and all is to be computed";
        }
        boolean same = runs.cache()
                .filter(use -> use.point() == wanted.cache().get().point())
                .isPresent();
        if (same) {
            return wanted.cache().get().put()
                    ? "only reads entries, and those that are missing are to be made"
                    : "makes entries, and they are only to be read";
        }
        return "reads no entries behind cache point " + wanted.cache().get().point() + ", where they are to be read";
    }
}
