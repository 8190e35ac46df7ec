package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.EventReader;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.AttemptRow;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.Elements;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.Place;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.policy.Policy;
import io.praline.policy.placement.FairShare;
import io.praline.schema.Attach;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.Cancel;
import io.praline.schema.ChannelDown;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.OpenedSplit;
import io.praline.schema.Pause;
import io.praline.schema.PlanMessage;
import io.praline.schema.Split;
import io.praline.schema.Submit;
import io.praline.schema.Use;
import io.praline.schema.WorkerHeartbeat;
import io.praline.wire.AttemptKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Takes one event after another: folds it into the accounts, then lets the job and the pool take their turns, and says
 * what must be done. Everything it knows is in the ledger but what the next beats will tell again. Owned by the stream
 * thread.
 */
public final class Dispatching {
    private static final Duration TOLD_EVERY = Duration.ofSeconds(1);
    private static final int MOST_BAD_LINES = 100;

    private final Ledger ledger;
    private final Limits limits;
    private final Outgoing out;
    private final Journal journal;
    private final Epochs epochs;
    private final Jobs jobs;
    private final PoolTurn poolTurn;
    private final SortedMap<String, Pool> pools = new TreeMap<>();

    /** Which pool a job of this partition is in: ids are unique over all pools. */
    private final Map<String, String> poolOfJob = new HashMap<>();

    public Dispatching(
            Ledger ledger, RowRecords records, Policy policy, FairShare division, Limits limits, Outgoing out) {
        this.ledger = ledger;
        this.limits = limits;
        this.out = out;
        this.journal = new Journal(policy, out);
        this.epochs = new Epochs(ledger, limits, journal, out);
        this.jobs = new Jobs(ledger, records, epochs, journal, out);
        this.poolTurn = new PoolTurn(division, epochs, journal, out);
    }

    /** Takes over what the rows tell. */
    public void restore() {
        ledger.eachPool((name, row) -> pools.put(name, new Pool(name, row)));
        ledger.eachWorker((pool, worker, row) -> pool(pool).restore(worker, row));
        List<OpenJob> found = new ArrayList<>();
        ledger.eachJob((id, row) -> found.add(jobs.restored(id, row)));
        for (OpenJob job : found) {
            pool(job.pool()).add(job);
            poolOfJob.put(job.id(), job.pool());
        }
    }

    /** A pool of this partition, for which time must be told; empty where there is none. */
    public Optional<String> anyPool() {
        return pools.values().stream()
                .filter(pool -> !pool.workers().isEmpty() || !pool.jobs().isEmpty())
                .map(Pool::name)
                .findFirst();
    }

    /** Live workers of all pools. */
    public int workers() {
        return pools.values().stream().mapToInt(pool -> pool.workers().size()).sum();
    }

    /** Jobs by where they are. */
    public Map<JobState, Integer> jobsByState() {
        Map<JobState, Integer> states = new TreeMap<>();
        for (JobState state : JobState.values()) {
            states.put(state, 0);
        }
        pools.values().forEach(pool -> pool.jobs()
                .values()
                .forEach(job -> states.merge(job.row().standing().state(), 1, Integer::sum)));
        return states;
    }

    /** Folds an event into the accounts; gives the jobs it was about. */
    private final Event.Cases<List<OpenJob>> folding = new Event.Cases<>() {
        @Override
        public List<OpenJob> request(Event.Request event) {
            return fold(event);
        }

        @Override
        public List<OpenJob> plan(Event.Plan event) {
            return fold(event);
        }

        @Override
        public List<OpenJob> beat(Event.Beat event) {
            return fold(event);
        }

        @Override
        public List<OpenJob> tick(Event.Tick event) {
            pools.values().forEach(pool -> Dispatching.this.tick(pool, event.at()));
            return List.of();
        }

        @Override
        public List<OpenJob> client(Event.Client event) {
            return fold(event);
        }

        @Override
        public List<OpenJob> report(Event.Report event) {
            return fold(event);
        }
    };

    /** The event is folded in, decided upon and written down. */
    public void take(Event event) {
        Pool pool = pool(event.pool());
        List<OpenJob> touched = event.match(folding);
        if (event instanceof Event.Tick) {
            pools.values().forEach(each -> settle(each, List.copyOf(each.jobs().values()), event.at()));
        } else {
            settle(pool, touched, event.at());
        }
    }

