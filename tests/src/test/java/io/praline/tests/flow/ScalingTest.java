package io.praline.tests.flow;

import static org.awaitility.Awaitility.await;

import io.praline.client.CacheMode;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.PipelineYaml;
import io.praline.tests.flow.PacedTrainer.Mix;
import io.praline.tests.rig.OwnKafka;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Workers that come and go by the dispatcher's decisions: a pool of at most three, and at most two on the trainer's host.
 * Each makes a batch in 50 ms and uses no core for it: 20 batches/s. An epoch is longer than a test, since windows at its end
 * tell of the last splits and not of the workers.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@OwnKafka("praline up brings it, and the workers that come and go")
@Tag("long")
class ScalingTest {
    private static final String THROTTLED = """
            source:
              range: {to: 512000}
            steps:
              - batch: {size: 32, drop_remainder: true}
              - sleep: {microseconds: 50000}
              - prefetch: {size: 2}
            names: [number]
            """;

    private static ScalableCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = ScalableCluster.start(3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** Only the number of its workers is decided upon: its steps are not measured meanwhile. */
    private static JobSpec throttled() {
        return JobSpec.of(PipelineYaml.parse("throttled", THROTTLED))
                .named("throttled")
                .order(JobSpec.Order.OFF)
                .cache(CacheMode.OFF)
                .epochs(1_000);
    }

    /** Waits until the mix has been this one for six seconds: four windows, of which each is an occasion to move on. */
    private static void settles(PacedTrainer trainer, Mix mix, Duration atMost) {
        await("settles at " + mix)
                .atMost(atMost)
                .during(Duration.ofSeconds(6))
                .pollInterval(Duration.ofMillis(100))
                .until(trainer::mix, mix::equals);
    }

    private static JobSpec fixed(int remote, int local) {
        Map<String, String> settings = Map.of("remote", Integer.toString(remote), "local", Integer.toString(local));
        return throttled().maxLocal(2).policy(new JobSpec.PolicyChoice("fixed", settings, ""));
    }

    // workers of both kinds by the policy; the user wants two local ones and none of the pool, then leaves it to the
    // policy again. A worker that is to go delivers what it was given first, 15 s of its work: so the loop takes more
    // than all of them make
    @Test
    void aPinMovesTheWorkersThatWereDecidedUponAndUnpinningGivesThemBack() {
        try (PralineClient client = cluster.client();
                PacedTrainer trainer = new PacedTrainer(client, fixed(2, 1), 5)) {
            settles(trainer, new Mix(2, 1), Duration.ofMinutes(5));
            cluster.praline("job", "pin", trainer.job(), "--remote", "0", "--local", "2");
            settles(trainer, new Mix(0, 2), Duration.ofMinutes(5));
            cluster.praline("job", "unpin", trainer.job());
            settles(trainer, new Mix(2, 1), Duration.ofMinutes(5));
        }
    }

    private static JobSpec priced(double client, double remote) {
        return throttled().goal(JobSpec.Goal.COST).prices(client, remote);
    }

    // money an hour over batches/s, at 50 batches/s at most:
    // 0+2: 1 / 40 = 0.025; 0+1: 1 / 20 = 0.05; with one remote worker: at least 11 / 50 = 0.22
    @Test
    void aDearRemoteWorkerIsLeftOut() {
        try (PralineClient client = cluster.client();
                PacedTrainer trainer = new PacedTrainer(client, priced(1, 10).maxLocal(2), 20)) {
            settles(trainer, new Mix(0, 2), Duration.ofMinutes(5));
        }
    }

    // money an hour over batches/s. At 53 batches/s at most, which is 18 ms a batch and what the loop needs by itself:
    // 1+2: 1.05 / 53 = 0.0198; 2+1: 1.1 / 53 = 0.0208; 0+2: 1 / 40 = 0.025; 1+1: 1.05 / 40 = 0.0263; the first is the
    // best until the loop has 42 batches/s, 24 ms a batch, as on a machine that does much beside
    // at 95 batches/s, which is 10 ms: 2+2: 1.1 / 80 = 0.0138; 1+2: 1.05 / 60 = 0.0175
    @Test
    void aCheapRemoteWorkerIsAddedAndAnotherOneWhenTheTrainerSpeedsUp() {
        try (PralineClient client = cluster.client();
                PacedTrainer trainer =
                        new PacedTrainer(client, priced(1, 0.05).maxLocal(2).maxRemote(2), 18)) {
            settles(trainer, new Mix(1, 2), Duration.ofMinutes(5));
            trainer.step(10);
            settles(trainer, new Mix(2, 2), Duration.ofMinutes(5));
        }
    }

    // at 53 batches/s, which is 18 ms a batch and what the loop needs by itself:
    // 3+0: 3.6 / 53 = 0.068; 2+0: 3.4 / 40 = 0.085; 1+0: 3.2 / 20 = 0.16
    @Test
    void whereNoneIsAllowedOnItsHostRemoteWorkersDoAll() {
        try (PralineClient client = cluster.client();
                PacedTrainer trainer = new PacedTrainer(client, priced(3, 0.2), 18)) {
            settles(trainer, new Mix(3, 0), Duration.ofMinutes(5));
        }
    }
}
