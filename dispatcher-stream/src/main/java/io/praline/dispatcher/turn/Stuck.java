package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.WaitingFor;
import io.praline.dispatcher.ledger.JobRow.Standing;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.epoch.EpochRow;
import io.praline.dispatcher.ledger.epoch.SplitRow;
import io.praline.dispatcher.turn.progress.Movement;
import io.praline.policy.Counted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says of a job of which nothing has moved for a minute, though it has workers and its consumers are there, which split
 * waits on whom. It decides nothing: who is at fault is for people to see.
 *
 * <pre>
 *   moved   a page of the plan came, an element was consumed or excluded, a split closed, an epoch completed
 * </pre>
 */
final class Stuck {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final Journal journal;

    Stuck(Ledger ledger, Journal journal) {
        this.ledger = ledger;
        this.journal = journal;
    }

    /** Whether a job that stands there should move; where it waits for workers, a cap or to go on, that is its reason. */
    static boolean shouldMove(Standing standing) {
        return switch (standing.state()) {
            case PLANNING, RUNNING -> true;
            case WAITING -> WaitingFor.CONSUMERS.is(standing.waitingFor());
            case COMPLETED, FAILED, CANCELLED -> false;
        };
    }

    /** Time has passed for an open job. */
    void look(Job job, Instant at) {
        Movement movement = job.movement();
        if (job.ended() || !shouldMove(job.row().standing())) {
            movement.rests();
            return;
        }
        Duration still = movement.still(mark(job), at);
        if (still.compareTo(PATIENCE) < 0 || !movement.lookDue(at)) {
            return;
        }
        boolean news = movement.obstacle().isEmpty();
        String why = "nothing has moved for " + still.toMinutes() + " min: " + obstacle(job, at);
        movement.obstacle(why, at);
        if (news) {
            journal.write(
                    job,
                    at,
                    new Journal.Entry(
                            DecisionWriter.observed(
                                    JournalKind.STUCK, job.id(), Map.of("seconds", (double) still.toSeconds())),
                            List.of(),
                            why,
                            Map.of()));
        }
    }

    private static long mark(Job job) {
        long mark = (long) job.row().planning().plan() + job.row().planning().pages();
        for (EpochLedger epoch : job.epochs().values()) {
            EpochRow row = epoch.row();
            mark += 1 + row.moved() + (row.complete() ? 1 : 0);
        }
        return mark;
    }

    private String obstacle(Job job, Instant at) {
        if (!job.planned()) {
            return job.row()
                    .planning()
                    .planner()
                    .map(planner -> "worker " + planner.worker() + " plans it, "
                            + Counted.of(job.row().planning().splits(), "split") + " so far")
                    .orElse("nobody plans it");
        }
        for (EpochLedger epoch : job.open()) {
            if (!epoch.row().complete()) {
                Optional<Map.Entry<Long, SplitRow>> open = epoch.firstOpen();
                return open.map(split -> obstacle(job, epoch, split.getKey(), split.getValue(), at))
                        .orElseGet(() -> {
                            long left = Epochs.left(job, epoch);
                            return Counted.of(left, "split") + " of epoch " + epoch.epoch()
                                    + Counted.word(left, " is", " are") + " not assigned to anybody";
                        });
            }
        }
        return "every epoch that began is complete";
    }

    private String obstacle(Job job, EpochLedger epoch, long ordinal, SplitRow split, Instant at) {
        List<String> paths = ledger.split(job.id(), ordinal).getPaths();
        String which =
                "split " + ordinal + (paths.isEmpty() ? "" : " (" + paths.get(0) + ")") + " of epoch " + epoch.epoch();
        if (split.owing().isPresent()) {
            int attempt = split.owing().getAsInt();
            return which + " waits for " + holder(job, epoch, attempt, at);
        }
        if (split.claiming().isPresent()) {
            return which + " waits for "
                    + consumer(job, SplitRow.generationOf(split.claiming().getAsInt()))
                    + ", which has taken elements of it and not acknowledged them";
        }
        return which + " is not assigned to anybody";
    }

    private static String holder(Job job, EpochLedger epoch, int attempt, Instant at) {
        AttemptRow row = epoch.attempts().get(attempt);
        String who = "attempt " + attempt + " on worker " + epoch.place(attempt).worker();
        if (row.fence().isPresent()) {
            return who + ", which is fenced and of which " + consumers(job, row, row.answered())
                    + " must tell what came of it";
        }
        if (row.end().isPresent()) {
            return who + ", which has ended and of which " + consumers(job, row, row.handedOver())
                    + " must take what it made";
        }
        if (job.seen(epoch.epoch(), attempt, at).outboxBytes() > 0) {
            return who + ", of which batches are ready that its consumers have not taken";
        }
        return who + (row.untaken().isEmpty() ? "" : ", which was not seen to take all that it was told");
    }

    /** Whose generations are not among these, of those that the attempt served. */
    private static String consumers(Job job, AttemptRow row, Set<Integer> settled) {
        List<String> others = row.lanes().stream()
                .filter(generation -> !settled.contains(generation)
                        && !row.closed().contains(generation)
                        && !Lanes.settled(job, generation))
                .map(generation -> consumer(job, generation))
                .toList();
        return others.isEmpty() ? "nobody" : String.join(" and ", others);
    }

    private static String consumer(Job job, int generation) {
        return job.places().entrySet().stream()
                .filter(place -> place.getValue().generation() == generation)
                .map(place -> "consumer " + place.getKey())
                .findFirst()
                .orElseGet(() -> "a former process of a consumer (generation " + generation + ")");
    }
}
