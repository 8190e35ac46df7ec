package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.CacheRecords;
import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.EventReader;
import io.praline.dispatcher.convert.LedgerRecords;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.dispatcher.turn.Dispatching;
import io.praline.dispatcher.turn.fault.PoolSteps;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.dispatcher.turn.whole.Containment;
import io.praline.dispatcher.turn.whole.Effect;
import io.praline.dispatcher.turn.whole.Partition;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolSize;
import io.praline.schema.ActuatorReport;
import io.praline.schema.Attach;
import io.praline.schema.CacheStatus;
import io.praline.schema.Cancel;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.Component;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.FailureKind;
import io.praline.schema.GiveUp;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import io.praline.schema.LedgerPage;
import io.praline.schema.MeasurementWindow;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.PoolStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.ScalingTarget;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.SplitPage;
import io.praline.schema.Submit;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Agreements;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import io.praline.topics.log.Quarantine;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.FakeRegistry;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * The dispatcher without Kafka, its inputs and outputs as records: as the whole topology, or faster, and able to be
 * restarted, as what is in its processor. Time moves because the test moves it.
 */
final class Rig implements AutoCloseable {
    static final String POOL = "default";
    /** With slots that change hands after 30 s, and a pool that is made smaller a minute after it could be. */
    static final Rules RULES = new Rules(
            "every-worker",
            new FairShare(Duration.ofSeconds(30)),
            new PoolSize(0, 20, Duration.ofMinutes(1)),
            ProtocolLimits.USUAL);

    private int repeats = 1;
    private boolean renewable;

    private int sources = 1;

    private Consumer<PlanCompleted> planned = completed -> {};

    /** Shared, since a registry's first answers take longer than most tests. */
    private static final FakeRegistry REGISTRY = new FakeRegistry();

    private static final AvroCodec CODEC = new AvroCodec(REGISTRY.settings());

    private static final long START = 1_000_000_000_000L;

    private final DispatcherMetrics metrics = new DispatcherMetrics();
    private final Rules rules;
    private final Optional<TopologyTestDriver> driver;
    private final MapRows rows;
    private final List<QuarantinedRecord> quarantined = new ArrayList<>();
    private final List<ScalingTarget> targets = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final List<String> setAside = new ArrayList<>();
    private final List<String> forgotten = new ArrayList<>();
    private final Map<Ignored, Integer> ignored = new EnumMap<>(Ignored.class);
    private final Faults faults = new Faults();
    private Optional<Random> stumbling = Optional.empty();
    private Consumer<Event> listener = event -> {};
    private Consumer<Effect> leaving = effect -> {};
    private Stamps stamps = (topic, millis) -> Instant.ofEpochMilli(millis);
    private Spoiling spoiling = (topic, value) -> value;
    private int stumbled;
    private Partition partition;
    private Containment containment;
    private final Map<String, TestOutputTopic<byte[], byte[]>> outputs = new TreeMap<>();
    private final Map<ByteBuffer, byte[]> pages = new HashMap<>();
    private final Map<String, JobStatus> statuses = new TreeMap<>();
    private final List<JournalEntry> journal = new ArrayList<>();
    private final Map<String, CacheStatus> kept = new TreeMap<>();
    private final Map<String, PoolStatus> pools = new TreeMap<>();
    private int poolsTold;
    private Optional<Map<String, LedgerPage>> ledgerPages = Optional.empty();
    private final List<JobStatus> told = new ArrayList<>();
    private final List<WorkerCommand> commands = new ArrayList<>();
    private final List<WorkerCommand> everSent = new ArrayList<>();
    private long now = START;
    private boolean urgent;
    private int untilLost;
    private Optional<String> lost = Optional.empty();

    /** What is in the processor. */
    Rig() {
        this(RULES);
    }

    /** What is in a processor that decides by these. */
    Rig(Rules rules) {
        this(rules, new MapRows());
    }

    /** What is in a processor that decides by these and takes over what the rows tell. */
    Rig(Rules rules, MapRows rows) {
        this.rules = rules;
        this.rows = rows;
        driver = Optional.empty();
        restart();
    }

