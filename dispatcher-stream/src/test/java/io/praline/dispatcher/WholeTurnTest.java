package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.turn.Dispatching;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.dispatcher.turn.whole.Effect;
import io.praline.dispatcher.turn.whole.Partition;
import io.praline.identity.AttemptKey;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.scaling.Policies;
import io.praline.schema.ActuatorReport;
import io.praline.schema.CachePoint;
import io.praline.schema.DropCache;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.schema.PinCache;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PlanSplits;
import io.praline.schema.PointMeasure;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Resume;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** An event is taken whole or not at all, wherever its turn throws. */
class WholeTurnTest {
    private static final int FILES = 12;
    private static final int KEPT_FILES = 40;
    private static final String KEPT = "dec0de";
    private static final List<CachePoint> POINTS =
            List.of(new CachePoint(0, "TFRecord", "50urce"), new CachePoint(1, "map", KEPT));

    /** What of an effect anybody can ask for: a new list of it is compared without being named here. */
    private static final SortedMap<String, Method> TELLING = Stream.of(Effect.class.getMethods())
            .filter(method -> method.getDeclaringClass() == Effect.class && method.getParameterCount() == 0)
            .collect(Collectors.toMap(Method::getName, Function.identity(), (one, same) -> one, TreeMap::new));

    /** Jobs that are over are forgotten after 20 s, and their ids are free 20 s later. */
    private static final Rules RULES = new Rules(
            "every-worker",
            WholeTurnTest::named,
            Rig.RULES.division(),
            Rig.RULES.poolSize(),
            new ProtocolLimits(
                    ProtocolLimits.USUAL.workerSilence(),
                    ProtocolLimits.USUAL.consumerSilence(),
                    ProtocolLimits.USUAL.lease(),
                    ProtocolLimits.USUAL.repeatAfter(),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(20),
                    ProtocolLimits.USUAL.engineFailures(),
                    ProtocolLimits.USUAL.room(),
                    ProtocolLimits.USUAL.renewal()));

    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    /** Breaks from the first window on. */
    private record Breaking() implements Policy {
        @Override
        public String name() {
            return "breaking";
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public SortedMap<String, String> parameters() {
            return Collections.emptySortedMap();
        }

        @Override
        public Decision decide(PolicyState state, Observation seen) {
            if (state.windows().isEmpty()) {
                return Decision.nothing(seen.at(), "it has seen no window");
            }
            throw new IllegalStateException("divided by zero");
        }
    }

    private static Policy named(String name, Map<String, String> settings) {
        return name.equals("breaking") ? new Breaking() : Policies.named(name, settings);
    }

    /** All that an effect tells, by the name of what tells it: each list, in order, and whether somebody waits for it. */
    private static SortedMap<String, Object> said(Effect effect) {
        SortedMap<String, Object> said = new TreeMap<>();
        TELLING.forEach((name, telling) -> {
            try {
                Object told = telling.invoke(effect);
                said.put(
                        name,
                        told instanceof List<?> list
                                ? list.stream().map(WholeTurnTest::comparable).toList()
                                : told);
            } catch (ReflectiveOperationException unreadable) {
                throw new LinkageError(unreadable.getMessage(), unreadable);
            }
        });
        return said;
    }

    /** What was thrown equals nothing but itself. */
    private static Object comparable(Object one) {
        return one instanceof Effect.Broken || one instanceof Effect.SetAside ? one.toString() : one;
    }

    /** A dispatcher that took over these rows, and may be made to throw. */
    private static final class Taking {
        private final MapRows rows;
        private final Faults faults = new Faults();
        private final List<SortedMap<String, Object>> said = new ArrayList<>();
        private final Partition partition;

        Taking(MapRows before, Rig rig) {
            rows = before.copy();
            partition = new Partition(
                    rows,
                    (buffered, out, steps) -> new Dispatching(
                            new Ledger(faults.rows(buffered)),
                            new RowRecords(rig.codec()),
                            faults.rules(RULES),
                            faults.outgoing(out),
                            steps),
                    effect -> {
                        faults.call();
                        effect.writeRows(Integer.MAX_VALUE);
                        said.add(said(effect));
                    });
            partition.workers(); // takes over
        }
    }

    /** An event, and the rows that it found. */
    private record Moment(Event event, MapRows before) {}

