package io.praline.wire;

/** What is over when an attempt is, by the numbers on the wire. */
public enum EndOf {
    /** The attempt; others of its epoch may still have, or get, elements. */
    ATTEMPT(0),
    /** The job's stream, once its other attempts have ended too. */
    JOB(1),
    /** The epoch, once its other attempts have ended too: nothing of it comes back to be read again. */
    EPOCH(2);

    private final int number;

    EndOf(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static EndOf of(int number) {
        for (EndOf one : values()) {
            if (one.number == number) {
                return one;
            }
        }
        throw new MalformedFrame("an END must be of attempt, job or epoch (0..2), is of " + number);
    }
}
