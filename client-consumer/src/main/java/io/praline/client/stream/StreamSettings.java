package io.praline.client.stream;

import java.time.Duration;
import java.util.Optional;

/**
 * How a stream behaves.
 *
 * @param consumer which of the job's consumers it is, counted from 0
 * @param incarnation of this process, by which reports are confirmed
 * @param submission digest of what this process submitted: a job of another one by that id is not its own; empty where it
 *     took a place in a job of others
 * @param manualAcknowledge whether the loop acknowledges each batch itself
 * @param memoryBytes what received batches may hold
 * @param lease how long a beat is good while the dispatcher has not said so
 */
public record StreamSettings(
        int consumer,
        String incarnation,
        Optional<String> submission,
        boolean manualAcknowledge,
        long memoryBytes,
        Duration lease) {
    public StreamSettings {
        if (consumer < 0) {
            throw new IllegalArgumentException("consumer must not be negative, is " + consumer);
        }
        if (memoryBytes < 1) {
            throw new IllegalArgumentException("memoryBytes must be above 0, is " + memoryBytes);
        }
    }

    /** Whether the job is this process's own: it submitted it, or goes on with what it would have submitted. */
    public boolean owner() {
        return submission.isPresent();
    }
}
