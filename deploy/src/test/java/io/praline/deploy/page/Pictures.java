package io.praline.deploy.page;

import io.praline.deploy.terminal.JobFiles;
import io.praline.deploy.terminal.WorkerView;
import io.praline.policy.Terms;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptPlace;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheStatus;
import io.praline.schema.ClosedSplits;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.FileRun;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.LedgerPage;
import io.praline.schema.PlannedFiles;
import io.praline.schema.PoolShare;
import io.praline.schema.PoolStatus;
import io.praline.schema.PoolTenant;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.schema.WorkerHeartbeat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What a page may show, for tests. */
final class Pictures {
    static final Picture.Source SOURCE = new Picture.Source("kafka:9092", true, Optional.empty());

    private static final long NOW = 1_795_000_000_000L;

    private Pictures() {}

    /** Of these jobs alone. */
    static Picture of(JobStatus... jobs) {
        return with(new TreeMap<>(), jobs);
    }

    static Picture with(SortedMap<String, JobFigures> figures, JobStatus... jobs) {
        Picture empty = Picture.empty(SOURCE);
        SortedMap<String, JobStatus> all = new TreeMap<>();
        Arrays.stream(jobs).forEach(job -> all.put(job.getJob(), job));
        return new Picture(
                empty.source(),
                all,
                figures,
                empty.workers(),
                empty.targets(),
                empty.pools(),
                empty.caches(),
                empty.lags(),
                empty.quarantine());
    }

    /** With these pools instead of its own. */
    static Picture withPools(Picture picture, PoolStatus... pools) {
        SortedMap<String, PoolStatus> all = new TreeMap<>();
        Arrays.stream(pools).forEach(pool -> all.put(pool.getPool(), pool));
        return new Picture(
                picture.source(),
                picture.jobs(),
                picture.figures(),
                picture.workers(),
                picture.targets(),
                all,
                picture.caches(),
                picture.lags(),
                picture.quarantine());
    }

    /** The journal of the job that is shown with all that a job can have. */
    static Entries journal() {
        Entries journal = new Entries("resnet-7")
                .begun(Terms.USUAL)
                .window(0, 0, 0.9)
                .wants(2, 1)
                .shadowWants(4, 0)
                .has(2, 1);
        for (int i = 0; i < 40; i++) {
            journal.window(2, 1, 0.55 - i * 0.003);
        }
        journal.wants(3, 1).has(3, 1).shadowWants(5, 0);
        for (int i = 0; i < 40; i++) {
            journal.window(3, 1, 0.4 - i * 0.004);
        }
        return journal;
    }

    /** The ledger of that job: 96 splits of 24 files, of which in epoch 1 the first 41 splits are closed. */
    static JobFiles files() {
        List<FileRun> runs = IntStream.range(0, 24)
                .mapToObj(file -> new FileRun(
                        String.format(Locale.ROOT, "/data/imagenet/train-%05d-of-00024.tfrecord", file),
                        4,
                        148_000_000L))
                .toList();
        BitSet closed = new BitSet();
        closed.set(0, 41);
        JobFiles files = new JobFiles("resnet-7");
        files.take("resnet-7/files/0", Optional.of(new LedgerPage("resnet-7", 0, new PlannedFiles(1, runs))));
        files.take(
                "resnet-7/1/0",
                Optional.of(new LedgerPage("resnet-7", 0, new ClosedSplits(1, ByteBuffer.wrap(closed.toByteArray())))));
        return files;
    }

    static PoolStatus pool(PoolTenant... tenants) {
        return PoolStatus.newBuilder()
                .setPool("default")
                .setWanted(4)
                .setMost(8)
                .setPresent(3)
                .setDraining(1)
                .setSlots(4)
                .setTenants(List.of(tenants))
                .setChangedAtMillis(NOW)
                .build();
    }

    static PoolTenant tenant(String name, double spent, double cap, String... jobs) {
        return PoolTenant.newBuilder()
                .setTenant(name)
                .setJobs(jobs.length)
                .setRemote(3)
                .setLocal(1)
                .setSpent(spent)
                .setCap(cap)
                .setShares(Arrays.stream(jobs)
                        .map(job -> new PoolShare(job, 1.0, 4, 3, 1, 1))
                        .toList())
                .build();
    }

