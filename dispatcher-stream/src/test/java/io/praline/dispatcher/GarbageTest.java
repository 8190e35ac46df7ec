package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.ledger.CachePoints;
import io.praline.dispatcher.ledger.GroupName;
import io.praline.dispatcher.ledger.GroupRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.ProvedOrders;
import io.praline.dispatcher.ledger.ProvedRow;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.ordering.course.Variant;
import io.praline.policy.ordering.plan.Proof;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.PlanSplits;
import io.praline.schema.ScalingTarget;
import io.praline.schema.VerifyVariant;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is over leaves state and topics. */
class GarbageTest {
    private static final ProtocolLimits USUAL = ProtocolLimits.USUAL;

    private final Rig rig = new Rig(new Rules(
            "every-worker",
            Rig.RULES.division(),
            Rig.RULES.poolSize(),
            new ProtocolLimits(
                    USUAL.workerSilence(),
                    USUAL.consumerSilence(),
                    USUAL.lease(),
                    USUAL.repeatAfter(),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(100),
                    USUAL.engineFailures(),
                    USUAL.room(),
                    USUAL.renewal())));

    @AfterEach
    void close() {
        rig.close();
    }

    /** Time passes while somebody is there. */
    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            rig.beat(Rig.worker("w1", 1).build());
            rig.pass(Duration.ofSeconds(1));
        }
    }

    @Test
    void theUsualTimeIsLongerThanAnyTopicKeepsARecord() {
        Topics.all().stream()
                .map(Topic::retention)
                .filter(retention -> !retention.equals(Topic.FOREVER))
                .forEach(retention -> assertThat(USUAL.pastKept()).isGreaterThan(retention));
    }

    @Test
    void aJobsIdIsFreeAgainWhenNoTopicTellsOfItAnyMore() {
        rig.submit("job", Rig.submit().setMaxLocal(1).setMaxRemote(0).build());
        rig.attach("job", 0, "c");
        pass(1);
        rig.cancel("job", "enough");
        assertThat(rig.targets()).extracting(ScalingTarget::getSubject).contains("job@trainer");
        pass(12);
        assertThat(rig.rows().count('j')).isZero();
        assertThat(rig.rows().count('d')).isEqualTo(1);
        // still taken, also for the dispatcher that takes over
        rig.restart();
        rig.request("job", "somebody-else", Rig.submit().build());
        assertThat(rig.status("job").getState()).isEqualTo(JobState.CANCELLED);
        assertThat(rig.rows().count('j')).isZero();
        assertThat(rig.forgotten()).isEmpty();
        pass(110);
        assertThat(rig.forgotten()).containsExactly("job", "job@trainer");
        assertThat(rig.rows().count('d')).isZero();
        rig.request("job", "somebody-else", Rig.submit().build());
        assertThat(rig.status("job").getRequester()).isEqualTo("somebody-else");
    }

    /** What worker w1 was told last to plan. */
    private PlanSplits order(String job) {
        return rig.commands("w1").stream()
                .filter(PlanSplits.class::isInstance)
                .map(PlanSplits.class::cast)
                .filter(plan -> plan.getJob().equals(job))
                .reduce((before, after) -> after)
                .orElseThrow();
    }

    private void plannedAndCancelled(String job) {
        rig.submit(job, Rig.submit().build());
        rig.plan(job, order(job), "w1", 2);
        rig.cancel(job, "enough");
    }

    // forgotten after 10 s, past for 100 s: the first is past at about 111 s, the second at about 131 s
    @Test
    void aGraphGoesWithTheLastJobOfThePoolThatHadIt() {
        pass(1);
        plannedAndCancelled("first");
        pass(20);
        plannedAndCancelled("second");
        pass(100);
        rig.restart();
        assertThat(rig.forgotten()).containsExactly("first");
        pass(25);
        assertThat(rig.forgotten())
                .containsExactly(
                        "first",
                        "second",
                        Topics.graphKey(Rig.POOL, "digest"),
                        Topics.descriptionKey(Rig.POOL, "digest"));
    }

    // its worker had written the graph down when it was refused, or was planning it still when it was cancelled
    @Test
    void aGraphGoesAlsoWhereNothingCameOfThePlan() {
        pass(1);
        rig.submit("refused", Rig.submit().setStrict(true).build());
        rig.plan("refused", order("refused"), "w1", 2, Guarantee.AT_LEAST_ONCE, false);
        assertThat(rig.status("refused").getState()).isEqualTo(JobState.FAILED);
        rig.submit("cancelled", Rig.submit().build());
        rig.cancel("cancelled", "enough");
        rig.eachPlan(plan -> plan.put("pipelineDigest", "late"));
        rig.plan("cancelled", order("cancelled"), "w1", 2);
        rig.submit("many", Rig.submit().setEpochs(400_001).build());
        rig.eachPlan(plan -> plan.put("pipelineDigest", "many"));
        rig.plan("many", order("many"), "w1", 2);
        assertThat(rig.status("many").getState()).isEqualTo(JobState.FAILED);
        rig.restart();
        pass(115);
        assertThat(rig.forgotten())
                .contains(
                        Topics.graphKey(Rig.POOL, "digest"),
                        Topics.graphKey(Rig.POOL, "late"),
                        Topics.graphKey(Rig.POOL, "many"));
    }

    // cancelled while a worker plans it, which takes longer than the job is remembered
    @Test
    void soDoesTheGraphOfAPlanThatComesWhenItsJobIsForgotten() {
        pass(1);
        rig.submit("cancelled", Rig.submit().build());
        PlanSplits order = order("cancelled");
        rig.cancel("cancelled", "enough");
        pass(20);
        assertThat(rig.rows().count('j')).isZero();
        for (String digest : new String[] {"late", "late", ""}) {
            rig.eachPlan(plan -> plan.put("pipelineDigest", digest));
            rig.plan("cancelled", order, "w1", 2);
        }
        rig.restart();
        assertThat(rig.forgotten()).isEmpty();
        pass(100);
        assertThat(rig.forgotten())
                .containsExactly(
                        "cancelled", Topics.graphKey(Rig.POOL, "late"), Topics.descriptionKey(Rig.POOL, "late"));
    }

    // whoever plans it may just have written the same graph
    @Test
    void noGraphGoesWhileAJobOfThePoolIsBeingPlanned() {
        pass(1);
        plannedAndCancelled("first");
        rig.submit("slow", Rig.submit().build());
        pass(130);
        assertThat(rig.forgotten()).isEmpty();
        rig.eachPlan(plan -> plan.put("pipelineDigest", "other"));
        rig.plan("slow", order("slow"), "w1", 2);
        pass(2);
        assertThat(rig.forgotten())
                .containsExactly(
                        "first", Topics.graphKey(Rig.POOL, "digest"), Topics.descriptionKey(Rig.POOL, "digest"));
    }

    private static ProvedRow proved(String digest, int at) {
        return new ProvedRow(
                new Variant(digest, List.of("resize"), Proof.TOLERANT, 0.5, 2, 2),
                CachePoints.NONE,
                "past",
                Instant.ofEpochSecond(at),
                OptionalLong.empty(),
                CachePoints.NONE);
    }

    // 200 are remembered, the newest; two are as old as each other
    @Test
    void anOrderThatIsNotRememberedAnyMoreTakesItsGraphAlong() {
        ProvedOrders orders = new Ledger(rig.rows()).proved(Rig.POOL);
        for (int order = 0; order < 202; order++) {
            orders.save("pipeline " + order, proved("variant-" + order, order / 2));
        }
        rig.restart();
        rig.submit("slow", Rig.submit().build());
        pass(2);
        assertThat(rig.forgotten()).as("while one may be written").isEmpty();
        rig.plan("slow", order("slow"), "w1", 2);
        pass(2);
        assertThat(rig.forgotten())
                .containsExactly(
                        Topics.graphKey(Rig.POOL, "variant-0"),
                        Topics.descriptionKey(Rig.POOL, "variant-0"),
                        Topics.graphKey(Rig.POOL, "variant-1"),
                        Topics.descriptionKey(Rig.POOL, "variant-1"));
        assertThat(rig.rows().count('f')).isEqualTo(200);
    }

    // forgotten after 10 s, past for 100 s
    @Test
    void anotherOrderThatWasWrittenDownAndNotUsedGoesWithItsJob() {
        pass(1);
        rig.submit("job", Rig.submit().build());
        rig.plan("job", order("job"), "w1", 2);
        VerifyVariant asked = VerifyVariant.newBuilder()
                .setJob("job")
                .setTrial(1)
                .setPipelineDigest("digest")
                .setSections(List.of())
                .setSample(List.of())
                .setRecords(0)
                .setNanos(0)
                .build();
        rig.measured(OrderingTest.verified("w1", asked).build());
        rig.restart();
        rig.cancel("job", "enough");
        pass(115);
        assertThat(rig.forgotten())
                .contains("job", Topics.graphKey(Rig.POOL, "digest"), Topics.graphKey(Rig.POOL, "the-variant"));
    }

    // what a tenant spent counts until its last job is as long past
    @Test
    void aTenantThatHasNoJobAnyMoreGoes() {
        rig.submit("job", Rig.submit().setTenant("gone").setTenantCap(50).build());
        pass(1);
        rig.cancel("job", "enough");
        pass(50);
        assertThat(rig.rows().count('t')).isEqualTo(1);
        pass(110);
        assertThat(rig.rows().kinds()).isEqualTo("lqvw");
    }

    // the job is forgotten after 10 s and past for 100 s, its tenant as long: nobody is left to tell time for
    @Test
    void whatIsOverGoesAlsoWhereNobodyIsThereAnyMore() {
        rig.submit("job", Rig.submit().build());
        pass(1);
        rig.cancel("job", "enough");
        rig.beat(Rig.worker("w1", 1).setLeaving(true).build());
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.rows().kinds()).contains("d");
        rig.restart();
        rig.pass(Duration.ofMinutes(3));
        // the format and the clock
        assertThat(rig.rows().kinds()).isEqualTo("lv");
        assertThat(rig.targets()).extracting(ScalingTarget::getSubject).containsOnly(Rig.POOL);
        assertThat(rig.forgotten()).containsExactlyInAnyOrder("job", Rig.POOL);
        assertThat(rig.pool(Rig.POOL)).isEmpty();
        Instant then = rig.time();
        rig.pass(Duration.ofSeconds(10));
        assertThat(rig.time()).as("nothing is left that time takes away").isEqualTo(then);
    }

    // nobody has been in its pool for longer than a group without entries is remembered
    @Test
    void aGroupOfEntriesGoesThoughNobodyIsInItsPoolAnyMore() {
        new Ledger(rig.rows()).saveGroup("gone", new GroupName("default", "dec0de"), GroupRow.NEW);
        rig.restart();
        assertThat(rig.rows().count('n')).isEqualTo(1);
        pass(40);
        assertThat(rig.rows().count('n')).isZero();
        assertThat(rig.pool("gone")).isEmpty();
    }

    @Test
    void poolsThatBeatsMakeUpGoWithTheirWorkers() {
        rig.beat(Rig.worker("w1", 1).build());
        for (int pool = 0; pool < 200; pool++) {
            rig.beat("made-up-" + pool, Rig.worker("w" + pool, 1).build());
        }
        assertThat(rig.rows().count('q')).isEqualTo(201);
        for (int second = 0; second < 10; second++) {
            rig.pass(Duration.ofSeconds(1));
            rig.beat(Rig.worker("w1", 1).build());
        }
        assertThat(rig.rows().count('q')).isEqualTo(1);
        assertThat(rig.rows().count('w')).isEqualTo(1);
    }
}
