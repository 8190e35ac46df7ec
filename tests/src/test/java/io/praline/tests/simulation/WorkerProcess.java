package io.praline.tests.simulation;

import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CachePoint;
import io.praline.schema.Component;
import io.praline.schema.Guarantee;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.SplitPage;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Topics;
import io.praline.worker.assignment.CommandConsumer.CommandFilter;
import io.praline.worker.attempt.Attempts;
import io.praline.worker.attempt.SteppedAttempts;
import io.praline.worker.attempt.Surroundings;
import io.praline.worker.attempt.TaskShare;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.delivery.VirtualServer;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.SourceKind;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.metrics.WorkerReporter;
import io.praline.worker.storage.stage.Staging;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.VersionDef;

/** A worker: commands in, attempts step by step, beats out. Its planner and TensorFlow are pretended. */
final class WorkerProcess extends Host {
    private static final long LOOK = 50_000;
    /** Some five batches: an outbox is full now and then. */
    private static final long OUTBOX_BYTES = 800;

    private static final long TRIAL = 300_000;

    private static final Duration WATCHED = Duration.ofSeconds(10);

    /** Longer than a process is stopped. */
    private static final Duration STUCK_AFTER = Duration.ofSeconds(75);

    private static final long LATEST_COUNT = 3_000_000;

    /** How long one that leaves waits for its clients. */
    private static final Duration DRAINED = Duration.ofSeconds(30);

    private static final long LAST_BEAT = 100_000;

    private final Setting setting;
    private final String pool;
    private final String incarnation;
    private final Optional<Entries> entries;
    private final WorkerReporter reporter;
    private final SteppedAttempts attempts;
    private final VirtualServer server;
    private final Set<String> planned = new HashSet<>();
    private final List<PretendedGraph> graphs = new ArrayList<>();
    private final Set<String> stuck = new HashSet<>();
    private boolean sticky;
    private Runnable restarter = () -> {};
    private long lookedAt;
    private int uncounted;
    private int unfreed;
    private int refusing;
    private long beatAt;
    private long silentUntil;
    private long drainedBy = Long.MAX_VALUE;

    WorkerProcess(Setting setting, String pool, String name, int life) {
        super(setting.world(), name);
        this.setting = setting;
        this.pool = pool;
        this.incarnation = name + "-" + life;
        this.entries = setting.entries(pool, name, incarnation);
        boolean counting = setting.manner().counts() == Schedule.Counts.BESIDE;
        KnownPipeline pipeline = pipeline(setting.manner());
        this.server = new VirtualServer(Setting.secret(), incarnation, () -> Instant.ofEpochMilli(wallMillis()));
        this.reporter = new WorkerReporter(pool, this::self, this::send, world()::nanos);
        Surroundings around = new Surroundings(
                name,
                new TaskShare(2, 0),
                digest -> pipeline,
                entries.map(Entries::store),
                counting ? this::count : Runnable::run,
                reporter::urgent,
                (its, settings, cancellation) -> graph(settings),
                world()::nanos,
                Staging.none(),
                Optional.empty());
        this.attempts = new SteppedAttempts(
                server.attempts(),
                around,
                reporter,
                new Attempts.Aside(
                        this::plan,
                        this::profile,
                        this::verify,
                        targets -> entries.ifPresent(its -> its.divide(targets))),
                graph -> ((PretendedGraph) graph).ready(),
                graph -> ((PretendedGraph) graph).deaf(),
                run -> after(world().micros(50_000, 400_000), () -> step(run)),
                OUTBOX_BYTES,
                () -> uncounted == 0);
        CommandFilter filter = new CommandFilter(name, incarnation, attempts.orders());
        setting.kafka()
                .read(
                        this,
                        Topics.WORKER_COMMANDS,
                        setting.kafka().log(Topics.WORKER_COMMANDS).end(),
                        60_000,
                        entry -> {
                            if (entry.keyText().equals(name)) {
                                filter.take(Kafka.value(Topics.WORKER_COMMANDS, entry));
                            }
                        });
        after(1_000, this::look);
    }

    private PretendedGraph graph(TaskSettings settings) {
        PretendedGraph made = new PretendedGraph(
                setting.shape(),
                setting.data(),
                setting.manner(),
                settings,
                setting.stores().skipped(),
                ticket -> setting.reading().reads(this, ticket),
                batches -> unfreed += batches);
        graphs.add(made);
        return made;
    }

    /** Counts something a little later. */
    private void count(Runnable some) {
        uncounted++;
        after(world().micros(1_000, LATEST_COUNT), () -> {
            uncounted--;
            some.run();
        });
    }

    private static KnownPipeline pipeline(Schedule.Manner manner) {
        PipelineSource integers = PIPELINE.analysis().sources().get(0);
        PipelineSource source =
                switch (manner.counts()) {
                    case PLANNED -> integers;
                    case BESIDE ->
                        new PipelineSource(
                                new SourceKind.FixedLength(0, 1, 0, ""),
                                List.of(),
                                List.of(),
                                false,
                                false,
                                Optional.empty());
                    case AT_THE_END -> integers.asNumbered();
                };
        return new KnownPipeline(PIPELINE.graph(), analysis(source, !manner.packed()));
    }

