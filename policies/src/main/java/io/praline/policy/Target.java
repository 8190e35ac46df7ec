package io.praline.policy;

import java.util.Locale;

/**
 * How many workers serve, or should serve, a job.
 *
 * @param remote workers of its pool
 * @param local workers on its trainer's own host
 */
public record Target(int remote, int local) {
    public static final Target NONE = new Target(0, 0);

    public Target {
        if (remote < 0 || local < 0) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT, "workers must not be negative, are %d remote and %d local", remote, local));
        }
    }

    public int workers() {
        return remote + local;
    }

    @Override
    public String toString() {
        return remote + " remote and " + local + " local";
    }
}
