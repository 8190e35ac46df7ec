package io.praline.wire.memory;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The memory in which a batch's payload landed. Its owner hands it on, or frees it once. Any thread. */
public interface BatchMemory {
    /** Bytes of the payload. */
    int length();

    /** A part of the payload, little-endian; good until the memory is freed. */
    ByteBuffer slice(long from, long bytes);

    /** Where what begins here lies, if that is memory that other processes may map too; good until the memory is freed. */
    default Optional<SharedPlace> shared(long from) {
        return Optional.empty();
    }

    /** The memory is not used any more. */
    void free();
}
