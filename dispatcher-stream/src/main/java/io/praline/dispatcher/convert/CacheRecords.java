package io.praline.dispatcher.convert;

import static io.praline.dispatcher.convert.Bounds.require;

import io.praline.dispatcher.ledger.CachePoints;
import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.GroupRow;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.caching.CachePoint;
import io.praline.policy.caching.PointMeasure;
import io.praline.policy.caching.course.CacheCommand;
import io.praline.policy.caching.course.CacheEvent;
import io.praline.policy.caching.course.CacheTurn;
import io.praline.schema.CacheGroup;
import io.praline.schema.CacheReport;
import io.praline.schema.CacheStatus;
import io.praline.schema.CacheTarget;
import io.praline.schema.CacheTargets;
import io.praline.schema.Decided;
import io.praline.schema.DropCache;
import io.praline.schema.JobRequest;
import io.praline.schema.Observed;
import io.praline.schema.PinCache;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PlanCompleted;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Split;
import io.praline.schema.VariantVerified;
import io.praline.schema.WorkerCommand;
import io.praline.topics.BoundedText;
import io.praline.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** What is asked and told of elements that are kept, between records and what policies know. */
public final class CacheRecords {
    /** Requests to measure points alone are numbered from here on, those for the order of steps from 1: neither meets the other. */
    static final int FIRST_TRIAL = 1_000_000;

    /** Of one pipeline. */
    private static final int MOST_POINTS = 1_000;

    /** Prefixes of which one store holds entries. */
    private static final int MOST_GROUPS = 10_000;

    private CacheRecords() {}

    // ---- what workers tell

    /** The points of a job's pipeline as it was planned. */
    public static CachePoints points(PlanCompleted plan) {
        return points(plan.getCachePoints(), plan.getCacheBlocked());
    }

    private static CachePoints points(List<io.praline.schema.CachePoint> told, String blocked) {
        Bounds.size("cache points", told.size(), MOST_POINTS);
        List<CachePoint> points = new ArrayList<>();
        for (io.praline.schema.CachePoint one : told) {
            Bounds.text("step of a cache point", one.getStep());
            Bounds.name("prefix of a cache point", one.getPrefix());
            require(
                    points.isEmpty()
                            || one.getNumber() > points.get(points.size() - 1).number(),
                    "cache points must come by number, " + one.getNumber() + " does not");
            points.add(new CachePoint(one.getNumber(), one.getStep(), one.getPrefix()));
        }
        return new CachePoints(points, BoundedText.reason(blocked));
    }

    /**
     * What a profile says of where elements may be kept.
     *
     * @throws IllegalArgumentException naming what cannot be
     */
    static CacheAnswer answer(PipelineProfiled told) {
        OptionalInt trial =
                told.getTrial() > FIRST_TRIAL ? OptionalInt.of(told.getTrial() - FIRST_TRIAL) : OptionalInt.empty();
        CachePoints points = points(told.getCachePoints(), told.getCacheBlocked());
        Bounds.size("point measures", told.getPointMeasures().size(), MOST_POINTS);
        Bounds.amount("allNanos", told.getAllNanos());
        Bounds.number("records", told.getRecords(), Bounds.MOST_COUNTED);
        told.getPointMeasures().forEach(CacheRecords::check);
        List<PointMeasure> measures = told.getPointMeasures().stream()
                .map(one -> new PointMeasure(
                        one.getNumber(),
                        one.getComputeNanos(),
                        one.getBytes(),
                        one.getWriteNanos(),
                        one.getReadNanos()))
                .toList();
        boolean measured = told.getFailure().isEmpty() && told.getAllNanos() > 0;
        return new CacheAnswer(
                trial,
                points,
                measured
                        ? Optional.of(new CacheAnswer.Sample(measures, told.getAllNanos(), told.getRecords()))
                        : Optional.empty(),
                BoundedText.reason(told.getFailure()));
    }

    private static void check(io.praline.schema.PointMeasure measure) {
        Bounds.amount("computeNanos", measure.getComputeNanos());
        Bounds.amount("bytes of a record", measure.getBytes());
        Bounds.amount("writeNanos", measure.getWriteNanos());
        Bounds.amount("readNanos", measure.getReadNanos());
    }

