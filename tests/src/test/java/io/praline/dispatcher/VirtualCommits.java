package io.praline.dispatcher;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/** When a dispatcher of the simulation commits, as {@link DispatchProcessor} does. */
public final class VirtualCommits {
    private final CommitPace pace;

    public VirtualCommits(LongSupplier nanoTime) {
        pace = new CommitPace(nanoTime);
    }

    /**
     * Something was written.
     *
     * @param urgent whether somebody waits for it
     */
    public void wrote(boolean urgent) {
        pace.wrote(urgent);
    }

    /** How long it is until a commit is due; empty where nobody waits for one. */
    public Optional<Duration> due() {
        return pace.due();
    }

    public void committed() {
        pace.committed();
    }
}
