package io.praline.topics;

import io.praline.schema.CacheStatus;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanMessage;
import io.praline.schema.PoolStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Utils;

/**
 * Every topic there is, with the programs that write and read it: the client is what training code uses, commands are
 * those of {@code praline} but for the programs that serve. Not among them are what runs a cluster of its own: benchmarks,
 * which play all programs, and {@code praline chaos}, which reads {@code job-requests}, {@code consumption} and
 * {@code worker-heartbeats}.
 *
 * <p>Keys are UTF-8, parts joined by {@code /}; a record lies in the partition that {@link #partitionOf} gives for its key,
 * and one that does not is quarantined by the dispatcher, and passed over by others.
 */
public final class Topics {
    /**
     * How many partitions an installation has that does not say. Pools are what they spread: so many dispatchers share the
     * work at most, and where pools are more, several lie in one.
     */
    public static final int PARTITIONS = 4;

    /** A worker reads the one partition its id falls into: more partitions, fewer foreign commands in it. */
    private static final int COMMAND_PARTITIONS = 8;

    /**
     * What users ask of jobs.
     *
     * <p>Writers: client, commands. Readers: dispatcher.
     */
    public static final Topic<JobRequest> JOB_REQUESTS = input("job-requests", JobRequest.class, Duration.ofDays(7));

    /**
     * Where each job is, whenever that changes; in pages where no record holds it.
     *
     * <p>Writers: dispatcher. Readers: client, commands.
     */
    public static final Topic<JobStatus> JOBS = compacted("jobs", JobStatus.class, "job");

    /**
     * The graph of each pipeline; workers of before wrote beside it what it was understood as.
     *
     * <p>Writers: worker, dispatcher. Readers: worker.
     */
    public static final Topic<PipelineEntry> PIPELINES =
            compacted("pipelines", PipelineEntry.class, "pool/digest/kind");

    /**
     * Plans, page by page.
     *
     * <p>Writers: worker. Readers: dispatcher.
     */
    public static final Topic<PlanMessage> SPLITS = input("splits", PlanMessage.class, Duration.ofDays(7));

    /**
     * Workers' beats, what came of targets, and the dispatcher's clock.
     *
     * <p>Writers: worker, actuator, dispatcher, client (its own workers). Readers: dispatcher, commands.
     */
    public static final Topic<WorkerEvent> WORKER_HEARTBEATS =
            input("worker-heartbeats", WorkerEvent.class, Duration.ofDays(1));

    /**
     * What a worker shall do.
     *
     * <p>Writers: dispatcher. Readers: worker.
     */
    public static final Topic<WorkerCommand> WORKER_COMMANDS =
            kept("worker-commands", WorkerCommand.class, COMMAND_PARTITIONS, Duration.ofDays(1), "worker", false);

    /**
     * Consumers' beats, with what their training loops measured.
     *
     * <p>Writers: client. Readers: dispatcher.
     */
    public static final Topic<ClientHeartbeat> CLIENT_HEARTBEATS =
            input("client-heartbeats", ClientHeartbeat.class, Duration.ofDays(7));

    /**
     * Which elements were consumed.
     *
     * <p>Writers: client. Readers: dispatcher.
     */
    public static final Topic<ConsumptionReport> CONSUMPTION =
            input("consumption", ConsumptionReport.class, Duration.ofDays(30));

    /**
     * Each job's journal: what was seen and what was decided, for replay.
     *
     * <p>Writers: dispatcher. Readers: commands.
     */
    public static final Topic<JournalEntry> PLACEMENT_DECISIONS =
            kept("placement-decisions", JournalEntry.class, PARTITIONS, Duration.ofDays(30), "job or pool:pool", false);

    /**
     * How many workers there shall be.
     *
     * <p>Writers: dispatcher. Readers: actuator, commands, client (its own workers).
     */
    public static final Topic<ScalingTarget> SCALING_COMMANDS =
            compacted("scaling-commands", ScalingTarget.class, "pool or job@host");

    /**
     * What each pool has and should have, and who has how much of it.
     *
     * <p>Writers: dispatcher. Readers: commands.
     */
    public static final Topic<PoolStatus> POOLS = compacted("pools", PoolStatus.class, "pool");

    /**
     * Which elements are kept of pipelines, and what that saved.
     *
     * <p>Writers: dispatcher. Readers: commands.
     */
    public static final Topic<CacheStatus> CACHES = compacted("caches", CacheStatus.class, "pool/tenant/prefix");

    /**
     * Which splits of which files are closed, by pages of a job's plan.
     *
     * <p>Writers: dispatcher. Readers: commands.
     */
    public static final Topic<LedgerPage> LEDGERS =
            compacted("ledgers", LedgerPage.class, "job/files/page or job/epoch/page");

