package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.CacheRecords;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.ledger.CachePoints;
import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.CacheUse;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.turn.Stores.Demand;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.KnownWorker;
import io.praline.dispatcher.turn.progress.LastBeat.Entries;
import io.praline.dispatcher.turn.progress.PoolStores;
import io.praline.dispatcher.turn.progress.RateMeter.Made;
import io.praline.dispatcher.turn.progress.ReadingPace;
import io.praline.dispatcher.turn.progress.TrainerRate;
import io.praline.policy.Observation;
import io.praline.policy.caching.CacheBudget;
import io.praline.policy.caching.CacheMode;
import io.praline.policy.caching.CacheOutlook;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.CacheTerms;
import io.praline.policy.caching.PointMeasure;
import io.praline.policy.caching.course.CacheCommand;
import io.praline.policy.caching.course.CacheCourse;
import io.praline.policy.caching.course.CacheEvent;
import io.praline.policy.caching.course.CacheState;
import io.praline.policy.caching.course.CacheTurn;
import io.praline.policy.splits.SplitSampling;
import io.praline.schema.PlanCompleted;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which elements of jobs are kept and read again: {@link CacheCourse} decides; here it is told what happens, and workers are
 * asked to measure. Attempts change over as for another order ({@link ChangeOver}); what stores may hold is {@link Stores}'.
 */
final class Caching {
    /** A job's course hears of another share of entries where it is so much larger or smaller. */
    private static final double NEWS = 0.05;

    /** A policy hears that tasks make another number of elements where it is so many times as many, or as few. */
    private static final double OTHER_RATE = 1.25;

    private static final double MILLIS_PER_HOUR = 3_600_000;

    private final Ledger ledger;
    private final Stores stores;
    private final JobTurn jobTurn;
    private final Journal journal;
    private final Outgoing out;

    Caching(Ledger ledger, Stores stores, JobTurn jobTurn, Journal journal, Outgoing out) {
        this.ledger = ledger;
        this.stores = stores;
        this.jobTurn = jobTurn;
        this.journal = journal;
        this.out = out;
    }

    private static CacheCourse course(Job job) {
        return new CacheCourse(CacheMode.of(job.submit().getCache()), job.tracked(), job.singleTask(), terms(job));
    }

    private static CacheTerms terms(Job job) {
        return CacheTerms.of(
                job.leading().state().terms(),
                job.submit().getPriceStorage(),
                job.submit().getPriceFetch());
    }

    /** The job is planned: what others made of it is there from its first split on. */
    void begin(Pool pool, Job job, Instant at) {
        job.cache().keep(course(job).begin(at), Optional.empty());
        job.changed();
        CachePoints points = planned(job);
        take(pool, job, new CacheEvent.Planned(at, points.points(), points.blocked(), job.allEpochs(), job.splits()));
        stored(pool, job, at);
    }

    /** Where elements may be kept in the user's own order. */
    static CachePoints planned(Job job) {
        return job.outline().plan().map(CacheRecords::points).orElse(CachePoints.NONE);
    }

    /** The order of the job's steps is not to be measured any more, or it changed. */
    void settled(Pool pool, Job job, CachePoints points, Instant at) {
        boolean news = job.cache()
                .state()
                .filter(state -> !state.settled() || !state.points().equals(points.points()))
                .isPresent();
        if (news) {
            take(pool, job, new CacheEvent.OrderSettled(at, points.points(), points.blocked()));
            stored(pool, job, at);
        }
    }

    /** A worker measured points of the job, for this alone. */
    List<Job> fold(Pool pool, Job job, Event.Order event) {
        boolean asked = job.cache()
                        .asked()
                        .filter(place -> place.incarnation().equals(event.incarnation()))
                        .isPresent()
                && job.cache()
                        .state()
                        .filter(state -> state.trial() == event.cache().trial().orElseThrow())
                        .isPresent();
        if (!asked) {
            out.ignored(Ignored.DUPLICATE);
            return List.of();
        }
        if (job.courses().doubted() && event.cache().sample().isPresent()) {
            job.cache().doubted(false);
            settled(pool, job, event.cache().points(), event.at());
        }
        measured(pool, job, event);
        return List.of(job);
    }

    /** A worker measured points of the job, whoever asked. */
    void measured(Pool pool, Job job, Event.Order event) {
        event.cache().event(event.at()).ifPresent(told -> take(pool, job, told));
    }

    /** A worker is lost, whose attempts are not fenced yet. */
    void lost(Pool pool, Job job, Place place, String why, Instant at) {
        if (job.cache().asked().filter(place::equals).isPresent()) {
            take(pool, job, new CacheEvent.Unanswered(at, why));
        }
    }

    /** An attempt read an entry that is no good, which its worker has dropped. */
    void broke(Pool pool, Job job, String why, Instant at) {
        take(pool, job, new CacheEvent.Broke(at, why));
    }

