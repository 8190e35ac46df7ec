package io.praline.deploy.actuator;

import java.util.Optional;

/** What workers run on, and can be asked for a number of them: the edge to the operating system or to Kubernetes. One thread. */
public interface WorkerPool extends AutoCloseable {

    /** How many there should be from now on. Asked again, it changes nothing. Carried out by {@link #look}. */
    void target(int workers);

    /** Does what is due, and tells how it stands. Called several times a second; returns soon. */
    State look();

    /** Gives back what it holds; whether workers end with it is for the pool to say. */
    @Override
    void close();

    /**
     * How a pool stands.
     *
     * @param running workers that were started and are there, those about to leave included
     * @param trouble why there are not as many as there should be, in a sentence; empty where nothing is wrong
     */
    record State(int running, Optional<String> trouble) {
        public State {
            if (running < 0) {
                throw new IllegalArgumentException("running must not be negative, is " + running);
            }
        }
    }
}