    private static final KnownPipeline PIPELINE = new KnownPipeline(
            new PipelineGraph(
                    List.of(
                            constant("from", 0),
                            constant("until", 1),
                            constant("step", 1),
                            NodeDef.newBuilder()
                                    .setName("range")
                                    .setOp("RangeDataset")
                                    .addInput("from")
                                    .addInput("until")
                                    .addInput("step")
                                    .putAttr(
                                            "output_types",
                                            list(AttrValue.ListValue.newBuilder()
                                                    .addType(DataType.DT_INT64)))
                                    .putAttr(
                                            "output_shapes",
                                            list(AttrValue.ListValue.newBuilder()
                                                    .addShape(TensorShapeProto.getDefaultInstance())))
                                    .build()),
                    List.of(),
                    "range",
                    VersionDef.getDefaultInstance()),
            analysis(
                    new PipelineSource(
                            new SourceKind.Integers(0, 1, 1), List.of(), List.of(), false, false, Optional.empty()),
                    true));

    private static PipelineAnalysis analysis(PipelineSource source, boolean batched) {
        return new PipelineAnalysis(
                List.of(source),
                true,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                batched,
                1,
                List.of(),
                List.of(),
                List.of());
    }

    private static AttrValue list(AttrValue.ListValue.Builder values) {
        return AttrValue.newBuilder().setList(values).build();
    }

    private static NodeDef constant(String name, long value) {
        return NodeDef.newBuilder()
                .setName(name)
                .setOp("Const")
                .putAttr(
                        "dtype",
                        AttrValue.newBuilder().setType(DataType.DT_INT64).build())
                .putAttr(
                        "value",
                        AttrValue.newBuilder()
                                .setTensor(TensorProto.newBuilder()
                                        .setDtype(DataType.DT_INT64)
                                        .setTensorShape(TensorShapeProto.getDefaultInstance())
                                        .addInt64Val(value))
                                .build())
                .build();
    }

    String incarnation() {
        return incarnation;
    }

    String pool() {
        return pool;
    }

    VirtualServer server() {
        return server;
    }

    /** Attempts whose work has not ended, and those that are listed. */
    int unended() {
        return attempts.unended();
    }

    /** Attempts that were fenced and of which it knows what they sent. */
    int remembered() {
        return attempts.remembered();
    }

    /**
     * What the newest of its graphs does just now comes to no end, until somebody looks after it.
     *
     * @param alsoCancelled whether it does not end where it is told to either
     * @param over told when its process has ended for that
     */
    void stick(boolean alsoCancelled, Runnable over) {
        graphs.removeIf(PretendedGraph::isOver);
        if (!isDead() && !graphs.isEmpty()) {
            graphs.get(graphs.size() - 1).stick(alsoCancelled);
            restarter = over;
            sticky = true;
        }
    }

    /** Attempts that it told to be stuck, of those that were. */
    int stuck() {
        return stuck.size();
    }

    private void lost() {
        if (!isDead()) {
            kill();
            restarter.run();
        }
    }

    /** Batches that came out of its graphs and that nobody has freed. */
    int unfreed() {
        return unfreed;
    }

    @Override
    void bury() {
        server.attempts().openAttempts().forEach(server.attempts()::end);
    }

    /**
     * Leaves in order, as a worker does that is asked to end.
     *
     * @param over told when its process has ended
     */
    void drain(Runnable over) {
        if (drainedBy == Long.MAX_VALUE) {
            reporter.drain();
            drainedBy = world().nanos() + DRAINED.toNanos();
            awaitDelivered(over);
        }
    }

    private void awaitDelivered(Runnable over) {
        if (world().nanos() < drainedBy && !(attempts.delivered() && reporter.allTold())) {
            after(LOOK, () -> awaitDelivered(over));
            return;
        }
        silentUntil = Long.MAX_VALUE;
        try {
            reporter.send(true);
        } catch (InterruptedException impossible) {
            throw new IllegalStateException(impossible);
        }
        after(LAST_BEAT, () -> {
            kill();
            over.run();
        });
    }

    // ---- beats

