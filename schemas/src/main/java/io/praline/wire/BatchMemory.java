package io.praline.wire;

import java.nio.ByteBuffer;

/** The memory in which a batch's payload landed. Its owner hands it on, or frees it once. Any thread. */
public interface BatchMemory {
    /** Bytes of the payload. */
    int length();

    /** A part of the payload, little-endian; good until the memory is freed. */
    ByteBuffer slice(long from, long bytes);

    /** The memory is not used any more. */
    void free();
}