    /** What a task makes is news. */
    void rate(Pool pool, Job job, Made made, double elementsPerSecond, Instant at) {
        if (made != Made.BOTH) {
            take(pool, job, new CacheEvent.Rate(at, made == Made.CACHED, elementsPerSecond));
        }
    }

    /** An attempt told what it did with entries. */
    void used(Pool pool, Job job, AttemptRow attempt, Entries before, Entries now) {
        long read = now.cachedElements() - before.cachedElements();
        attempt.graph().cache().ifPresent(use -> {
            job.cache().found().told(use.prefix(), before, now);
            if (read > 0 || now.storedSplits() > before.storedSplits()) {
                pool.stores().used(name(job, use.prefix()), (double) read);
            }
        });
    }

    private static GroupName name(Job job, String prefix) {
        return new GroupName(job.outline().tenant(), prefix);
    }

    // ---- time that passes

    /** Time passed, for all jobs of a pool; gives what they demand of groups. */
    SortedMap<GroupName, Demand> passed(Pool pool, Instant at) {
        SortedMap<GroupName, Double> uses = new TreeMap<>();
        for (Job job : pool.open()) {
            job.cache().state().filter(CacheState::open).ifPresent(state -> state.points()
                    .forEach(point -> uses.merge(name(job, point.prefix()), epochsLeft(job), Double::sum)));
        }
        for (Job job : pool.open()) {
            JobFault.in(job.id(), () -> passed(pool, job, uses, at));
        }
        return demands(pool, at);
    }

    /** What the jobs of a pool demand of groups. */
    SortedMap<GroupName, Demand> demands(Pool pool, Instant at) {
        SortedMap<GroupName, Demand> demands = new TreeMap<>();
        for (Job job : pool.open()) {
            job.cache()
                    .use()
                    .ifPresent(use -> demands.merge(name(job, use.prefix()), demand(job, use, at), Demand::and));
        }
        return demands;
    }

    /** What is made is made to be read once more at least, by whomever. */
    private static Demand demand(Job job, CacheUse use, Instant at) {
        double left = epochsLeft(job) + (use.put() ? 1 : 0);
        ReadingPace pace = job.movement().pace();
        double hours = pace.worked(at).toMillis() / MILLIS_PER_HOUR;
        double read = job.allEpochs() - epochsLeft(job) - (double) pace.before() / job.splits();
        double all = job.allEpochs() + (use.put() ? 1 : 0);
        return new Demand(left, CacheBudget.usesPerHour(hours, read, left, all), use.put());
    }

    private void passed(Pool pool, Job job, Map<GroupName, Double> uses, Instant at) {
        Optional<CacheState> state = job.cache().state().filter(CacheState::open);
        if (state.isEmpty() || job.epochs().isEmpty() || job.row().paused()) {
            return;
        }
        stored(pool, job, at);
        if (job.courses().doubted() && Ordering.server(pool, job).isPresent()) {
            take(pool, job, new CacheEvent.Doubted(at));
        }
        boolean measurable = state.get().measured()
                || state.get().asked().isPresent()
                || Ordering.server(pool, job).isPresent();
        if (measurable) {
            take(pool, job, new CacheEvent.Passed(at, outlook(pool, job, uses)));
        }
        describe(pool, job, at);
        tellPolicy(pool, job, at);
    }

    /** The course hears which entries there are, where that is news. */
    private void stored(Pool pool, Job job, Instant at) {
        Optional<CacheState> state = job.cache().state().filter(CacheState::open);
        if (state.isEmpty()) {
            return;
        }
        PoolStores its = pool.stores();
        SortedMap<String, Double> known = state.get().stored();
        SortedMap<String, Double> shares = new TreeMap<>();
        for (CachePoint point : state.get().points()) {
            double told = its.share(name(job, point.prefix()), job.splits());
            double share = job.cache().found().share(point.prefix(), told, () -> Ordering.begun(job, at), job.splits());
            double before = known.getOrDefault(point.prefix(), 0.0);
            // not all workers have told yet which store they use
            double now = its.known(at) ? share : Math.max(share, before);
            boolean news = (now > 0) != (before > 0) || Math.abs(now - before) >= NEWS || (now == 1) != (before == 1);
            if (now > 0) {
                shares.put(point.prefix(), news ? now : before);
            }
        }
        if (!shares.equals(known)) {
            take(pool, job, new CacheEvent.Stored(at, shares));
        }
    }

    /** Epochs that are to be read yet, parts among them. */
    private static double epochsLeft(Job job) {
        double left = job.allEpochs() - job.epochs().size();
        for (EpochLedger epoch : job.open()) {
            left += (double) Epochs.left(job, epoch) / job.splits();
        }
        return left;
    }