    /** Lets go on whatever can, divides the slots if they must be, tells what changed, and writes the rows. */
    private void settle(Pool pool, List<OpenJob> touched, Instant at) {
        Set<OpenJob> concerned = new LinkedHashSet<>(touched);
        for (OpenJob job : touched) {
            advance(pool, job, at);
        }
        // a turn may end a job or begin an epoch, which is a reason for another
        for (int turns = 0; pool.turnDue() && turns < 4; turns++) {
            pool.turnDue(false);
            List<OpenJob> open =
                    pool.jobs().values().stream().filter(job -> !job.ended()).toList();
            concerned.addAll(open);
            open.forEach(job -> advance(pool, job, at));
            poolTurn.take(pool, at);
            open.forEach(job -> advance(pool, job, at));
        }
        for (OpenJob job : concerned) {
            jobs.stand(pool, job, at);
            tell(job, at);
            job.save(ledger);
        }
        pool.save(ledger);
    }

    private void advance(Pool pool, OpenJob job, Instant at) {
        if (job.ended()) {
            return;
        }
        if (!job.planned()) {
            boolean idle = job.row().planning().planner().isEmpty();
            if (idle && pool.workersThatServe() > 0) {
                jobs.plan(pool, job, "a worker is there", at);
            }
            return;
        }
        epochs.advance(pool, job, at);
        if (Epochs.allComplete(job)) {
            jobs.end(pool, job, JobState.COMPLETED, "", FailureKind.NONE, at);
        }
    }

    private void tell(OpenJob job, Instant at) {
        boolean due =
                switch (job.telling()) {
                    case NOTHING -> false;
                    case WITHIN_A_SECOND -> !at.isBefore(job.told().plus(TOLD_EVERY));
                    case NOW -> true;
                };
        if (due) {
            boolean urgent = job.telling() == OpenJob.Telling.NOW;
            job.told(at);
            out.status(StatusReport.of(job, at), urgent);
        }
    }

    private Pool pool(String name) {
        return pools.computeIfAbsent(name, it -> new Pool(it, PoolRow.NEW));
    }

    private Optional<OpenJob> job(String pool, String id) {
        return Optional.ofNullable(pool(pool).jobs().get(id));
    }

    private List<OpenJob> fold(Event.Request event) {
        JobRequest request = event.request();
        Pool pool = pool(event.pool());
        String elsewhere = poolOfJob.get(request.getJob());
        if (elsewhere != null && !elsewhere.equals(event.pool())) {
            // the same id in another pool: its owner's status tells the one who asks that it is taken
            out.ignored(Ignored.UNKNOWN_JOB);
            if (request.getBody() instanceof Submit) {
                pool(elsewhere).jobs().get(request.getJob()).tell(OpenJob.Telling.NOW);
                tell(pool(elsewhere).jobs().get(request.getJob()), event.at());
            }
            return List.of();
        }
        OpenJob job = pool.jobs().get(request.getJob());
        if (request.getBody() instanceof Submit) {
            if (job == null) {
                poolOfJob.put(request.getJob(), pool.name());
                jobs.submitted(pool, request, event.at());
                return List.of(pool.jobs().get(request.getJob()));
            }
            out.ignored(Ignored.DUPLICATE);
            job.tell(OpenJob.Telling.NOW);
            tell(job, event.at());
            return List.of();
        }
        if (job == null) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        if (job.ended()) {
            job.tell(OpenJob.Telling.NOW);
        } else if (request.getBody() instanceof Cancel cancel) {
            String reason = cancel.getReason().isBlank() ? "it was cancelled on request" : cancel.getReason();
            jobs.end(pool, job, JobState.CANCELLED, reason, FailureKind.NONE, event.at());
        } else if (request.getBody() instanceof Pause pause) {
            jobs.paused(pool, job, pause.getPaused(), event.at());
        } else if (request.getBody() instanceof Attach attach) {
            attach(pool, job, attach, event.at());
        }
        return List.of(job);
    }

    private void attach(Pool pool, OpenJob job, Attach attach, Instant at) {
        int consumer = attach.getConsumer();
        if (consumer < 0 || consumer >= job.submit().getConsumers()) {
            out.ignored(Ignored.STALE_INCARNATION);
            return;
        }
        ConsumerRow known = job.consumers().get(consumer);
        boolean another = known != null && !known.incarnation().equals(attach.getIncarnation());
        long applied = known == null || another ? -1 : known.applied();
        job.consumer(consumer, new ConsumerRow(attach.getIncarnation(), attach.getHost(), applied, false));
        job.consumersHeard().put(consumer, at);
        job.tell(OpenJob.Telling.NOW);
        if (another) {
            for (EpochLedger epoch : job.epochs().values()) {
                epoch.unclaim(consumer);
                for (int attempt : List.copyOf(epoch.attempts().keySet())) {
                    if (epoch.attempts().get(attempt).fence().isEmpty()) {
                        String reason = "consumer " + consumer + " came back as another process";
                        epochs.fence(pool, job, epoch, attempt, reason, at);
                    }
                }
            }
        }
    }

