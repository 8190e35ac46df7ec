package io.praline.wire;

/** Bytes from the other end that are no frame of this channel; the connection they came on cannot go on. */
public final class MalformedFrame extends RuntimeException {

    /** @param message one line: what was found, and the rule it breaks */
    public MalformedFrame(String message) {
        super(message);
    }
}
