package io.praline.tests.faults;

import java.time.Duration;
import java.util.Locale;

/**
 * What one kill and start did.
 *
 * @param pause from the kill to the start
 * @param ready from the start until all serves again
 * @param resumed from the start until the loop had its next batch
 * @param state of the job at its end, or why there was none
 */
record Restart(
        Duration pause, Duration ready, Duration resumed, String state, long elements, long missing, long twice) {

    /** The cluster came back, and the job came to its end. */
    boolean sound() {
        return state.equals("COMPLETED");
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "wait %.1f s, ready after %.1f s, batches again after %.1f s, %s, elements %d, missing %d, twice %d",
                pause.toMillis() / 1e3,
                ready.toMillis() / 1e3,
                resumed.toMillis() / 1e3,
                state,
                elements,
                missing,
                twice);
    }
}