    private CacheOutlook outlook(Pool pool, Job job, Map<GroupName, Double> uses) {
        double left = epochsLeft(job);
        SortedMap<String, Double> others = new TreeMap<>();
        for (CachePoint point : job.cache().state().orElseThrow().points()) {
            double other = uses.getOrDefault(name(job, point.prefix()), 0.0) - left;
            if (other > 0) {
                others.put(point.prefix(), other);
            }
        }
        int workers = job.leading().state().granted().remote()
                + job.leading().state().granted().local();
        return new CacheOutlook(
                left,
                others,
                job.outline().plan().map(PlanCompleted::getBytes).orElse(0L),
                recordsPerEpoch(job),
                Math.max(1, workers),
                pool.workers().values().stream()
                        .mapToInt(KnownWorker::cores)
                        .average()
                        .orElse(1),
                TrainerRate.of(job.leading().state()),
                pool.stores().room());
    }

    /**
     * Records of an epoch, from those of its splits that were counted; 0 before. Rather too many at first, where the plan does
     * not say how many: those of splits that are open yet are counted to the ones that are closed. With too few a store would
     * give no room.
     */
    private double recordsPerEpoch(Job job) {
        double most = 0;
        boolean counted = ledger.split(job.id(), 0).getRecords().isPresent();
        for (EpochLedger epoch : job.epochs().values()) {
            long splits = epoch.row().complete() || counted
                    ? epoch.row().assigned()
                    : Math.max(epoch.row().closedSplits(), 1);
            if (splits > 0 && epoch.row().elements() > 0) {
                most = (double) epoch.row().elements() * job.splits() / splits;
                if (epoch.row().complete()) {
                    return most;
                }
            }
        }
        return most;
    }

    /** What stores have of what the job uses is worth as much as it measured. */
    private void describe(Pool pool, Job job, Instant at) {
        CacheState state = job.cache().state().orElseThrow();
        Optional<CachePoint> used = state.used();
        if (used.isEmpty()) {
            return;
        }
        Optional<PointMeasure> measure = state.usedMeasure();
        double bytes = measure.map(PointMeasure::bytes).orElse(0.0);
        String pipeline = job.submit().getPipelineName();
        stores.describe(
                pool,
                name(job, used.get().prefix()),
                used.get().kept() + (pipeline.isEmpty() ? "" : " in " + pipeline),
                measure.map(one -> Math.max(0, one.computeNanos() - one.readNanos()))
                        .orElse(0.0),
                bytes,
                bytes * recordsPerEpoch(job),
                job.splits(),
                terms(job).storageSecondsPerByteHour(),
                at);
    }

    /** Tasks make another number of elements where they read entries: its policy hears of it as of another order. */
    private void tellPolicy(Pool pool, Job job, Instant at) {
        CacheState state = job.cache().state().orElseThrow();
        Optional<CacheUse> use = job.cache().use();
        double share = use.isEmpty()
                ? 0
                : job.cache()
                        .shareAtBeginning(
                                Epochs.front(job).epoch(),
                                use.get().prefix(),
                                state.stored().getOrDefault(use.get().prefix(), 0.0));
        double measured = state.computedRate() > 0 && state.cachedRate() > 0
                ? state.cachedRate() / state.computedRate()
                : Math.max(1, state.expectedGain());
        double now = 1 / (share / measured + 1 - share);
        double change = now / job.cache().told();
        if (Math.max(change, 1 / change) >= OTHER_RATE) {
            job.cache().told(now);
            job.changed();
            jobTurn.take(pool, job, new Observation.OrderChanged(at, change));
        }
    }

    // ---- turns

    private void take(Pool pool, Job job, CacheEvent seen) {
        Optional<CacheState> before = job.cache().state();
        if (before.isEmpty()) {
            return;
        }
        CacheTurn turn = course(job).take(before.get(), seen);
        CacheCommand command = turn.command().orElse(null);
        Optional<Place> asked = command instanceof CacheCommand.Profile
                ? Ordering.server(pool, job)
                : job.cache().asked().filter(place -> turn.state().asked().isPresent());
        if (job.cache().keep(turn.state(), asked)) {
            job.changed();
        }
        if (turn.told()) {
            journal.write(
                    job,
                    seen.at(),
                    new Journal.Entry(
                            CacheRecords.observed(job.id(), seen),
                            CacheRecords.decided(job.id(), turn),
                            turn.reason(),
                            turn.numbers()));
            job.tell(Job.Telling.NOW);
        }
        if (command instanceof CacheCommand.Profile profile) {
            profile(pool, job, profile, asked, seen.at());
        } else if (command != null) {
            job.beats().anew();
            stores.due(pool);
            describe(pool, job, seen.at()); // a short job is over before time is said to pass
        }
    }

    private void profile(Pool pool, Job job, CacheCommand.Profile profile, Optional<Place> worker, Instant at) {
        if (!SplitSampling.possible(job.splits(), job.row().planning().sources())) {
            String why = "no sample can be had of so many splits of several sources";
            take(pool, job, new CacheEvent.Failed(at, profile.trial(), why));
            return;
        }
        String variant = Epochs.variant(job);
        worker.ifPresent(place -> out.command(
                CacheRecords.profile(job.outline(), place, variant, profile, Ordering.sample(ledger, job))));
    }
}
