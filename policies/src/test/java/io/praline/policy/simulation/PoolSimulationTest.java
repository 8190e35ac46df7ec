package io.praline.policy.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.scaling.EveryWorker;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolSimulationTest {
    private static World world(int maxRemote, double trainer, long epochs) {
        return new World(
                Worlds.terms(4.96, 0.427319, maxRemote, 0),
                new Rates(trainer, 170, List.of(), 0),
                new Delays(5, 5, 5),
                Worlds.NOISE,
                new Training(100_000, 128, epochs, 100, 0),
                Double.POSITIVE_INFINITY);
    }

    private static Crowd run(World pool, long seed, Entry... jobs) {
        return PoolSimulation.run(
                new Scenario("pool", pool, List.of(), List.of(jobs), Double.POSITIVE_INFINITY),
                new EveryWorker(),
                seed);
    }

    @Test
    void aCrowdSharesFairly() {
        Crowd crowd = run(
                world(100, 800, 10),
                1,
                new Entry("large", 20, 0, 20, 1, world(12, 800, 10)),
                new Entry("small", 20, 10, 20, 1, world(12, 340, 4)));
        assertThat(crowd.ended()).isEqualTo(40);
        assertThat(crowd.longestUnderShare()).isLessThanOrEqualTo(3);
        assertThat(crowd.jain()).isGreaterThanOrEqualTo(0.95);
    }

    // each wants all 4 workers; by weights 3 to 1 they get 3 and 1
    @Test
    void weightsDecide() {
        Crowd crowd = run(
                world(4, 800, 2),
                1,
                new Entry("heavy", 1, 0, 0, 3, world(4, 800, 20)),
                new Entry("light", 1, 0, 0, 1, world(4, 800, 2)));
        assertThat(crowd.jobs().get(1).last().remote()).isEqualTo(1);
        assertThat(crowd.jain()).isCloseTo(1, within(0.01));
    }

    // 3 jobs and one worker: they take turns, and all end
    @Test
    void whereWorkersAreFewerThanJobsTheyTakeTurns() {
        Crowd crowd = run(world(1, 800, 1), 1, new Entry("turn", 3, 0, 0, 1, world(1, 800, 1)));
        assertThat(crowd.ended()).isEqualTo(3);
        assertThat(crowd.divisions()).isGreaterThan(10);
    }

    @Test
    void theSameSeedIsTheSameCrowd() {
        Entry jobs = new Entry("job", 5, 0, 7, 1, world(6, 800, 3));
        assertThat(run(world(10, 800, 3), 3, jobs)).isEqualTo(run(world(10, 800, 3), 3, jobs));
    }

    // 10 workers by weights 1 and 4, where the heavy one wishes for 3 only: 3 and 7
    @Test
    void whatOneDoesNotWishForIsFairForTheOther() {
        assertThat(FairLevels.shares(new double[] {9, 3}, new double[] {1, 4}, 10))
                .containsExactly(7, 3);
        assertThat(FairLevels.shares(new double[] {9, 9}, new double[] {1, 4}, 10))
                .containsExactly(2, 8);
    }
}