    private List<OpenJob> fold(Event.Plan event) {
        PlanMessage message = event.message();
        Optional<OpenJob> found = job(event.pool(), message.getJob());
        if (found.isEmpty() || found.get().ended()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        OpenJob job = found.get();
        boolean current = job.row().planning().plan() == message.getPlan()
                && job.row()
                        .planning()
                        .planner()
                        .filter(planner -> planner.incarnation().equals(message.getIncarnation()))
                        .isPresent();
        if (!current) {
            out.ignored(Ignored.STALE_PLAN);
            return List.of();
        }
        jobs.planned(pool(event.pool()), job, message, event.at());
        return List.of(job);
    }

    private List<OpenJob> fold(Event.Beat event) {
        Pool pool = pool(event.pool());
        WorkerHeartbeat beat = event.beat();
        Instant at = event.at();
        if (pool.buried(beat.getIncarnation())) {
            out.ignored(Ignored.STALE_INCARNATION);
            return List.of();
        }
        KnownWorker worker = poolTurn.present(pool, beat, at, (place, why) -> lost(pool, place, why, at));
        worker.planning(Set.copyOf(beat.getPlanning()));
        Set<OpenJob> concerned = new LinkedHashSet<>();
        for (AttemptProgress progress : beat.getAttempts()) {
            progress(pool, worker, progress, at).ifPresent(concerned::add);
        }
        for (String id : pool.unplanned()) {
            OpenJob job = pool.jobs().get(id);
            if (job.row().planning().planner().filter(worker.place()::equals).isPresent()) {
                boolean listed = worker.planning().contains(job.id());
                if (listed) {
                    job.unlistedSince(Optional.empty());
                } else if (job.unlistedSince().isEmpty()) {
                    job.unlistedSince(Optional.of(at));
                }
            }
        }
        if (beat.getLeaving()) {
            lost(pool, worker.place(), "worker " + beat.getWorker() + " left", at);
        }
        return List.copyOf(concerned);
    }

    /** A worker's process is gone: its attempts are fenced, its plans are made by others. */
    private void lost(Pool pool, Place place, String why, Instant at) {
        pool.remove(place.worker());
        pool.turnDue(true);
        for (OpenJob job : pool.jobs().values()) {
            if (job.ended()) {
                continue;
            }
            for (EpochLedger epoch : job.epochs().values()) {
                for (int attempt : List.copyOf(epoch.attempts().keySet())) {
                    AttemptRow row = epoch.attempts().get(attempt);
                    boolean its = epoch.place(attempt).incarnation().equals(place.incarnation());
                    // what has ended may all be with its consumers: they tell if it is not
                    if (its && row.fence().isEmpty() && row.end().isEmpty()) {
                        epochs.fence(pool, job, epoch, attempt, why, at);
                    }
                }
            }
            if (job.row().planning().planner().filter(place::equals).isPresent()) {
                jobs.plan(pool, job, why + " while it planned", at);
            }
        }
        poolTurn.journalLost(pool, place, why, at);
    }

    private Optional<OpenJob> progress(Pool pool, KnownWorker worker, AttemptProgress progress, Instant at) {
        Optional<OpenJob> found = job(pool.name(), progress.getJob()).filter(job -> !job.ended());
        EpochLedger epoch =
                found.map(job -> job.epochs().get(progress.getEpoch())).orElse(null);
        int attempt = progress.getAttempt();
        AttemptRow row = epoch == null ? null : epoch.attempts().get(attempt);
        boolean its = row != null
                && row.fence().isEmpty()
                && epoch.place(attempt).incarnation().equals(worker.place().incarnation());
        if (!its) {
            stray(worker, progress, at);
            return Optional.empty();
        }
        OpenJob job = found.get();
        job.seen(progress.getEpoch(), attempt, at)
                .beat(at, progress.getUnopened(), progress.getSplitSeconds(), progress.getMetrics());
        epoch.taken(attempt, progress.getAssignedThrough());
        for (OpenedSplit opened : progress.getOpened()) {
            if (opened.getOrdinal() >= job.splits()) {
                continue;
            }
            if (!epoch.count(attempt, opened.getOrdinal(), opened.getRecords())) {
                jobs.end(pool, job, JobState.FAILED, changed(job, worker, opened), FailureKind.REFUSED, at);
                return found;
            }
        }
        for (Exclusion excluded : progress.getExcluded()) {
            exclude(pool, job, epoch, attempt, excluded, at);
            if (job.ended()) {
                return found;
            }
        }
        if (!progress.getOpened().isEmpty()
                || !progress.getExcluded().isEmpty()
                || progress.getMetrics().isPresent()) {
            job.tell(OpenJob.Telling.WITHIN_A_SECOND);
        }
        progress.getEnd().filter(end -> row.end().isEmpty()).ifPresent(end -> {
            pool.turnDue(true);
            if (!epoch.end(attempt, end(end, progress.getElements()), Elements.of(end.getRemainder()))) {
                broken(pool, job, epoch, attempt, "it ended and had not counted the records of a split", at);
            }
        });
        if (progress.getFailure().isPresent()) {
            AttemptFailure failure = progress.getFailure().get();
            if (failure.getKind() == FailureKind.REFUSED) {
                jobs.end(pool, job, JobState.FAILED, failure.getReason(), FailureKind.REFUSED, at);
            } else {
                broken(pool, job, epoch, attempt, failure.getReason(), at);
            }
        }
        return found;
    }

    private static AttemptRow.End end(AttemptEnd end, long elements) {
        SortedMap<Integer, Long> last = new TreeMap<>();
        end.getLastSequences().forEach(one -> last.put(one.getConsumer(), one.getLastSequence()));
        return new AttemptRow.End(last, elements);
    }

    private String changed(OpenJob job, KnownWorker worker, OpenedSplit opened) {
        Split split = ledger.split(job.id(), opened.getOrdinal());
        String what = split.getPaths().isEmpty()
                ? "split " + opened.getOrdinal()
                : split.getPaths().get(0);
        return what + " has changed since it was planned: worker "
                + worker.place().worker() + " counts " + opened.getRecords()
                + " records in it, which is not what was counted before";
    }

    private void exclude(Pool pool, OpenJob job, EpochLedger epoch, int attempt, Exclusion excluded, Instant at) {
        long moved;
        if (job.tracked()) {
            moved = epoch.exclude(attempt, excluded.getReason(), Elements.of(excluded.getTickets()));
        } else {
            moved = excluded.getElements();
            epoch.excludeUntracked(excluded.getReason(), moved);
        }
        if (excluded.getReason().equals("bad") && moved > 0) {
            job.row().addBad(moved);
            job.changed();
            int room = MOST_BAD_LINES - job.badRecords().size();
            job.badRecords().addAll(excluded.getDetails().stream().limit(room).toList());
            ledger.saveBadRecords(job.id(), job.badRecords());
            if (job.row().bad() > job.submit().getSkipBad()) {
                String first = job.badRecords().isEmpty()
                        ? ""
                        : "; the first of them: " + job.badRecords().get(0);
                String reason = job.row().bad() + " records are bad, more than the "
                        + job.submit().getSkipBad() + " that may be skipped" + first;
                jobs.end(pool, job, JobState.FAILED, reason, FailureKind.REFUSED, at);
            }
        }
    }

    /** An attempt broke by no fault of pipeline or data: others try again, a few times. */
    private void broken(Pool pool, OpenJob job, EpochLedger epoch, int attempt, String reason, Instant at) {
        job.row().addEngineFailed();
        job.changed();
        String worker = epoch.place(attempt).worker();
        if (job.row().enginesFailed() > limits.engineFailures()) {
            String told = "an attempt on worker " + worker + " broke, the "
                    + job.row().enginesFailed() + "th of this job: " + reason;
            jobs.end(pool, job, JobState.FAILED, told, FailureKind.FAILED, at);
        } else {
            epochs.fence(pool, job, epoch, attempt, "it broke on worker " + worker + ": " + reason, at);
        }
    }

    /** An attempt that its worker should not have any more is fenced again, in case the first fence was lost. */
    private void stray(KnownWorker worker, AttemptProgress progress, Instant at) {
        boolean live =
                switch (progress.getPhase()) {
                    case STARTING, RUNNING, IDLE, DRAINING -> true;
                    case ENDED, FAILED -> false;
                };
        out.ignored(Ignored.STALE_ATTEMPT);
        AttemptKey key = new AttemptKey(progress.getJob(), progress.getEpoch(), progress.getAttempt());
        Instant before = worker.strays().put(key, at);
        if (worker.strays().size() > 1_000) {
            worker.strays().clear();
        }
        if (live && before != null && Duration.between(before, at).compareTo(limits.repeatAfter()) >= 0) {
            epochs.sendFence(
                    key.job(), key.epoch(), key.attempt(), worker.place(), "it is not one of the job's any more");
        } else if (before != null) {
            worker.strays().put(key, before);
        }
    }

    private List<OpenJob> fold(Event.Client event) {
        Optional<OpenJob> found = job(event.pool(), event.beat().getJob());
        if (found.isEmpty() || found.get().ended()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        OpenJob job = found.get();
        int consumer = event.beat().getConsumer();
        Optional<ConsumerRow> known = jobs.consumer(job, consumer, event.beat().getIncarnation(), event.at());
        if (known.isEmpty()) {
            return List.of();
        }
        if (event.beat().getClosing()) {
            job.consumer(consumer, known.get().withGone(true));
        }
        event.beat()
                .getWindows()
                .forEach(window -> journal.turn(job, EventReader.window(event.at(), consumer, window)));
        return List.of(job);
    }

    private List<OpenJob> fold(Event.Report event) {
        ConsumptionReport report = event.report();
        Optional<OpenJob> found = job(event.pool(), report.getJob());
        if (found.isEmpty()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        OpenJob job = found.get();
        int consumer = report.getConsumer();
        Optional<ConsumerRow> known = jobs.consumer(job, consumer, report.getIncarnation(), event.at());
        if (known.isEmpty()) {
            return List.of();
        }
        job.tell(OpenJob.Telling.WITHIN_A_SECOND);
        long applied = known.get().applied();
        if (report.getReportSequence() <= applied) {
            out.ignored(Ignored.DUPLICATE);
            return List.of(job);
        }
        if (job.ended()) {
            // there are no accounts any more; what is confirmed is not sent again
            job.consumer(consumer, known.get().withApplied(report.getReportSequence()));
            return List.of(job);
        }
        if (report.getReportSequence() > applied + 1) {
            out.ignored(Ignored.GAP);
            return List.of(job);
        }
        job.consumer(consumer, known.get().withApplied(report.getReportSequence()));
        apply(pool(event.pool()), job, report, event.elements(), event.at());
        return List.of(job);
    }

    private void apply(Pool pool, OpenJob job, ConsumptionReport report, List<Elements> elements, Instant at) {
        int consumer = report.getConsumer();
        for (int i = 0; i < report.getBatches().size(); i++) {
            BatchUse batch = report.getBatches().get(i);
            EpochLedger epoch = job.epochs().get(batch.getEpoch());
            if (epoch == null) {
                out.ignored(Ignored.STALE_ATTEMPT);
            } else {
                use(job, epoch, consumer, batch, elements.get(i));
            }
        }
        for (AttemptRef ended : report.getEnded()) {
            EpochLedger epoch = job.epochs().get(ended.getEpoch());
            if (epoch != null) {
                epoch.handOver(ended.getAttempt(), consumer);
            }
        }
        for (AttemptRef answered : report.getFencesAnswered()) {
            EpochLedger epoch = job.epochs().get(answered.getEpoch());
            if (epoch != null) {
                epoch.answer(answered.getAttempt(), consumer);
                job.tell(OpenJob.Telling.NOW);
            }
        }
        for (ChannelDown down : report.getChannelsDown()) {
            EpochLedger epoch = job.epochs().get(down.getEpoch());
            AttemptRow row = epoch == null ? null : epoch.attempts().get(down.getAttempt());
            boolean its = row != null
                    && row.fence().isEmpty()
                    && epoch.place(down.getAttempt()).incarnation().equals(down.getWorkerIncarnation());
            if (its) {
                String reason = "consumer " + consumer + " cannot reach worker "
                        + epoch.place(down.getAttempt()).worker() + ": " + down.getReason();
                epochs.fence(pool, job, epoch, down.getAttempt(), reason, at);
            } else {
                out.ignored(Ignored.STALE_ATTEMPT);
            }
        }
    }

    private void use(OpenJob job, EpochLedger epoch, int consumer, BatchUse batch, Elements elements) {
        boolean acked = batch.getUse() == Use.ACKED;
        if (!job.tracked()) {
            if (acked) {
                epoch.consumeUntracked(batch.getAttempt(), consumer, batch.getSequence(), batch.getElements());
            }
            return;
        }
        long moved = acked
                ? epoch.consume(batch.getAttempt(), consumer, elements)
                : epoch.claim(batch.getAttempt(), consumer, elements);
        if (moved < batch.getElements()) {
            out.ignored(Ignored.MOVED_NOTHING);
        }
    }

    private void tick(Pool pool, Instant at) {
        for (KnownWorker worker : List.copyOf(pool.workers().values())) {
            if (worker.heard().isEmpty()) {
                worker.heard(at); // taken over: silence is counted from here
            } else if (Duration.between(worker.heard().get(), at).compareTo(limits.workerSilence()) > 0) {
                String why = "worker " + worker.place().worker() + " was silent for "
                        + limits.workerSilence().toSeconds() + " s";
                lost(pool, worker.place(), why, at);
            }
        }
        for (OpenJob job : List.copyOf(pool.jobs().values())) {
            if (!job.ended()) {
                tick(pool, job, at);
            } else if (Duration.between(job.row().standing().since(), at).compareTo(limits.endedKept()) > 0) {
                pool.remove(job);
                poolOfJob.remove(job.id());
                ledger.dropJob(job.id());
            }
        }
        pool.turnDue(pool.turnDue() || poolTurn.somebodyWaits(pool));
    }

    private void tick(Pool pool, OpenJob job, Instant at) {
        boolean planned = job.planned();
        boolean unlisted = job.unlistedSince()
                .filter(since -> Duration.between(since, at).compareTo(limits.workerSilence()) > 0)
                .isPresent();
        if (!planned && unlisted && job.row().planning().planner().isPresent()) {
            String worker = job.row().planning().planner().get().worker();
            jobs.plan(pool, job, "worker " + worker + " does not plan it any more", at);
        }
        epochs.repeat(pool, job, at);
        orphans(pool, job, at);
        consumers(pool, job, at);
    }

    /** Ended attempts of workers that are gone: if their consumers do not get on, what they had is read again. */
    private void orphans(Pool pool, OpenJob job, Instant at) {
        for (EpochLedger epoch : job.epochs().values()) {
            for (int attempt : List.copyOf(epoch.attempts().keySet())) {
                AttemptRow row = epoch.attempts().get(attempt);
                Seen seen = job.seen(epoch.epoch(), attempt, at);
                if (row.fence().isPresent() || pool.alive(epoch.place(attempt))) {
                    seen.orphanedSince(Optional.empty());
                } else if (seen.orphanedSince().isEmpty()) {
                    seen.orphanedSince(Optional.of(at));
                } else if (Duration.between(seen.orphanedSince().get(), at)
                                .compareTo(limits.workerSilence().multipliedBy(2))
                        > 0) {
                    String reason =
                            "worker " + epoch.place(attempt).worker() + " is gone and not all that it made was taken";
                    epochs.fence(pool, job, epoch, attempt, reason, at);
                }
            }
        }
    }

    private void consumers(Pool pool, OpenJob job, Instant at) {
        int consumers = job.submit().getConsumers();
        int lost = 0;
        for (int consumer = 0; consumer < consumers; consumer++) {
            Instant heard = job.consumersHeard().computeIfAbsent(consumer, none -> at);
            if (Duration.between(heard, at).compareTo(limits.consumerSilence()) >= 0) {
                lost++;
                ConsumerRow known = job.consumers().get(consumer);
                if (known != null && !known.gone()) {
                    job.consumer(consumer, known.withGone(true));
                    journal.write(
                            job,
                            at,
                            new Journal.Entry(
                                    DecisionWriter.observed("consumerLost", Integer.toString(consumer), Map.of()),
                                    List.of(),
                                    "consumer " + consumer + " was silent for "
                                            + limits.consumerSilence().toSeconds() + " s: its claims stay in doubt",
                                    Map.of()));
                }
            }
        }
        if (lost == consumers) {
            String who = consumers == 1 ? "consumer 0 was lost" : "all " + consumers + " consumers were lost";
            String told = job.consumers().isEmpty() ? "no consumer came" : who;
            jobs.end(
                    pool,
                    job,
                    JobState.CANCELLED,
                    told + ": silent for " + limits.consumerSilence().toSeconds() + " s",
                    FailureKind.NONE,
                    at);
        }
    }
}
