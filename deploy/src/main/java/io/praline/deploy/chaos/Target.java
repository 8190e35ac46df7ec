package io.praline.deploy.chaos;

import java.util.Comparator;
import java.util.Locale;

/**
 * One process of a run.
 *
 * @param role what it does
 * @param number which of those that do, counted from 0; trainers are counted through all jobs
 */
public record Target(Role role, int number) implements Comparable<Target> {

    /** What a process does. */
    public enum Role {
        BROKER,
        DISPATCHER,
        WORKER,
        CLIENT
    }

    /** Kafka, and the registry with it. */
    static final Target BROKER = new Target(Role.BROKER, 0);

    public Target {
        if (number < 0) {
            throw new IllegalArgumentException("number must not be negative, is " + number);
        }
    }

    static Target dispatcher(int number) {
        return new Target(Role.DISPATCHER, number);
    }

    static Target worker(int number) {
        return new Target(Role.WORKER, number);
    }

    static Target client(int number) {
        return new Target(Role.CLIENT, number);
    }

    @Override
    public int compareTo(Target other) {
        return Comparator.comparing(Target::role).thenComparing(Target::number).compare(this, other);
    }

    @Override
    public String toString() {
        return role.name().toLowerCase(Locale.ROOT) + "-" + number;
    }
}
