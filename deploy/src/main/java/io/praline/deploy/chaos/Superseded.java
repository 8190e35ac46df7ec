package io.praline.deploy.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Trainers whose place another was started to take: they may wake up, and train.
 *
 * @param <P> a process
 */
final class Superseded<P> {
    private final Predicate<P> alive;
    private final List<One<P>> all = new ArrayList<>();

    private record One<P>(Target target, P process) {}

    Superseded(Predicate<P> alive) {
        this.alive = alive;
    }

    void add(Target target, P process) {
        all.add(new One<>(target, process));
    }

    /** Whether one of them may still hold the place, or train on what it has of it. */
    boolean anyAlive(Target target) {
        return all.stream().anyMatch(one -> one.target.equals(target) && alive.test(one.process));
    }

    List<P> all() {
        return all.stream().map(One::process).toList();
    }
}
