package io.praline.policy.simulation;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** One job that has its workers for itself, in a made-up world, from its beginning to its end. */
public final class Simulation {
    /** A world in which nothing is done any more is given up. */
    private static final double LONGEST_SECONDS = 30 * 86_400.0;

    private final EventQueue queue = new EventQueue();
    private final Course course;
    private final List<Point> points = new ArrayList<>();
    private final HiredWorkers workers;
    private final SimulatedJob job;
    private final World first;
    private World world;
    private double spent;
    private int dropped;

    private Simulation(Scenario scenario, Policy policy, long seed) {
        Draw draw = new Draw(seed);
        first = scenario.world();
        world = first;
        course = new Course(first);
        workers = new HiredWorkers(queue, first, draw.split());
        job = new SimulatedJob(queue, first, policy, draw.split(), new Listener());
        workers.workFor(job);
        scenario.changes().forEach(change -> queue.in(change.atSeconds(), () -> change(change.world())));
    }

    /** Runs {@code policy} in the world of {@code scenario}, with chance from {@code seed}. */
    public static Run run(Scenario scenario, Policy policy, long seed) {
        if (!scenario.jobs().isEmpty()) {
            throw new IllegalArgumentException(
                    "scenario " + scenario.name() + " has several jobs: it is one for the pool");
        }
        return new Simulation(scenario, policy, seed).run();
    }

    private Run run() {
        job.begin(first.terms().limits().maxRemote());
        while (!job.ended() && queue.nextAt() <= LONGEST_SECONDS) {
            spent += world.terms().prices().cost(workers.paid(), queue.nextAt() - queue.now());
            queue.next();
        }
        point(OptionalDouble.empty());
        return new Run(course.outcome(dropped, queue.now(), spent), points);
    }

    private void change(World becomes) {
        course.change(becomes, spent);
        world = becomes;
        workers.change(becomes);
        job.change(becomes);
    }

    private void point(OptionalDouble batchMillis) {
        points.add(new Point(queue.now(), job.wanted(), job.serving(), batchMillis, spent));
    }

    private final class Listener implements SimulatedJob.Listener {
        @Override
        public void wants(Target target) {
            course.wants(target, spent);
            workers.scaleTo(target);
        }

        @Override
        public void windowOver(Optional<WindowClosed> measured, boolean straddles) {
            if (measured.isEmpty()) {
                dropped++;
            }
            if (!straddles) {
                course.windowOver(spent);
            }
            point(measured.map(window -> OptionalDouble.of(window.batchSeconds() * 1e3))
                    .orElse(OptionalDouble.empty()));
        }

        @Override
        public void ended() {
            // the loop of the run sees it
        }
    }
}
