package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.OrderRecords;
import io.praline.dispatcher.ledger.AttemptRow;
import io.praline.dispatcher.ledger.AttemptRow.State;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.Place;
import io.praline.dispatcher.ledger.ProvedRow;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.policy.Observation;
import io.praline.policy.ordering.course.OrderCommand;
import io.praline.policy.ordering.course.OrderCourse;
import io.praline.policy.ordering.course.OrderEvent;
import io.praline.policy.ordering.course.OrderMode;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.OrderTurn;
import io.praline.policy.splits.SplitSampling;
import io.praline.schema.Split;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * In which order jobs' steps run: {@link OrderCourse} decides; here workers are asked to measure, and attempts change over.
 * Between two of a job's splits an attempt is told to drain, and another begins in its place, as where one is renewed.
 */
final class Ordering {
    /** Of a sample in a command, which must stay far below the two megabytes that a record may have. */
    private static final int SAMPLE_BYTES = 200 << 10;

    private final Ledger ledger;
    private final Epochs epochs;
    private final Draining draining;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Outgoing out;

    Ordering(Ledger ledger, Epochs epochs, Draining draining, JobTurn jobTurn, Journal journal, Outgoing out) {
        this.ledger = ledger;
        this.epochs = epochs;
        this.draining = draining;
        this.jobTurn = jobTurn;
        this.journal = journal;
        this.out = out;
    }

    private static OrderCourse course(Job job) {
        return new OrderCourse(
                OrderMode.of(job.submit().getOrder()),
                job.tracked(),
                job.singleTask(),
                job.submit().getSkipBad() > 0);
    }

    /** The job is planned: nothing is measured yet, unless another one did. */
    void begin(Pool pool, Job job, Instant at) {
        job.order().keep(course(job).begin(at), Optional.empty());
        job.changed();
        ledger.proved(pool.name(), OrderRecords.subject(job.outline()))
                .ifPresent(proved -> take(pool, job, new OrderEvent.Known(at, proved.variant(), proved.job())));
    }

