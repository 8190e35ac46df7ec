package io.praline.dispatcher;

import static io.praline.dispatcher.FieldScene.OTHER;
import static io.praline.dispatcher.FieldScene.VICTIM;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.identity.ExclusionReason;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.ActuatorReport;
import io.praline.schema.Attach;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptProgress;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.CachePoint;
import io.praline.schema.Cancel;
import io.praline.schema.ChannelDown;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Clock;
import io.praline.schema.ClosedLane;
import io.praline.schema.Component;
import io.praline.schema.ConsumerSequence;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.DropCache;
import io.praline.schema.Exclusion;
import io.praline.schema.FailureKind;
import io.praline.schema.GiveUp;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.OpenedSplit;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.schema.PinCache;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.PointMeasure;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Resume;
import io.praline.schema.Split;
import io.praline.schema.SplitDigest;
import io.praline.schema.SplitKind;
import io.praline.schema.SplitPage;
import io.praline.schema.TransformationMetrics;
import io.praline.schema.Use;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a field of a record of the dispatcher's inputs says, it costs no more than the job that the record is about. All
 * fields of all records there are, by their schemas: one that is added is among them, once a record here has it.
 */
class EveryFieldTest {
    private static final List<CachePoint> POINTS =
            List.of(new CachePoint(0, "TFRecord", "50urce"), new CachePoint(1, "map", "dec0de"));

    /** The same for all: a dispatcher that takes over has no more to do than to read rows. */
    private static final List<Spoiled<?>> ALL = new ArrayList<>();

    /**
     * Records that are spoiled.
     *
     * @param then what follows of them before time passes
     */
    private record Spoiled<V extends SpecificRecord>(
            String name, FieldScene scene, Topic<V> topic, Consumer<Rig> then, List<V> records) {
        /**
         * Each of them with each of its fields otherwise; gives what did not go on then.
         *
         * @param every how many of the values of all fields together are passed over from one to the next
         */
        private List<String> take(int every) {
            HostileFields fields = new HostileFields(new Rig().codec(), OTHER, "c-" + OTHER, "w3", "w3-1", "nobody");
            List<String> failed = new ArrayList<>();
            int[] number = {0};
            for (V record : records) {
                take(record).ifPresent(why -> failed.add("with nothing: " + why));
                fields.each(topic, record, (what, spoiled) -> {
                    if (number[0]++ % every == 0) {
                        take(spoiled.get()).ifPresent(why -> failed.add("with " + what + ": " + why));
                    }
                });
            }
            return failed;
        }

        private Optional<String> take(V record) {
            try (Rig rig = scene.rig()) {
                rig.send(topic, Rig.POOL, record);
                then.accept(rig);
                scene.goesOn(rig);
                return Optional.empty();
            } catch (RuntimeException | AssertionError thrown) {
                return Optional.of(thrown
                        + Stream.of(thrown.getStackTrace())
                                .limit(10)
                                .map(frame -> "\n    at " + frame)
                                .collect(Collectors.joining()));
            }
        }
    }

    @BeforeAll
    static void begin() {
        running();
        measuring();
        planning();
    }

    @AfterAll
    static void end() {
        ALL.clear();
    }

    static Stream<String> names() {
        return ALL.stream().map(Spoiled::name);
    }

