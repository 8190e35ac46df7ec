package io.praline.dispatcher.turn;

import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.PoolRow;
import io.praline.dispatcher.ledger.TenantRow;
import io.praline.dispatcher.ledger.WorkerRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.progress.Buried;
import io.praline.dispatcher.turn.progress.Capacities;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.PoolStores;
import io.praline.dispatcher.turn.progress.PoolWorkers;
import io.praline.dispatcher.turn.progress.Reservation;
import io.praline.dispatcher.turn.progress.StoreTargets;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.policy.pool.PoolSize;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A pool as it is now: its live workers, those on trainers' own hosts among them, and its jobs. Owned by the stream thread. */
final class Pool {
    private final String name;
    private final PoolSize usualSize;
    private PoolRow row;
    private boolean rowChanged;
    private final Set<TurnCause> due = EnumSet.of(TurnCause.TAKEN_OVER);
    private Instant turnedAt = Instant.EPOCH;
    private final SortedSet<String> moving = new TreeSet<>();
    private final SortedSet<String> movingSeen = Collections.unmodifiableSortedSet(moving);
    private final PoolWorkers workers = new PoolWorkers();
    private final SortedMap<String, Job> jobs = new TreeMap<>();
    private final SortedMap<String, Job> jobsSeen = Collections.unmodifiableSortedMap(jobs);
    private final SortedMap<String, Job> open = new TreeMap<>();
    private final SortedSet<Job> ended = new TreeSet<>(
            Comparator.<Job, Instant>comparing(job -> job.row().standing().since())
                    .thenComparing(Job::id));
    private final Set<Job> telling = new LinkedHashSet<>();
    private final SortedSet<String> unplanned = new TreeSet<>();
    private final SortedSet<String> unplannedSeen = Collections.unmodifiableSortedSet(unplanned);
    private final Set<Job> unsaved = new LinkedHashSet<>();
    private final SortedMap<String, TenantRow> tenants = new TreeMap<>();
    private final SortedSet<String> changedTenants = new TreeSet<>();
    private final Capacities capacities = new Capacities();
    private final Reservation reserved = new Reservation();
    private Optional<PoolSize.Less> lessNeeded = Optional.empty();
    private final Buried buried;
    private final PoolStores stores = new PoolStores();
    private final StoreTargets storeTargets = new StoreTargets();

    /**
     * @param usualSize where whoever starts its workers does not tell another bound
     * @param buried of all pools
     */
    Pool(String name, PoolSize usualSize, PoolRow row, Buried buried) {
        this.name = name;
        this.usualSize = usualSize;
        this.row = row;
        this.buried = buried;
    }

    String name() {
        return name;
    }

    PoolRow row() {
        return row;
    }

    void row(PoolRow changed) {
        row = changed;
        rowChanged = true;
    }

    /** How large it should be, within what whoever starts its workers starts at most. */
    PoolSize size() {
        return row.most() == 0 ? usualSize : usualSize.within(row.most());
    }

    /** Whether it can have no more workers than take new work now. */
    boolean full() {
        return workersThatServe() >= size().maximum();
    }

    /** Its live workers by id; changed by the methods below only. */
    SortedMap<String, KnownWorker> workers() {
        return workers.all();
    }

    /** A worker as its row tells. */
    void restore(String id, WorkerRow known) {
        workers.restore(id, known);
    }

    /** A worker joined or has changed. */
    KnownWorker put(String id, WorkerRow changed) {
        return workers.put(id, changed);
    }

    /** A worker left or was lost. */
    void remove(String id) {
        workers.remove(id);
    }

    /** Workers on the job's trainer's host that take new work, in the order in which they came. */
    List<KnownWorker> localWorkers(Job job) {
        return workers.boundTo(job.id()).stream()
                .filter(id -> !job.unreachable().avoids(id))
                .map(id -> workers.all().get(id))
                .filter(worker ->
                        !worker.row().draining() && !isReserved(worker.place().worker()))
                .sorted(Comparator.comparing(
                                (KnownWorker worker) -> worker.row().joined())
                        .thenComparing(worker -> worker.place().worker()))
                .toList();
    }

    /** The worker gets nothing but what this job gives it itself. */
    void reserve(String worker, Job job) {
        if (reserved.hold(worker, job.id())) {
            due(TurnCause.WORKERS_CHANGED);
        }
    }

    /** The job needs no worker for itself now. */
    void release(Job job) {
        if (reserved.job().filter(job.id()::equals).isPresent()) {
            reserved.end();
            due(TurnCause.WORKERS_CHANGED);
        }
    }

    /** The job that a worker is reserved for; empty where none is, or where that job reads nothing alone any more. */
    Optional<String> reserved() {
        boolean kept = reserved.worker()
                        .filter(worker -> workers.all().containsKey(worker))
                        .isPresent()
                && reserved.job()
                        .map(job -> open.get(job))
                        .filter(Job::readsAlone)
                        .isPresent();
        if (!kept && reserved.job().isPresent()) {
            reserved.end();
            due(TurnCause.WORKERS_CHANGED);
        }
        return reserved.job();
    }

    boolean isReserved(String worker) {
        return reserved.isOf(worker);
    }

    /** Workers that serve the job alone, whether or not they take new work. */
    Stream<KnownWorker> boundTo(Job job) {
        return workers.boundTo(job.id()).stream().map(id -> workers.all().get(id));
    }

