package io.praline.deploy.chaos;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** What is broken at a moment, and what that leaves. */
final class Harm {
    private final Schedule schedule;
    private final Set<Target> down = new HashSet<>();
    private final Set<Set<Target>> cut = new HashSet<>();

    Harm(Schedule schedule) {
        this.schedule = schedule;
    }

    /** It is dead, or stopped. */
    void down(Target target) {
        down.add(target);
    }

    void up(Target target) {
        down.remove(target);
    }

    boolean isDown(Target target) {
        return down.contains(target);
    }

    /** They do not hear each other. */
    void cut(List<Target> ends) {
        cut.add(Set.copyOf(ends));
    }

    void heal(List<Target> ends) {
        cut.remove(Set.copyOf(ends));
    }

    boolean isCut(Collection<Target> ends) {
        return cut.contains(Set.copyOf(ends));
    }

    /** Whether nothing at all is broken. */
    boolean none() {
        return down.isEmpty() && cut.isEmpty();
    }

    /** Whether some worker's batches can reach some of these trainers, and Kafka and a dispatcher are there for them. */
    boolean path(Collection<Target> trainers) {
        return !down.contains(Target.BROKER)
                && any(schedule.dispatchers(), Target.Role.DISPATCHER).isPresent()
                && trainers.stream().filter(this::works).anyMatch(trainer -> IntStream.range(0, schedule.workers())
                        .mapToObj(Target::worker)
                        .anyMatch(worker -> works(worker) && !isCut(List.of(worker, trainer))));
    }

    private Optional<Target> any(int count, Target.Role role) {
        return IntStream.range(0, count)
                .mapToObj(number -> new Target(role, number))
                .filter(this::works)
                .findFirst();
    }

    private boolean works(Target target) {
        return !down.contains(target) && !isCut(List.of(target, Target.BROKER));
    }
}
