package io.praline.deploy.chaos;

/** What may be broken, by the names that users type. */
public enum Trouble {
    /** A worker is killed, and started again later. */
    worker(true),
    /** A dispatcher is killed, and started again later. */
    dispatcher(true),
    /** Kafka and the registry are killed, and started again later. */
    broker(true),
    /** A trainer is killed, and comes back later. */
    client(true),
    /** Broker, dispatchers and workers are killed at once, and started again later. */
    cluster(true),
    /** A process is stopped, and goes on later. */
    stop(false),
    /** Two processes do not hear each other for a while. */
    cut(false),
    /** A trainer leaves its job in order, and does not come back. */
    leave(false),
    /** A trainer joins a job, as one more than it had. */
    join(false),
    /** A trainer is stopped, another process takes its place, and then it goes on. */
    replace(false),
    /** Entries that workers keep are deleted, cut short and changed; jobs are such that keep some. */
    entries(false);

    private final boolean deadly;

    Trouble(boolean deadly) {
        this.deadly = deadly;
    }

    /** Whether it kills a process. */
    boolean deadly() {
        return deadly;
    }
}
