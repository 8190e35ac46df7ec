package io.praline.policy.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.policy.Terms.Goal;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorldTest {
    private static final Rates RATES = new Rates(100, 50, List.of(40.0, 60.0), 0.25);

    private static World world(Goal goal, double client, double remote, int maxRemote, int maxLocal) {
        return Worlds.small(Worlds.terms(goal, client, remote, maxRemote, maxLocal), RATES, Noise.NONE);
    }

    // trainer 100 / (1 + 0.25 L); workers 50 R + 40 or 60
    @Test
    void theSlowerOfTrainerAndWorkersSetsTheRate() {
        assertThat(RATES.rate(new Target(1, 0))).isEqualTo(50);
        assertThat(RATES.rate(new Target(2, 0))).isEqualTo(100);
        assertThat(RATES.rate(new Target(3, 0))).isEqualTo(100);
        assertThat(RATES.rate(new Target(0, 1))).isEqualTo(40);
        assertThat(RATES.rate(new Target(3, 1))).isEqualTo(80);
        assertThat(RATES.rate(Target.NONE)).isZero();
    }

    // 5000 elements at 50/s are 100 s, in which client and worker cost 36 + 18 an hour: 100 / 3600 x 54 = 1.5
    @Test
    void anEpochCostsItsTimeAtThePriceOfClientAndRemoteWorkers() {
        assertThat(world(Goal.COST, 36, 18, 4, 2).epochCost(new Target(1, 0))).isCloseTo(1.5, within(1e-12));
        assertThat(world(Goal.COST, 0, 0, 4, 2).epochCost(Target.NONE)).isInfinite();
    }

    // for each element/s: (1,0) 11/50 = 0.22, (2,0) 12/100 = 0.12, (1,1) 11/80 = 0.1375, (0,2) 10/60 = 0.167
    @Test
    void theCheapestIsFoundByTryingAll() {
        assertThat(world(Goal.COST, 10, 1, 4, 2).best()).isEqualTo(new Target(2, 0));
    }

    // (0,2) 1/60, all with a remote worker at least 11/100
    @Test
    void whereRemoteWorkersAreDearNoneIsHired() {
        assertThat(world(Goal.COST, 1, 10, 4, 2).best()).isEqualTo(new Target(0, 2));
    }

    // (2,0), (3,0) and (4,0) all make 100/s
    @Test
    void ofEquallyFastOnesTheCheapestIsBest() {
        assertThat(world(Goal.TIME, 1, 10, 4, 2).best()).isEqualTo(new Target(2, 0));
    }

    // money times time, for one element/s: (0,2) 1/60^2 = 0.00028, (2,0) 21/100^2 = 0.0021
    @Test
    void balancedIsMoneyTimesTime() {
        assertThat(world(Goal.BALANCED, 1, 10, 4, 2).best()).isEqualTo(new Target(0, 2));
        assertThat(world(Goal.BALANCED, 10, 1, 4, 2).best()).isEqualTo(new Target(2, 0));
    }

    // elements of 1 MB, 0.1 for a GB: 0.0001 for an element from far away. (1,1): 80/s, 40 of them remote, at 11 an
    // hour:
    // 5000 x (11 / 80 / 3600 + 0.00005). (2,0): 12 / 100 / 3600 + 0.0001 = 0.00013 an element, (0,2): 10 / 60 / 3600 =
    // 0.000046
    @Test
    void whatComesFromFarAwayCostsEgress() {
        World free = world(Goal.COST, 10, 1, 4, 2);
        World dear = Worlds.ofElements(free, 1e6, 0.1);
        assertThat(dear.epochCost(new Target(1, 1))).isCloseTo(5000 * (11 / 80.0 / 3600 + 0.00005), within(1e-12));
        assertThat(dear.epochCost(new Target(0, 1))).isEqualTo(free.epochCost(new Target(0, 1)));
        assertThat(free.best()).isEqualTo(new Target(2, 0));
        assertThat(dear.best()).isEqualTo(new Target(0, 2));
        assertThat(dear.epochCost(Target.NONE)).isInfinite();
    }

    // facts of the published grid: (7,10) makes 3102/s for 4.96 + 7 x 0.427319 = 7.951 an hour
    @Test
    void theCheapestOfThePublishedGrid() {
        World world = Worlds.resnet(Noise.NONE);
        assertThat(world.best()).isEqualTo(new Target(7, 10));
        assertThat(world.epochCost(world.best())).isCloseTo(1_281_167 / 3102.0 / 3600 * 7.951233, within(1e-9));
    }

    @Test
    void moreLocalWorkersThanThereAreRatesForIsRefused() {
        Terms terms = Worlds.terms(1, 1, 1, 3);
        assertThatThrownBy(() -> Worlds.small(terms, RATES, Noise.NONE))
                .hasMessage("maxLocal is 3, but localElementsPerSecond tells the rate of at most 2");
    }
}
