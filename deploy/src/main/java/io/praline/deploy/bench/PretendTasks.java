package io.praline.deploy.bench;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Component;
import io.praline.schema.FenceAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.ServeConsumers;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.SplitPage;
import io.praline.schema.StartAttempt;
import io.praline.schema.Submit;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Agreements;
import io.praline.topics.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Pools of one job each, which exist only in what they tell: the workers of a pool all work for its job, with a task each.
 * They do as the protocol says, begin so many splits between two beats, and read nothing. Safe for several threads.
 */
public final class PretendTasks {
    private final List<Worker> workers = new ArrayList<>();
    private final Map<String, Worker> workersById = new HashMap<>();
    private final List<String> pools;
    private final int pages;
    private final double splitsABeat;
    private long assigned;

    private static final class Attempt {
        private int assignment;
        private int unopened;
        private int membership;
        private double begun;
    }

    private static final class Worker {
        private final String id;
        private final String pool;
        private final Map<AttemptKey, Attempt> attempts = new TreeMap<>();

        private Worker(String id, String pool) {
            this.id = id;
            this.pool = pool;
        }
    }

    /**
     * Nothing was told yet.
     *
     * @param tasks in all pools together
     * @param count of pools, which lie in as many partitions of the dispatcher's inputs where there are so many
     * @param partitions of those
     * @param pages of 1,000 splits that each job has
     * @param splitsABeat that a worker begins between two beats, as long as it has any
     */
    public PretendTasks(int tasks, int count, int partitions, int pages, double splitsABeat) {
        this.pools = pools(count, partitions);
        this.pages = pages;
        this.splitsABeat = splitsABeat;
        for (int i = 0; i < tasks; i++) {
            Worker worker = new Worker(String.format(Locale.ROOT, "task-%06d", i), pools.get(i % count));
            workers.add(worker);
            workersById.put(worker.id, worker);
        }
    }

    private static List<String> pools(int count, int partitions) {
        List<String> pools = new ArrayList<>();
        Set<Integer> used = new HashSet<>();
        for (int number = 0; pools.size() < count; number++) {
            String name = "bench-" + number;
            if (used.add(Topics.partitionOf(name, partitions)) || used.size() == partitions) {
                pools.add(name);
            }
        }
        return pools;
    }

    List<String> pools() {
        return pools;
    }

    int tasks() {
        return workers.size();
    }

    String pool(int worker) {
        return workers.get(worker).pool;
    }

    /** Tasks that run. */
    synchronized int running() {
        return workers.stream().mapToInt(worker -> worker.attempts.size()).sum();
    }

    /** Splits that were assigned to anybody so far. */
    synchronized long assigned() {
        return assigned;
    }

    JobRequest submission(String pool) {
        Submit submit = Submit.newBuilder()
                .setTenant(Agreements.USUAL_TENANT)
                .setWeight(1)
                .setPipelineName("bench")
                .setGraph(ByteBuffer.wrap("nobody reads it".getBytes(StandardCharsets.UTF_8)))
                .setGraphAddress(null)
                .setComponentNames(List.of())
                .setDataGlobs(List.of())
                .setEpochs(1)
                .setSeed(7)
                .setConsumers(1)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .setSkipBad(0)
                .setBatchLimitBytes(0)
                .setMaxRemote(workers.size())
                .build();
        return JobRequest.newBuilder()
                .setPool(pool)
                .setJob(job(pool))
                .setRequester("bench")
                .setBody(submit)
                .build();
    }

    private static String job(String pool) {
        return "job-" + pool;
    }

    /** That the pool's one client is there. */
    ClientHeartbeat clientBeat(String pool, long beat) {
        return ClientHeartbeat.newBuilder()
                .setPool(pool)
                .setJob(job(pool))
                .setConsumer(0)
                .setIncarnation("client-" + pool)
                .setHost("host-" + pool)
                .setClosing(false)
                .setWindows(List.of())
                .setBeat(beat)
                .build();
    }