    /**
     * The whole topology.
     *
     * @param partitions that the dispatcher takes its inputs to have; the driver always has one
     */
    Rig(int partitions) {
        this(partitions, RULES);
    }

    /** The whole topology, by these rules. */
    Rig(int partitions, Rules rules) {
        this.rules = rules;
        this.rows = new MapRows();
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        driver = Optional.of(new TopologyTestDriver(
                DispatchTopology.of(CODEC, partitions, rules, metrics), properties, Instant.ofEpochMilli(START)));
        for (Topic<?> topic : DispatchTopology.outputs()) {
            outputs.put(
                    topic.name(),
                    driver.get()
                            .createOutputTopic(topic.name(), new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        }
    }

    /** Another dispatcher goes on from the rows. */
    void restart() {
        partition = new Partition(rows, this::dispatching, this::write);
        containment = new Containment(partition, thrown -> false);
    }

    private Dispatching dispatching(Rows buffered, Outgoing out, PoolSteps steps) {
        return new Dispatching(
                new Ledger(faults.rows(buffered)),
                new RowRecords(CODEC),
                faults.rules(rules),
                faults.outgoing(out),
                steps);
    }

    /** Whoever wants to know of every event before it is taken; in the processor alone. */
    void eachEvent(Consumer<Event> wants) {
        listener = wants;
    }

    /** Whoever wants to see all that an event brings about before any of it is there; in the processor alone. */
    void eachEffect(Consumer<Effect> wants) {
        leaving = wants;
    }

    /** Some turns throw from now on, somewhere in between; the event is then taken once more. In the processor alone. */
    void stumble(Random random) {
        stumbling = Optional.of(random);
    }

    /** How often a turn threw. */
    int stumbled() {
        return stumbled;
    }

    /** Gives why the record is to be looked at by people. */
    private Optional<String> take(Event event, String where) {
        listener.accept(event);
        if (stumbling.filter(random -> random.nextInt(20) == 0).isPresent()) {
            faults.at(1 + stumbling.get().nextInt(40));
        }
        try {
            return containment.take(event, where);
        } catch (Faults.Stumble stumble) {
            stumbled++;
            return containment.take(event, where);
        } finally {
            faults.at(0);
        }
    }

    /** The record of this number, counted from 1 over all topics but that of requests, is lost. In the processor alone. */
    void lose(int number) {
        untilLost = number;
    }

    /** What was lost; empty while nothing is. */
    Optional<String> lost() {
        return lost;
    }

    /** What it is, in words, is asked for where it is lost: to tell each record takes longer than to take it. */
    private boolean loses(Supplier<String> what) {
        if (untilLost > 0 && --untilLost == 0) {
            lost = Optional.of(what.get());
            return true;
        }
        return false;
    }

    /** Keeps what the dispatcher says. */
    private void write(Effect effect) {
        urgent = effect.urgent();
        faults.call();
        leaving.accept(effect);
        effect.writeRows(Agreements.RECORD_BYTES);
        effect.commands().stream()
                .filter(command -> !loses(() -> "command " + command.getBody()))
                .forEach(this::sent);
        for (JobStatus status : effect.statuses()) {
            if (!loses(() -> "status " + status.getState())) {
                statuses.put(status.getJob(), status);
                told.add(status);
            }
        }
        journal.addAll(effect.journal());
        targets.addAll(effect.targets());
        effect.entries().forEach(entries -> kept.put(CacheRecords.key(entries), entries));
        effect.entriesGone().forEach(kept::remove);
        ledgerPages.ifPresent(pages -> {
            effect.ledgerPages().forEach(page -> pages.put(LedgerRecords.key(page), page));
            effect.ledgerPagesGone().forEach(pages::remove);
        });
        effect.pools().forEach(pool -> pools.put(pool.getPool(), pool));
        effect.poolsGone().forEach(pools::remove);
        poolsTold += effect.pools().size();
        effect.forgotten().forEach(job -> {
            statuses.remove(job);
            forgotten.add(job);
        });
        forgotten.addAll(effect.nobodys());
        forgotten.addAll(effect.graphsGone());
        effect.setAside().forEach(one -> setAside.add(one.what()));
        effect.broken().forEach(one -> broken.add(one.job() + ": " + one.policy()));
        effect.ignored().forEach(why -> ignored.merge(why, 1, Integer::sum));
    }

    /** Whether somebody waits for what the last event brought about; in the processor alone. */
    boolean urgent() {
        return urgent;
    }

    /** Jobs of which nothing has moved for a while; in the processor alone. */
    int stuckJobs() {
        return partition.stuckJobs();
    }

    /** Steps of pools that are left out; in the processor alone. */
    int stepsLeftOut() {
        return partition.stepsLeftOut();
    }

    /** How often something had no effect for this reason; in the processor alone. */
    int ignored(Ignored why) {
        return ignored.getOrDefault(why, 0);
    }

    /** Policies that were said to have broken, as JOB: NAME; in the processor alone. */
    List<String> broken() {
        return broken;
    }

    /** What was set aside since it could not be gone on with; in the processor alone. */
    List<String> setAside() {
        return setAside;
    }

    /** Keys that went from topics: jobs, and subjects of targets; in the processor alone. */
    List<String> forgotten() {
        return forgotten;
    }

    /** What makes turns throw; in the processor alone. */
    Faults faults() {
        return faults;
    }

    /** The rows; of the processor alone. */
    MapRows rows() {
        return rows;
    }

    long now() {
        return now;
    }

    AvroCodec codec() {
        return CODEC;
    }

    FakeRegistry registry() {
        return REGISTRY;
    }

    String metrics() {
        return metrics.scrape();
    }

    /** As {@link #seconds}, until a job is complete. */
    void untilCompleted(String job, Collection<PretendWorker> workers, PretendClient... clients) {
        for (int i = 0; i < 400 && status(job).getState() != JobState.COMPLETED; i++) {
            seconds(1, workers, clients);
        }
        assertThat(status(job).getState()).as(status(job).toString()).isEqualTo(JobState.COMPLETED);
    }

    /** Seconds of everybody's life: workers do what they are told and beat, clients take four batches each and report. */
    void seconds(int count, Collection<PretendWorker> workers, PretendClient... clients) {
        for (int i = 0; i < count; i++) {
            for (PretendWorker worker : workers) {
                worker.obey();
                worker.read();
                worker.beat();
                worker.obey();
            }
            for (PretendClient client : clients) {
                client.beat();
                client.fetch(4);
                for (int batch = 0; batch < 4; batch++) {
                    client.next();
                }
                client.report();
            }
            pass(Duration.ofSeconds(1));
        }
    }

    /** Log time passes, second by second, and the dispatcher notices. */
    void pass(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 1000) {
            long step = Math.min(1000, left);
            now += step;
            if (driver.isPresent()) {
                driver.get().advanceWallClockTime(Duration.ofMillis(step));
            } else {
                partition.anyPool().filter(pool -> !loses(() -> "clock")).ifPresent(this::tick);
            }
        }
        collect();
    }

    private void tick(String pool) {
        take(new Event.Tick(stamps.stamp("worker-heartbeats", now), pool), "a clock")
                .ifPresent(why ->
                        quarantine("worker-heartbeats", pool.getBytes(StandardCharsets.UTF_8), new byte[0], why));
    }

    private void quarantine(String topic, byte[] key, byte[] value, String why) {
        quarantined.add(Quarantine.quarantined(topic, 0, now, key, value, why, "dispatcher", now));
    }

    /** What time it is for the processor's dispatcher, as its row tells. */
    Instant time() {
        return new Ledger(rows).clock().orElseThrow().time();
    }

    /** Log time passes while nobody can write, the clock neither. */
    void away(Duration time) {
        now += time.toMillis();
        driver.ifPresent(topology -> topology.advanceWallClockTime(time));
    }

    <V extends SpecificRecord> void send(Topic<V> topic, String key, V value) {
        if (!topic.equals(Topics.JOB_REQUESTS) && loses(() -> "record on " + topic.name() + ": " + value)) {
            now++;
            return;
        }
        send(topic.name(), key, CODEC.write(topic, value));
    }

    /** Records are sent as this makes them from now on. */
    void spoil(Spoiling with) {
        spoiling = with;
    }

    /** Brokers stamp records by these clocks from now on. */
    void stamps(Stamps by) {
        stamps = by;
    }

    /** The clock of the broker that leads a topic. */
    @FunctionalInterface
    interface Stamps {
        Instant stamp(String topic, long millis);
    }

    /** Changes what is sent on a topic. */
    @FunctionalInterface
    interface Spoiling {
        byte[] spoiled(String topic, byte[] value);
    }

    void send(String topic, String key, byte[] sent) {
        now++;
        byte[] value = spoiling.spoiled(topic, sent);
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        if (driver.isPresent()) {
            driver.get()
                    .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
                    .pipeInput(keyBytes, value, now);
            collect();
            return;
        }
        try {
            Event event = new EventReader(CODEC, 1).read(topic, 0, keyBytes, value, stamps.stamp(topic, now));
            take(event, topic + "/0/" + now).ifPresent(why -> quarantine(topic, keyBytes, value, why));
        } catch (UnreadableRecord unreadable) {
            quarantine(topic, keyBytes, value, unreadable.reason());
        }
    }

    private void collect() {
        if (driver.isEmpty()) {
            return;
        }
        for (WorkerCommand command : drain(Topics.WORKER_COMMANDS)) {
            sent(command);
        }
        for (JobStatus status : drain(Topics.JOBS)) {
            statuses.put(status.getJob(), status);
            told.add(status);
        }
        journal.addAll(drain(Topics.PLACEMENT_DECISIONS));
    }

    private <V extends SpecificRecord> List<V> drain(Topic<V> topic) {
        List<V> values = new ArrayList<>();
        for (TestRecord<byte[], byte[]> record : outputs.get(topic.name()).readRecordsToList()) {
            if (PagedValue.isPage(record.key())) {
                pages.put(ByteBuffer.wrap(record.key()), record.value());
                continue;
            }
            byte[] whole = PagedValue.whole(record.headers(), record.value(), page -> {
                        return pages.get(ByteBuffer.wrap(PagedValue.key(record.key(), page)));
                    })
                    .orElseThrow();
            try {
                values.add(CODEC.read(topic, whole));
            } catch (UnreadableRecord unreadable) {
                throw new AssertionError(unreadable);
            }
        }
        return values;
    }

    private void sent(WorkerCommand command) {
        commands.add(command);
        everSent.add(command);
    }

    /** Every command that was ever sent, taken or not. */
    List<WorkerCommand> everSent() {
        return everSent;
    }

    /** Every worker's commands since they were last taken. */
    List<WorkerCommand> allCommands() {
        List<WorkerCommand> all = List.copyOf(commands);
        commands.clear();
        return all;
    }

    /** Commands to the worker's process since they were last asked for. */
    List<Object> commands(String worker) {
        List<Object> its = commands.stream()
                .filter(command -> command.getWorker().equals(worker))
                .map(WorkerCommand::getBody)
                .toList();
        commands.removeIf(command -> command.getWorker().equals(worker));
        return its;
    }

    /** Commands to one process of a worker since they were last asked for. */
    List<Object> commands(String worker, String incarnation) {
        List<Object> its = commands.stream()
                .filter(command -> command.getWorker().equals(worker)
                        && command.getIncarnation().equals(incarnation))
                .map(WorkerCommand::getBody)
                .toList();
        commands.removeIf(command ->
                command.getWorker().equals(worker) && command.getIncarnation().equals(incarnation));
        return its;
    }

    /** The job's last status. */
    JobStatus status(String job) {
        return statuses.get(job);
    }

    /** Every status that was told, in order. */
    List<JobStatus> told() {
        return told;
    }

    /** What was last told of the pool; empty where it is gone. */
    Optional<PoolStatus> pool(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    /** How often something was told of pools. */
    int poolsTold() {
        return poolsTold;
    }

    /** What is told of pages of plans from now on, by key; in the processor alone. Large plans' would be all that memory holds. */
    Map<String, LedgerPage> keepLedgerPages() {
        Map<String, LedgerPage> kept = new TreeMap<>();
        ledgerPages = Optional.of(kept);
        return kept;
    }

    /** What is told of entries, by pool/tenant/prefix; in the processor alone. */
    Map<String, CacheStatus> kept() {
        return kept;
    }

    List<JournalEntry> journal() {
        return journal;
    }

    List<QuarantinedRecord> quarantined() {
        return driver.isPresent() ? drain(Topics.QUARANTINE) : quarantined;
    }

    List<ScalingTarget> targets() {
        return driver.isPresent() ? drain(Topics.SCALING_COMMANDS) : targets;
    }

    static Submit.Builder submit() {
        return Submit.newBuilder()
                .setTenant("default")
                .setWeight(1)
                .setPipelineName("images")
                .setGraph(ByteBuffer.wrap(new byte[] {1, 2, 3}))
                .setGraphAddress(null)
                .setComponentNames(List.of())
                .setDataGlobs(List.of("/data/*"))
                .setEpochs(1)
                .setSeed(7)
                .setConsumers(1)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .setSkipBad(0)
                .setBatchLimitBytes(0);
    }

    void request(String job, String requester, Object body) {
        send(
                Topics.JOB_REQUESTS,
                POOL,
                JobRequest.newBuilder()
                        .setPool(POOL)
                        .setJob(job)
                        .setRequester(requester)
                        .setBody(body)
                        .build());
    }

    void submit(String job, Submit submit) {
        request(job, "client", submit);
    }

    void cancel(String job, String reason) {
        request(job, "client", Cancel.newBuilder().setReason(reason).build());
    }

    void attach(String job, int consumer, String incarnation) {
        request(
                job,
                "client",
                Attach.newBuilder()
                        .setConsumer(consumer)
                        .setIncarnation(incarnation)
                        .setHost("trainer")
                        .build());
    }

    void replace(String job, int consumer, String incarnation) {
        replace(job, consumer, incarnation, "");
    }

    /** @param follows who is known to be dead */
    void replace(String job, int consumer, String incarnation, String follows) {
        request(job, "client", new Attach(consumer, incarnation, "trainer", true, "", follows));
    }

    void giveUp(String job, int consumer) {
        request(job, "client", new GiveUp(consumer));
    }

    void beat(WorkerHeartbeat beat) {
        beat(POOL, beat);
    }

    void beat(String pool, WorkerHeartbeat beat) {
        send(
                Topics.WORKER_HEARTBEATS,
                pool,
                WorkerEvent.newBuilder().setPool(pool).setBody(beat).build());
    }

    /** What somebody who starts workers tells. */
    void actuator(String subject, int wanted, int running, String reason) {
        actuator(new ActuatorReport(subject, "actuator-1", wanted, running, reason, 0));
    }

    void actuator(ActuatorReport report) {
        send(
                Topics.WORKER_HEARTBEATS,
                POOL,
                WorkerEvent.newBuilder().setPool(POOL).setBody(report).build());
    }

    /** What a worker measured for the order of a job's steps. */
    void measured(SpecificRecord answer) {
        send(
                Topics.WORKER_HEARTBEATS,
                POOL,
                WorkerEvent.newBuilder().setPool(POOL).setBody(answer).build());
    }

    static WorkerHeartbeat.Builder worker(String id, int slots) {
        return WorkerHeartbeat.newBuilder()
                .setWorker(id)
                .setIncarnation(id + "-1")
                .setHost("host-" + id)
                .setAddresses(List.of("tcp://host-" + id + ":7000"))
                .setSlots(slots)
                .setCores(4)
                .setMemoryBytes(1L << 30)
                .setLoad(0.5)
                .setLocal(false)
                .setDraining(false)
                .setLeaving(false)
                .setPlanning(List.of())
                .setAttempts(List.of());
    }

    /** Pipelines planned from now on repeat themselves so often. */
    void pipelinesRepeat(int times) {
        repeats = times;
    }

    /** No step of pipelines planned from now on looks across splits. */
    void pipelinesAreRenewable() {
        renewable = true;
    }

    /** Changes what is told of each plan that is completed from now on. */
    void eachPlan(Consumer<PlanCompleted> change) {
        planned = change;
    }

    /** The files of all jobs that are planned from now on belong to so many sources in turn. */
    void pipelinesRead(int sources) {
        this.sources = sources;
    }

    /** A plan of files whose numbers of records the plan does not know. */
    void plan(String job, PlanSplits asked, String worker, int files) {
        plan(job, asked, worker, files, Guarantee.EXACTLY_ONCE, false);
    }

    void plan(String job, PlanSplits asked, String worker, int files, Guarantee guarantee, boolean singleTask) {
        pages(job, asked, worker, files);
        completes(job, asked, worker, files, guarantee, singleTask);
    }

    /** The pages of a plan, which is not complete by that. */
    void pages(String job, PlanSplits asked, String worker, int files) {
        for (int page = 0; page * 1000 < files; page++) {
            List<Split> splits = new ArrayList<>();
            for (int i = page * 1000; i < Math.min(files, (page + 1) * 1000); i++) {
                splits.add(Split.newBuilder(file(i)).setSource(i % sources).build());
            }
            planMessage(
                    job,
                    asked.getPlan(),
                    worker,
                    SplitPage.newBuilder().setPage(page).setSplits(splits).build());
        }
    }

    /** The end of a plan whose pages were sent. */
    void completes(String job, PlanSplits asked, String worker, int files, Guarantee guarantee, boolean singleTask) {
        PlanCompleted completed = PlanCompleted.newBuilder()
                .setSplits(files)
                .setBytes(files * 1000L)
                .setPipelineDigest("digest")
                .setGuarantee(guarantee)
                .setGuaranteeReasons(guarantee == Guarantee.EXACTLY_ONCE ? List.of() : List.of("a flat_map"))
                .setSingleTask(singleTask)
                .setComponents(List.of(Component.newBuilder()
                        .setName("0")
                        .setDtype("float32")
                        .setShape(List.of(-1L))
                        .setRankKnown(true)
                        .build()))
                .setNotes(List.of())
                .setRenewable(renewable)
                .setEpochs(repeats)
                .build();
        planned.accept(completed);
        planMessage(job, asked.getPlan(), worker, completed);
    }

    static Split file(int number) {
        return Split.newBuilder()
                .setKind(SplitKind.FILE)
                .setSource(0)
                .setPaths(List.of("/data/part-%05d.tfrecord".formatted(number)))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setRecords(null)
                .setBytes(1000 + number)
                .build();
    }

    void planFailed(String job, int plan, String worker, FailureKind kind, String reason) {
        planMessage(
                job,
                plan,
                worker,
                PlanFailed.newBuilder().setKind(kind).setReason(reason).build());
    }

    void planMessage(String job, int plan, String worker, Object body) {
        send(
                Topics.SPLITS,
                POOL,
                PlanMessage.newBuilder()
                        .setPool(POOL)
                        .setJob(job)
                        .setPlan(plan)
                        .setWorker(worker)
                        .setIncarnation(worker + "-1")
                        .setBody(body)
                        .build());
    }

    void clientBeat(String job, int consumer, String incarnation) {
        clientBeat(job, consumer, incarnation, List.of());
    }

    void clientBeat(String job, int consumer, String incarnation, List<MeasurementWindow> windows) {
        send(
                Topics.CLIENT_HEARTBEATS,
                POOL,
                ClientHeartbeat.newBuilder()
                        .setPool(POOL)
                        .setJob(job)
                        .setConsumer(consumer)
                        .setIncarnation(incarnation)
                        .setHost("trainer")
                        .setClosing(false)
                        .setWindows(windows)
                        .build());
    }

    void report(ConsumptionReport report) {
        send(Topics.CONSUMPTION, POOL, report);
    }

    @Override
    public void close() {
        driver.ifPresent(TopologyTestDriver::close);
    }
}
