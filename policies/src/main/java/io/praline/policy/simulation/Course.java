package io.praline.policy.simulation;

import io.praline.policy.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What is written down while a world runs, and what comes of it. */
final class Course {
    /** So near to the best, a target is good. */
    private static final double GOOD = 1.05;

    /** So many windows after a change of the world it should be. */
    private static final int FOLLOW_WINDOWS = 8;

    /** A target in force, from when so many windows were over. */
    private record Stretch(int windows, double spent, Target target) {}

    /** A world, from when so many windows were over. */
    private static final class Phase {
        private final World world;
        private final List<Stretch> stretches = new ArrayList<>();
        private int end;
        private double spent;

        private Phase(World world) {
            this.world = world;
        }

        private int begin() {
            return stretches.get(0).windows;
        }

        private int end(int index) {
            return index + 1 < stretches.size() ? stretches.get(index + 1).windows : end;
        }

        /** The first stretch that is long enough. */
        private Optional<Integer> rest() {
            for (int i = 0; i < stretches.size(); i++) {
                if (end(i) - stretches.get(i).windows >= Convergence.HOLD) {
                    return Optional.of(i);
                }
            }
            return Optional.empty();
        }

        private Target targetAfter(int windows) {
            Target target = stretches.get(0).target;
            for (Stretch stretch : stretches) {
                if (stretch.windows <= begin() + windows) {
                    target = stretch.target;
                }
            }
            return target;
        }

        private Convergence convergence() {
            Optional<Integer> rest = rest();
            if (rest.isEmpty()) {
                return new Convergence(false, end - begin(), spent, 0);
            }
            Stretch first = stretches.get(rest.get());
            return new Convergence(true, first.windows - begin(), first.spent, stretches.size() - 1 - rest.get());
        }

        private boolean followed() {
            Target target = targetAfter(Math.min(FOLLOW_WINDOWS, end - begin()));
            return world.value(target) <= GOOD * world.value(world.best());
        }

        private double mean(ToDoubleFunction<Target> of) {
            int from =
                    rest().map(index -> stretches.get(index).windows).orElse(Math.max(begin(), end - Convergence.HOLD));
            double sum = 0;
            int count = 0;
            for (int i = 0; i < stretches.size(); i++) {
                int windows = end(i) - Math.max(from, stretches.get(i).windows);
                if (windows > 0) {
                    sum += windows * of.applyAsDouble(stretches.get(i).target);
                    count += windows;
                }
            }
            return count > 0 ? sum / count : of.applyAsDouble(stretches.get(stretches.size() - 1).target);
        }
    }

    private final List<Phase> phases = new ArrayList<>();
    private int windows;

    Course(World world) {
        phases.add(new Phase(world));
        wants(Target.NONE, 0);
    }

    private Phase phase() {
        return phases.get(phases.size() - 1);
    }

    void wants(Target target, double spent) {
        phase().stretches.add(new Stretch(windows, spent, target));
    }

    void windowOver(double spent) {
        windows++;
        over(spent);
    }

    void change(World world, double spent) {
        over(spent);
        Target inForce = last();
        phases.add(new Phase(world));
        phase().end = windows;
        wants(inForce, spent);
    }

    private void over(double spent) {
        phase().end = windows;
        phase().spent = spent;
    }

    private Target last() {
        return phase().stretches.get(phase().stretches.size() - 1).target;
    }

    Outcome outcome(int dropped, double seconds, double spent) {
        over(spent);
        Phase phase = phase();
        World world = phase.world;
        Target best = world.best();
        return new Outcome(
                last(),
                phase.mean(world::epochCost),
                world.epochCost(best),
                phase.mean(world::value) / world.value(best) - 1,
                phases.get(0).convergence(),
                (int) phases.stream().skip(1).filter(Phase::followed).count(),
                windows,
                dropped,
                seconds,
                spent);
    }
}