    /** Workers that may read for the job and are not avoided by it, busy or not. */
    Stream<KnownWorker> workersFor(Job job) {
        boolean any = job.leading().state().terms().limits().maxRemote() > 0;
        return workers.all().values().stream()
                .filter(worker -> !worker.row().draining())
                .filter(worker -> !job.unreachable().avoids(worker.place().worker()))
                .filter(worker -> worker.row().onlyFor().map(job.id()::equals).orElse(any));
    }

    /** Whether a worker takes tasks of any job. */
    boolean isRemote(String worker) {
        return workers.isRemote(worker);
    }

    /** What came of its targets. */
    Capacities capacities() {
        return capacities;
    }

    /** That fewer workers are needed than it was told to have, since when, and how many at most; empty where they are not. */
    Optional<PoolSize.Less> lessNeeded() {
        return lessNeeded;
    }

    void lessNeeded(Optional<PoolSize.Less> less) {
        lessNeeded = less;
    }

    /** Its jobs, those that ended a while ago among them. */
    SortedMap<String, Job> jobs() {
        return jobsSeen;
    }

    void add(Job job) {
        jobs.put(job.id(), job);
        job.notedIn(unsaved, telling);
        if (job.ended()) {
            ended.add(job);
        } else {
            open.put(job.id(), job);
        }
        if (!job.planned() && !job.ended()) {
            unplanned.add(job.id());
        }
    }

    /** The job is forgotten. */
    void remove(Job job) {
        jobs.remove(job.id());
        moving.remove(job.id());
        unplanned.remove(job.id());
        open.remove(job.id());
        ended.remove(job);
        unsaved.remove(job);
        telling.remove(job);
    }

    /** Its jobs that have not ended, as they are now. */
    List<Job> open() {
        return List.copyOf(open.values());
    }

    /** How many of its jobs have not ended. */
    int openJobs() {
        return open.size();
    }

    /** Its jobs that ended before this time. */
    List<Job> endedBefore(Instant at) {
        return ended.stream()
                .takeWhile(job -> job.row().standing().since().isBefore(at))
                .toList();
    }

    /** Its jobs of which there is something to tell, ended ones among them. */
    List<Job> telling() {
        return List.copyOf(telling);
    }

    /** What is remembered of tenants, by name; changed by the methods below only. */
    SortedMap<String, TenantRow> tenants() {
        return Collections.unmodifiableSortedMap(tenants);
    }

    TenantRow tenant(String tenant) {
        return tenants.getOrDefault(tenant, TenantRow.NEW);
    }

    /** A tenant as its row tells. */
    void restore(String tenant, TenantRow known) {
        tenants.put(tenant, known);
    }

    void tenant(String tenant, TenantRow changed) {
        tenants.put(tenant, changed);
        changedTenants.add(tenant);
    }

    /** Nothing is remembered of the tenant any more. */
    void forgetTenant(String tenant) {
        tenants.remove(tenant);
        changedTenants.remove(tenant);
    }

    /** Whether nobody is in it, none is to be, and nothing is remembered: it is there again as soon as somebody speaks of it. */
    boolean deserted() {
        return workers.isEmpty()
                && jobs.isEmpty()
                && tenants.isEmpty()
                && capacities.isEmpty()
                && row.target() == 0
                && row.most() == 0;
    }

    /** Open jobs that have no plan yet. */
    SortedSet<String> unplanned() {
        return unplannedSeen;
    }

    /** The job has a plan now. */
    void planned(Job job) {
        unplanned.remove(job.id());
    }

    /** The job has ended now. */
    void ended(Job job) {
        unplanned.remove(job.id());
        open.remove(job.id());
        ended.add(job);
    }

    /** Writes what changed. */
    void save(Ledger ledger) {
        unsaved.forEach(job -> JobFault.in(job.id(), () -> job.save(ledger)));
        unsaved.clear();
        workers.save(name, ledger);
        changedTenants.forEach(tenant -> ledger.saveTenant(name, tenant, tenants.get(tenant)));
        changedTenants.clear();
        if (rowChanged) {
            ledger.savePool(name, row);
            rowChanged = false;
        }
    }

    /** Whether slots must be divided anew. */
    boolean turnDue() {
        return !due.isEmpty();
    }

    /** They must, for this. */
    void due(TurnCause why) {
        due.add(why);
    }

    /** When slots were last divided. */
    Instant turnedAt() {
        return turnedAt;
    }

    /** They are divided now, for all that made it due until here. */
    void turned(Instant at) {
        due.clear();
        turnedAt = at;
    }

    /**
     * The job wants other workers on its trainer's host, or has another host, and as many of the pool as before: nobody
     * else is concerned.
     */
    void moves(Job job) {
        moving.add(job.id());
    }

    /** Jobs that wait for such a turn of their own. */
    SortedSet<String> moving() {
        return movingSeen;
    }

    /** All of them have had it, or the whole pool's instead. */
    void moved() {
        moving.clear();
    }

    /** What is kept in its stores of entries. */
    PoolStores stores() {
        return stores;
    }

    /** How these are divided, and who was told. */
    StoreTargets storeTargets() {
        return storeTargets;
    }

    /** Processes that are never to be taken for live ones again. */
    Buried buried() {
        return buried;
    }

    /** Whether this is such a process of a worker: another came in its place. */
    boolean isReplaced(String worker, String incarnation) {
        KnownWorker known = workers.all().get(worker);
        return buried.has(incarnation)
                || (known != null && known.row().replaced().contains(incarnation));
    }

    /** Whether the very process that the place tells is alive. */
    boolean alive(Place place) {
        return workers.alive(place);
    }

    /** Workers that take new work of any job. */
    int workersThatServe() {
        return workers.serving();
    }

    /** Their slots together. */
    int slotsThatServe() {
        return workers.slotsThatServe();
    }
}