    /**
     * Records that could not be taken, for people.
     *
     * <p>Writers: dispatcher, worker, client, actuator. Readers: commands.
     */
    public static final Topic<QuarantinedRecord> QUARANTINE =
            kept("quarantine", QuarantinedRecord.class, 1, Duration.ofDays(7), "topic/partition/offset", false);

    private static final List<Topic<?>> ALL = List.of(
            JOB_REQUESTS,
            JOBS,
            PIPELINES,
            SPLITS,
            WORKER_HEARTBEATS,
            WORKER_COMMANDS,
            CLIENT_HEARTBEATS,
            CONSUMPTION,
            PLACEMENT_DECISIONS,
            SCALING_COMMANDS,
            POOLS,
            CACHES,
            LEDGERS,
            QUARANTINE);

    private Topics() {}

    /** All of them, in the order in which a job first touches them. */
    public static List<Topic<?>> all() {
        return ALL;
    }

    /**
     * All of them, in an installation of so many partitions, which is chosen when it is made: where a pool lies follows from
     * it.
     */
    public static List<Topic<?>> all(int partitions) {
        List<Topic<?>> all = new ArrayList<>();
        for (Topic<?> topic : ALL) {
            // those of few have one a pool or job, those of more are spread by worker
            boolean byWorker = topic.partitions() == COMMAND_PARTITIONS;
            boolean fixed = topic.partitions() != PARTITIONS && !byWorker;
            int count = byWorker ? Math.max(COMMAND_PARTITIONS, partitions) : partitions;
            all.add(fixed ? topic : topic.withPartitions(count));
        }
        return List.copyOf(all);
    }

    /** The key of what is about a pool, where jobs have their ids for keys: none may begin so. */
    public static String poolKey(String pool) {
        return "pool:" + pool;
    }

    /** The key of a target for the workers of a job on its trainer's host. */
    public static String scalingSubject(String job, String host) {
        return job + "@" + host;
    }

    /** The key of a target for a pool's workers: the pool's name, or, where a job on a host may have that key, no job's. */
    public static String scalingSubject(String pool) {
        return pool.contains("@") ? poolKey(pool) : pool;
    }

    /** The key of what is kept of a prefix of a tenant's: no two have one, whatever pools and tenants are called. */
    public static String cacheKey(String pool, String tenant, String prefix) {
        return part(pool) + "/" + part(tenant) + "/" + prefix;
    }

    /** A name as a part of a key in which it is not the only one that may hold the sign that joins parts. */
    private static String part(String name) {
        boolean plain = !name.contains("/") && !name.contains("%2F") && !name.contains("%25");
        return plain ? name : name.replace("%", "%25").replace("/", "%2F");
    }

    /**
     * The key of a pipeline's graph. Each pool has its own, so that the one dispatcher that knows all jobs of the pool knows
     * when nobody reads it any more.
     */
    public static String graphKey(String pool, String digest) {
        return pool + "/" + digest + "/graph";
    }

    /** The key of what workers of before understood a pipeline as, likewise. */
    public static String descriptionKey(String pool, String digest) {
        return pool + "/" + digest + "/description";
    }

    /** The key of the files that the splits of a plan's page are of. */
    public static String filesKey(String job, int page) {
        return ledgerPrefix(job) + "files/" + page;
    }

    /** The key of the splits of a plan's page that are closed in an epoch. */
    public static String closedKey(String job, int epoch, int page) {
        return ledgerPrefix(job) + epoch + "/" + page;
    }

    /** With what the keys of all that is told of a job's ledger begin; those of some others may too. */
    public static String ledgerPrefix(String job) {
        return job + "/";
    }

    /** Where a record with this key lies: what the default partitioner of Kafka's own clients does. */
    public static int partitionOf(String key, int partitions) {
        return partitionOf(key.getBytes(StandardCharsets.UTF_8), partitions);
    }

    /** As {@link #partitionOf(String, int)}, for a key as it came. */
    public static int partitionOf(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    private static <V extends SpecificRecord> Topic<V> input(String name, Class<V> type, Duration retention) {
        return kept(name, type, PARTITIONS, retention, "pool", true);
    }

    private static <V extends SpecificRecord> Topic<V> kept(
            String name, Class<V> type, int partitions, Duration retention, String keyedBy, boolean dispatcherInput) {
        return new Topic<>(
                name,
                type,
                SpecificData.get().getSchema(type),
                partitions,
                Cleanup.DELETE,
                retention,
                keyedBy,
                dispatcherInput);
    }

    private static <V extends SpecificRecord> Topic<V> compacted(String name, Class<V> type, String keyedBy) {
        return new Topic<>(
                name,
                type,
                SpecificData.get().getSchema(type),
                PARTITIONS,
                Cleanup.COMPACT,
                Topic.FOREVER,
                keyedBy,
                false);
    }
}