    /** Something of everything. */
    static Picture full() {
        SortedMap<String, JobStatus> jobs = new TreeMap<>();
        for (JobStatus job : List.of(
                running(),
                Statuses.of("bert-large", JobState.WAITING, "slots", "2 jobs share 4 slots, all of which serve"),
                Statuses.of(
                        "speech-2",
                        JobState.WAITING,
                        "workers",
                        "no worker of pool default is there; 2 are wanted, and nobody starts any"),
                Statuses.of("new-one", JobState.PLANNING, "", ""),
                ended("old-3", JobState.COMPLETED, ""),
                ended("broken-1", JobState.FAILED, "record 17 of /data/train-00003.tfrecord cannot be read"))) {
            jobs.put(job.getJob(), job);
        }
        return new Picture(
                SOURCE,
                jobs,
                new TreeMap<>(Map.of("resnet-7", journal().figures())),
                List.of(worker("worker-a", 2, false), worker("worker-b", 2, false), worker("worker-c", 2, true)),
                new TreeMap<>(Map.of(
                        "default",
                        new ScalingTarget(
                                "default",
                                4,
                                "the 4 open jobs of pool " + "teams_vision_".repeat(12) + " need 4 workers",
                                NOW))),
                new TreeMap<>(Map.of(
                        "default",
                        pool(tenant("vision", 12.3456, 50, "resnet-7", "bert-large"), tenant("", 0.5, 0, "speech-2")))),
                new TreeMap<>(Map.of(
                        "default/vision/3f2a",
                        CacheStatus.newBuilder()
                                .setPool("default")
                                .setTenant("vision")
                                .setPrefix("3f2a9c0d1e2f3a4b5c6d")
                                .setSteps("what comes out of map_1 (decode) of images")
                                .setEntries(96)
                                .setBytes(4_123_456_789L)
                                .setSecondsSaved(8_123)
                                .setLastUseMillis(NOW)
                                .setPinned(true)
                                .setStores(List.of("node-1"))
                                .build())),
                new Picture.Lags(
                        new TreeMap<>(Map.of("consumption", 12L, "worker-heartbeats", 3L, "job-requests", 0L)),
                        Optional.empty()),
                List.of(new QuarantinedRecord(
                        "consumption",
                        3,
                        1_234L,
                        ByteBuffer.allocate(0),
                        ByteBuffer.allocate(300),
                        "batches of epoch 12 are told, and the job has 2: the report is not taken",
                        "dispatcher",
                        NOW)));
    }

    private static JobStatus running() {
        Exclusion filtered = new Exclusion("filter", 1_200L, ByteBuffer.allocate(0), List.of());
        Exclusion bad = new Exclusion("bad", 1L, ByteBuffer.allocate(0), List.of("/data/train-00003.tfrecord"));
        return JobStatus.newBuilder(Statuses.running("resnet-7"))
                .setSplits(96)
                .setProgress(List.of(
                        new EpochProgress(0, 128_000L, 126_799L, List.of(filtered, bad), 96L, true, true, 0L, 0L),
                        new EpochProgress(1, 61_000L, 40_960L, List.of(filtered), 41L, false, false, 64L, 0L)))
                .setTransformations(List.of(
                        Statuses.step("tf_record", 3_000_000),
                        Statuses.step("decode", 61_000_000),
                        Statuses.step("resize", 22_000_000),
                        Statuses.step("a step with a name that is longer than anybody would like it to be", 800_000),
                        Statuses.step("batch", 9_000_000)))
                .setAttempts(
                        List.of(place(0, "worker-a", false), place(1, "worker-b", false), place(2, "worker-c", true)))
                .setSlots(List.of(slot(0, ConsumerState.HERE, 0), slot(1, ConsumerState.IN_DOUBT, 64)))
                .setBadRecords(List.of("/data/train-00003.tfrecord, record 17: corrupted record at 4711"))
                .setCache("it keeps what comes out of map_1: reading it saves 80 % of the work")
                .setCacheHits(40_000)
                .setSubmittedAtMillis(NOW)
                .setChangedAtMillis(NOW)
                .build();
    }

    private static JobStatus ended(String job, JobState state, String reason) {
        return JobStatus.newBuilder(Statuses.of(job, state, "", reason))
                .setFailure(state == JobState.FAILED ? FailureKind.FAILED : FailureKind.NONE)
                .setProgress(List.of(Statuses.epoch(0, 1_000, 1_000, 8, true)))
                .setChangedAtMillis(System.currentTimeMillis())
                .build();
    }

    private static AttemptPlace place(int attempt, String worker, boolean local) {
        return new AttemptPlace(1, attempt, worker, "i", "node-" + attempt, List.of(), local, false);
    }

    private static ConsumerSlot slot(int consumer, ConsumerState state, long inDoubt) {
        return ConsumerSlot.newBuilder()
                .setConsumer(consumer)
                .setGeneration(3 + consumer)
                .setState(state)
                .setIncarnation("c")
                .setHost("trainer-" + consumer)
                .setBeat(5)
                .setInDoubt(inDoubt)
                .setSinceMillis(NOW)
                .build();
    }

    private static WorkerView worker(String id, int slots, boolean draining) {
        AttemptProgress attempt = AttemptProgress.newBuilder()
                .setJob("resnet-7")
                .setEpoch(1)
                .setAttempt(0)
                .setPhase(AttemptPhase.RUNNING)
                .setAssignedThrough(1)
                .setUnopened(2)
                .setSplitSeconds(1)
                .setOpened(List.of())
                .setExcluded(List.of())
                .setBatches(100)
                .setElements(3_200)
                .setBytes(1_000_000)
                .setOutboxBytes(38 << 20)
                .build();
        WorkerHeartbeat beat = WorkerHeartbeat.newBuilder()
                .setWorker(id)
                .setIncarnation("i")
                .setHost("node-" + id.charAt(id.length() - 1))
                .setAddresses(List.of("tcp://node:7000"))
                .setSlots(slots)
                .setCores(16)
                .setMemoryBytes(1L << 34)
                .setLoad(7.25)
                .setLocal(false)
                .setDraining(draining)
                .setLeaving(false)
                .setPlanning(List.of())
                .setAttempts(List.of(attempt))
                .build();
        return new WorkerView("default", beat, NOW, 1_600.5, 512.25);
    }
}
