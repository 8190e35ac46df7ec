package io.praline.topics;

/** What Kafka does with records that are no longer needed. */
public enum Cleanup {
    /** The last record of each key is kept for ever; one without a value removes the key. */
    COMPACT("compact"),

    /** Records go when the topic's retention is over. */
    DELETE("delete");

    private final String policy;

    Cleanup(String policy) {
        this.policy = policy;
    }

    /** The value of Kafka's {@code cleanup.policy}. */
    public String policy() {
        return policy;
    }
}
