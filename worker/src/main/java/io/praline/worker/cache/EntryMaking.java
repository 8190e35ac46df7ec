package io.praline.worker.cache;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import org.roaringbitmap.RoaringBitmap;

/** An entry that is written. One thread. */
public final class EntryMaking implements AutoCloseable {
    private static final long RESERVED_AT_ONCE = 1 << 20;

    private final CacheStore store;
    private final EntryKey key;
    private final EntryPlace.Draft draft;
    private final EntryWriter writer;
    private long reserved;
    private Instant touched;
    private boolean over;

    EntryMaking(CacheStore store, EntryKey key, EntryPlace.Draft draft, EntryWriter writer) {
        this.store = store;
        this.key = key;
        this.draft = draft;
        this.writer = writer;
        this.touched = store.now();
    }

    /** Elements so far. */
    public long elements() {
        return writer.elements();
    }

    /**
     * An element, in the order in which elements come out.
     *
     * @return false where it cannot be kept: the entry is given up
     */
    public boolean add(EntryRecord record) {
        if (over) {
            return false;
        }
        int bytes = record.bytes();
        try {
            long needed = writer.bytes() + bytes - reserved;
            if (needed > 0 && !grow(Math.max(needed, RESERVED_AT_ONCE)) && !grow(needed)) {
                close();
                return false;
            }
            writer.add(record);
            Instant now = store.now();
            if (Duration.between(touched, now).compareTo(CacheStore.MAKING.dividedBy(6)) > 0) {
                touched = now;
                draft.touch(now);
            }
            return true;
        } catch (IOException broken) {
            store.failsToWrite(broken);
            close();
            return false;
        } catch (OutOfMemoryError full) { // of buffers outside the heap: what they were for is not needed
            CacheStore.LOG.warn("an element of {} bytes finds no memory; its entry is not made", bytes);
            close();
            return false;
        }
    }

    private boolean grow(long more) {
        if (!store.room().reserve(key.group(), more)) {
            return false;
        }
        reserved += more;
        if (!draft.grow(more)) {
            store.room().free(key.group(), more);
            reserved -= more;
            return false;
        }
        return true;
    }

    /**
     * All of its elements were added: from now on it is read.
     *
     * @param dropped numbers of records that filters dropped
     * @return whether it is there
     */
    public boolean publish(RoaringBitmap dropped) {
        if (over) {
            return false;
        }
        if (store.room().isDropped(key.group())) { // while it was made
            close();
            return false;
        }
        try {
            writer.end(dropped);
            writer.close();
            long bytes = writer.bytes();
            publish(bytes);
            return true;
        } catch (FileAlreadyExistsException | NoSuchFileException thereOrTakenAway) {
            return false;
        } catch (IOException broken) {
            store.failsToWrite(broken);
            return false;
        } finally {
            close();
        }
    }

    private void publish(long bytes) throws IOException {
        boolean published = false;
        // before: that it is not kept may be told at once
        store.room().changed(key.group(), 1, bytes);
        try {
            draft.publish(why -> store.lost(key, bytes, why));
            published = true;
        } finally {
            if (!published) {
                store.room().changed(key.group(), -1, -bytes);
            }
        }
    }

    /** Gives it up, unless it was published. */
    @Override
    public void close() {
        if (over) {
            return;
        }
        over = true;
        store.room().free(key.group(), reserved);
        try {
            writer.close();
        } catch (IOException unwritten) {
            CacheStore.LOG.debug("an unfinished entry cannot be closed: {}", unwritten.getMessage());
        }
        try {
            draft.close();
        } catch (IOException stays) {
            CacheStore.LOG.debug("what is left of an unfinished entry stays: {}", stays.getMessage());
        }
    }
}