    // of some 2,000 records one in 13, so that each kind of value meets each kind of field
    @ParameterizedTest
    @Tag("sample")
    @MethodSource("names")
    void whateverSomeFieldsSayOthersGoOn(String name) {
        take(name, 13);
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("names")
    void whateverAFieldSaysOthersGoOn(String name) {
        take(name, 1);
    }

    private static void take(String name, int every) {
        ALL.stream().filter(each -> each.name.equals(name)).forEach(each -> assertThat(each.take(every))
                .isEmpty());
    }

    // what it is not in would not be spoiled
    @Test
    void eachFieldOfEachInputIsInOneOfTheseRecords() {
        for (Topic<?> topic : Topics.all()) {
            if (topic.dispatcherInput()) {
                List<SpecificRecord> records = new ArrayList<>();
                ALL.stream().filter(each -> each.topic.equals(topic)).forEach(each -> records.addAll(each.records));
                assertThat(HostileFields.without(topic, records))
                        .as(topic.name())
                        .isEmpty();
            }
        }
    }

    private static void beats(String name, Rig rig, Object... bodies) {
        List<WorkerEvent> events = Stream.of(bodies)
                .map(body ->
                        WorkerEvent.newBuilder().setPool(Rig.POOL).setBody(body).build())
                .toList();
        ALL.add(new Spoiled<>(name, new FieldScene(rig), Topics.WORKER_HEARTBEATS, then -> {}, events));
    }

    private static void requests(String name, Rig rig, Consumer<Rig> then, Object... bodies) {
        List<JobRequest> requests = Stream.of(bodies)
                .map(body -> JobRequest.newBuilder()
                        .setPool(Rig.POOL)
                        .setJob(VICTIM)
                        .setRequester("client")
                        .setBody(body)
                        .build())
                .toList();
        ALL.add(new Spoiled<>(name, new FieldScene(rig), Topics.JOB_REQUESTS, then, requests));
    }

    private static void plans(String name, Rig rig, Consumer<Rig> then, int plan, String planner, Object... bodies) {
        List<PlanMessage> messages = Stream.of(bodies)
                .map(body -> PlanMessage.newBuilder()
                        .setPool(Rig.POOL)
                        .setJob(VICTIM)
                        .setPlan(plan)
                        .setWorker(planner)
                        .setIncarnation(planner + "-1")
                        .setBody(body)
                        .build())
                .toList();
        ALL.add(new Spoiled<>(name, new FieldScene(rig), Topics.SPLITS, then, messages));
    }

    private static ByteBuffer runs(long... tickets) {
        return ByteBuffer.wrap(TicketRuns.encode(tickets));
    }

    // ---- a job that runs

    private static void running() {
        Rig rig = FieldScene.running();
        FieldScene scene = new FieldScene(rig);
        long[] owed = scene.tickets(VICTIM);
        AttemptEnd end = new AttemptEnd(List.of(new ConsumerSequence(0, 9L, 0)), runs(Arrays.copyOfRange(owed, 3, 5)));
        AttemptFailure failure = new AttemptFailure(FailureKind.FAILED, "out of memory", 0L);
        beats(
                "beats",
                rig,
                beat(progress(scene, owed).build()),
                beat(progress(scene, owed).setEnd(end).build()),
                beat(progress(scene, owed).setFailure(failure).build()),
                new ActuatorReport(Rig.POOL, "actuator-1", 2, 1, "no machine is left", 5),
                new Clock(1L));
        ALL.add(new Spoiled<>("reports", scene, Topics.CONSUMPTION, then -> {}, List.of(report(owed))));
        ALL.add(new Spoiled<>("client beats", scene, Topics.CLIENT_HEARTBEATS, then -> {}, List.of(clientBeat())));
        requests(
                "requests",
                rig,
                then -> {},
                new Cancel("enough"),
                new Attach(0, "young", "trainer", true, "digest", "c-victim"),
                new Resume(runs(1)),
                new Pause(true),
                new Pin(true, 1, 1),
                new GiveUp(0),
                new PinCache("default", "dec0de", true),
                new DropCache("default", "dec0de"));
    }

    private static WorkerHeartbeat beat(AttemptProgress progress) {
        return Rig.worker("w2", 1)
                .setCache(FieldScene.store())
                .setPlanning(List.of(VICTIM))
                .setServesJob(VICTIM)
                .setAttempts(List.of(progress))
                .build();
    }

    /** All that a beat may tell of an attempt but its end. */
    private static AttemptProgress.Builder progress(FieldScene scene, long[] owed) {
        long ordinal = Ticket.ordinal(owed[0]);
        return FieldScene.progress(new AttemptKey(VICTIM, 0, 0))
                .setFacts(scene.nextFact())
                .setMembership(1)
                .setWaitsFor("s3://bucket gives nothing")
                .setCachedElements(1)
                .setCachedSplits(1)
                .setStoredSplits(1)
                .setOpened(List.of(new OpenedSplit(ordinal, (long) PretendWorker.records(ordinal))))
                .setDigests(List.of(new SplitDigest(ordinal, List.of(1L, 2L))))
                .setExcluded(List.of(
                        new Exclusion(ExclusionReason.BAD.word(), 1L, runs(owed[0]), List.of("record 0: no picture"))))
                .setClosedLanes(List.of(new ClosedLane(0, 0, runs(owed[1]), runs(owed[2]), false)))
                .setMetrics(List.of(new TransformationMetrics("map", "ParallelMapDatasetV2", 80L, 8_000L, 1_000L)));
    }

    private static ConsumptionReport report(long[] owed) {
        return ConsumptionReport.newBuilder()
                .setPool(Rig.POOL)
                .setJob(VICTIM)
                .setConsumer(0)
                .setIncarnation("c-victim")
                .setReportSequence(0)
                .setBatches(List.of(
                        new BatchUse(0, 0, 0L, 2L, runs(owed[0], owed[1]), Use.ACKED, 0),
                        new BatchUse(0, 0, 1L, 1L, runs(owed[2]), Use.CLAIMED, 0)))
                .setEnded(List.of(new AttemptRef(0, 0, 0)))
                .setFencesAnswered(List.of(new AttemptRef(0, 0, 0)))
                .setChannelsDown(List.of(new ChannelDown(0, 0, "w2-1", "reset by peer")))
                .setMarks(List.of("half of it"))
                .setDiscarded(List.of(0))
                .build();
    }

    private static ClientHeartbeat clientBeat() {
        return ClientHeartbeat.newBuilder()
                .setPool(Rig.POOL)
                .setJob(VICTIM)
                .setConsumer(0)
                .setIncarnation("c-victim")
                .setHost("trainer")
                .setClosing(false)
                .setWindows(List.of(new MeasurementWindow(10L, 80L, 8_000L, 5.0, 0.5, 1.0, 0, 1, false)))
                .setBeat(7)
                .build();
    }

    // ---- a job of which something was asked

    private static void measuring() {
        Rig ordered = FieldScene.until(
                ProfilePipeline.class,
                FieldScene.job().setOrder("tolerant").setCache("off").build(),
                List.of(),
                400);
        PipelineProfiled steps = OrderingTest.profiled(
                "w2", FieldScene.last(ordered, ProfilePipeline.class).orElseThrow());
        beats("measured steps", ordered, steps);
        ordered.measured(steps);
        VariantVerified verified = OrderingTest.verified(
                        "w2", FieldScene.last(ordered, VerifyVariant.class).orElseThrow())
                .setCachePoints(POINTS)
                .setCacheBlocked("a shuffle")
                .build();
        beats("verified variants", ordered, verified);

        Rig kept = FieldScene.until(
                ProfilePipeline.class,
                FieldScene.job().setOrder("off").setCache("auto").setEpochs(4).build(),
                POINTS,
                100);
        beats(
                "measured points",
                kept,
                PipelineProfiled.newBuilder(steps)
                        .setTrial(FieldScene.last(kept, ProfilePipeline.class)
                                .orElseThrow()
                                .getTrial())
                        .setCachePoints(POINTS)
                        .setCacheBlocked("a shuffle")
                        .setPointMeasures(List.of(
                                new PointMeasure(0, 1e6, 50.0, 1e5, 9e5), new PointMeasure(1, 9e7, 100.0, 1e6, 1e6)))
                        .setAllNanos(1e8)
                        .build());
    }

    // ---- a job that is not planned

    private static void planning() {
        requests(
                "submissions",
                withWorker(),
                EveryFieldTest::planned,
                FieldScene.job()
                        .setGraphAddress("/graphs/graph-1.pb")
                        .setComponentNames(List.of("image"))
                        .setPolicy("fixed")
                        .setPolicySettings(Map.of("remote", "1"))
                        .setShadow("every-worker")
                        .setGoal("cost")
                        .setClientPerHour(1)
                        .setRemotePerHour(1)
                        .setEgressPerGb(1)
                        .setCap(100)
                        .setTenantCap(1_000)
                        .setOrder("tolerant")
                        .setCache("auto")
                        .setPriceStorage(1)
                        .setPriceFetch(1)
                        .setDigest("digest")
                        .build());

        Rig rig = withWorker();
        rig.submit(VICTIM, FieldScene.job().build());
        WorkerCommand asked = FieldScene.asked(rig, VICTIM).orElseThrow();
        int plan = ((PlanSplits) asked.getBody()).getPlan();
        String planner = asked.getWorker();
        SplitPage page = new SplitPage(0, splits());
        plans(
                "pages of plans",
                rig,
                then -> {
                    then.planMessage(VICTIM, plan, planner, completed());
                    then.attach(VICTIM, 0, "c-victim");
                },
                plan,
                planner,
                page);
        rig.planMessage(VICTIM, plan, planner, page);
        plans(
                "plans",
                rig,
                then -> then.attach(VICTIM, 0, "c-victim"),
                plan,
                planner,
                completed(),
                new PlanFailed(FailureKind.REFUSED, "no file matches"));
    }

    private static Rig withWorker() {
        Rig rig = FieldScene.begun();
        FieldScene.addWorker(rig);
        rig.pass(Duration.ofSeconds(1));
        return rig;
    }

    private static void planned(Rig rig) {
        FieldScene.plan(rig, VICTIM);
        rig.attach(VICTIM, 0, "c-victim");
    }

    private static Split split(SplitKind kind, List<String> paths, long from, long until, long step) {
        return new Split(kind, 0, paths, from, until, step, 10L, 100L, List.of("version"));
    }

    private static List<Split> splits() {
        return List.of(
                split(SplitKind.FILE, List.of("/data/0"), 0, 0, 0),
                split(SplitKind.RECORD_RANGE, List.of("/data/1"), 5, 15, 0),
                split(SplitKind.NAMES, List.of("/data/2", "/data/3"), 0, 0, 0),
                split(SplitKind.INTEGERS, List.of(), 0, 10, 1),
                split(SplitKind.INDEXES, List.of(), 5, 15, 0),
                split(SplitKind.WHOLE, List.of(), 0, 0, 0));
    }

    private static PlanCompleted completed() {
        return PlanCompleted.newBuilder()
                .setSplits(splits().size())
                .setBytes(600)
                .setPipelineDigest("digest")
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of("a reason"))
                .setSingleTask(false)
                .setComponents(List.of(new Component("image", "float32", List.of(-1L, 3L), true)))
                .setNotes(List.of("a note"))
                .setCachePoints(POINTS)
                .setCacheBlocked("a shuffle")
                .build();
    }
}
