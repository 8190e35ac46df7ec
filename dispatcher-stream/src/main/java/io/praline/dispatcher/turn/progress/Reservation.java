package io.praline.dispatcher.turn.progress;

import java.util.Optional;

/** A worker of a pool that is left nothing but what one job gives it itself. In memory only. Owned by the stream thread. */
public final class Reservation {
    private Optional<Held> held = Optional.empty();

    private record Held(String worker, String job) {}

    /** The worker is left to the job; whether it was not before. */
    public boolean hold(String worker, String job) {
        Optional<Held> before = held;
        held = Optional.of(new Held(worker, job));
        return !held.equals(before);
    }

    public void end() {
        held = Optional.empty();
    }

    /** The job that the worker is left to; empty where none is. */
    public Optional<String> job() {
        return held.map(Held::job);
    }

    /** Whether it is this worker. */
    public boolean isOf(String worker) {
        return held.filter(it -> it.worker.equals(worker)).isPresent();
    }

    public Optional<String> worker() {
        return held.map(Held::worker);
    }
}
