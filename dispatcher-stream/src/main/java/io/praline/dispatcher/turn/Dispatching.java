package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.schema.Attach;
import io.praline.schema.Cancel;
import io.praline.schema.FailureKind;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.schema.PlanMessage;
import io.praline.schema.Submit;
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

    /** A turn of the whole pool takes about half of this for each job: more than half of all time must not go there. */
    private static final Duration TURN_FOR_A_JOB = Duration.ofNanos(50_000);

    private final Ledger ledger;
    private final Rules rules;
    private final Outgoing out;
    private final Epochs epochs;
    private final Jobs jobs;
    private final Heartbeats heartbeats;
    private final Reports reports;
    private final Silence silence;
    private final PoolTurn poolTurn;
    private final SortedMap<String, Pool> pools = new TreeMap<>();

    /** Which pool a job of this partition is in: ids are unique over all pools. */
    private final Map<String, String> poolOfJob = new HashMap<>();

    public Dispatching(Ledger ledger, RowRecords records, Rules rules, Outgoing out) {
        Journal journal = new Journal(out);
        ProtocolLimits limits = rules.limits();
        this.ledger = ledger;
        this.rules = rules;
        this.out = out;
        this.epochs = new Epochs(ledger, limits, journal, out);
        JobTurn jobTurn = new JobTurn(journal, out);
        Tenants tenants = new Tenants(jobTurn);
        this.jobs = new Jobs(ledger, records, rules, epochs, tenants, jobTurn, journal, out);
        Membership membership = new Membership(epochs, jobs, jobTurn, journal);
        this.heartbeats = new Heartbeats(ledger, limits, membership, jobs, epochs, jobTurn, out);
        this.reports = new Reports(jobs, epochs, jobTurn, journal, out);
        this.poolTurn = new PoolTurn(rules.division(), epochs, jobTurn, journal, new Targets(journal, out));
        this.silence = new Silence(ledger, limits, membership, jobs, epochs, tenants, poolTurn, jobTurn, journal);
    }

    /** Takes over what the rows tell. */
    public void restore() {
        ledger.eachPool((name, row) -> pools.put(name, new Pool(name, rules.poolSize(), row)));
        ledger.eachWorker((pool, worker, row) -> pool(pool).restore(worker, row));
        ledger.eachTenant((pool, tenant, row) -> pool(pool).restore(tenant, row));
        List<Job> found = new ArrayList<>();
        ledger.eachJob((id, row) -> found.add(jobs.restored(id, row)));
        for (Job job : found) {
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
    private final Event.Cases<List<Job>> folding = new Event.Cases<>() {
        @Override
        public List<Job> request(Event.Request event) {
            return fold(event);
        }

        @Override
        public List<Job> plan(Event.Plan event) {
            return fold(event);
        }

        @Override
        public List<Job> beat(Event.Beat event) {
            return heartbeats.fold(pool(event.pool()), event);
        }

        @Override
        public List<Job> actuator(Event.Actuator event) {
            Pool pool = pool(event.pool());
            if (event.report().getSubject().equals(pool.name())) {
                jobs.bounded(pool, event.report().getMost(), event.at());
            }
            return pool.capacity(event.report(), event.at())
                    ? List.copyOf(pool.jobs().values())
                    : List.of();
        }

        @Override
        public List<Job> tick(Event.Tick event) {
            pools.values().forEach(pool -> silence.tick(pool, event.at()).forEach(job -> poolOfJob.remove(job.id())));
            return List.of();
        }

        @Override
        public List<Job> client(Event.Client event) {
            return reports.fold(pool(event.pool()), event);
        }

        @Override
        public List<Job> report(Event.Report event) {
            return reports.fold(pool(event.pool()), event);
        }
    };

    /** The event is folded in, decided upon and written down. */
    public void take(Event event) {
        Pool pool = pool(event.pool());
        List<Job> touched = event.match(folding);
        if (event instanceof Event.Tick) {
            pools.values().forEach(each -> settle(each, List.copyOf(each.jobs().values()), event.at()));
        } else {
            settle(pool, touched, event.at());
        }
    }

    /** Lets go on whatever can, divides the slots if they must be, tells what changed, and writes the rows. */
    private void settle(Pool pool, List<Job> touched, Instant at) {
        Set<Job> concerned = new LinkedHashSet<>(touched);
        for (Job job : touched) {
            advance(pool, job, at);
        }
        // a turn may end a job or begin an epoch, which is a reason for another
        boolean may = mayTurn(pool, at);
        for (int turns = 0; ((may && pool.turnDue()) || !pool.moving().isEmpty()) && turns < 4; turns++) {
            boolean whole = may && pool.turnDue();
            List<Job> due = pool.jobs().values().stream()
                    .filter(job -> !job.ended() && (whole || pool.moving().contains(job.id())))
                    .toList();
            concerned.addAll(due);
            due.forEach(job -> advance(pool, job, at));
            if (whole) {
                // what went on until here is seen by this turn: only what it brings about itself is a reason for
                // another
                pool.turnDue(false);
                pool.turned(at, due.size());
                pool.moved();
                poolTurn.take(pool, at);
            } else {
                pool.moved();
                due.forEach(job -> poolTurn.take(pool, job, at));
            }
            due.forEach(job -> advance(pool, job, at));
        }
        for (Job job : concerned) {
            JobStanding.stand(pool, job, at);
            tell(job, at);
            job.save(ledger);
        }
        pool.save(ledger);
    }

    /**
     * Whether the whole pool may have its turn now. Where many events follow each other, as behind a backlog, they share
     * one; the next event after a few milliseconds takes it, at the latest a tick. In whole milliseconds, so that the turn
     * of a small pool never waits.
     */
    private static boolean mayTurn(Pool pool, Instant at) {
        long least = TURN_FOR_A_JOB.multipliedBy(pool.turnedJobs()).toMillis();
        long since = Duration.between(pool.turnedAt(), at).toMillis();
        return since < 0 || since >= least;
    }

    private void advance(Pool pool, Job job, Instant at) {
        if (job.ended()) {
            return;
        }
        if (job.doom().isPresent()) {
            jobs.end(pool, job, JobState.FAILED, job.doom().get(), FailureKind.FAILED, at);
            return;
        }
        if (!job.planned()) {
            boolean idle = job.row().planning().planner().isEmpty();
            if (idle && Jobs.planners(pool, job).findAny().isPresent()) {
                jobs.plan(pool, job, "a worker is there", at);
            }
            return;
        }
        epochs.advance(pool, job, at);
        if (Epochs.allComplete(job)) {
            jobs.end(pool, job, JobState.COMPLETED, "", FailureKind.NONE, at);
        }
    }

    private void tell(Job job, Instant at) {
        boolean due =
                switch (job.telling()) {
                    case NOTHING -> false;
                    case WITHIN_A_SECOND -> !at.isBefore(job.told().plus(TOLD_EVERY));
                    case NOW -> true;
                };
        if (due) {
            boolean urgent = job.telling() == Job.Telling.NOW;
            job.told(at);
            out.status(job.status(at), urgent);
        }
    }

    private Pool pool(String name) {
        return pools.computeIfAbsent(name, it -> new Pool(it, rules.poolSize(), PoolRow.NEW));
    }

    private Optional<Job> job(String pool, String id) {
        return Optional.ofNullable(pool(pool).jobs().get(id));
    }

    private List<Job> fold(Event.Request event) {
        JobRequest request = event.request();
        Pool pool = pool(event.pool());
        String elsewhere = poolOfJob.get(request.getJob());
        if (elsewhere != null && !elsewhere.equals(event.pool())) {
            // the same id in another pool: its owner's status tells the one who asks that it is taken
            out.ignored(Ignored.UNKNOWN_JOB);
            if (request.getBody() instanceof Submit) {
                pool(elsewhere).jobs().get(request.getJob()).tell(Job.Telling.NOW);
                tell(pool(elsewhere).jobs().get(request.getJob()), event.at());
            }
            return List.of();
        }
        Job job = pool.jobs().get(request.getJob());
        if (request.getBody() instanceof Submit) {
            if (job == null) {
                poolOfJob.put(request.getJob(), pool.name());
                jobs.submitted(pool, request, event.at());
                return List.of(pool.jobs().get(request.getJob()));
            }
            out.ignored(Ignored.DUPLICATE);
            job.tell(Job.Telling.NOW);
            tell(job, event.at());
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
            jobs.paused(pool, job, pause.getPaused(), event.at());
        } else if (request.getBody() instanceof Pin pin) {
            jobs.pinned(pool, job, pin, event.at());
        } else if (request.getBody() instanceof Attach attach) {
            attach(pool, job, attach, event.at());
        }
        return List.of(job);
    }

    private void attach(Pool pool, Job job, Attach attach, Instant at) {
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
        job.tell(Job.Telling.NOW);
        // its host may be the one whose workers are to be told
        pool.turnDue(true);
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

    private List<Job> fold(Event.Plan event) {
        PlanMessage message = event.message();
        Optional<Job> found = job(event.pool(), message.getJob());
        if (found.isEmpty() || found.get().ended()) {
            out.ignored(Ignored.UNKNOWN_JOB);
            return List.of();
        }
        Job job = found.get();
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
}
