package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.identity.AttemptKey;
import io.praline.policy.ordering.course.OrderCourse;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.CacheOrder;
import io.praline.schema.CachePoint;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobOrder;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import io.praline.schema.Pause;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PipelineStep;
import io.praline.schema.PointMeasure;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.StartAttempt;
import io.praline.schema.StepFactors;
import io.praline.schema.StepOperation;
import io.praline.schema.StepTensor;
import io.praline.schema.Submit;
import io.praline.schema.TimedPair;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order a job's steps run: who measures, what attempts run, and that no element is lost or repeated meanwhile. */
class OrderingTest {
    private static final int FILES = 400;
    private static final String VARIANT = "the-variant";

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id) {
        return worker(id, FILES);
    }

    private PretendWorker worker(String id, int files) {
        PretendWorker worker = new PretendWorker(rig, id, 2, files);
        worker.busy(0.1);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    private PretendClient client(String job) {
        return new PretendClient(rig, job, 0, workers);
    }

    private void seconds(int count, PretendClient... clients) {
        rig.seconds(count, workers.values(), clients);
    }

    private static Submit tolerant() {
        return Rig.submit().setOrder("tolerant").build();
    }

    private <C> List<C> commands(Class<C> kind) {
        return rig.everSent().stream()
                .map(WorkerCommand::getBody)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private void untilAsked(PretendClient client) {
        for (int i = 0; i < 30 && commands(ProfilePipeline.class).isEmpty(); i++) {
            seconds(1, client);
        }
        assertThat(commands(ProfilePipeline.class)).hasSize(1);
    }

    private String asked(Class<?> kind) {
        return rig.everSent().stream()
                .filter(command -> kind.isInstance(command.getBody()))
                .map(WorkerCommand::getWorker)
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    private List<JournalEntry> journal(String job, JournalKind kind) {
        return rig.journal().stream()
                .filter(entry -> entry.getJob().equals(job)
                        && entry.getObservation().getKind().equals(kind.text()))
                .toList();
    }

    private JobOrder order(String job) {
        return rig.status(job).getOrder().orElseThrow();
    }

    /** The graphs that attempts of the job were told to run, in order. */
    private List<String> graphs(String job) {
        return commands(StartAttempt.class).stream()
                .filter(start -> start.getJob().equals(job))
                .map(StartAttempt::getPipelineDigest)
                .toList();
    }

    private static StepTensor tensor(String type, long... shape) {
        return StepTensor.newBuilder()
                .setType(type)
                .setShape(LongStream.of(shape).boxed().toList())
                .build();
    }

    private static PipelineStep step(String name, String kind, StepTensor before, StepTensor after, StepOperation op) {
        return PipelineStep.newBuilder()
                .setName(name)
                .setTransformation(name)
                .setKind(kind)
                .setOps(List.of(op))
                .setDraws(false)
                .setDrawsFromShape(false)
                .setStateful(false)
                .setMayFail(false)
                .setKeepPosition(false)
                .setReads(List.of(0))
                .setWrites(List.of(0))
                .setRestructures(false)
                .setBefore(List.of(before))
                .setAfter(List.of(after))
                .build();
    }

    private static StepOperation op(String name, String in, String out, Map<String, String> settings) {
        return new StepOperation(name, List.of(in), List.of(out), settings);
    }

    /** A cast in front of a resize, which the resize passes up to rounding. */
    static PipelineProfiled profiled(String worker, ProfilePipeline asked) {
        StepTensor bytes = tensor("uint8", -1, -1, 3);
        StepTensor floats = tensor("float32", -1, -1, 3);
        StepTensor small = tensor("float32", 224, 224, 3);
        return PipelineProfiled.newBuilder()
                .setWorker(worker)
                .setIncarnation(worker + "-1")
                .setJob(asked.getJob())
                .setTrial(asked.getTrial())
                .setFailure("")
                .setSteps(List.of(
                        step(
                                "cast",
                                "ELEMENTWISE",
                                bytes,
                                floats,
                                op("Cast", "uint8", "float32", Map.of("Truncate", "false"))),
                        step(
                                "resize",
                                "RESAMPLE",
                                floats,
                                small,
                                op(
                                        "ResizeBilinear",
                                        "float32",
                                        "float32",
                                        Map.of("align_corners", "false", "half_pixel_centers", "true")))))
                .setFactors(List.of(
                        new StepFactors("cast", 300L, 300 * 600_000L, 300 * 2_400_000L, 300 * 900_000L),
                        new StepFactors("resize", 300L, 300 * 2_400_000L, 300 * 602_112L, 300 * 600_000L)))
                .setRecords(300)
                .setNanos(450_000_000)
                .setCallNanos(5000)
                .build();
    }

    static VariantVerified.Builder verified(String worker, VerifyVariant asked) {
        return VariantVerified.newBuilder()
                .setWorker(worker)
                .setIncarnation(worker + "-1")
                .setJob(asked.getJob())
                .setTrial(asked.getTrial())
                .setFailure("")
                .setVariantDigest(VARIANT)
                .setPairs(Collections.nCopies(5, new TimedPair(2_000_000L, 1_000_000L)))
                .setElements(300)
                .setMissing(0)
                .setUnequal(0)
                .setLargestDifference(0);
    }
    /** Up to where the variant runs. */
    private PretendClient changed(String job, Submit submit) {
        rig.submit(job, submit);
        PretendClient client = client(job);
        untilAsked(client);
        ProfilePipeline profile = commands(ProfilePipeline.class).get(0);
        rig.measured(profiled(asked(ProfilePipeline.class), profile));
        VerifyVariant verify = commands(VerifyVariant.class).get(0);
        rig.measured(verified(asked(VerifyVariant.class), verify).build());
        return client;
    }

    private void completes(String job, PretendClient client, int epochs) {
        for (int i = 0; i < 2000 && rig.status(job).getState() != JobState.COMPLETED; i++) {
            seconds(1, client);
        }
        assertThat(rig.status(job).getState()).isEqualTo(JobState.COMPLETED);
        for (int epoch = 0; epoch < epochs; epoch++) {
            assertThat(client.given(epoch))
                    .hasSize((int) PretendWorker.recordsOf(FILES))
                    .allSatisfy((ticket, times) -> assertThat(times).isEqualTo(1));
        }
    }

    @Test
    void aWorkerThatServesTheJobMeasuresItThenAnotherOrderAndAttemptsChangeOverWithNothingLostOrRepeated() {
        worker("w1");
        worker("w2");
        PretendClient client = changed("job", tolerant());
        ProfilePipeline profile = commands(ProfilePipeline.class).get(0);
        assertThat(profile.getSample()).hasSize(64);
        assertThat(profile.getSample().subList(0, 3))
                .extracting(split -> split.getOrdinal())
                .containsExactly(0L, 202L, 399L);
        assertThat(commands(VerifyVariant.class).get(0).getSections()).containsExactly(List.of("resize", "cast"));
        assertThat(order("job").getState()).isEqualTo("changed");
        assertThat(order("job").getVariantDigest()).isEqualTo(VARIANT);
        assertThat(order("job").getMoved()).hasSize(1);
        completes("job", client, 1);
        assertThat(graphs("job")).startsWith("digest", "digest").contains(VARIANT);
        assertThat(journal("job", JournalKind.ATTEMPT_OUTDATED)).hasSize(2).allSatisfy(entry -> assertThat(
                        entry.getReason())
                .endsWith(" of epoch 0 runs the user's order, and there is a better one"));
        assertThat(journal("job", JournalKind.VARIANT_VERIFIED).get(0).getDecision())
                .singleElement()
                .satisfies(decided -> {
                    assertThat(decided.getCommand()).isEqualTo("runVariant");
                    assertThat(decided.getSubject()).isEqualTo(VARIANT);
                    assertThat(decided.getTexts().get("move 01")).startsWith("resize moves before cast");
                });
        assertThat(journal("job", JournalKind.ORDER_CHANGED)).hasSize(1);
    }

    // the journal repeats it, and a record has an end
    @Test
    void whyNothingCouldBeMeasuredIsCut() {
        worker("w1");
        rig.submit("job", tolerant());
        untilAsked(client("job"));
        rig.measured(PipelineProfiled.newBuilder(profiled(
                        asked(ProfilePipeline.class),
                        commands(ProfilePipeline.class).get(0)))
                .setFailure("x".repeat(1 << 20))
                .build());
        assertThat(order("job").getState()).isEqualTo("usual");
        assertThat(order("job").getReason()).hasSizeBetween(4_000, 5_000).endsWith("...");
    }

    // whoever looks for a better order holds each step against each other one
    @Test
    void aPipelineOfMoreStepsThanAnybodyWritesIsNotPutInOrder() {
        worker("w1");
        rig.submit("job", tolerant());
        untilAsked(client("job"));
        PipelineProfiled told = profiled(
                asked(ProfilePipeline.class), commands(ProfilePipeline.class).get(0));
        rig.measured(PipelineProfiled.newBuilder(told)
                .setSteps(Collections.nCopies(1_001, told.getSteps().get(0)))
                .build());
        assertThat(rig.quarantined().get(0).getReason()).isEqualTo("there must be at most 1000 steps, are 1001");
    }

    @Test
    void theNextJobOnTheSameDataRunsTheVariantFromItsBeginningAndOneOnOtherDataDoesNot() {
        worker("w1");
        completes("first", changed("first", tolerant()), 1);
        rig.submit("second", tolerant());
        completes("second", client("second"), 1);
        assertThat(graphs("second")).isNotEmpty().allMatch(VARIANT::equals);
        rig.submit(
                "other",
                Submit.newBuilder(tolerant()).setDataGlobs(List.of("/other/*")).build());
        rig.submit("exact", Submit.newBuilder(tolerant()).setOrder("exact").build());
        seconds(2);
        assertThat(graphs("other")).isNotEmpty().doesNotContain(VARIANT);
        assertThat(graphs("exact")).isNotEmpty().doesNotContain(VARIANT);
    }

    private static List<CachePoint> points(String drawn) {
        return List.of(new CachePoint(0, "TFRecord", "50urce"), new CachePoint(1, "cache", drawn));
    }

    /** A job of which all that can be is kept, also what it draws, whose own order keeps this. */
    private Submit keeping(long seed, String drawn) {
        rig.eachPlan(plan -> plan.put("cachePoints", points(drawn)));
        return Submit.newBuilder(tolerant())
                .setSeed(seed)
                .setCache("full")
                .setEpochs(2)
                .build();
    }

    private List<Optional<String>> kept(String job) {
        return commands(StartAttempt.class).stream()
                .filter(start -> start.getJob().equals(job))
                .map(start -> start.getCache().map(CacheOrder::getPrefix))
                .toList();
    }

    // what a cache of the user's keeps of draws follows from the seed: entries behind it are other ones for each
    @Test
    void whatMayBeKeptOfAProvedOrderIsAskedBySeedOfTheJobThatBeginsInIt() {
        worker("w1");
        rig.submit("first", keeping(1, "drawn by 1"));
        PretendClient client = client("first");
        untilAsked(client);
        rig.measured(profiled("w1", commands(ProfilePipeline.class).get(0)));
        VerifyVariant verify = commands(VerifyVariant.class).get(0);
        rig.measured(verified("w1", verify)
                .setCachePoints(points("drawn in its order by 1"))
                .build());
        completes("first", client, 2);
        assertThat(kept("first")).contains(Optional.of("drawn in its order by 1"));

        rig.submit("again", keeping(1, "drawn by 1"));
        completes("again", client("again"), 2);
        assertThat(kept("again")).isNotEmpty().allMatch(Optional.of("drawn in its order by 1")::equals);
        assertThat(commands(ProfilePipeline.class)).hasSize(1);

        rig.submit("second", keeping(2, "drawn by 2"));
        PretendClient other = client("second");
        for (int i = 0; i < 30 && commands(ProfilePipeline.class).size() < 2; i++) {
            seconds(1, other);
        }
        ProfilePipeline asked = commands(ProfilePipeline.class).get(1);
        assertThat(asked.getPipelineDigest()).isEqualTo(VARIANT);
        assertThat(asked.getSeed()).isEqualTo(2);
        assertThat(rig.status("second").getCache()).contains("by the job's own seed");
        rig.measured(PipelineProfiled.newBuilder(profiled("w1", asked))
                .setCachePoints(points("drawn in its order by 2"))
                .setPointMeasures(
                        List.of(new PointMeasure(0, 1e6, 50.0, 1e5, 9e5), new PointMeasure(1, 9e7, 100.0, 1e6, 1e6)))
                .setAllNanos(1e8)
                .build());
        completes("second", other, 2);
        assertThat(graphs("second")).isNotEmpty().allMatch(VARIANT::equals);
        assertThat(kept("second"))
                .contains(Optional.of("drawn in its order by 2"))
                .doesNotContain(Optional.of("drawn in its order by 1"));
        assertThat(rig.status("second").getCache()).startsWith("it keeps what comes out of cache");
    }

    @Test
    void whereNobodySaysWhatMayBeKeptOfAProvedOrderItIsComputed() {
        worker("w1");
        rig.submit("first", keeping(1, "drawn by 1"));
        PretendClient client = client("first");
        untilAsked(client);
        rig.measured(profiled("w1", commands(ProfilePipeline.class).get(0)));
        rig.measured(verified("w1", commands(VerifyVariant.class).get(0))
                .setCachePoints(points("drawn in its order by 1"))
                .build());
        completes("first", client, 2);

        rig.submit("second", keeping(2, "drawn by 2"));
        PretendClient other = client("second");
        for (int i = 0; i < 30 && commands(ProfilePipeline.class).size() < 2; i++) {
            seconds(1, other);
        }
        ProfilePipeline asked = commands(ProfilePipeline.class).get(1);
        rig.measured(PipelineProfiled.newBuilder(profiled("w1", asked))
                .setFailure("it broke")
                .setSteps(List.of())
                .setFactors(List.of())
                .build());
        completes("second", other, 2);
        assertThat(kept("second")).isNotEmpty().allMatch(Optional.empty()::equals);
        assertThat(rig.status("second").getCache()).isEqualTo("it computes: it could not be measured, since it broke");
        assertThat(commands(ProfilePipeline.class)).hasSize(2);
    }

    // the row is called as one of a dispatcher with older rules
    @Test
    void noJobBeginsInAnOrderThatOlderRulesHaveAdmitted() {
        worker("w1");
        completes("first", changed("first", tolerant()), 1);
        byte[] key = rig.rows().keys(Rig.POOL).stream()
                .filter(each -> each[0] == 'f')
                .findFirst()
                .orElseThrow();
        byte[] row = rig.rows().get(key);
        rig.rows().delete(key);
        String older = new String(key, StandardCharsets.UTF_8)
                .replace("rules " + OrderCourse.RULES, "rules " + (OrderCourse.RULES - 1));
        rig.rows().put(older.getBytes(StandardCharsets.UTF_8), row);
        rig.submit("second", tolerant());
        seconds(2);
        assertThat(graphs("second")).isNotEmpty().doesNotContain(VARIANT);
    }

    @Test
    void aDispatcherThatTakesOverKnowsWhatRuns() {
        worker("w1");
        PretendClient client = changed("job", tolerant());
        rig.restart();
        completes("job", client, 1);
        assertThat(graphs("job")).contains(VARIANT);
        assertThat(order("job").getState()).isEqualTo("changed");
    }

    @Test
    void whereTheWorkerThatMeasuresIsLostAnotherOneIsAsked() {
        PretendWorker first = worker("w1");
        worker("w2");
        rig.submit("job", tolerant());
        PretendClient client = client("job");
        untilAsked(client);
        assertThat(asked(ProfilePipeline.class)).isEqualTo("w1");
        first.kill();
        seconds(15, client);
        assertThat(asked(ProfilePipeline.class)).isEqualTo("w2");
        assertThat(commands(ProfilePipeline.class)).hasSize(2);
        // what the lost one told comes late
        rig.measured(profiled("w1", commands(ProfilePipeline.class).get(1)));
        assertThat(commands(VerifyVariant.class)).isEmpty();
        completes("job", client, 1);
    }

    @Test
    void anAttemptThatFailsInTheVariantIsReadAgainInTheUsersOrder() {
        PretendWorker worker = worker("w1");
        PretendClient client = changed("job", tolerant());
        seconds(3, client);
        AttemptKey running = worker.started().get(worker.started().size() - 1);
        assertThat(graphs("job")).endsWith(VARIANT);
        rig.beat(Rig.worker("w1", 2)
                .setAttempts(List.of(ToldProgress.of(running)
                        .setPhase(AttemptPhase.FAILED)
                        .setFailure(new AttemptFailure(FailureKind.REFUSED, "record 7 of f-3 is no picture", 0L))
                        .build()))
                .build());
        assertThat(order("job").getState()).isEqualTo("usual");
        assertThat(order("job").getReason())
                .isEqualTo("the user's order comes back: in the other one an attempt failed, record 7 of f-3 is no"
                        + " picture");
        completes("job", client, 1);
        assertThat(graphs("job").get(graphs("job").size() - 1)).isEqualTo("digest");
        // nobody else begins with it
        rig.submit("second", tolerant());
        seconds(2);
        assertThat(graphs("second")).isNotEmpty().doesNotContain(VARIANT);
    }

    @Test
    void whereAnAttemptFailedInTheVariantTheOthersThatRunItEnd() {
        PretendWorker worker = worker("w1");
        worker("w2");
        PretendClient client = changed("job", tolerant());
        seconds(3, client);
        AttemptKey running = worker.started().get(worker.started().size() - 1);
        rig.beat(Rig.worker("w1", 2)
                .setAttempts(List.of(ToldProgress.of(running)
                        .setPhase(AttemptPhase.FAILED)
                        .setFailure(new AttemptFailure(FailureKind.REFUSED, "record 7 of f-3 is no picture", 0L))
                        .build()))
                .build());
        seconds(3, client);
        assertThat(journal("job", JournalKind.ATTEMPT_OUTDATED))
                .anySatisfy(entry -> assertThat(entry.getReason()).endsWith(" runs an order that is used no more"));
        completes("job", client, 1);
    }

    @Test
    void aJobOfASingleTaskChangesWithItsNextEpoch() {
        PretendWorker worker = worker("w1");
        worker.plans(Guarantee.EXACTLY_ONCE, true);
        PretendClient client =
                changed("job", Submit.newBuilder(tolerant()).setEpochs(3).build());
        completes("job", client, 3);
        List<StartAttempt> starts = commands(StartAttempt.class);
        assertThat(starts)
                .allSatisfy(start ->
                        assertThat(start.getPipelineDigest().equals(VARIANT)).isEqualTo(start.getEpoch() > 0));
        assertThat(starts).extracting(StartAttempt::getEpoch).contains(0, 1, 2);
    }

    @Test
    void aJobWhoseEpochsTakeNoLongerThanASecondIsMeasuredToo() {
        worker("w1", 3);
        rig.submit("job", Submit.newBuilder(tolerant()).setEpochs(400).build());
        untilAsked(client("job"));
        Map<String, Double> seen =
                journal("job", JournalKind.ORDER_WANTED).get(0).getObservation().getNumbers();
        assertThat(seen.get("opened")).isGreaterThan(1);
        assertThat(seen.get("splits")).isBetween(1000.0, 1200.0);
    }

    @Test
    void whatWasReadBeforeAPauseSaysNothingOfHowLongTheRestTakes() {
        PretendWorker worker = worker("w1");
        worker.busy(0);
        rig.submit("job", tolerant());
        PretendClient client = client("job");
        seconds(2, client);
        rig.request("job", "client", new Pause(true));
        seconds(1000, client);
        rig.request("job", "client", new Pause(false));
        worker.busy(0.1);
        untilAsked(client);
        Map<String, Double> seen =
                journal("job", JournalKind.ORDER_WANTED).get(0).getObservation().getNumbers();
        assertThat(seen.get("workedSeconds")).isBetween(2.0, 30.0);
        assertThat(seen.get("opened")).isPositive();
        assertThat(seen.get("splits")).isBetween(1.0, FILES - 1.0);
    }

    @Test
    void aJobThatAsksForNoOrderOrIsOverSoonIsNotMeasured() {
        worker("w1");
        rig.submit("off", Rig.submit().setOrder("off").build());
        PretendClient client = client("off");
        completes("off", client, 1);
        assertThat(commands(ProfilePipeline.class)).isEmpty();
        assertThat(order("off").getMode()).isEqualTo("off");
    }

    @Test
    void aWordThatIsNoOrderIsRefused() {
        worker("w1");
        rig.submit("job", Rig.submit().setOrder("best").build());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
        assertThat(rig.status("job").getReason())
                .isEqualTo("order must be one of [exact, tolerant, pecan, off], is 'best'");
        assertThat(rig.status("job").getOrder()).isEmpty();
    }

    @Test
    void ofAJobThatEndsWhileItsOrderIsMeasuredNothingIsWaitedFor() {
        worker("w1");
        rig.submit("job", tolerant());
        untilAsked(client("job"));
        assertThat(order("job").getState()).isEqualTo("profiling");
        rig.cancel("job", "");
        assertThat(order("job").getState()).isEqualTo("usual");
        assertThat(order("job").getReason()).isEqualTo("the job ended before its order was decided on: the user's ran");
    }

    @Test
    void whatNobodyCanHaveMeasuredGoesToQuarantine() {
        worker("w1");
        rig.submit("job", tolerant());
        PretendClient client = client("job");
        untilAsked(client);
        ProfilePipeline asked = commands(ProfilePipeline.class).get(0);
        PipelineProfiled right = profiled("w1", asked);
        Stream.of(
                        PipelineProfiled.newBuilder(right).setRecords(-1).build(),
                        PipelineProfiled.newBuilder(right)
                                .setCallNanos(Double.NaN)
                                .build(),
                        PipelineProfiled.newBuilder(right).setWorker("").build(),
                        PipelineProfiled.newBuilder(right)
                                .setFactors(List.of(new StepFactors("cast", -1L, 0L, 0L, 0L)))
                                .build())
                .forEach(rig::measured);
        assertThat(rig.quarantined()).hasSize(4);
        assertThat(commands(VerifyVariant.class)).isEmpty();
        // a kind that this dispatcher does not know is nothing that moves
        List<PipelineStep> newer = right.getSteps().stream()
                .map(step -> PipelineStep.newBuilder(step).setKind("QUANTUM").build())
                .toList();
        rig.measured(PipelineProfiled.newBuilder(right).setSteps(newer).build());
        assertThat(order("job").getState()).isEqualTo("usual");
        assertThat(order("job").getReason()).contains("nothing can move");
    }

    @Test
    void aWorkerThatNeverAnswersIsAskedThreeTimesAtMost() {
        worker("w1");
        rig.submit("job", Submit.newBuilder(tolerant()).setEpochs(1000).build());
        PretendClient client = client("job");
        for (int i = 0; i < 400; i++) {
            seconds(1, client);
        }
        assertThat(commands(ProfilePipeline.class)).hasSize(3);
        assertThat(order("job").getState()).isEqualTo("usual");
        assertThat(order("job").getReason()).contains("nobody answered within 120 s");
        rig.pass(Duration.ofSeconds(1));
    }
}
