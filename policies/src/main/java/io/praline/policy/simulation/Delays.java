package io.praline.policy.simulation;

/**
 * How long it takes until a target is reality.
 *
 * @param remoteStartSeconds from the wish for a remote worker to its first element
 * @param remoteDrainSeconds that a remote worker serves on, and is paid for, when it is no longer wanted
 * @param localStartSeconds from the wish for a local worker to its first element
 */
public record Delays(double remoteStartSeconds, double remoteDrainSeconds, double localStartSeconds) {
    public Delays {
        notNegative("remoteStartSeconds", remoteStartSeconds);
        notNegative("remoteDrainSeconds", remoteDrainSeconds);
        notNegative("localStartSeconds", localStartSeconds);
    }

    private static void notNegative(String name, double seconds) {
        if (!(seconds >= 0 && seconds < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + " must not be negative, is " + seconds);
        }
    }
}
