package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.CommandWriter;
import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.whole.Effect;
import io.praline.identity.AttemptKey;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.BatchUse;
import io.praline.schema.CacheGroup;
import io.praline.schema.CachePoint;
import io.praline.schema.CacheReport;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.PlanSplits;
import io.praline.schema.Submit;
import io.praline.schema.Use;
import io.praline.schema.WorkerCommand;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import io.praline.topics.log.PagedValue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.avro.specific.SpecificRecord;

/**
 * Three jobs, each on a worker of its own: one that records are about which are not as they should be, one whose id they may
 * have, and a steady one, which must not notice. It goes on from its rows, as behind a takeover, any number of times.
 */
final class FieldScene {
    static final String VICTIM = "victim";
    static final String OTHER = "other";
    static final String STEADY = "steady";

    /** Splits of each job. */
    static final int FILES = 40;

    private static final int SECONDS = 2;

    private final MapRows rows;
    private final long now;
    private final List<WorkerCommand> sent;
    private final long[] steadys;

    /** @param rig in which the jobs are what they are to be when records come; nobody goes on with it */
    FieldScene(Rig rig) {
        rows = rig.rows().copy();
        now = rig.now();
        sent = List.copyOf(rig.everSent());
        steadys = tickets(STEADY);
    }

    /** The jobs but the victim, begun. */
    static Rig begun() {
        Rig rig = new Rig();
        begin(rig, "w1", STEADY);
        begin(rig, "w3", OTHER);
        return rig;
    }

    /** A job on a worker that comes with it. */
    private static void begin(Rig rig, String worker, String job) {
        rig.beat(Rig.worker(worker, 1).build());
        rig.submit(job, job().build());
        plan(rig, job);
        rig.attach(job, 0, "c-" + job);
        assertThat(rig.status(job).getAttempts()).hasSize(1);
    }

    /** The victim's worker comes. */
    static void addWorker(Rig rig) {
        rig.beat(Rig.worker("w2", 1).setCache(store()).build());
    }

    /** The victim runs on its worker. */
    static Rig running() {
        Rig rig = begun();
        addWorker(rig);
        rig.submit(VICTIM, job().build());
        plan(rig, VICTIM);
        rig.attach(VICTIM, 0, "c-victim");
        assertThat(rig.status(VICTIM).getAttempts()).hasSize(1);
        rig.pass(Duration.ofSeconds(1));
        return rig;
    }

    /** Up to where something is asked of the worker of a victim that takes one batch after another. */
    static Rig until(Class<?> asked, Submit submit, List<CachePoint> points, int files) {
        Rig rig = begun();
        rig.eachPlan(plan -> plan.put("cachePoints", points));
        PretendWorker worker = new PretendWorker(rig, "w2", 1, files);
        worker.busy(0.1);
        worker.keeps(new PretendStore("store of w2", 1L << 30, false));
        worker.beat();
        rig.submit(VICTIM, submit);
        for (String planner : List.of("w1", "w3")) {
            rig.commands(planner).stream()
                    .filter(PlanSplits.class::isInstance)
                    .forEach(plan -> rig.plan(VICTIM, (PlanSplits) plan, planner, files));
        }
        PretendClient client = new PretendClient(rig, VICTIM, 0, Map.of("w2", worker), "c-victim");
        for (int second = 0; second < 60 && last(rig, asked).isEmpty(); second++) {
            rig.beat(beat("w1", STEADY).build());
            rig.beat(beat("w3", OTHER).build());
            rig.clientBeat(STEADY, 0, "c-steady");
            rig.clientBeat(OTHER, 0, "c-other");
            rig.seconds(1, List.of(worker), client);
        }
        assertThat(last(rig, asked)).as(rig.status(VICTIM).toString()).isPresent();
        return rig;
    }

    static Submit.Builder job() {
        return Rig.submit().setMaxRemote(1);
    }

    static CacheReport store() {
        return new CacheReport(
                "store of w2", false, 1L << 30, 1_000L, "", List.of(new CacheGroup("default", "dec0de", 3L, 1_000L)));
    }

    /** The job is planned, if that was asked for. */
    static void plan(Rig rig, String job) {
        asked(rig, job).ifPresent(command -> rig.plan(job, (PlanSplits) command.getBody(), command.getWorker(), FILES));
    }

    /** What was sent last to have a job planned; empty where nothing was. */
    static Optional<WorkerCommand> asked(Rig rig, String job) {
        return rig.everSent().stream()
                .filter(command -> command.getBody() instanceof PlanSplits plan
                        && plan.getJob().equals(job))
                .reduce((before, after) -> after);
    }

    /** The last command of a kind; empty where none was sent. */
    static <C> Optional<C> last(Rig rig, Class<C> kind) {
        return rig.everSent().stream()
                .map(WorkerCommand::getBody)
                .filter(kind::isInstance)
                .map(kind::cast)
                .reduce((before, after) -> after);
    }

    /** Tickets of what the job's first attempt was told to read. */
    long[] tickets(String job) {
        return sent.stream()
                .map(WorkerCommand::getBody)
                .filter(AssignSplits.class::isInstance)
                .map(AssignSplits.class::cast)
                .filter(assign -> assign.getJob().equals(job))
                .flatMap(assign -> assign.getSplits().stream())
                .mapToLong(AssignedSplit::getOrdinal)
                .flatMap(ordinal ->
                        LongStream.range(0, PretendWorker.records(ordinal)).map(record -> Ticket.of(ordinal, record)))
                .sorted()
                .toArray();
    }