    private void look() {
        long now = world().nanos();
        if (now >= silentUntil && reporter.due(Duration.ofNanos(now - beatAt))) {
            beatAt = now;
            try {
                reporter.send(false);
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        if (now - lookedAt >= WATCHED.toNanos()) {
            lookedAt = now;
            attempts.look(now, STUCK_AFTER, this::lost);
        }
        after(LOOK, this::look);
    }

    /** Kafka finds the next beats that tell of attempts too large. */
    void refuse(int beats) {
        refusing = beats;
    }

    /** One beat is on its way at a time: one that does not arrive takes its time. */
    private void send(WorkerEvent beat) {
        ((WorkerHeartbeat) beat.getBody()).getAttempts().forEach(attempt -> attempt.getFailure()
                .filter(why -> !setting.expects(why) && !isStuck(attempt, why))
                .ifPresent(why -> setting.broken().accept(name() + ": " + why)));
        if (refusing > 0 && !((WorkerHeartbeat) beat.getBody()).getAttempts().isEmpty()) {
            refusing--;
            throw new RecordTooLargeException("a beat is larger than what Kafka takes");
        }
        if (world().isCut(name(), Kafka.NAME)) {
            if (setting.kafka().deceives()) {
                setting.kafka().send(this, Topics.WORKER_HEARTBEATS, pool, beat);
            }
            silentUntil = world().nanos() + Duration.ofSeconds(3).toNanos();
            throw new IllegalStateException("Kafka does not answer");
        }
        setting.kafka().send(this, Topics.WORKER_HEARTBEATS, pool, beat);
    }

    private boolean isStuck(AttemptProgress attempt, AttemptFailure why) {
        if (sticky && why.getStillSeconds() > 0) {
            stuck.add(attempt.getJob() + "/" + attempt.getEpoch() + "/" + attempt.getAttempt());
            return true;
        }
        return false;
    }

    private WorkerHeartbeat.Builder self() {
        return WorkerHeartbeat.newBuilder()
                .setWorker(name())
                .setIncarnation(incarnation)
                .setHost(name())
                .setAddresses(List.of("tcp://" + name() + ":7000"))
                .setSlots(2)
                .setCores(2)
                .setMemoryBytes(1L << 30)
                .setLoad(0.5)
                .setLocal(false)
                .setServesJob("")
                .setCache(entries.flatMap(Entries::news).orElse(null));
    }

    // ---- attempts

    private void step(SteppedAttempts.Stepped run) {
        try {
            switch (run.step()) {
                case WORKED -> after(setting.pace(this), () -> step(run));
                case WAITS -> after(LOOK, () -> step(run));
                case OVER -> {}
            }
        } catch (RuntimeException broken) {
            if (!isDead()) {
                throw broken;
            }
            // it died within the step
        }
    }

    // ---- plans

    private void plan(PlanSplits order) {
        if (planned.add(order.getJob() + "/" + order.getPlan())) {
            reporter.planning(order.getJob());
            after(world().micros(20_000, 500_000), () -> {
                answer(order, new SplitPage(0, splits()));
                answer(
                        order,
                        PlanCompleted.newBuilder()
                                .setSplits(setting.data().splits())
                                .setBytes(1_000)
                                .setPipelineDigest("digest")
                                .setGuarantee(
                                        setting.shape().tracked() ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE)
                                .setGuaranteeReasons(List.of())
                                .setSingleTask(setting.manner().single())
                                .setComponents(List.of(new Component("0", "int64", List.of(-1L), true)))
                                .setNotes(List.of())
                                .setRenewable(!setting.shape().tracked()
                                        && !setting.manner().single())
                                .setEpochs(1)
                                .setCachePoints(points(order.getSeed()))
                                .build());
                after(1_000, () -> reporter.planned(order.getJob()));
            });
        }
    }

    /** Where its pipeline may be kept. */
    private List<CachePoint> points(long seed) {
        return entries.isEmpty()
                ? List.of()
                : CachePoints.of(PIPELINE.graph(), PIPELINE.analysis(), seed).points().stream()
                        .map(point -> new CachePoint(point.number(), point.step(), point.prefix()))
                        .toList();
    }

    // ---- orders of steps

    private void profile(ProfilePipeline request) {
        told(orders().profiled(request));
    }

    private void verify(VerifyVariant request) {
        told(orders().verified(request));
    }

    private PretendedOrders orders() {
        return new PretendedOrders(name(), incarnation, setting.scene().reorders());
    }

    private void told(SpecificRecord answer) {
        after(TRIAL, () -> setting.kafka().send(this, Topics.WORKER_HEARTBEATS, pool, new WorkerEvent(pool, answer)));
    }

    private List<Split> splits() {
        List<Split> splits = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < setting.data().splits(); i++) {
            int records = setting.data().records(i);
            boolean file = setting.manner().counts() == Schedule.Counts.BESIDE;
            boolean planned = setting.manner().counts() == Schedule.Counts.PLANNED;
            splits.add(Split.newBuilder()
                    .setKind(file ? SplitKind.FILE : SplitKind.INTEGERS)
                    .setSource(0)
                    .setPaths(file ? List.of(RecordFiles.of(records)) : List.of())
                    .setFrom(file ? 0 : from)
                    .setUntil(file ? 0 : from + records)
                    .setStep(1)
                    .setRecords(planned ? (long) records : null)
                    .setBytes(8L * records)
                    .build());
            from += records;
        }
        return splits;
    }

    private void answer(PlanSplits order, Object body) {
        setting.kafka()
                .send(
                        this,
                        Topics.SPLITS,
                        pool,
                        PlanMessage.newBuilder()
                                .setPool(pool)
                                .setJob(order.getJob())
                                .setPlan(order.getPlan())
                                .setWorker(name())
                                .setIncarnation(incarnation)
                                .setBody(body)
                                .build());
    }
}
