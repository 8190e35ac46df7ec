package io.praline.wire;

/** Why a worker ends a channel; the number is what stands on the wire. */
public enum RefusalCode {
    /** The worker does not speak the client's version of the channel. */
    VERSION(1),
    /** The token is not one that the worker's secret made for this job and consumer, or it has expired. */
    TOKEN(2),
    /** The worker has no such attempt: not opened yet (the client asks again for some seconds), or closed long ago. */
    UNKNOWN_ATTEMPT(3),
    /** The attempt has fewer consumers than this one's number asks for. */
    UNKNOWN_CONSUMER(4),
    /** Another incarnation of the worker answers than the client was told of. */
    INCARNATION(5),
    /** The client says it received what was never sent, or lacks what was given back already. */
    OUT_OF_STEP(6),
    /** The attempt failed; the reason is the worker's. */
    FAILED(7),
    /** The attempt was closed: fenced, or done with. */
    CLOSED(8),
    /** A newer channel of the same consumer took this one's place. */
    REPLACED(9),
    /** The worker has as many connections as it may have. */
    BUSY(10),
    /** A newer generation of the consumer is there: another process took its place, or it was given up meanwhile. */
    STALE(11);

    private final int number;

    RefusalCode(int number) {
        this.number = number;
    }

    /** What stands on the wire. */
    public int number() {
        return number;
    }

    /** The code of a number from the wire. */
    static RefusalCode of(int number) {
        for (RefusalCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        throw new MalformedFrame("no refusal has the number " + number);
    }
}
