package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.GroupRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.identity.AttemptKey;
import io.praline.schema.AttemptFailure;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheGroup;
import io.praline.schema.CacheOrder;
import io.praline.schema.CachePoint;
import io.praline.schema.CacheReport;
import io.praline.schema.CacheStatus;
import io.praline.schema.CacheTargets;
import io.praline.schema.DropCache;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JournalEntry;
import io.praline.schema.PinCache;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PointMeasure;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.StartAttempt;
import io.praline.schema.Submit;
import io.praline.schema.WorkerCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What of jobs is kept and read again: who measures, what attempts read and make, what stores may have. */
class CachingTest {
    private static final int FILES = 100;
    private static final String DECODED = "dec0de";
    private static final List<CachePoint> POINTS =
            List.of(new CachePoint(0, "TFRecord", "50urce"), new CachePoint(1, "map", DECODED));

    private final Rig rig = new Rig();
    private final Map<String, PretendWorker> workers = new LinkedHashMap<>();
    private final PretendStore store = new PretendStore("store", 1_000_000, true);

    @AfterEach
    void close() {
        rig.close();
    }

    private PretendWorker worker(String id, PretendStore keeps) {
        PretendWorker worker = new PretendWorker(rig, id, 2, FILES);
        worker.busy(0.1);
        worker.keeps(keeps);
        workers.put(id, worker);
        worker.beat();
        return worker;
    }

    private PretendWorker worker(String id) {
        rig.eachPlan(plan -> plan.put("cachePoints", POINTS));
        return worker(id, store);
    }

    private PretendClient client(String job) {
        return new PretendClient(rig, job, 0, workers);
    }

    private void seconds(int count, PretendClient... clients) {
        rig.seconds(count, workers.values(), clients);
    }

    /** A job whose order nobody measures. */
    private static Submit.Builder job(int epochs) {
        return Rig.submit().setOrder("off").setEpochs(epochs);
    }