    /** Where elements of a variant may be kept that was held against the user's order. */
    static CacheAnswer answer(VariantVerified told) {
        return new CacheAnswer(
                OptionalInt.empty(),
                points(told.getCachePoints(), told.getCacheBlocked()),
                Optional.empty(),
                BoundedText.reason(told.getFailure()));
    }

    static void check(CacheReport report) {
        if (!report.getStore().isEmpty()) {
            Bounds.name("store", report.getStore());
        }
        Bounds.number("budgetBytes", report.getBudgetBytes(), Bounds.MOST_TOTAL);
        Bounds.number("usedBytes", report.getUsedBytes(), Bounds.MOST_TOTAL);
        Bounds.size("groups of entries", report.getGroups().size(), MOST_GROUPS);
        for (CacheGroup group : report.getGroups()) {
            Bounds.name("tenant of a group of entries", group.getTenant());
            Bounds.name("prefix of a group of entries", group.getPrefix());
            Bounds.number("entries", group.getEntries(), Bounds.MOST_COUNTED);
            Bounds.number("bytes of entries", group.getBytes(), Bounds.MOST_TOTAL / MOST_GROUPS);
        }
    }

    /** By which a group is named that somebody asks for. */
    static void group(String tenant, String prefix) {
        Bounds.name("tenant", tenant);
        Bounds.name("prefix", prefix);
    }

    /** Whether a request is about no job, but about what is kept. */
    public static boolean about(JobRequest request) {
        return request.getBody() instanceof PinCache || request.getBody() instanceof DropCache;
    }

    // ---- what workers are told

    /** Measure the points of what a job's attempts run. */
    public static WorkerCommand profile(
            JobOutline job, Place worker, String variant, CacheCommand.Profile command, Map<Long, Split> sample) {
        return CommandWriter.to(
                worker,
                ProfilePipeline.newBuilder()
                        .setJob(job.id())
                        .setTrial(FIRST_TRIAL + command.trial())
                        .setPipelineDigest(
                                variant.isEmpty() ? job.plan().orElseThrow().getPipelineDigest() : variant)
                        .setSample(OrderRecords.assigned(sample))
                        .setSeed(job.submit().getSeed())
                        .build());
    }

    /**
     * What a group may have.
     *
     * @param bytes at most
     * @param pinned whether nothing of it is to go
     */
    public record Share(long bytes, boolean pinned) {}

    /** How a store is divided. */
    public static WorkerCommand targets(Place worker, String store, Map<GroupName, Share> shares) {
        return CommandWriter.to(
                worker,
                new CacheTargets(
                        store,
                        shares.entrySet().stream()
                                .map(each -> new CacheTarget(
                                        each.getKey().tenant(),
                                        each.getKey().prefix(),
                                        each.getValue().bytes(),
                                        each.getValue().pinned()))
                                .toList()));
    }

    // ---- what people are told

    /** What is public about a group of entries. */
    public static CacheStatus status(String pool, GroupName name, GroupRow row, WallTime wall) {
        return CacheStatus.newBuilder()
                .setPool(pool)
                .setTenant(name.tenant())
                .setPrefix(name.prefix())
                .setSteps(row.steps())
                .setEntries(row.entries())
                .setBytes(row.bytes())
                .setSecondsSaved(row.nanosSaved() / 1e9)
                .setLastUseMillis(wall.millis(row.lastUse()))
                .setPinned(row.pinned())
                .setStores(List.copyOf(row.stores().keySet()))
                .build();
    }

    /** Its key on the topic. */
    public static String key(CacheStatus status) {
        return key(status.getPool(), new GroupName(status.getTenant(), status.getPrefix()));
    }

    /** As {@link #key(CacheStatus)}, where nothing is left of it. */
    public static String key(String pool, GroupName name) {
        return Topics.cacheKey(pool, name.tenant(), name.prefix());
    }

