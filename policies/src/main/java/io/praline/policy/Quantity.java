package io.praline.policy;

import java.util.Arrays;
import java.util.Optional;

/** What a decision may expect of workers, in the order of the keys by which it is journaled: they name the unit, and stay. */
public enum Quantity {
    BATCH_MILLIS("batchMillis"),
    BATCH_SECONDS("batchSeconds"),
    BATCHES_PER_SECOND("batchesPerSecond"),
    /** In the currency of the job's prices, as all money. */
    COST_PER_HOUR("costPerHour"),
    COST_PER_MILLION_ELEMENTS("costPerMillionElements"),
    /** What of the cost of an hour is for bytes from remote workers. */
    EGRESS_PER_HOUR("egressPerHour"),
    ELEMENTS_PER_SECOND("elementsPerSecond"),
    /** Batches that lie ready, in the mean. */
    QUEUE_DEPTH("queueDepth"),
    /** Of the trainer's time, 0 to 1. */
    WAIT_SHARE("waitShare");

    private final String key;

    Quantity(String key) {
        this.key = key;
    }

    /** Its name with its unit. */
    public String key() {
        return key;
    }

    static Optional<Quantity> of(String key) {
        return Arrays.stream(values()).filter(one -> one.key.equals(key)).findFirst();
    }
}
