package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CacheRecords;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.ledger.ClockRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.turn.fault.BrokenState;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.fault.PoolSteps;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.ClosedPages;
import io.praline.dispatcher.turn.progress.LogClock;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.Turn;
import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.PlanCompleted;
import java.time.Instant;
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
    /** The step of a pool that makes it due again as long as it is left out. */
    private static final String DIVISION = "the division of slots";

    private final Ledger ledger;
    private final RowRecords records;
    private final Pools pools;
    private final Garbage garbage;
    private final Jobs jobs;
    private final Planning planning;
    private final Epochs epochs;
    private final Isolation isolation;
    private final Stores stores;
    private final Caching caching;
    private final ChangeOver changeOver;
    private final Membership membership;
    private final Consumers consumers;
    private final PoolTurn poolTurn;
    private final Statuses statuses;
    private final PoolStatuses poolStatuses;
    private final ClosedPages closedPages = new ClosedPages();
    private final Journal journal;
    private final Outgoing out;
    private final PoolSteps steps;
    private final Silence silence;
    private final Event.Cases<List<Job>> folding;
    private LogClock clock = new LogClock(Optional.empty());

    /** Jobs whose rows cannot be read, by id, until the next event says what time it is. */
    private final SortedMap<String, RuntimeException> unreadable = new TreeMap<>();

    public Dispatching(Ledger ledger, RowRecords records, Rules rules, Outgoing out, PoolSteps steps) {
        this.ledger = ledger;
        this.records = records;
        this.out = out;
        this.steps = steps;
        ProtocolLimits limits = rules.limits();
        WallTime wall = new WallTime(() -> clock.row());
        journal = new Journal(wall, out);
        JobTurn jobTurn = new JobTurn(journal, out);
        Tenants tenants = new Tenants(jobTurn);
        pools = new Pools(rules.poolSize());
        stores = new Stores(journal, wall, out);
        statuses = new Statuses(limits, pools, wall, out);
        poolStatuses = new PoolStatuses(wall, out);
        SplitAssignment splits = new SplitAssignment(ledger, limits.room(), out);
        Draining draining = new Draining(journal, out);
        Fences fences = new Fences(limits, journal, out);
        Lanes lanes = new Lanes(limits, out);
        epochs = new Epochs(ledger, limits, splits, draining, fences, journal, out);
        Targets targets = new Targets(journal, wall, out);
        poolTurn = new PoolTurn(rules.division(), epochs, draining, jobTurn, journal, targets);
        jobs = new Jobs(ledger, records, rules, tenants, closedPages, statuses, journal, out);
        changeOver = new ChangeOver(epochs);
        caching = new Caching(ledger, stores, jobTurn, journal, out);
        Ordering ordering = new Ordering(ledger, caching, jobTurn, journal, out);
        planning = new Planning(ledger, records, jobs, ordering, caching, jobTurn, journal, out);
        isolation = new Isolation(ledger, jobs, epochs, draining, fences, journal, out);
        membership = new Membership(fences, isolation, planning, ordering, stores, jobTurn, journal);
        Actuators actuators = new Actuators(rules, jobTurn, targets);
        consumers = new Consumers(limits, fences, lanes, journal, out);
        Requests requests =
                new Requests(rules, pools, jobs, planning, consumers, tenants, statuses, jobTurn, journal, out);
        Heartbeats heartbeats =
                new Heartbeats(ledger, limits, membership, jobs, fences, ordering, caching, stores, jobTurn, out);
        Reports reports = new Reports(consumers, fences, jobTurn, journal, out);
        garbage = new Garbage(ledger, limits, pools, out);
        silence = new Silence(
                garbage,
                limits,
                membership,
                jobs,
                planning,
                actuators,
                epochs,
                fences,
                isolation,
                ordering,
                caching,
                stores,
                consumers,
                new Reconciler(limits, epochs, draining, fences, splits),
                new Stuck(ledger, journal),
                tenants,
                poolTurn,
                jobTurn,
                steps,
                out);
        folding = new Event.Cases<>() {
            @Override
            public List<Job> request(Event.Request event) {
                if (CacheRecords.about(event.request())) {
                    stores.fold(pools.of(event.pool()), event.request(), event.at());
                    return List.of();
                }
                if (garbage.isPast(event.request().getJob())) {
                    out.ignored(Ignored.UNKNOWN_JOB);
                    return List.of();
                }
                return requests.fold(pools.of(event.pool()), event);
            }

            @Override
            public List<Job> plan(Event.Plan event) {
                String job = event.message().getJob();
                if (garbage.isPast(job) && event.message().getBody() instanceof PlanCompleted late) {
                    garbage.planned(job, late.getPipelineDigest());
                }
                return planning.fold(pools.of(event.pool()), event);
            }

            @Override
            public List<Job> beat(Event.Beat event) {
                return heartbeats.fold(pools.of(event.pool()), event);
            }

            @Override
            public List<Job> actuator(Event.Actuator event) {
                return actuators.fold(pools.of(event.pool()), event);
            }

            @Override
            public List<Job> order(Event.Order event) {
                return ordering.fold(pools.of(event.pool()), event);
            }

            @Override
            public List<Job> tick(Event.Tick event) {
                passed(event);
                return List.of();
            }

            @Override
            public List<Job> client(Event.Client event) {
                return reports.fold(pools.of(event.pool()), event);
            }

            @Override
            public List<Job> report(Event.Report event) {
                return reports.fold(pools.of(event.pool()), event);
            }
        };
    }

    /** Takes over what the rows tell. */
    public void restore() {
        int format = ledger.format();
        if (format > Ledger.FORMAT) {
            throw new BrokenState(
                    "the state is of format " + format + ", written by a newer dispatcher, and this one reads "
                            + Ledger.FORMAT + " at most: start the newer one");
        }
        ledger.saveFormat();
        clock = new LogClock(clockRow());
        ledger.eachPool(pools::restore, out::setAside);
        ledger.eachWorker((pool, worker, row) -> pools.of(pool).restore(worker, row), out::setAside);
        ledger.eachTenant((pool, tenant, row) -> pools.of(pool).restore(tenant, row), out::setAside);
        ledger.eachGroup((pool, name, row) -> pools.of(pool).stores().restore(name, row), out::setAside);
        ledger.eachPast(garbage::restore, out::setAside);
        for (String id : ledger.jobs()) {
            try {
                pools.add(jobs.restored(id, ledger.job(id)));
            } catch (RuntimeException why) {
                if (records.away(why)) {
                    throw why;
                }
                unreadable.put(id, why);
            }
        }
    }

    private Optional<ClockRow> clockRow() {
        try {
            return ledger.clock();
        } catch (RuntimeException why) {
            out.setAside("the row of the clock", why);
            return Optional.empty();
        }
    }

    /** The job cannot be gone on with: it fails for this reason. One that is over already is forgotten. */
    public void setAside(String id, String why, Instant stamp) {
        Instant at = clock.row().map(ClockRow::time).orElse(stamp);
        Optional<Pool> pool = pools.holding(id);
        if (pool.isEmpty()) {
            return;
        }
        Job job = pool.get().jobs().get(id);
        out.setAside("job " + id, new IllegalStateException(why));
        if (job.ended()) {
            garbage.forget(job, at);
        } else {
            jobs.end(pool.get(), job, JobState.FAILED, why, FailureKind.FAILED, at);
            settle(pool.get(), List.of(job), at);
        }
    }

    /** The job cannot even fail in order: nothing is left of it but that it failed for this reason. */
    public void dropAllOf(String id, String why, Instant stamp) {
        Instant at = clock.row().map(ClockRow::time).orElse(stamp);
        out.setAside("all rows of job " + id, new IllegalStateException(why));
        pools.holding(id).ifPresent(pool -> pools.remove(pool.jobs().get(id)));
        unreadable.remove(id);
        Job job = jobs.failed(id, why, at);
        pools.add(job);
        job.changed();
        statuses.tellAgain(job, at);
        job.save(ledger);
    }

    /** Whether there is a job of this id. */
    public boolean holds(String job) {
        return pools.holding(job).isPresent();
    }

    /** A pool of this partition, for which time must be told; empty where nothing is left that time takes away. */
    public Optional<String> anyPool() {
        return pools.anyPool().or(garbage::anyPool);
    }

    /** Live workers of all pools. */
    public int workers() {
        return pools.workers();
    }

    /** Jobs that should move and have not for a while. */
    public int stuckJobs() {
        return pools.stuckJobs();
    }

    /** Jobs by where they are. */
    public Map<JobState, Integer> jobsByState() {
        return pools.jobsByState();
    }

    /** The event is folded in, decided upon and written down. */
    public void take(Event stamped) {
        Event event = clock.timed(stamped);
        if (event instanceof Event.Tick) {
            clock.row().ifPresent(ledger::saveClock);
        }
        Map.copyOf(unreadable)
                .forEach((id, why) -> dropAllOf(id, "its rows cannot be read: " + Turn.inALine(why), event.at()));
        List<Job> touched = event.match(folding);
        if (!(event instanceof Event.Tick)) {
            settle(pools.of(event.pool()), touched, event.at());
        }
    }

    /** What the pool does where nothing happens. */
    public void standStill(String pool, Instant at) {
        settle(pools.of(pool), List.of(), at);
    }

    /** Time passed. What cannot be done for one pool keeps nobody else. */
    private void passed(Event.Tick event) {
        Instant at = event.at();
        steps.take(RowRecords.NO_POOL, "what is said of steps that are left out", at, () -> say(at));
        steps.take(RowRecords.NO_POOL, "the clearing of what is over", at, () -> garbage.collect(at));
        for (Pool pool : List.copyOf(pools.all())) {
            steps.take(
                    pool.name(),
                    "what follows from time that passed",
                    at,
                    () -> settle(pool, silence.fold(pool, event), at));
        }
        poolStatuses.keep(pools);
        pools.all().forEach(pool -> steps.take(pool.name(), "the status", at, () -> poolStatuses.tell(pool, at)));
        closedPages.take().forEach(out::ledgerPage);
    }

    /** What became of steps of pools is logged and in the pools' journals. */
    private void say(Instant at) {
        for (PoolSteps.News news : steps.news()) {
            news.why().ifPresent(why -> out.setAside(news.what(), why));
            pools.all().stream()
                    .filter(pool -> pool.name().equals(news.pool()))
                    .forEach(pool -> journal.write(pool, at, news));
        }
    }

    /** Lets go on whatever can, divides the slots if they must be, tells what changed, and writes the rows. */
    private void settle(Pool pool, List<Job> touched, Instant at) {
        if (stores.isDue(pool)) {
            steps.take(
                    pool.name(),
                    "the division of stores",
                    at,
                    () -> stores.divideNow(pool, caching.demands(pool, at), at));
        }
        Set<Job> concerned = new LinkedHashSet<>(touched);
        touched.forEach(job -> advanceIn(pool, job, at));
        // a turn may end a job or begin an epoch, which is a reason for another
        boolean may = PoolTurn.may(pool, at) && !steps.isLeftOut(pool.name(), DIVISION, at);
        for (int turns = 0; ((may && pool.turnDue()) || !pool.moving().isEmpty()) && turns < 4; turns++) {
            boolean whole = may && pool.turnDue();
            List<Job> due = pool.open().stream()
                    .filter(job -> whole || pool.moving().contains(job.id()))
                    .toList();
            concerned.addAll(due);
            due.forEach(job -> advanceIn(pool, job, at));
            if (whole) {
                steps.take(pool.name(), DIVISION, at, () -> divide(pool, at));
            } else {
                pool.moved();
                due.forEach(job -> JobFault.in(job.id(), () -> poolTurn.take(pool, job, at)));
            }
            due.forEach(job -> advanceIn(pool, job, at));
        }
        for (Job job : concerned) {
            JobFault.in(job.id(), () -> {
                JobStanding.stand(pool, job, at);
                statuses.tell(job, at);
                closedPages.note(job.id(), job.open());
                job.save(ledger);
            });
        }
        // beside these, jobs that something happened to which had no turn yet
        pool.save(ledger);
        pool.stores().save(ledger, pool.name());
    }

    private void divide(Pool pool, Instant at) {
        // what went on until here is seen by this turn: only what it brings about itself is a reason for another
        membership.observe(pool, at);
        pool.turned(at);
        pool.moved();
        poolTurn.take(pool, at);
    }

    private void advanceIn(Pool pool, Job job, Instant at) {
        JobFault.in(job.id(), () -> advance(pool, job, at));
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
            if (idle && Planning.planners(pool, job).findAny().isPresent()) {
                planning.plan(pool, job, "a worker is there", at);
            }
            return;
        }
        epochs.advance(pool, job, at);
        changeOver.look(job, pool, at);
        if (isolation.advance(pool, job, at)) {
            epochs.advance(pool, job, at);
        }
        if (job.ended()) {
            return;
        }
        consumers.finish(job, at);
        if (Epochs.allComplete(job)) {
            jobs.end(pool, job, JobState.COMPLETED, "", FailureKind.NONE, at);
        }
    }
}
