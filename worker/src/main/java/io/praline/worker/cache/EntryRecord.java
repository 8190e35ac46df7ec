package io.praline.worker.cache;

import java.nio.ByteBuffer;

/** What an element's record consists of. */
public interface EntryRecord {
    /** How many bytes {@link #put} puts. */
    int bytes();

    /** Puts them, into a buffer of little-endian order. */
    void put(ByteBuffer into);
}
