package io.praline.deploy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Policy;
import io.praline.policy.scaling.Policies;
import io.praline.policy.simulation.Crowd;
import io.praline.policy.simulation.Outcome;
import io.praline.policy.simulation.PoolSimulation;
import io.praline.policy.simulation.Scenario;
import io.praline.policy.simulation.Simulation;
import io.praline.policy.simulation.Summary;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the usual policy must reach in each world that is shipped, beside Pecan's in the same world. */
class FittedScenariosTest {
    private static final int SEEDS = 40;
    private static final int BASELINE_SEEDS = 8;
    private static final double MEAN_REGRET = 0.03;
    private static final double P95_REGRET = 0.08;
    private static final double FEW_WINDOWS = 6;
    private static final double UNCHANGED = 0.95;

    /** Pecan is stable for ever, but now and then not yet when the world changes: with 300 seeds it followed 11 % of them. */
    private static final double SELDOM = 0.5;

    private static final Policy FITTED = Policies.named(Policies.USUAL, Map.of());
    private static final Policy PECAN = Policies.named("pecan", Map.of());

    private static Summary summary(Scenario scenario, Policy policy, int seeds) {
        return Summary.of(
                policy.name(),
                scenario.name(),
                LongStream.range(0, seeds)
                        .mapToObj(seed -> Simulation.run(scenario, policy, seed).outcome())
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"resnet50-v2-8", "input-light", "remote-only", "drift", "spot"})
    void itIsNearTheBestSoonStaysThereAndFollowsWhatChanges(String name) {
        Scenario scenario = ScenarioFile.read(name);
        Summary fitted = summary(scenario, FITTED, SEEDS);
        Summary pecan = summary(scenario, PECAN, BASELINE_SEEDS);

        assertThat(fitted.figure("regret").mean()).isLessThanOrEqualTo(MEAN_REGRET);
        assertThat(fitted.figure("regret").p95()).isLessThanOrEqualTo(P95_REGRET);
        assertThat(fitted.figure("windowsToConverge").mean())
                .isLessThanOrEqualTo(
                        Math.max(FEW_WINDOWS, pecan.figure("windowsToConverge").mean() / 3));
        assertThat(fitted.figure("costUntilConverged").mean())
                .isLessThanOrEqualTo(pecan.figure("costUntilConverged").mean() / 3);
        assertThat(fitted.figure("atRest").mean()).isGreaterThanOrEqualTo(UNCHANGED);
        if (!scenario.changes().isEmpty()) {
            assertThat(fitted.figure("changesFollowed").mean()).isGreaterThanOrEqualTo(UNCHANGED);
            assertThat(pecan.figure("changesFollowed").mean()).isLessThan(SELDOM);
        }
    }

    @Test
    void aCrowdSharesItsPoolAndEachJobRests() {
        Crowd crowd = PoolSimulation.run(ScenarioFile.read("crowd"), FITTED, 1);
        assertThat(crowd.jain()).isGreaterThanOrEqualTo(0.95);
        assertThat(crowd.longestUnderShare()).isLessThanOrEqualTo(3);
        Summary jobs = Summary.of(FITTED.name(), "crowd", crowd.jobs());
        assertThat(jobs.figure("regret").mean()).isLessThanOrEqualTo(MEAN_REGRET);
        assertThat(jobs.figure("regret").p95()).isLessThanOrEqualTo(P95_REGRET);
        assertThat(crowd.jobs())
                .filteredOn((Outcome job) -> job.convergence().changesAfter() == 0)
                .hasSizeGreaterThanOrEqualTo(
                        (int) Math.ceil(UNCHANGED * crowd.jobs().size()));
    }
}