    @Test
    void aTurnThatThrowsAnywhereLeavesNothingAndIsTakenWholeTheNextTime() {
        try (Rig rig = new Rig(RULES);
                Rig other = new Rig(RULES)) {
            List<Moment> life = new ArrayList<>(life(rig));
            life.addAll(keptLife(other));
            life.add(withoutAClock(other));
            assertThatNothingIsLeftOut(life);
            Set<String> filled = new TreeSet<>();
            int thrown = 0;
            for (Moment moment : life) {
                Taking sound = new Taking(moment.before(), rig);
                sound.partition.take(moment.event());
                sound.said.get(0).forEach((name, told) -> {
                    if (!told.equals(List.of()) && !told.equals(false)) {
                        filled.add(name);
                    }
                });
                int call = 1;
                while (throwsAt(call, moment, sound, rig)) {
                    call++;
                }
                thrown += call - 1;
            }
            // so that the test is known to be about something
            assertThat(filled).isEqualTo(TELLING.keySet());
            assertThat(life).hasSizeGreaterThan(200);
            assertThat(thrown).isGreaterThan(3_000);
        }
    }

    /** Every kind of event is there, and whatever can be asked for. */
    private static void assertThatNothingIsLeftOut(List<Moment> life) {
        Set<String> requests = JobRequest.getClassSchema().getField("body").schema().getTypes().stream()
                .map(Schema::getFullName)
                .collect(Collectors.toCollection(TreeSet::new));
        requests.remove(Resume.class.getName()); // refused before it is an event
        assertThat(names(life.stream().map(Moment::event)))
                .isEqualTo(Stream.of(Event.class.getPermittedSubclasses())
                        .map(Class::getName)
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(names(life.stream()
                        .map(Moment::event)
                        .filter(Event.Request.class::isInstance)
                        .map(event -> ((Event.Request) event).request().getBody())))
                .isEqualTo(requests);
    }

    private static Set<String> names(Stream<?> kinds) {
        return kinds.map(each -> each.getClass().getName()).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the turn makes so many calls; if so, it throws at this one, and is taken again. */
    private static boolean throwsAt(int call, Moment moment, Taking sound, Rig rig) {
        Taking broken = new Taking(moment.before(), rig);
        broken.faults.at(call);
        try {
            broken.partition.take(moment.event());
            return false;
        } catch (Faults.Stumble stumble) {
            assertSame(broken.rows, moment.before(), moment, call);
            assertThat(broken.said).as(said(moment, call)).isEmpty();
        }
        broken.partition.take(moment.event());
        assertSame(broken.rows, sound.rows, moment, call);
        assertThat(broken.said).as(said(moment, call)).isEqualTo(sound.said);
        return true;
    }

    private static void assertSame(MapRows rows, MapRows expected, Moment moment, int call) {
        if (!rows.same(expected)) {
            assertThat(rows.text()).as(said(moment, call)).isEqualTo(expected.text());
        }
    }

    private static String said(Moment moment, int call) {
        return "thrown at call " + call + " of " + moment.event();
    }

    /** All that happens to jobs whose steps and elements are left alone, and then some. */
    private List<Moment> life(Rig rig) {
        List<Moment> life = new ArrayList<>();
        rig.eachEvent(event -> life.add(new Moment(event, rig.rows().copy())));
        PretendWorker first = worker(rig, "w1");
        PretendWorker second = worker(rig, "w2");
        rig.submit(
                "tracked",
                Rig.submit().setEpochs(2).setShadow("breaking").setTenantCap(50).build());
        rig.submit("tracked", Rig.submit().build());
        rig.submit("refused", Rig.submit().setWeight(0).build());
        rig.submit(
                "pausing", Rig.submit().setPolicy("breaking").setTenant("other").build());
        PretendClient tracked = new PretendClient(rig, "tracked", 0, workers);
        PretendClient pausing = new PretendClient(rig, "pausing", 0, workers);
        rig.seconds(3, workers.values(), tracked, pausing);
        rig.actuator(new ActuatorReport(Rig.POOL, "actuator-1", 3, 2, "no machine is left", 3));
        rig.request("pausing", "client", Pause.newBuilder().setPaused(true).build());
        rig.request("tracked", "client", new Pin(true, 1, 1));
        rig.attach("tracked", 0, tracked.incarnation());
        PretendWorker local = worker(rig, "local").onlyFor("tracked");
        local.beat();
        first.beat();
        List<AttemptKey> begun = first.started();
        tracked.lose(begun.get(begun.size() - 1), "w1-1");
        tracked.report();
        window(rig, "tracked", 0.5);
        window(rig, "tracked", -1);
        window(rig, "pausing", 0.5);
        rig.seconds(3, workers.values(), tracked, pausing);
        tracked.repeat(0);
        rig.request("pausing", "client", Pause.newBuilder().setPaused(false).build());
        rig.request("tracked", "client", new Pin(false, 0, 0));
        worker(rig, "w3");
        second.kill();
        for (int second1 = 0; second1 < 8; second1++) {
            rig.seconds(1, workers.values(), tracked, pausing);
        }
        // another process of the consumer, and of a worker
        rig.attach("pausing", 0, "another");
        rig.beat(Rig.worker("w3", 2).setIncarnation("w3-2").build());
        rig.beat(Rig.worker("w3", 2).setIncarnation("w3-1").build());
        rig.beat(Rig.worker("w3", 2).setIncarnation("w3-2").setLeaving(true).build());
        workers.remove("w3");
        worker(rig, "w4").plans(Guarantee.AT_LEAST_ONCE, false);
        rig.submit("untracked", Rig.submit().setTenant("other").build());
        PretendClient untracked = new PretendClient(rig, "untracked", 0, workers);
        rig.seconds(12, workers.values(), tracked, untracked);
        first.drain();
        rig.seconds(25, workers.values(), tracked, untracked);
        rig.submit("planless", Rig.submit().build());
        for (String worker : List.of("w1", "w4")) {
            for (Object command : rig.commands(worker)) {
                if (command instanceof PlanSplits plan) {
                    rig.planMessage(
                            "planless",
                            plan.getPlan(),
                            worker,
                            io.praline.schema.SplitPage.newBuilder()
                                    .setPage(1)
                                    .setSplits(List.of(Rig.file(0)))
                                    .build());
                    rig.planFailed("planless", plan.getPlan() + 1, worker, FailureKind.REFUSED, "no files");
                }
            }
        }
        rig.submit("cancelled", Rig.submit().build());
        rig.cancel("cancelled", "");
        rig.pass(Duration.ofSeconds(3));
        rig.away(Duration.ofHours(2));
        rig.pass(Duration.ofSeconds(2));
        rig.eachEvent(event -> {});
        assertThat(rig.told().stream().map(status -> status.getJob() + " " + status.getState()))
                .contains(
                        "tracked " + JobState.COMPLETED,
                        "untracked " + JobState.COMPLETED,
                        "refused " + JobState.FAILED,
                        "pausing " + JobState.FAILED,
                        "cancelled " + JobState.CANCELLED);
        return life;
    }

    /**
     * A job whose steps change places and whose elements are kept, as its worker measures; of two consumers one is lost.
     * In the end nothing is left of it.
     */
    private static List<Moment> keptLife(Rig rig) {
        List<Moment> life = new ArrayList<>();
        Consumer<Event> listener =
                event -> life.add(new Moment(event, rig.rows().copy()));
        rig.eachEvent(listener);
        rig.eachPlan(plan -> plan.put("cachePoints", POINTS));
        PretendWorker worker = new PretendWorker(rig, "w1", 2, KEPT_FILES);
        worker.busy(0.1);
        worker.keeps(new PretendStore("store", 1_000_000, true));
        worker.beat();
        Map<String, PretendWorker> all = Map.of("w1", worker);
        rig.submit(
                "kept",
                Rig.submit().setOrder("tolerant").setEpochs(4).setConsumers(2).build());
        PretendClient stays = new PretendClient(rig, "kept", 0, all);
        PretendClient lost = new PretendClient(rig, "kept", 1, all);
        int answered = 0;
        for (int second = 0; second < 60 && rig.kept().isEmpty(); second++) {
            rig.seconds(1, all.values(), stays, lost);
            answered = answer(rig, answered);
        }
        lost.hold(worker);
        // until it is in doubt; nothing else happens
        rig.eachEvent(event -> {});
        rig.seconds(100, all.values(), stays);
        rig.eachEvent(listener);
        rig.giveUp("kept", 1);
        rig.request("", "somebody", new PinCache("default", KEPT, true));
        rig.seconds(2, all.values(), stays);
        rig.cancel("kept", "");
        rig.request("", "somebody", new DropCache("default", KEPT));
        rig.submit("local", Rig.submit().setMaxLocal(1).setMaxRemote(0).build());
        rig.attach("local", 0, "somebody");
        rig.cancel("local", "");
        rig.beat("another", Rig.worker("w2", 1).build());
        rig.seconds(45, all.values());
        rig.eachEvent(event -> {});
        assertThat(rig.journal())
                .extracting(entry -> entry.getObservation().getKind())
                .contains(JournalKind.ORDER_CHANGED.text(), JournalKind.ENTRIES_DROPPED.text());
        assertThat(rig.everSent()).extracting(WorkerCommand::getBody).hasAtLeastOneElementOfType(VerifyVariant.class);
        assertThat(rig.told())
                .anySatisfy(status -> assertThat(status.getGuaranteeReasons()).isNotEmpty());
        assertThat(rig.kept()).isEmpty();
        return life;
    }

    /** The worker measures what it was told to since; gives how many commands were looked at. */
    private static int answer(Rig rig, int answered) {
        int next = answered;
        for (; next < rig.everSent().size(); next++) {
            Object body = rig.everSent().get(next).getBody();
            if (body instanceof ProfilePipeline asked) {
                rig.measured(PipelineProfiled.newBuilder(OrderingTest.profiled("w1", asked))
                        .setCachePoints(POINTS)
                        .setPointMeasures(List.of(
                                new PointMeasure(0, 1e6, 50.0, 1e5, 9e5), new PointMeasure(1, 9e7, 100.0, 1e6, 1e6)))
                        .setAllNanos(1e8)
                        .build());
            } else if (body instanceof VerifyVariant asked) {
                rig.measured(OrderingTest.verified("w1", asked)
                        .setCachePoints(POINTS)
                        .build());
            }
        }
        return next;
    }

    /** A part of the state that cannot be read any more. */
    private static Moment withoutAClock(Rig rig) {
        MapRows rows = rig.rows().copy();
        rows.put(RowKey.alone(RowKey.CLOCK), new byte[] {1});
        return new Moment(new Event.Tick(Instant.ofEpochMilli(rig.now()), Rig.POOL), rows);
    }

    private PretendWorker worker(Rig rig, String id) {
        PretendWorker worker = new PretendWorker(rig, id, 2, FILES);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    private static void window(Rig rig, String job, double waitShare) {
        rig.clientBeat(
                job, 0, "consumer-0", List.of(new MeasurementWindow(100L, 800L, 0L, 4.0, waitShare, 2.5, 0, 1, false)));
    }

    @Test
    void theThrowGoesOn() {
        try (Rig rig = new Rig(RULES)) {
            Taking taking = new Taking(rig.rows(), rig);
            taking.faults.at(1);
            Event tick = new Event.Tick(Instant.ofEpochMilli(rig.now()), Rig.POOL);
            Event beat = new Event.Beat(tick.at(), Rig.POOL, Rig.worker("w1", 1).build());
            assertThatThrownBy(() -> taking.partition.take(beat)).isInstanceOf(Faults.Stumble.class);
            assertThat(taking.partition.workers()).isZero();
            taking.partition.take(beat);
            assertThat(taking.partition.workers()).isOne();
        }
    }

    // a turn of 40 jobs is not followed by another within 40 * 50 us = 2 ms, and each event is a millisecond later
    @Test
    void whatBefallsJobsIsInTheirRowsThoughTheirPoolMayNotHaveItsTurnYet() {
        try (Rig rig = new Rig(RULES)) {
            PretendWorker worker = new PretendWorker(rig, "w1", 100, FILES);
            workers.put("w1", worker);
            worker.beat();
            for (int job = 0; job < 40; job++) {
                rig.submit("job-" + job, Rig.submit().build());
            }
            rig.seconds(2, workers.values());
            rig.request("job-0", "client", Pause.newBuilder().setPaused(true).build());
            rig.beat(Rig.worker("w1", 100).setIncarnation("w1-2").build());
            rig.restart();
            rig.pass(Duration.ofSeconds(1));
            assertThat(rig.journal().stream()
                            .filter(entry -> entry.getObservation().getKind().equals(JournalKind.ATTEMPT_LOST.text())))
                    .hasSize(40);
            assertThat(rig.journal().stream().map(entry -> entry.getJob() + " " + entry.getSequence()))
                    .doesNotHaveDuplicates();
        }
    }
}
