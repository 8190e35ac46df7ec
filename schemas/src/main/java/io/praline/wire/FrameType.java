package io.praline.wire;

/** The first byte of a payload. */
final class FrameType {
    static final int HELLO = 1;
    static final int WELCOME = 2;
    static final int CREDIT = 3;
    static final int BATCH = 4;
    static final int END = 5;
    static final int REFUSED = 6;
    static final int ALIVE = 7;
    static final int SHARED = 8;

    private FrameType() {}
}