    /** Does what a worker is told; gives what it answers, other than by its beats. */
    synchronized List<PlanMessage> obey(WorkerCommand command) {
        Worker worker = workersById.get(command.getWorker());
        if (worker == null) {
            return List.of();
        }
        if (command.getBody() instanceof PlanSplits plan) {
            return plan(worker, plan);
        }
        if (command.getBody() instanceof StartAttempt start) {
            Attempt attempt = worker.attempts.computeIfAbsent(
                    new AttemptKey(start.getJob(), start.getEpoch(), start.getAttempt()), first -> new Attempt());
            attempt.membership = Math.max(attempt.membership, start.getMembership());
        } else if (command.getBody() instanceof ServeConsumers serve) {
            Attempt attempt = worker.attempts.get(new AttemptKey(serve.getJob(), serve.getEpoch(), serve.getAttempt()));
            if (attempt != null) {
                attempt.membership = Math.max(attempt.membership, serve.getMembership());
            }
        } else if (command.getBody() instanceof AssignSplits assign) {
            Attempt attempt =
                    worker.attempts.get(new AttemptKey(assign.getJob(), assign.getEpoch(), assign.getAttempt()));
            if (attempt != null && assign.getAssignment() == attempt.assignment + 1) {
                attempt.assignment++;
                attempt.unopened += assign.getSplits().size();
                assigned += assign.getSplits().size();
            }
        } else if (command.getBody() instanceof FenceAttempt fence) {
            worker.attempts.remove(new AttemptKey(fence.getJob(), fence.getEpoch(), fence.getAttempt()));
        }
        return List.of();
    }

    private List<PlanMessage> plan(Worker worker, PlanSplits plan) {
        List<PlanMessage> messages = new ArrayList<>();
        int each = Agreements.SPLITS_A_PAGE;
        for (int page = 0; page < pages; page++) {
            List<Split> splits = LongStream.range((long) page * each, (page + 1L) * each)
                    .mapToObj(i -> Split.newBuilder()
                            .setKind(SplitKind.INTEGERS)
                            .setSource(0)
                            .setPaths(List.of())
                            .setFrom(1_000 * i)
                            .setUntil(1_000 * (i + 1))
                            .setStep(1)
                            .setRecords(1_000L)
                            .setBytes(0)
                            .build())
                    .toList();
            messages.add(message(
                    worker,
                    plan,
                    SplitPage.newBuilder().setPage(page).setSplits(splits).build()));
        }
        messages.add(message(
                worker,
                plan,
                PlanCompleted.newBuilder()
                        .setSplits((long) pages * each)
                        .setBytes(0)
                        .setPipelineDigest("bench")
                        .setGuarantee(Guarantee.EXACTLY_ONCE)
                        .setGuaranteeReasons(List.of())
                        .setSingleTask(false)
                        .setComponents(List.of(Component.newBuilder()
                                .setName("0")
                                .setDtype("int64")
                                .setShape(List.of(-1L))
                                .setRankKnown(true)
                                .build()))
                        .setNotes(List.of())
                        .build()));
        return messages;
    }

    private static PlanMessage message(Worker worker, PlanSplits plan, Object body) {
        return PlanMessage.newBuilder()
                .setPool(worker.pool)
                .setJob(plan.getJob())
                .setPlan(plan.getPlan())
                .setWorker(worker.id)
                .setIncarnation(incarnation(worker.id))
                .setBody(body)
                .build();
    }

    private static String incarnation(String id) {
        return id + "-1";
    }

    /** A worker's next beat: since the one before its tasks began some of the splits that they have. */
    synchronized WorkerEvent beat(int number) {
        Worker worker = workers.get(number);
        List<AttemptProgress> progress = new ArrayList<>();
        worker.attempts.forEach((key, attempt) -> {
            attempt.begun += splitsABeat;
            int begins = (int) Math.min(attempt.unopened, attempt.begun);
            attempt.unopened -= begins;
            attempt.begun = Math.min(1, attempt.begun - begins);
            progress.add(progress(key, attempt));
        });
        WorkerHeartbeat beat = WorkerHeartbeat.newBuilder()
                .setWorker(worker.id)
                .setIncarnation(incarnation(worker.id))
                .setHost("host-" + worker.id)
                .setAddresses(List.of("tcp://host-" + worker.id + ":7000"))
                .setSlots(1)
                .setCores(4)
                .setMemoryBytes(1L << 30)
                .setLoad(0.5)
                .setLocal(false)
                .setDraining(false)
                .setLeaving(false)
                .setPlanning(List.of())
                .setAttempts(progress)
                .build();
        return WorkerEvent.newBuilder().setPool(worker.pool).setBody(beat).build();
    }

    private AttemptProgress progress(AttemptKey key, Attempt attempt) {
        return AttemptProgress.newBuilder()
                .setJob(key.job())
                .setEpoch(key.epoch())
                .setAttempt(key.attempt())
                .setPhase(AttemptPhase.RUNNING)
                .setAssignedThrough(attempt.assignment)
                .setUnopened(attempt.unopened)
                .setMembership(attempt.membership)
                .setSplitSeconds(1 / splitsABeat)
                .setOpened(List.of())
                .setExcluded(List.of())
                .setBatches(0)
                .setElements(0)
                .setBytes(0)
                .setOutboxBytes(0)
                .build();
    }
}
