package io.praline.wire;

/** The first byte of a payload. */
public final class FrameType {
    public static final int HELLO = 1;
    public static final int WELCOME = 2;
    public static final int CREDIT = 3;
    public static final int BATCH = 4;
    public static final int END = 5;
    public static final int REFUSED = 6;
    public static final int ALIVE = 7;
    public static final int SHARED = 8;

    private FrameType() {}
}
