package io.praline.deploy.bench;

import io.praline.identity.AttemptKey;
import io.praline.schema.AssignSplits;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Component;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.ScalingTarget;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * A pool that exists only in what it tells: as many workers as jobs, and a client for each job. They do as the protocol
 * says, and read nothing, so that every job goes on for as long as anybody listens. Every {@value #MOVING_EACH}th job has a
 * policy that answers a window with one worker more on the trainer's host; the others have the dispatcher's usual policy,
 * and may have one worker. Safe for several threads.
 */
public final class PretendPool {
    static final String POOL = "bench-control";

    public static final int MOVING_EACH = 10;

    /** A page of a plan: also the most workers that a job can get, and so the most windows that a policy answers. */
    private static final int SPLITS = 1_000;

    private static final int BATCHES_PER_SECOND = 50;
    private static final int BATCH = 32;

    private final List<Worker> workers = new ArrayList<>();
    private final Map<String, Worker> workersById = new TreeMap<>();
    private final List<Client> clients = new ArrayList<>();
    private final Map<String, Client> movingBySubject = new TreeMap<>();
    private final SplittableRandom noise = new SplittableRandom(1);

    private static final class Attempt {
        private int assigned;
        private int splits;
        private long batches;
    }

    private static final class Worker {
        private final String id;
        private final Map<AttemptKey, Attempt> attempts = new TreeMap<>();

        private Worker(String id) {
            this.id = id;
        }
    }

    private static final class Client {
        private final String job;
        private final boolean moves;
        private int local;
        private OptionalLong askedNanos = OptionalLong.empty();

        private Client(String job, boolean moves) {
            this.job = job;
            this.moves = moves;
        }

        private String host() {
            return "host-" + job;
        }
    }

    /** @param run makes the jobs' ids unique */
    public PretendPool(int jobs, String run) {
        for (int i = 0; i < jobs; i++) {
            Worker worker = new Worker(String.format(Locale.ROOT, "bench-%s-%05d", run, i));
            workers.add(worker);
            workersById.put(worker.id, worker);
            Client client = new Client(String.format(Locale.ROOT, "job-%s-%05d", run, i), i % MOVING_EACH == 0);
            clients.add(client);
            if (client.moves) {
                movingBySubject.put(Topics.scalingSubject(client.job, client.host()), client);
            }
        }
    }

    int jobs() {
        return clients.size();
    }

    /** Jobs whose policy answers every window. */
    public int moving() {
        return movingBySubject.size();
    }

    synchronized JobRequest submission(int job) {
        Client client = clients.get(job);
        Submit.Builder submit = Submit.newBuilder()
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
                .setMaxRemote(1);
        if (client.moves) {
            submit.setPolicy("pecan")
                    .setPolicySettings(Map.of("maxRemote", "1", "maxLocal", Integer.toString(SPLITS)))
                    .setMaxLocal(SPLITS);
        }
        return JobRequest.newBuilder()
                .setPool(POOL)
                .setJob(client.job)
                .setRequester("bench")
                .setBody(submit.build())
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
            worker.attempts.putIfAbsent(
                    new AttemptKey(start.getJob(), start.getEpoch(), start.getAttempt()), new Attempt());
        } else if (command.getBody() instanceof AssignSplits assign) {
            Attempt attempt =
                    worker.attempts.get(new AttemptKey(assign.getJob(), assign.getEpoch(), assign.getAttempt()));
            if (attempt != null && assign.getAssignment() == attempt.assigned + 1) {
                attempt.assigned++;
                attempt.splits += assign.getSplits().size();
            }
        } else if (command.getBody() instanceof FenceAttempt fence) {
            worker.attempts.remove(new AttemptKey(fence.getJob(), fence.getEpoch(), fence.getAttempt()));
        } else if (command.getBody() instanceof FinishAttempt finish) {
            throw new IllegalStateException("job " + finish.getJob() + " was to end: nobody may end one here");
        }
        return List.of();
    }

    private static List<PlanMessage> plan(Worker worker, PlanSplits plan) {
        List<Split> splits = LongStream.range(0, SPLITS)
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
        PlanCompleted completed = PlanCompleted.newBuilder()
                .setSplits(SPLITS)
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
                .build();
        return List.of(
                message(
                        worker,
                        plan,
                        SplitPage.newBuilder().setPage(0).setSplits(splits).build()),
                message(worker, plan, completed));
    }

    private static PlanMessage message(Worker worker, PlanSplits plan, Object body) {
        return PlanMessage.newBuilder()
                .setPool(POOL)
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

    /** Attempts that workers have. */
    synchronized int attempts() {
        return workers.stream().mapToInt(worker -> worker.attempts.size()).sum();
    }

    /** A worker's next beat: since the one before its attempts made batches for a second. */
    synchronized WorkerEvent workerBeat(int number) {
        Worker worker = workers.get(number);
        List<AttemptProgress> progress = new ArrayList<>();
        worker.attempts.forEach((key, attempt) -> {
            attempt.batches += BATCHES_PER_SECOND;
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
        return WorkerEvent.newBuilder().setPool(POOL).setBody(beat).build();
    }

    private static AttemptProgress progress(AttemptKey key, Attempt attempt) {
        return AttemptProgress.newBuilder()
                .setJob(key.job())
                .setEpoch(key.epoch())
                .setAttempt(key.attempt())
                .setPhase(AttemptPhase.RUNNING)
                .setAssignedThrough(attempt.assigned)
                .setUnopened(attempt.splits)
                .setSplitSeconds(0)
                .setOpened(List.of())
                .setExcluded(List.of())
                .setBatches(attempt.batches)
                .setElements(attempt.batches * BATCH)
                .setBusySeconds((double) attempt.batches / BATCHES_PER_SECOND)
                .setBytes(attempt.batches * BATCH * 1_000)
                .setOutboxBytes(0)
                .build();
    }

    /**
     * A client's beat.
     *
     * @param window whether it closed one; a job that moves closes none before its last one was answered
     * @param nowNanos when it is sent
     */
    synchronized ClientHeartbeat clientBeat(int number, boolean window, long nowNanos) {
        Client client = clients.get(number);
        boolean closes = window && client.askedNanos.isEmpty();
        if (closes && client.moves) {
            client.askedNanos = OptionalLong.of(nowNanos);
        }
        return ClientHeartbeat.newBuilder()
                .setPool(POOL)
                .setJob(client.job)
                .setConsumer(0)
                .setIncarnation(incarnation(client.job))
                .setHost(client.host())
                .setClosing(false)
                .setWindows(closes ? List.of(window(client)) : List.of())
                .build();
    }

    private MeasurementWindow window(Client client) {
        double seconds = client.moves ? 10 : 10 * (1 + 0.02 * noise.nextDouble());
        return MeasurementWindow.newBuilder()
                .setBatches(500)
                .setElements(500L * BATCH)
                .setBytes(500L * BATCH * 1_000)
                .setSeconds(seconds)
                .setWaitShare(0.1 * noise.nextDouble())
                .setQueueDepth(8 * noise.nextDouble())
                .setLocalTasks(client.local)
                .setRemoteTasks(1)
                .setStraddles(false)
                .build();
    }

    /** Whether that client's job is one whose policy answers every window. */
    boolean moves(int number) {
        return clients.get(number).moves;
    }

    /** Takes a scaling command; gives the nanoseconds since the window that it answers, empty where it answers none. */
    synchronized OptionalLong told(ScalingTarget target, long nowNanos) {
        Client client = movingBySubject.get(target.getSubject());
        if (client == null || client.askedNanos.isEmpty() || target.getWorkers() != client.local + 1) {
            return OptionalLong.empty();
        }
        long took = nowNanos - client.askedNanos.getAsLong();
        client.local = target.getWorkers();
        client.askedNanos = OptionalLong.empty();
        return OptionalLong.of(took);
    }

    /** Windows that still wait for their command. */
    synchronized int unanswered() {
        return (int) movingBySubject.values().stream()
                .filter(client -> client.askedNanos.isPresent())
                .count();
    }
}