    private <C> List<C> commands(Class<C> kind) {
        return rig.everSent().stream()
                .map(WorkerCommand::getBody)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private List<Optional<CacheOrder>> orders(String job) {
        return commands(StartAttempt.class).stream()
                .filter(start -> start.getJob().equals(job))
                .map(StartAttempt::getCache)
                .toList();
    }

    private List<JournalEntry> journal(String key, JournalKind kind) {
        return rig.journal().stream()
                .filter(entry -> entry.getJob().equals(key)
                        && entry.getObservation().getKind().equals(kind.text()))
                .toList();
    }

    private static PipelineProfiled profiled(String worker, ProfilePipeline asked) {
        return PipelineProfiled.newBuilder()
                .setWorker(worker)
                .setIncarnation(worker + "-1")
                .setJob(asked.getJob())
                .setTrial(asked.getTrial())
                .setFailure("")
                .setSteps(List.of())
                .setFactors(List.of())
                .setRecords(100)
                .setNanos(1_000_000_000)
                .setCallNanos(0)
                .setCachePoints(POINTS)
                .setPointMeasures(
                        List.of(new PointMeasure(0, 1e6, 50.0, 1e5, 9e5), new PointMeasure(1, 9e7, 100.0, 1e6, 1e6)))
                .setAllNanos(1e8)
                .build();
    }

    /** Up to where the points of a job are measured, and what pays is kept. */
    private PretendClient keeping(String job, Submit submit) {
        rig.submit(job, submit);
        PretendClient client = client(job);
        int before = commands(ProfilePipeline.class).size();
        for (int i = 0; i < 60 && commands(ProfilePipeline.class).size() == before; i++) {
            seconds(1, client);
        }
        assertThat(commands(ProfilePipeline.class))
                .as(rig.status(job).toString())
                .hasSize(before + 1);
        rig.measured(profiled("w1", commands(ProfilePipeline.class).get(before)));
        seconds(2, client);
        return client;
    }

    private void completes(String job, PretendClient client, int epochs) {
        for (int i = 0; i < 3000 && rig.status(job).getState() != JobState.COMPLETED; i++) {
            seconds(1, client);
        }
        assertThat(rig.status(job).getState()).as(rig.status(job).getReason()).isEqualTo(JobState.COMPLETED);
        for (int epoch = 0; epoch < epochs; epoch++) {
            assertThat(client.given(epoch))
                    .hasSize((int) PretendWorker.recordsOf(FILES))
                    .allSatisfy((ticket, times) -> assertThat(times).isEqualTo(1));
        }
    }

    @Test
    void whatIsReadAgainIsMeasuredAndKeptWherePaysAndReadFromThereWithNothingLostOrRepeated() {
        worker("w1");
        PretendClient client = keeping("job", job(4).build());
        ProfilePipeline asked = commands(ProfilePipeline.class).get(0);
        assertThat(asked.getTrial()).isGreaterThan(1_000_000);
        assertThat(asked.getPipelineDigest()).isEqualTo("digest");
        completes("job", client, 4);
        CacheOrder order = new CacheOrder("default", DECODED, 1, true);
        assertThat(orders("job").get(0)).isEmpty();
        assertThat(orders("job")).contains(Optional.of(order));
        assertThat(store.entries(DECODED)).isEqualTo(FILES);
        // at least the last two epochs are read from there
        assertThat(rig.status("job").getCacheHits()).isGreaterThanOrEqualTo(2 * PretendWorker.recordsOf(FILES));
        assertThat(journal("job", JournalKind.CACHE_LOOKED))
                .anySatisfy(
                        entry -> assertThat(entry.getDecision()).singleElement().satisfies(decided -> {
                            assertThat(decided.getCommand()).isEqualTo("useEntries");
                            assertThat(decided.getSubject()).isEqualTo(DECODED);
                            assertThat(decided.getTexts()).containsEntry("keeps", "what comes out of map");
                        }));
        assertThat(journal("job", JournalKind.ATTEMPT_OUTDATED).get(0).getReason())
                .isEqualTo("attempt 0 of epoch 0 reads no entries behind cache point 1, where they are to be read");
        assertThat(journal("job", JournalKind.ORDER_CHANGED)).isNotEmpty();
        assertThat(journal("pool:default", JournalKind.STORES_DIVIDED)).isNotEmpty();
        CacheStatus kept = rig.kept().get("default/default/" + DECODED);
        assertThat(kept.getEntries()).isEqualTo(FILES);
        assertThat(kept.getBytes()).isEqualTo(100 * PretendWorker.recordsOf(FILES));
        assertThat(kept.getSteps()).isEqualTo("what comes out of map in images");
        assertThat(kept.getSecondsSaved()).isGreaterThan(2 * PretendWorker.recordsOf(FILES) * 0.08);
        assertThat(kept.getLastUseMillis()).isPositive();
    }

    // files were written anew: the entries of what they held before lie there still, and stand in for none of them
    @Test
    void entriesOfFormerContentsKeepNoJobFromMakingItsOwn() {
        worker("w1");
        completes("first", keeping("first", job(3).build()), 3);
        store.dataChanged();
        PretendClient client = keeping("second", job(6).build());
        assertThat(rig.status("second").getCache()).contains("100 % of its splits have an entry");
        completes("second", client, 6);
        assertThat(store.entries(DECODED)).isEqualTo(2 * FILES);
        assertThat(rig.status("second").getCacheHits()).isGreaterThan(3 * PretendWorker.recordsOf(FILES));
    }

    @Test
    void whoFindsNoneOfTheEntriesThatThereAreSaysSoAndComputes() {
        worker("w1");
        completes("first", keeping("first", job(3).build()), 3);
        store.dataChanged();
        rig.submit("second", job(1).build());
        PretendClient client = client("second");
        completes("second", client, 1);
        assertThat(rig.status("second").getCacheHits()).isZero();
        assertThat(rig.status("second").getCache()).startsWith("it computes: ");
        assertThat(journal("second", JournalKind.ENTRIES_STORED))
                .extracting(JournalEntry::getReason)
                .contains("it computes: none of its splits has an entry with what comes out of map any more");
    }

    // what a worker measured is kept with the group, and divided at each tick: one that throws takes the time of all
    // pools along
    @Test
    void ofAGroupThatKeepsNearlyNothingOfARecordAByteIsWorthANumber() {
        GroupRow row = new GroupRow(
                "what comes out of map",
                9e7,
                1e-310,
                1,
                1,
                0,
                Instant.ofEpochMilli(rig.now()),
                true,
                false,
                new TreeMap<>(Map.of("store", new GroupRow.Held(3, 100))),
                0);
        new Ledger(rig.rows()).saveGroup(Rig.POOL, new GroupName("default", DECODED), row);
        rig.restart();
        worker("w1");
        rig.pass(Duration.ofSeconds(1));
        Instant before = rig.time();
        seconds(3);
        assertThat(Duration.between(before, rig.time())).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
        assertThat(rig.quarantined()).isEmpty();
    }

    @Test
    void theNextJobOnTheSameDataReadsWhatIsThereFromItsFirstSplits() {
        worker("w1");
        completes("first", keeping("first", job(3).build()), 3);
        rig.submit("second", job(1).build());
        PretendClient client = client("second");
        completes("second", client, 1);
        assertThat(orders("second")).isNotEmpty().allSatisfy(order -> assertThat(order)
                .contains(new CacheOrder("default", DECODED, 1, false)));
        assertThat(rig.status("second").getCacheHits()).isEqualTo(PretendWorker.recordsOf(FILES));
        assertThat(rig.status("second").getCache()).contains("100 % of its splits have an entry");
        // another tenant's are its own
        rig.submit("other", job(1).setTenant("somebody").build());
        completes("other", client("other"), 1);
        assertThat(orders("other")).isNotEmpty().allSatisfy(order -> assertThat(order)
                .isEmpty());
    }

    @Test
    void aDispatcherThatTakesOverKnowsWhatIsKeptAndWhatAttemptsRead() {
        worker("w1");
        PretendClient client = keeping("job", job(4).build());
        seconds(3, client);
        rig.restart();
        completes("job", client, 4);
        assertThat(rig.status("job").getCacheHits()).isGreaterThanOrEqualTo(2 * PretendWorker.recordsOf(FILES));
        long hits = rig.status("job").getCacheHits();
        rig.restart();
        rig.submit("second", job(1).build());
        seconds(1);
        assertThat(orders("second")).contains(Optional.of(new CacheOrder("default", DECODED, 1, false)));
        assertThat(rig.status("job").getCacheHits()).isEqualTo(hits);
        assertThat(rig.kept().get("default/default/" + DECODED).getEntries()).isEqualTo(FILES);
    }

    @Test
    void entriesThatWentWhileNobodyListenedAreThereNoMoreForTheDispatcherThatTakesOver() {
        worker("w1");
        completes("job", keeping("job", job(3).build()), 3);
        assertThat(rig.kept()).hasSize(1);
        rig.restart();
        store.late(true); // its worker tells of a store without groups
        seconds(12);
        assertThat(rig.quarantined()).isEmpty();
        assertThat(rig.kept()).isEmpty();
    }

    // what w2 made of them and nobody took is made once more, by w1
    @Test
    void elementsThatAreReadAgainBehindADeathCountOnceAmongThoseFromEntries() {
        worker("w1");
        completes("first", keeping("first", job(3).build()), 3);
        PretendWorker dies = worker("w2", store);
        rig.submit("second", job(1).build());
        PretendClient client = client("second");
        seconds(2, client);
        for (int i = 0; i < 5; i++) {
            dies.obey();
            dies.read();
            dies.beat();
        }
        client.fetch(1);
        client.next();
        client.report();
        dies.kill();
        completes("second", client, 1);
        assertThat(journal("second", JournalKind.FENCE_ANSWERED)).isNotEmpty();
        assertThat(rig.status("second").getCacheHits()).isEqualTo(PretendWorker.recordsOf(FILES));
    }

    // the loop that had a batch in its hands is gone, and another one is given it again
    @Test
    void elementsThatALoopDidNotGetDoneWithCountOnceAmongThoseFromEntries() {
        worker("w1");
        completes("first", keeping("first", job(3).build()), 3);
        rig.submit("second", job(1).build());
        PretendClient gone = client("second");
        seconds(3, gone);
        gone.fetch(4);
        gone.next();
        gone.report();
        rig.replace("second", 0, "young");
        PretendClient young = new PretendClient(rig, "second", 0, workers, "young");
        for (int i = 0; i < 3000 && rig.status("second").getState() != JobState.COMPLETED; i++) {
            seconds(1, young);
        }
        assertThat(rig.status("second").getState()).isEqualTo(JobState.COMPLETED);
        assertThat(rig.status("second").getCacheHits()).isEqualTo(PretendWorker.recordsOf(FILES));
    }

    @Test
    void aBrokenEntryCostsItsAttemptAndNothingElse() {
        PretendWorker worker = worker("w1");
        PretendClient client = keeping("job", job(4).build());
        for (int i = 0; i < 4; i++) {
            seconds(3, client);
            AttemptKey running = worker.started().get(worker.started().size() - 1);
            rig.beat(Rig.worker("w1", 2)
                    .setAttempts(List.of(failed(running, "split 7: its sum is wrong")))
                    .build());
        }
        assertThat(rig.status("job").getState()).isNotEqualTo(JobState.FAILED);
        assertThat(journal("job", JournalKind.ENTRY_BROKEN)).isNotEmpty();
        completes("job", client, 4);
    }

    @Test
    void anAttemptThatReadsNoEntriesCannotFailByOne() {
        PretendWorker worker = worker("w1");
        rig.submit("job", job(1).setCache("off").build());
        PretendClient client = client("job");
        for (int i = 0; i < 4 && rig.status("job").getState() != JobState.FAILED; i++) {
            seconds(3, client);
            AttemptKey running = worker.started().get(worker.started().size() - 1);
            rig.beat(Rig.worker("w1", 2)
                    .setAttempts(List.of(failed(running, "something")))
                    .build());
        }
        assertThat(rig.status("job").getState()).isEqualTo(JobState.FAILED);
    }

    private static AttemptProgress failed(AttemptKey key, String why) {
        return ToldProgress.of(key)
                .setPhase(AttemptPhase.FAILED)
                .setFailure(new AttemptFailure(FailureKind.CACHE, why, 0L))
                .build();
    }

    @Test
    void whatIsDroppedGoesFromItsStoreAndFromTheTopic() {
        worker("w1");
        completes("job", keeping("job", job(3).build()), 3);
        assertThat(rig.kept()).hasSize(1);
        rig.request("", "somebody", new DropCache("default", "dec"));
        seconds(4);
        assertThat(store.entries(DECODED)).isZero();
        assertThat(rig.kept()).isEmpty();
        assertThat(journal("pool:default", JournalKind.ENTRIES_DROPPED)).hasSize(1);
        // asked again, and for what is not there, nothing happens
        rig.request("", "somebody", new DropCache("default", "no such"));
        rig.request("", "somebody", new DropCache("somebody", DECODED));
        seconds(40);
        assertThat(journal("pool:default", JournalKind.ENTRIES_DROPPED)).hasSize(1);
        assertThat(rig.quarantined()).isEmpty();
    }

    @Test
    void whatIsPinnedStaysWhereTheStoreBecomesSmall() {
        worker("w1");
        completes("job", keeping("job", job(3).build()), 3);
        rig.request("", "somebody", new PinCache("default", "dec0", true));
        seconds(4);
        assertThat(rig.kept().get("default/default/" + DECODED).getPinned()).isTrue();
        assertThat(store.targets().get("default/" + DECODED).getPinned()).isTrue();
        rig.restart();
        store.budget(1000);
        seconds(15);
        assertThat(store.entries(DECODED)).isEqualTo(FILES);
        rig.request("", "somebody", new PinCache("default", DECODED, false));
        seconds(15);
        assertThat(store.targets().get("default/" + DECODED).getBytes()).isLessThanOrEqualTo(1000);
        assertThat(store.entries(DECODED)).isLessThan(FILES);
    }

    @Test
    void noMoreIsMadeThanTheStoreMayHold() {
        long all = 100 * PretendWorker.recordsOf(FILES);
        store.budget(all * 3 / 10);
        worker("w1");
        PretendClient client = keeping("job", job(5).build());
        completes("job", client, 5);
        assertThat(store.entries(DECODED)).isBetween(1, FILES / 2);
        assertThat(rig.kept().get("default/default/" + DECODED).getBytes()).isLessThanOrEqualTo(all * 3 / 10);
        // told when something changed, and every half minute
        assertThat(store.told()).isLessThan(60);
    }

    @Test
    void whatIsAskedForIsKeptWithoutBeingMeasuredAndOffKeepsNothing() {
        worker("w1");
        rig.submit("full", job(2).setCache("full").build());
        PretendClient client = client("full");
        completes("full", client, 2);
        assertThat(orders("full")).contains(Optional.of(new CacheOrder("default", DECODED, 1, true)));
        assertThat(commands(ProfilePipeline.class)).isEmpty();
        assertThat(rig.status("full").getCacheHits()).isPositive();
        rig.submit("off", job(3).setCache("off").build());
        completes("off", client("off"), 3);
        assertThat(orders("off")).allSatisfy(order -> assertThat(order).isEmpty());
        assertThat(rig.status("off").getCache()).isEqualTo("it computes, as was asked for");
        rig.submit("wrong", job(1).setCache("all").build());
        assertThat(rig.status("wrong").getReason())
                .isEqualTo("cache must be one of [auto, off, source, prefix, full], is 'all'");
    }

    @Test
    void aJobThatMeasuresNothingForgetsNothingThatAnotherMeasured() {
        worker("w1");
        completes("measured", keeping("measured", job(3).build()), 3);
        seconds(12);
        double saved = rig.kept().get("default/default/" + DECODED).getSecondsSaved();
        rig.submit("again", job(1).setCache("full").setPipelineName("another").build());
        completes("again", client("again"), 1);
        seconds(12);
        // 89 ms a record
        CacheStatus kept = rig.kept().get("default/default/" + DECODED);
        assertThat(kept.getSteps()).isEqualTo("what comes out of map in another");
        assertThat(kept.getSecondsSaved() - saved)
                .isCloseTo(
                        PretendWorker.recordsOf(FILES) * 0.089, within(0.1 * PretendWorker.recordsOf(FILES) * 0.089));
    }

    @Test
    void whatIsAskedForTakesWhatIsFreeAndNothingOfWhatIsThere() {
        worker("w1");
        rig.submit("first", job(1).setCache("full").build());
        PretendClient client = client("first");
        seconds(6, client);
        rig.cancel("first", "enough");
        seconds(15);
        int first = store.entries(DECODED);
        assertThat(first).isGreaterThan(1);
        rig.submit("second", job(6).setCache("source").build());
        completes("second", client("second"), 6);
        seconds(15);
        assertThat(store.entries(DECODED)).isEqualTo(first);
        assertThat(store.entries("50urce")).isGreaterThan(FILES / 2);
    }

    // as full as with what the first one keeps, which is over; of the next one nobody measures how much it keeps
    @Test
    void whatIsAskedForHasTheRoomOfWhatJobsLeftThatAreOver() {
        store.budget(100 * PretendWorker.recordsOf(FILES) * 11 / 10);
        worker("w1");
        rig.submit("first", job(2).setCache("full").build());
        completes("first", client("first"), 2);
        seconds(15);
        assertThat(store.entries(DECODED)).isEqualTo(FILES);
        rig.submit("second", job(2).setCache("source").build());
        completes("second", client("second"), 2);
        assertThat(store.entries("50urce")).isGreaterThan(FILES * 3 / 4);
    }

    @Test
    void whatCostsMoreToKeepThanItIsWorthGoesWhenNoJobReadsIt() {
        worker("w1");
        rig.submit("job", job(2).setCache("full").setPriceStorage(1e9).build());
        completes("job", client("job"), 2);
        assertThat(rig.status("job").getCacheHits()).isPositive();
        rig.restart();
        seconds(15);
        assertThat(store.entries(DECODED)).isZero();
        // to whoever pays nothing for it, it is worth what it saves
        rig.submit("free", job(2).setCache("full").build());
        completes("free", client("free"), 2);
        seconds(15);
        assertThat(store.entries(DECODED)).isEqualTo(FILES);
    }

    @Test
    void whatWasMadeSinceAStoreToldStaysWhenTheJobIsOver() {
        worker("w1");
        rig.submit("job", job(1).setCache("full").build());
        PretendClient client = client("job");
        seconds(3, client);
        store.stale(true); // what it tells is what it has now, whatever comes
        seconds(4, client);
        int made = store.entries(DECODED);
        rig.cancel("job", "enough");
        seconds(25);
        assertThat(store.entries(DECODED)).isGreaterThanOrEqualTo(made);
        store.stale(false);
        seconds(60);
        assertThat(store.entries(DECODED)).isGreaterThanOrEqualTo(made);
        assertThat(rig.kept().get("default/default/" + DECODED).getEntries()).isEqualTo(store.entries(DECODED));
    }

    @Test
    void whatAJobThatWasOverSoonMadeIsKnownWhenItsStoreTells() {
        worker("w1");
        store.late(true);
        rig.submit("job", job(1).setCache("full").build());
        PretendClient client = client("job");
        seconds(4, client);
        rig.cancel("job", "enough");
        int made = store.entries(DECODED);
        assertThat(made).isGreaterThan(1);
        seconds(20);
        store.late(false);
        assertThat(store.entries(DECODED)).isGreaterThanOrEqualTo(made);
        seconds(15);
        CacheStatus kept = rig.kept().get("default/default/" + DECODED);
        assertThat(kept.getEntries()).isGreaterThanOrEqualTo(made);
        assertThat(kept.getSteps()).isEqualTo("what comes out of map in images");
    }

    @Test
    void aSingleTaskAndElementsWithoutTicketsAreComputed() {
        PretendWorker worker = worker("w1");
        worker.plans(Guarantee.EXACTLY_ONCE, true);
        rig.submit("single", job(2).setCache("full").build());
        completes("single", client("single"), 2);
        worker.plans(Guarantee.AT_LEAST_ONCE, false);
        rig.submit("untracked", job(1).setCache("full").build());
        seconds(5, client("untracked"));
        assertThat(orders("single")).allSatisfy(order -> assertThat(order).isEmpty());
        assertThat(orders("untracked")).isNotEmpty().allSatisfy(order -> assertThat(order)
                .isEmpty());
        assertThat(rig.status("untracked").getCache()).contains("without tickets");
        assertThat(commands(CacheTargets.class)).isEmpty();
    }

    @Test
    void aStoreOfWhichNobodyTellsAnyMoreIsForgotten() {
        PretendWorker worker = worker("w1");
        completes("job", keeping("job", job(3).build()), 3);
        worker.kill();
        rig.pass(Duration.ofSeconds(60));
        assertThat(rig.kept()).isEmpty();
        worker.restart();
        seconds(3);
        assertThat(rig.kept()).hasSize(1);
        assertThat(rig.kept().get("default/default/" + DECODED).getSteps())
                .isEqualTo("what comes out of map in images");
    }

    @Test
    void aStoreThatCannotBeUsedIsSaidInALineAndTheJobComputesAndWhatIsThereStays() {
        worker("w1");
        completes("before", keeping("before", job(3).build()), 3);
        store.fails("the cache folder /entries cannot be used: it is read-only");
        rig.submit("job", job(2).setCache("source").build());
        PretendClient client = client("job");
        seconds(15, client);
        assertThat(rig.status("job").getCache())
                .endsWith("; the cache folder /entries cannot be used: it is read-only");
        completes("job", client, 2);
        assertThat(rig.status("job").getCacheHits()).isZero();
        assertThat(store.entries(DECODED)).isEqualTo(FILES);

        // who looks behind its end is told too, also when the folder works again
        store.fails("");
        seconds(15);
        assertThat(rig.status("job").getCache())
                .endsWith("; the cache folder /entries cannot be used: it is read-only");
    }

    @Test
    void aStoreThatNeverCouldBeUsedHasNoNameAndIsSaidTooAndWithoutAnyThatIsSaid() {
        worker("w1", new PretendStore("", 1000, true));
        workers.get("w1").keeps(new PretendStore("", 1000, true));
        rig.eachPlan(plan -> plan.put("cachePoints", POINTS));
        rig.submit("job", job(2).setCache("full").build());
        seconds(2, client("job"));
        assertThat(rig.status("job").getCache()).endsWith("; no worker has a store, see --cache-dir");
        PretendStore broken = new PretendStore("", 1000, true);
        broken.fails("the cache folder /entries cannot be used: it is a file");
        workers.get("w1").keeps(broken);
        seconds(7, client("job"));
        assertThat(rig.status("job").getCache()).endsWith("; the cache folder /entries cannot be used: it is a file");
    }

    @Test
    void whatIsAskedForIsMadeFromTheFirstSplitOnAlsoWhereTheOrderIsToBeMeasured() {
        worker("w1");
        rig.submit("job", Rig.submit().setCache("full").build());
        workers.get("w1").obey();
        List<Object> first = rig.commands("w1");
        assertThat(first).element(0).isInstanceOf(CacheTargets.class);
        assertThat(first).element(1).isInstanceOf(StartAttempt.class);
        assertThat(orders("job")).isNotEmpty().allSatisfy(order -> assertThat(order)
                .contains(new CacheOrder("default", DECODED, 1, true)));
    }

    @Test
    void turnsThatStumbleAndBeatsThatComeTwiceDoNoHarm() {
        worker("w1");
        worker("w2");
        rig.stumble(new Random(3));
        PretendClient client = keeping("job", job(4).build());
        for (int i = 0; i < 20; i++) {
            workers.values().forEach(PretendWorker::beat);
            rig.measured(profiled("w1", commands(ProfilePipeline.class).get(0)));
            seconds(1, client);
        }
        completes("job", client, 4);
        assertThat(rig.stumbled()).isPositive();
        assertThat(store.entries(DECODED)).isEqualTo(FILES);
    }

    @Test
    void whatNobodyCanHaveIsQuarantined() {
        worker("w1");
        rig.beat(Rig.worker("w1", 2)
                .setCache(new CacheReport(
                        "store", true, 10L, 5L, "", List.of(new CacheGroup("default", DECODED, -1L, 5L))))
                .build());
        assertThat(rig.quarantined().get(0).getReason()).isEqualTo("entries must not be negative, is -1");
        rig.request("", "somebody", new PinCache("", DECODED, true));
        assertThat(rig.quarantined().get(1).getReason()).startsWith("tenant must be 1 to 200 bytes");
    }
}