    /** The number of the victim's next fact. */
    int nextFact() {
        return EpochLedger.open(rows, VICTIM, 0, true).attempts().get(0).facts() + 1;
    }

    /** A dispatcher that takes over here. */
    Rig rig() {
        Rig rig = new Rig(Rig.RULES, rows.copy());
        rig.away(Duration.ofMillis(now - rig.now()));
        rig.eachEffect(effect -> leaves(rig, effect));
        return rig;
    }

    /** As the processor has it: what Kafka would refuse is the fault of the job that it is about. */
    private static void leaves(Rig rig, Effect effect) {
        effect.commands().forEach(command -> fits(rig, CommandWriter.job(command), Topics.WORKER_COMMANDS, command));
        effect.journal().forEach(entry -> fits(rig, DecisionWriter.job(entry), Topics.PLACEMENT_DECISIONS, entry));
        effect.ledgerPages().forEach(page -> fits(rig, Optional.of(page.getJob()), Topics.LEDGERS, page));
        effect.statuses().forEach(status -> new PagedStatuses()
                .records(status.getJob(), rig.codec().write(Topics.JOBS, status), 0));
        effect.pools().forEach(pool -> fits(rig, Optional.empty(), Topics.POOLS, pool));
        effect.entries().forEach(entries -> fits(rig, Optional.empty(), Topics.CACHES, entries));
        effect.targets().forEach(target -> fits(rig, Optional.empty(), Topics.SCALING_COMMANDS, target));
    }

    private static <V extends SpecificRecord> void fits(Rig rig, Optional<String> job, Topic<V> topic, V value) {
        int bytes = rig.codec().write(topic, value).length;
        if (bytes > PagedValue.MOST_BYTES) {
            IllegalStateException large = new IllegalStateException(topic.name() + " takes " + bytes + " bytes");
            throw job.<RuntimeException>map(its -> new JobFault(its, large)).orElse(large);
        }
    }

    // ---- what follows

    /** Everybody goes on as if nothing had been, also with another dispatcher; the steady job gets on, and all accounts are sound. */
    void goesOn(Rig rig) {
        Instant before = rig.time();
        rig.report(report());
        seconds(rig);
        rig.restart();
        seconds(rig);
        assertThat(Duration.between(before, rig.time())).isGreaterThanOrEqualTo(Duration.ofSeconds(2 * SECONDS));
        JobStatus steady = rig.status(STEADY);
        assertThat(steady.getState()).as(steady.getReason()).isEqualTo(JobState.RUNNING);
        assertThat(steady.getProgress().get(0).getConsumed()).isEqualTo(steadys.length);
        assertThat(steady.getProgress().get(0).getExcluded()).isEmpty();
        assertThat(rig.setAside()).isSubsetOf("job victim", "all rows of job victim", "job other");
        assertThat(rig.broken()).allMatch(policy -> policy.startsWith(VICTIM));
        for (String job : List.of(VICTIM, OTHER)) {
            Optional.ofNullable(rig.status(job)).ifPresent(FieldScene::assertSound);
        }
    }

    private void seconds(Rig rig) {
        for (int second = 0; second < SECONDS; second++) {
            rig.beat(beat("w1", STEADY).build());
            rig.beat(beat("w2", VICTIM).setCache(store()).build());
            rig.beat(beat("w3", OTHER).build());
            for (String job : List.of(STEADY, VICTIM, OTHER)) {
                rig.clientBeat(job, 0, "c-" + job);
            }
            rig.pass(Duration.ofSeconds(1));
        }
    }

    static WorkerHeartbeat.Builder beat(String worker, String job) {
        return Rig.worker(worker, 1)
                .setAttempts(List.of(progress(new AttemptKey(job, 0, 0)).build()));
    }

    static AttemptProgress.Builder progress(AttemptKey key) {
        return ToldProgress.of(key)
                .setUnopened(4)
                .setSplitSeconds(10)
                .setBatches(10)
                .setElements(80)
                .setBytes(8_000)
                .setBusySeconds(5);
    }

    private ConsumptionReport report() {
        return ConsumptionReport.newBuilder()
                .setPool(Rig.POOL)
                .setJob(STEADY)
                .setConsumer(0)
                .setIncarnation("c-steady")
                .setReportSequence(0)
                .setBatches(List.of(BatchUse.newBuilder()
                        .setEpoch(0)
                        .setAttempt(0)
                        .setSequence(0)
                        .setElements(steadys.length)
                        .setTickets(ByteBuffer.wrap(TicketRuns.encode(steadys)))
                        .setUse(Use.ACKED)
                        .build()))
                .setEnded(List.of())
                .setFencesAnswered(List.of())
                .setChannelsDown(List.of())
                .setMarks(List.of())
                .build();
    }

    private static void assertSound(JobStatus status) {
        for (EpochProgress epoch : status.getProgress()) {
            long excluded = epoch.getExcluded().stream()
                    .mapToLong(Exclusion::getElements)
                    .sum();
            assertThat(epoch.getConsumed()).isNotNegative();
            assertThat(excluded).isNotNegative();
            assertThat(epoch.getPossiblyTwice()).isNotNegative();
            assertThat(epoch.getSplitsClosed()).isBetween(0L, status.getSplits());
            if (epoch.getComplete()) {
                assertThat(epoch.getConsumed() + excluded).isEqualTo(epoch.getElements());
            }
        }
        assertThat(status.getSpent().orElse(0.0)).isBetween(0.0, 1e100);
    }
}