    /** Folds in what a worker measured; gives the job that it was about. */
    List<Job> fold(Pool pool, Event.Order event) {
        Optional<Job> found =
                Optional.ofNullable(pool.jobs().get(event.about())).filter(job -> !job.ended() && job.planned());
        if (found.isEmpty()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        Job job = found.get();
        boolean asked = job.order()
                .asked()
                .filter(place -> place.incarnation().equals(event.incarnation()))
                .isPresent();
        if (!asked) {
            out.ignored(Ignored.DUPLICATE);
            return List.of();
        }
        take(pool, job, event.told(front(job)));
        return found.stream().toList();
    }

    /** The newest epoch that an attempt has read of; -1 where there is none. */
    private static int front(Job job) {
        return job.epochs().values().stream()
                .filter(epoch -> epoch.row().assigned() > 0)
                .mapToInt(EpochLedger::epoch)
                .max()
                .orElse(-1);
    }

    /** Time passed for a planned job that goes on. */
    void passed(Pool pool, Job job, Instant at) {
        Optional<OrderState> state = job.order().state();
        if (state.filter(OrderState::open).isEmpty() || job.epochs().isEmpty()) {
            return;
        }
        boolean measurable = server(pool, job).isPresent()
                && SplitSampling.possible(job.splits(), job.row().planning().sources());
        if (state.get().asked() || measurable) {
            Duration worked = Duration.between(job.row().servedSince(), at);
            long all = job.splits() * job.allEpochs();
            long assigned = job.epochs().values().stream()
                    .mapToLong(epoch -> epoch.row().assigned())
                    .sum();
            take(pool, job, new OrderEvent.Passed(at, worked, assigned - ahead(job, at), assigned, all));
        }
    }

    /** Splits that attempts have and have not begun to read, as far as is known. */
    private static long ahead(Job job, Instant at) {
        return job.open().stream()
                .flatMapToLong(epoch -> Stream.of(State.TAKING, State.DRAINING)
                        .flatMap(state -> epoch.attemptsIn(state).stream())
                        .mapToLong(attempt -> SplitAssignment.ahead(job, epoch, attempt, at)))
                .sum();
    }

    /** What a task makes is news. */
    void rate(Pool pool, Job job, AttemptRow attempt, double elementsPerSecond, Instant at) {
        take(pool, job, new OrderEvent.Rate(at, !attempt.variant().isEmpty(), elementsPerSecond));
    }

    /**
     * A worker is lost, whose attempts are not fenced yet.
     *
     * @param unplanned whether it had not said that it would go
     */
    void lost(Pool pool, Job job, Place place, boolean unplanned, String why, Instant at) {
        if (job.order().asked().filter(place::equals).isPresent()) {
            take(pool, job, new OrderEvent.Unanswered(at, why));
        }
        boolean ran = job.open().stream().anyMatch(epoch -> epoch.attemptsAt(place).stream()
                .map(attempt -> epoch.attempts().get(attempt))
                .anyMatch(row -> !row.variant().isEmpty() && (row.takesWork() || row.draining())));
        if (ran && unplanned) {
            take(pool, job, new OrderEvent.Crashed(at, place.worker()));
        }
    }

    /** An attempt that does not run the user's order failed, whatever the reason. */
    void broke(Pool pool, Job job, String why, Instant at) {
        take(pool, job, new OrderEvent.Broke(at, why));
    }

    /** Attempts that run another order than they should end, and others begin in their place. */
    void changeOver(Pool pool, Job job, Instant at) {
        if (!job.order().mixed() || job.singleTask() || job.row().paused()) {
            return;
        }
        boolean mixed = false;
        for (EpochLedger epoch : job.open()) {
            String wanted = job.order().variant(epoch.epoch());
            for (int attempt : List.copyOf(epoch.attemptsIn(State.TAKING))) {
                Place place = epoch.place(attempt);
                boolean outdated =
                        !epoch.attempts().get(attempt).variant().equals(wanted) && Epochs.left(job, epoch) > 0;
                if (outdated && Epochs.serves(pool, place) && Epochs.attemptsAt(job, place) == 1) {
                    changeOver(job, epoch, attempt, wanted, at);
                } else {
                    mixed |= outdated;
                }
            }
        }
        if (!mixed) {
            job.order().settled();
        }
    }

    private void changeOver(Job job, EpochLedger epoch, int attempt, String wanted, Instant at) {
        Place place = epoch.place(attempt);
        String reason = "attempt " + attempt + " of epoch " + epoch.epoch() + " runs "
                + (wanted.isEmpty() ? "an order that is used no more" : "the user's order, and there is a better one");
        draining.drain(job, epoch, attempt, at, reason);
        int next = epochs.start(job, epoch, place, at);
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(
                                JournalKind.ATTEMPT_OUTDATED,
                                place.worker(),
                                Map.of("epoch", (double) epoch.epoch(), "attempt", (double) attempt)),
                        Epochs.started(epoch, next),
                        reason));
    }

    private void take(Pool pool, Job job, OrderEvent seen) {
        Optional<OrderState> before = job.order().state();
        if (before.isEmpty()) {
            return;
        }
        OrderTurn turn = course(job).take(before.get(), seen);
        OrderCommand command = turn.command().orElse(null);
        Optional<Place> asked = command instanceof OrderCommand.Profile
                ? server(pool, job)
                : job.order().asked().filter(place -> turn.state().asked());
        job.order().keep(turn.state(), asked);
        job.changed();
        if (turn.told()) {
            journal.write(
                    job,
                    seen.at(),
                    new Journal.Entry(
                            OrderRecords.observed(job.id(), seen),
                            OrderRecords.decided(job.id(), turn),
                            turn.reason(),
                            turn.numbers()));
            job.tell(Job.Telling.NOW);
        }
        if (command instanceof OrderCommand.Profile profile) {
            asked.ifPresent(place -> out.command(OrderRecords.profile(job.outline(), place, profile, sample(job))));
        } else if (command instanceof OrderCommand.Verify verify) {
            asked.ifPresent(place -> out.command(OrderRecords.verify(job.outline(), place, verify, sample(job))));
        } else if (command instanceof OrderCommand.Run run) {
            ledger.saveProved(
                    pool.name(),
                    OrderRecords.subject(job.outline()),
                    new ProvedRow(run.variant(), job.id(), seen.at()));
            changed(pool, job, run.gain(), seen.at());
        } else if (before.get().phase() == OrderState.Phase.CHANGED && command instanceof OrderCommand.Keep) {
            ledger.dropProved(pool.name(), OrderRecords.subject(job.outline()));
            changed(pool, job, 1 / before.get().variant().orElseThrow().measuredGain(), seen.at());
        }
    }

    /** Tasks to come make another number of elements, and their steps have other names. */
    private void changed(Pool pool, Job job, double gain, Instant at) {
        job.beats().anew();
        jobTurn.take(pool, job, new Observation.OrderChanged(at, gain));
    }

    /** A worker that reads for the job and is not about to leave: it has the data at hand. */
    private static Optional<Place> server(Pool pool, Job job) {
        return job.open().stream()
                .flatMap(epoch -> Stream.of(State.TAKING, State.DRAINING)
                        .flatMap(state -> epoch.attemptsIn(state).stream())
                        .map(epoch::place))
                .filter(place -> Epochs.serves(pool, place))
                .findFirst();
    }

    /** Splits to measure on, those that say most first. */
    private Map<Long, Split> sample(Job job) {
        Map<Long, Split> sample = new LinkedHashMap<>();
        int bytes = 0;
        for (long ordinal : SplitSampling.of(
                job.splits(), job.row().planning().sources(), one -> seen(ledger.split(job.id(), one)))) {
            Split split = ledger.split(job.id(), ordinal);
            bytes += CommandWriter.bytes(split);
            if (!sample.isEmpty() && bytes > SAMPLE_BYTES) {
                break;
            }
            sample.put(ordinal, split);
        }
        return sample;
    }

    private static SplitSampling.Seen seen(Split split) {
        return new SplitSampling.Seen(split.getSource(), split.getBytes());
    }
}
