package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.OrderRecords;
import io.praline.dispatcher.ledger.CachePoints;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.ProvedRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow.State;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.ReadingPace;
import io.praline.policy.Observation;
import io.praline.policy.caching.CacheMode;
import io.praline.policy.ordering.course.OrderCommand;
import io.praline.policy.ordering.course.OrderCourse;
import io.praline.policy.ordering.course.OrderEvent;
import io.praline.policy.ordering.course.OrderMode;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.OrderTurn;
import io.praline.policy.splits.SplitSampling;
import io.praline.schema.Split;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * In which order jobs' steps run: {@link OrderCourse} decides; here workers are asked to measure. Attempts change over in
 * {@link ChangeOver}.
 */
final class Ordering {
    /** Of a sample in a command, which must stay far below the two megabytes that a record may have. */
    private static final int SAMPLE_BYTES = 200 << 10;

    private final Ledger ledger;
    private final Caching caching;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Outgoing out;

    Ordering(Ledger ledger, Caching caching, JobTurn jobTurn, Journal journal, Outgoing out) {
        this.ledger = ledger;
        this.caching = caching;
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
        ledger.proved(pool.name()).of(OrderRecords.subject(job.outline())).ifPresent(proved -> {
            OrderEvent known = new OrderEvent.Known(at, proved.variant(), proved.job());
            take(pool, job, known, proved.pointsOf(Caching.planned(job)), Optional.of(proved));
            job.cache().doubted(!proved.isOf(job.submit().getSeed()));
        });
        settled(pool, job, at);
        boolean waits = job.order().state().filter(OrderState::open).isPresent();
        if (waits && CacheMode.of(job.submit().getCache()).forced()) {
            caching.settled(pool, job, Caching.planned(job), at); // what is asked for is made from the first split on
        }
    }

    /** Where the user's order stays, entries may be made of it. */
    private void settled(Pool pool, Job job, Instant at) {
        if (job.order()
                .state()
                .filter(state -> state.phase() == OrderState.Phase.USUAL)
                .isPresent()) {
            caching.settled(pool, job, Caching.planned(job), at);
        }
    }

