package io.praline.worker.cache;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.roaringbitmap.RoaringBitmap;

/** An entry that is written. One thread. */
public final class EntryMaking implements AutoCloseable {
    private static final long RESERVED_AT_ONCE = 1 << 20;

    private final CacheStore store;
    private final EntryKey key;
    private final Path file;
    private final EntryWriter writer;
    private long reserved;
    private Instant touched;
    private boolean over;

    EntryMaking(CacheStore store, EntryKey key, Path file, EntryWriter writer) {
        this.store = store;
        this.key = key;
        this.file = file;
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
            if (writer.bytes() + bytes > reserved) {
                long more = Math.max(bytes, RESERVED_AT_ONCE);
                if (!store.room().mayGrow(key.group(), more)) {
                    close();
                    return false;
                }
                store.room().reserve(key.group(), more);
                reserved += more;
            }
            writer.add(record);
            Instant now = store.now();
            if (Duration.between(touched, now).compareTo(CacheStore.MAKING.dividedBy(6)) > 0) {
                touched = now;
                touchMark(now);
            }
            return true;
        } catch (IOException broken) {
            store.fails(
                    "the cache folder " + store.folder().root() + " cannot be written: " + CacheStore.reason(broken));
            close();
            return false;
        } catch (OutOfMemoryError full) { // of buffers outside the heap: what they were for is not needed
            CacheStore.LOG.warn("an element of {} bytes finds no memory; its entry is not made", bytes);
            close();
            return false;
        }
    }

    private void touchMark(Instant now) throws IOException {
        try {
            store.folder().touch(store.folder().mark(key), now);
        } catch (NoSuchFileException gone) {
            // somebody took it away: another may make the same entry, and the later one stays
        }
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
        try {
            writer.end(dropped);
            writer.close();
            long bytes = writer.bytes();
            Files.move(file, store.folder().file(key), StandardCopyOption.ATOMIC_MOVE);
            store.room().changed(key.group(), 1, bytes);
            return true;
        } catch (FileAlreadyExistsException | NoSuchFileException thereOrTakenAway) {
            return false;
        } catch (IOException broken) {
            store.fails(
                    "the cache folder " + store.folder().root() + " cannot be written: " + CacheStore.reason(broken));
            return false;
        } finally {
            close();
        }
    }

    /** Gives it up, unless it was published. */
    @Override
    public void close() {
        if (over) {
            return;
        }
        over = true;
        store.room().reserve(key.group(), -reserved);
        try {
            writer.close();
            Files.deleteIfExists(file);
            Files.deleteIfExists(store.folder().mark(key));
        } catch (IOException stays) {
            CacheStore.LOG.debug("what is left of an unfinished entry stays: {}", stays.getMessage());
        }
    }
}
