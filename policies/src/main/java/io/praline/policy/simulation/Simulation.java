package io.praline.policy.simulation;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.Target;
import io.praline.policy.simulation.HiredWorkers.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** One job that has its workers for itself, in a made-up world, from its beginning to its end. */
public final class Simulation {
    /** A world in which nothing is done any more is given up. */
    static final double LONGEST_SECONDS = 30 * 86_400.0;

    private final EventQueue queue = new EventQueue();
    private final Course course;
    private final List<Point> points = new ArrayList<>();
    private final HiredWorkers remote;
    private final HiredWorkers local;
    private final SimulatedJob job;
    private final World first;
    private final double untilSeconds;
    private World world;
    private double spent;
    private int dropped;

    private Simulation(Scenario scenario, Policy policy, long seed) {
        Draw draw = new Draw(seed);
        first = scenario.world();
        world = first;
        untilSeconds = Math.min(LONGEST_SECONDS, scenario.untilSeconds());
        course = new Course(first);
        job = new SimulatedJob(queue, first, policy, draw.split(), new Listener());
        Draw fate = draw.split();
        remote = new HiredWorkers(queue, first, fate, Kind.REMOTE, job::serveRemote, job::remoteRateKnown);
        local = new HiredWorkers(queue, first, fate, Kind.LOCAL, job::serveLocal, job::localRateKnown);
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
        while (!job.ended() && queue.nextAt() <= untilSeconds) {
            Target paid = new Target(remote.count(), local.count());
            spent += world.cost(paid, job.serving(), queue.nextAt() - queue.now());
            queue.next();
        }
        point(OptionalDouble.empty());
        return new Run(course.outcome(dropped, queue.now(), spent), points);
    }

    private void change(World becomes) {
        course.change(becomes, spent);
        world = becomes;
        remote.change(becomes);
        local.change(becomes);
        job.change(becomes);
    }

    private void point(OptionalDouble batchMillis) {
        points.add(new Point(queue.now(), job.wanted(), job.serving(), batchMillis, spent));
    }

    private final class Listener implements SimulatedJob.Listener {
        @Override
        public void wants(Target target) {
            course.wants(target, spent);
            point(OptionalDouble.empty());
            remote.scaleTo(target.remote());
            local.scaleTo(target.local());
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
