package io.praline.tests.faults;

/** What is killed at once, and how many brokers there are. */
enum Killing {
    /** {@code praline up} with one broker, and its workers. */
    EVERYTHING(1),
    /** Broker and registry, while dispatcher and worker live. */
    BROKER(1),
    /** The dispatcher, while all else lives. */
    DISPATCHER(1),
    /** All three brokers, while {@code praline up} lives and starts them again. */
    THREE_BROKERS(3),
    /** {@code praline up} with three brokers, and its workers. */
    THREE_ALL(3);

    private final int brokers;

    Killing(int brokers) {
        this.brokers = brokers;
    }

    int brokers() {
        return brokers;
    }

    /** Whether the parts are programs of their own, in place of one {@code praline up}. */
    boolean byParts() {
        return this == BROKER || this == DISPATCHER;
    }
}