    /** What happened to what a job keeps, as the journal has it. */
    public static Observed observed(String job, CacheEvent seen) {
        return seen.match(new CacheEvent.Cases<>() {
            @Override
            public Observed planned(CacheEvent.Planned plan) {
                return of(JournalKind.POINTS_PLANNED, Map.of("points", (double)
                        plan.points().size()));
            }

            @Override
            public Observed stored(CacheEvent.Stored entries) {
                Observed observed = of(JournalKind.ENTRIES_STORED, Map.of());
                entries.shares().forEach((prefix, share) -> observed.getNumbers()
                        .put("storedShare of " + shortly(prefix), share));
                return observed;
            }

            @Override
            public Observed orderSettled(CacheEvent.OrderSettled order) {
                return of(JournalKind.ORDER_SETTLED, Map.of("points", (double)
                        order.points().size()));
            }

            @Override
            public Observed profiled(CacheEvent.Profiled profile) {
                Observed observed = of(
                        JournalKind.POINTS_PROFILED,
                        Map.of("records", (double) profile.records(), "allNanos", profile.allNanos()));
                profile.measures().forEach(point -> observed.getTexts()
                        .put(
                                "point " + point.number(),
                                "compute " + point.computeNanos() + " ns, " + point.bytes() + " bytes, write "
                                        + point.writeNanos() + " ns, read " + point.readNanos() + " ns"));
                return observed;
            }

            @Override
            public Observed failed(CacheEvent.Failed trial) {
                return of(JournalKind.POINTS_UNMEASURED, Map.of("trial", (double) trial.trial()));
            }

            @Override
            public Observed unanswered(CacheEvent.Unanswered trial) {
                return of(JournalKind.POINTS_UNMEASURED, Map.of());
            }

            @Override
            public Observed passed(CacheEvent.Passed time) {
                return of(
                        JournalKind.CACHE_LOOKED,
                        Map.of(
                                "epochsLeft",
                                time.outlook().epochsLeft(),
                                "recordsPerEpoch",
                                time.outlook().recordsPerEpoch(),
                                "workers",
                                (double) time.outlook().workers()));
            }

            @Override
            public Observed broke(CacheEvent.Broke entry) {
                return of(JournalKind.ENTRY_BROKEN, Map.of());
            }

            @Override
            public Observed rate(CacheEvent.Rate task) {
                return of(JournalKind.ENTRIES_RATED, Map.of("elementsPerSecond", task.elementsPerSecond()));
            }

            @Override
            public Observed doubted(CacheEvent.Doubted points) {
                return of(JournalKind.POINTS_DOUBTED, Map.of());
            }

            private Observed of(JournalKind kind, Map<String, Double> numbers) {
                return DecisionWriter.observed(kind, job, numbers);
            }
        });
    }

    /** What a course decided, as the journal has it. */
    public static List<Decided> decided(String job, CacheTurn turn) {
        return turn.command().map(command -> decided(job, command)).stream().toList();
    }

    private static Decided decided(String job, CacheCommand command) {
        return command.match(new CacheCommand.Cases<>() {
            @Override
            public Decided profile(CacheCommand.Profile sample) {
                return DecisionWriter.decided(
                        JournalCommand.PROFILE_POINTS, job, Map.of("trial", (double) sample.trial()));
            }

            @Override
            public Decided use(CacheCommand.Use use) {
                return Decided.newBuilder()
                        .setCommand(JournalCommand.USE_ENTRIES.text())
                        .setSubject(use.point().prefix())
                        .setNumbers(new TreeMap<>(Map.of(
                                "point",
                                (double) use.point().number(),
                                "put",
                                use.put() ? 1.0 : 0.0,
                                "gain",
                                use.gain())))
                        .setTexts(new TreeMap<>(Map.of("keeps", use.point().kept())))
                        .build();
            }

            @Override
            public Decided stop(CacheCommand.Stop computing) {
                return DecisionWriter.decided(JournalCommand.COMPUTE_ALL, job, Map.of());
            }
        });
    }

    /** A prefix for people: they type no more of it. */
    public static String shortly(String prefix) {
        return prefix.length() > 12 ? prefix.substring(0, 12) : prefix;
    }
}