    /** Folds in what a worker measured; gives the job that it was about. */
    List<Job> fold(Pool pool, Event.Order event) {
        Optional<Job> about = Optional.ofNullable(pool.jobs().get(event.about()));
        about.ifPresent(job -> written(job, event));
        Optional<Job> found = about.filter(job -> !job.ended() && job.planned());
        if (found.isEmpty()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        Job job = found.get();
        if (event.cache().trial().isPresent()) {
            return caching.fold(pool, job, event);
        }
        boolean asked = job.order()
                .asked()
                .filter(place -> place.incarnation().equals(event.incarnation()))
                .isPresent();
        if (!asked) {
            out.ignored(Ignored.DUPLICATE);
            return List.of();
        }
        caching.measured(pool, job, event);
        event.told(front(job))
                .ifPresent(told -> take(pool, job, told, event.cache().points()));
        return found.stream().toList();
    }

    /** What a worker wrote down for it is there, whether or not somebody waits for the answer: it goes with the job. */
    private static void written(Job job, Event.Order event) {
        event.told(front(job))
                .filter(OrderEvent.Verified.class::isInstance)
                .map(OrderEvent.Verified.class::cast)
                .ifPresent(verified -> {
                    job.order().wrote(verified.digest());
                    job.changed();
                });
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
        Optional<OrderState> state = job.order().state().filter(OrderState::open);
        if (state.isEmpty() || job.epochs().isEmpty()) {
            return;
        }
        boolean read = server(pool, job).isPresent();
        boolean sampled =
                SplitSampling.possible(job.splits(), job.row().planning().sources());
        if (state.get().asked() || (read && sampled)) {
            ReadingPace pace = job.movement().pace();
            long assigned = assigned(job) - pace.before();
            long all = job.splits() * job.allEpochs() - pace.before();
            take(pool, job, new OrderEvent.Passed(at, pace.worked(at), assigned - ahead(job, at), assigned, all));
        } else if (read) {
            caching.settled(pool, job, Caching.planned(job), at); // nobody will ever measure it
        }
    }

    /** How fast a job's splits are begun, while it is not paused and somebody reads for it. */
    static void pace(Pool pool, Job job, Instant at) {
        ReadingPace pace = job.movement().pace();
        if (!job.row().paused() && server(pool, job).isPresent()) {
            pace.reads(at, () -> begun(job, at));
        } else {
            pace.rests();
        }
    }

    /** Splits whose reading has begun, over all epochs, as far as is known. */
    static long begun(Job job, Instant at) {
        return assigned(job) - ahead(job, at);
    }

    /** Splits that attempts were given, over all epochs. */
    private static long assigned(Job job) {
        return job.epochs().values().stream()
                .mapToLong(epoch -> epoch.row().assigned())
                .sum();
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
        take(pool, job, new OrderEvent.Rate(at, !attempt.graph().variant().isEmpty(), elementsPerSecond));
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
        caching.lost(pool, job, place, why, at);
        boolean ran = job.open().stream().anyMatch(epoch -> epoch.attemptsAt(place).stream()
                .map(attempt -> epoch.attempts().get(attempt))
                .anyMatch(row -> !row.graph().variant().isEmpty() && (row.takesWork() || row.draining())));
        if (ran && unplanned) {
            take(pool, job, new OrderEvent.Crashed(at, place.worker()));
        }
    }

    /** An attempt that does not run the user's order failed, whatever the reason. */
    void broke(Pool pool, Job job, String why, Instant at) {
        take(pool, job, new OrderEvent.Broke(at, why));
    }

    private void take(Pool pool, Job job, OrderEvent seen) {
        take(pool, job, seen, CachePoints.NONE);
    }

    private void take(Pool pool, Job job, OrderEvent seen, CachePoints points) {
        take(pool, job, seen, points, Optional.empty());
    }

    /**
     * @param points of the variant that the event is about
     * @param proved for another job
     */
    private void take(Pool pool, Job job, OrderEvent seen, CachePoints points, Optional<ProvedRow> proved) {
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
            asked.ifPresent(
                    place -> out.command(OrderRecords.profile(job.outline(), place, profile, sample(ledger, job))));
        } else if (command instanceof OrderCommand.Verify verify) {
            asked.ifPresent(
                    place -> out.command(OrderRecords.verify(job.outline(), place, verify, sample(ledger, job))));
        } else if (command instanceof OrderCommand.Run run) {
            ledger.proved(pool.name())
                    .save(
                            OrderRecords.subject(job.outline()),
                            proved.map(row -> row.by(job.id(), seen.at()))
                                    .orElseGet(() -> new ProvedRow(
                                            run.variant(),
                                            points,
                                            job.id(),
                                            seen.at(),
                                            OptionalLong.of(job.submit().getSeed()),
                                            Caching.planned(job))));
            caching.settled(pool, job, points, seen.at());
            changed(pool, job, run.gain(), seen.at());
        } else if (before.get().phase() == OrderState.Phase.CHANGED && command instanceof OrderCommand.Keep) {
            ledger.proved(pool.name()).drop(OrderRecords.subject(job.outline()));
            changed(pool, job, 1 / before.get().variant().orElseThrow().measuredGain(), seen.at());
        }
        if (command instanceof OrderCommand.Keep) {
            settled(pool, job, seen.at());
        }
    }

    /** Tasks to come make another number of elements, and their steps have other names. */
    private void changed(Pool pool, Job job, double gain, Instant at) {
        job.beats().anew();
        jobTurn.take(pool, job, new Observation.OrderChanged(at, gain));
    }

    /** A worker that reads for the job and is not about to leave: it has the data at hand. */
    static Optional<Place> server(Pool pool, Job job) {
        for (EpochLedger epoch : job.open()) {
            for (State state : List.of(State.TAKING, State.DRAINING)) {
                // the first one mostly is; streams within streams would gather all before one is looked at
                for (int attempt : epoch.attemptsIn(state)) {
                    Place place = epoch.place(attempt);
                    if (Epochs.serves(pool, place)) {
                        return Optional.of(place);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Splits to measure on, those that say most first. */
    static Map<Long, Split> sample(Ledger ledger, Job job) {
        Map<Long, Split> looked = new HashMap<>();
        List<Long> chosen = SplitSampling.of(job.splits(), job.row().planning().sources(), ordinal -> {
            Split split = ledger.split(job.id(), ordinal);
            looked.put(ordinal, split);
            return new SplitSampling.Seen(split.getSource(), split.getBytes());
        });
        Map<Long, Split> sample = new LinkedHashMap<>();
        int bytes = 0;
        for (long ordinal : chosen) {
            Split split = looked.get(ordinal);
            bytes += CommandWriter.bytes(split);
            if (!sample.isEmpty() && bytes > SAMPLE_BYTES) {
                break;
            }
            sample.put(ordinal, split);
        }
        return sample;
    }
}
