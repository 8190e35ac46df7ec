package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.EventReader;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.Elements;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.policy.Observation;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ChannelDown;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumerState;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.Use;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What consumers tell: that they are there, what they measured, and what they took. */
final class Reports {
    private final Consumers consumers;
    private final Fences fences;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Outgoing out;

    Reports(Consumers consumers, Fences fences, JobTurn jobTurn, Journal journal, Outgoing out) {
        this.consumers = consumers;
        this.fences = fences;
        this.jobTurn = jobTurn;
        this.journal = journal;
        this.out = out;
    }

    /** Folds a consumer's beat in; gives the job that it was about. */
    List<Job> fold(Pool pool, Event.Client event) {
        ClientHeartbeat beat = event.beat();
        Optional<Job> found = Optional.ofNullable(pool.jobs().get(beat.getJob()));
        if (found.isEmpty() || found.get().ended()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            found.filter(job -> !beat.getClosing()).ifPresent(job -> Statuses.missed(job, event.at()));
            return found.map(List::of).orElse(List.of());
        }
        Job job = found.get();
        int consumer = beat.getConsumer();
        String incarnation = beat.getIncarnation();
        Optional<ConsumerRow> known = consumers.heard(pool, job, consumer, incarnation, event.at());
        if (known.isEmpty()) {
            return List.of();
        }
        if (!known.get().incarnation().equals(incarnation)) {
            out.ignored(
                    Ignored.STALE_INCARNATION); // that it lives, and what it measures, is nobody's business any more
            return List.of();
        }
        consumers.beat(job, consumer, incarnation, beat.getBeat(), event.at());
        ConsumerRow now = known.get().at(beat.getHost());
        if (!now.equals(known.get())) {
            // the host may be the one whose workers are to be told
            pool.moves(job);
            job.consumer(consumer, now);
        }
        windows(pool, job, consumer, beat.getWindows(), event.at());
        if (beat.getClosing() && beat.getBeat() == 0) {
            // an older client, whose reports do not say it
            consumers.left(pool, job, consumer, incarnation, false, event.at());
        }
        return List.of(job);
    }

    /** Windows that cannot be are counted, go no further, and are one entry together: garbage must not fill the journal. */
    private void windows(Pool pool, Job job, int consumer, List<MeasurementWindow> windows, Instant at) {
        int refused = 0;
        Optional<Refused> first = Optional.empty();
        for (MeasurementWindow window : windows) {
            Observation.WindowClosed seen;
            try {
                seen = EventReader.window(at, consumer, window);
            } catch (IllegalArgumentException garbage) {
                out.ignored(Ignored.GARBAGE_WINDOW);
                refused++;
                first = first.or(() -> Optional.of(new Refused(window, garbage.getMessage())));
                continue;
            }
            jobTurn.take(pool, job, seen);
        }
        if (first.isPresent()) {
            String what = refused == 1
                    ? "a window of consumer " + consumer + " is left out: "
                    : refused + " windows of consumer " + consumer + " are left out, the first of them: ";
            journal.write(
                    job,
                    at,
                    new Journal.Entry(
                            DecisionWriter.refused(
                                    consumer, refused, first.get().window()),
                            what + first.get().why()));
        }
    }

    private record Refused(MeasurementWindow window, String why) {}

