package io.praline.policy.simulation;

import io.praline.policy.scaling.EveryWorker;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolSimulationTest {
    @Test
    void crowd() {
        World world = new World(
                Worlds.terms(4.96, 0.427319, 100, 0),
                new Rates(800, 170, List.of(), 0),
                new Delays(5, 5, 5),
                new Noise(0.05, 0.02, 0.02),
                new Training(100_000, 128, 10, 100),
                Double.POSITIVE_INFINITY);
        Entry entry = new Entry("train", 40, 0, 20, 1, world);
        Crowd crowd = PoolSimulation.run(
                new Scenario("crowd", world, List.of(), List.of(entry), Double.POSITIVE_INFINITY),
                new EveryWorker(),
                1);
        System.out.println(crowd.jobs().get(3));
        System.out.println(Summary.of("e", "c", crowd.jobs()));
        System.out.println(new Crowd(
                List.of(),
                crowd.jain(),
                crowd.longestUnderShare(),
                crowd.windows(),
                crowd.turns(),
                crowd.divisions(),
                crowd.ended(),
                crowd.seconds()));
    }

    @Test
    void throng() {
        World world = new World(
                Worlds.terms(4.96, 0.427319, 100_000, 0),
                new Rates(1700, 170, List.of(), 0),
                new Delays(5, 5, 5),
                new Noise(0.05, 0.02, 0.02),
                new Training(10_000_000, 128, 10, 100),
                Double.POSITIVE_INFINITY);
        World one = new World(
                Worlds.terms(4.96, 0.427319, 20, 0),
                world.rates(),
                world.delays(),
                world.noise(),
                world.training(),
                Double.POSITIVE_INFINITY);
        Entry entry = new Entry("train", 10_000, 0, 0.01, 1, one);
        long t = System.nanoTime();
        Crowd crowd =
                PoolSimulation.run(new Scenario("throng", world, List.of(), List.of(entry), 600), new EveryWorker(), 1);
        System.out.println((System.nanoTime() - t) / 1e9);
        System.out.println(new Crowd(
                List.of(),
                crowd.jain(),
                crowd.longestUnderShare(),
                crowd.windows(),
                crowd.turns(),
                crowd.divisions(),
                crowd.ended(),
                crowd.seconds()));
    }
}
