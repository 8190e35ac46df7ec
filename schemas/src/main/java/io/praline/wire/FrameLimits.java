package io.praline.wire;

/** How large the things on a channel may be. What exceeds a limit is malformed, and its connection ends. */
public final class FrameLimits {
    /** The version of the channel that this code speaks. */
    public static final int VERSION = 3;

    /** A HELLO with the longest names and token has 1,214 bytes; nothing a client sends is longer. */
    public static final int MAX_CLIENT_PAYLOAD_BYTES = 2_048;

    /** A REFUSED with the longest reason has 4,006 bytes; nothing but a BATCH is longer. */
    public static final int MAX_PLAIN_PAYLOAD_BYTES = 4_096;

    /** A Java buffer has an int for its size; half of that leaves room for padding and headers. */
    public static final int MAX_BATCH_PAYLOAD_BYTES = 1 << 30;

    /** Where a tensor's bytes start: a cache line, and the widest vector load. */
    public static final int ALIGNMENT = 64;

    /** More components than a pipeline has by far; bounds what a header can make us allocate. */
    public static final int MAX_TENSORS = 1_024;

    /** TensorFlow's own limit. */
    public static final int MAX_RANK = 254;

    /** Bytes of a job's id. */
    public static final int MAX_JOB_BYTES = 512;

    /** Bytes of a client's or worker's incarnation: a UUID has 36, and one that tells which process it is some 80. */
    public static final int MAX_INCARNATION_BYTES = 128;

    /** Bytes of a token: ours have 41. */
    public static final int MAX_TOKEN_BYTES = 256;

    /** Bytes of a segment's name: ours have 44. */
    public static final int MAX_SEGMENT_BYTES = 128;

    /** Bytes of a reason; longer ones are cut off by who writes them. */
    public static final int MAX_REASON_BYTES = 4_000;

    private FrameLimits() {}

    /** The next multiple of {@link #ALIGNMENT}. */
    public static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
