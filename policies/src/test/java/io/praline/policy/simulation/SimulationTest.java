package io.praline.policy.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.scaling.EveryWorker;
import org.junit.jupiter.api.Test;

class SimulationTest {
    @Test
    void theSameSeedIsTheSameRun() {
        Scenario scenario = Worlds.alone(Worlds.resnet(new Noise(0.05, 0.02, 0.02)));
        Run run = Simulation.run(scenario, new EveryWorker(), 7);
        assertThat(Simulation.run(scenario, new EveryWorker(), 7)).isEqualTo(run);
    }
}