    /** Folds a report in; gives the job that it was about. */
    List<Job> fold(Pool pool, Event.Report event) {
        ConsumptionReport report = event.report();
        Optional<Job> found = Optional.ofNullable(pool.jobs().get(report.getJob()));
        if (found.isEmpty()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        Job job = found.get();
        int consumer = report.getConsumer();
        String incarnation = report.getIncarnation();
        Optional<ConsumerRow> known = consumers.heard(pool, job, consumer, incarnation, event.at());
        if (known.isEmpty()) {
            return List.of();
        }
        job.tell(Job.Telling.WITHIN_A_SECOND);
        long sequence = report.getReportSequence();
        long applied = known.get().applied(incarnation).orElse(-1L);
        if (sequence <= applied) {
            out.ignored(Ignored.DUPLICATE);
            return List.of(job);
        }
        if (job.ended()) {
            // there are no accounts any more; what is confirmed is not sent again
            job.consumer(consumer, known.get().withApplied(incarnation, sequence));
            return List.of(job);
        }
        if (sequence > applied + 1) {
            out.ignored(Ignored.GAP);
            return List.of(job);
        }
        job.consumer(consumer, known.get().withApplied(incarnation, sequence));
        apply(pool, job, report, event.elements(), event.at());
        consumers.discarded(job, consumer, incarnation, report.getDiscarded());
        if (report.getLeft()) {
            consumers.left(pool, job, consumer, incarnation, report.getUnsure(), event.at());
        }
        return List.of(job);
    }

    private void apply(Pool pool, Job job, ConsumptionReport report, List<Elements> elements, Instant at) {
        int consumer = report.getConsumer();
        Who who = new Who(job.place(consumer), report.getIncarnation());
        for (int i = 0; i < report.getBatches().size(); i++) {
            BatchUse batch = report.getBatches().get(i);
            EpochLedger epoch = job.epochs().get(batch.getEpoch());
            if (epoch == null) {
                out.ignored(Ignored.STALE_ATTEMPT);
            } else {
                use(job, epoch, who, batch, elements.get(i));
            }
        }
        for (AttemptRef ended : report.getEnded()) {
            EpochLedger epoch = job.epochs().get(ended.getEpoch());
            if (epoch != null) {
                who.generation(ended.getGeneration())
                        .ifPresent(generation -> epoch.claims().handOver(ended.getAttempt(), generation));
            }
        }
        for (AttemptRef answered : report.getFencesAnswered()) {
            EpochLedger epoch = job.epochs().get(answered.getEpoch());
            if (epoch != null) {
                who.generation(answered.getGeneration())
                        .ifPresent(generation -> epoch.claims().answer(answered.getAttempt(), generation));
                job.tell(Job.Telling.NOW);
            }
        }
        for (ChannelDown down : report.getChannelsDown()) {
            EpochLedger epoch = job.epochs().get(down.getEpoch());
            AttemptRow row = epoch == null ? null : epoch.attempts().get(down.getAttempt());
            boolean its = row != null
                    && row.fence().isEmpty()
                    && epoch.place(down.getAttempt()).incarnation().equals(down.getWorkerIncarnation());
            if (its) {
                String worker = epoch.place(down.getAttempt()).worker();
                String reason = "consumer " + consumer + " cannot reach worker " + worker + ": " + down.getReason();
                String avoided = job.unreachable()
                        .broke(worker, reason, at)
                        .map(lasts -> "; it gets no task of this job for " + lasts.toSeconds() + " s")
                        .orElse("");
                Isolation.unreached(job, epoch, down.getAttempt(), at);
                fences.fence(pool, job, epoch, down.getAttempt(), reason + avoided, at);
            } else {
                out.ignored(Ignored.STALE_ATTEMPT);
            }
        }
    }

    private void use(Job job, EpochLedger epoch, Who who, BatchUse batch, Elements elements) {
        OptionalInt told = who.generation(batch.getGeneration());
        if (told.isEmpty()) {
            out.ignored(Ignored.MOVED_NOTHING);
            return;
        }
        int generation = told.getAsInt();
        boolean acked = batch.getUse() == Use.ACKED;
        int attempt = batch.getAttempt();
        if (!job.tracked()) {
            if (acked) {
                epoch.claims().consumeUntracked(attempt, generation, batch.getSequence(), batch.getElements());
            }
            return;
        }
        long moved;
        if (acked) {
            moved = who.claimsOf(generation)
                    ? epoch.claims().consume(attempt, generation, elements)
                    : epoch.claims().acknowledge(attempt, generation, elements);
        } else {
            moved = who.claimsOf(generation) ? epoch.claims().claim(attempt, generation, elements) : 0;
        }
        if (moved < batch.getElements()) {
            out.ignored(Ignored.MOVED_NOTHING);
        }
    }

    /**
     * Who reports.
     *
     * @param place that it holds or held
     * @param incarnation of its process
     */
    private record Who(ConsumerRow place, String incarnation) {
        /**
         * The generation that it means by this number, or by none; empty where it is not one of its own, or is settled: what
         * one that was given up claims late, others have by now, and nobody would ever give it again.
         */
        OptionalInt generation(int told) {
            boolean holds = place.incarnation().equals(incarnation) && place.state() != ConsumerState.LEFT;
            if (holds && (told == -1 || told == place.generation())) {
                return OptionalInt.of(place.generation());
            }
            return place.formers().stream()
                    .filter(former ->
                            former.incarnation().equals(incarnation) && (told == -1 || former.generation() == told))
                    .mapToInt(ConsumerRow.Former::generation)
                    .findFirst();
        }

        /** Whether it may still claim what was sent to this generation. */
        boolean claimsOf(int generation) {
            return generation == place.generation()
                    || place.former(generation)
                            .filter(former -> !former.discarded())
                            .isPresent();
        }
    }
}
