package io.praline.worker.cache;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * Where a store's entries lie, which knows names and bytes and not what is in them. Safe for several threads, and for several
 * processes where it is shared.
 */
interface EntryPlace extends AutoCloseable {
    /** An entry that is there. */
    record Stored(EntryKey key, long bytes) {}

    /**
     * An entry at hand.
     *
     * @param file to read it from, which lasts until it is released, whatever becomes of the entry
     * @param release gives it back; does not throw
     */
    record Held(Path file, Runnable release) {}

    /** An entry that is written; whoever began it closes it. One thread. */
    interface Draft extends Closeable {
        /** Where it is written, which is not there yet. */
        Path file();

        /** Whether there is room for so many bytes more. */
        boolean grow(long bytes);

        /** Somebody is still at it. */
        void touch(Instant now) throws IOException;

        /**
         * From now on it is read.
         *
         * @param lost told where it turns out later, on another thread, that it is not kept
         * @throws NoSuchFileException if somebody took away what was written
         */
        void publish(Lost lost) throws IOException;
    }

    /** Told that an entry is not kept. */
    interface Lost {
        void told(String why);
    }

    /** What messages call it. */
    String name();

    /** What messages call what is written to, where a disk says that it cannot be. */
    String written();

    /** Whether other processes may use it at the same time. */
    boolean shared();

    /**
     * Makes it where it is not there, and shows others that this process lives.
     *
     * @return which store it is
     * @throws IOException if it cannot be used, or is of another format
     */
    String open(Instant now) throws IOException;

    /** Why nothing can be written, in a line, where what is there can be read nevertheless; as it was opened last. */
    default Optional<String> unwritable() {
        return Optional.empty();
    }

    /** Clears away what was begun, or leased by other processes, and not touched since. */
    void clear(Instant since) throws IOException;

    /** All entries, by group. */
    SortedMap<EntryGroup, List<Stored>> entries() throws IOException;

    /** The entries of a group, those first that are to go first. */
    List<Stored> entries(EntryGroup group) throws IOException;

    /**
     * Takes an entry away.
     *
     * @return its bytes; empty where there is none, or it may not be taken away
     */
    OptionalLong delete(EntryKey key) throws IOException;

    /** An entry to be read; empty where there is none. */
    Optional<Held> hold(EntryKey key) throws IOException;

    /** The same for whoever looks at it for a moment; also empty where that would be in the way of those who read. */
    Optional<Held> peek(EntryKey key) throws IOException;

    /**
     * What was at hand of an entry is not whole: it is taken away, where the entry itself may be whole.
     *
     * @return false where it is the entry
     */
    boolean forget(EntryKey key);

    /** What was at hand of an entry is not there any more: it is not looked for again. */
    default void vanished(EntryKey key) {}

    /** Whether somebody makes an entry that is not there yet, and touched it lately. */
    boolean beingMade(EntryKey key, Instant lately);

    /**
     * Begins an entry.
     *
     * @return empty where it is there, where somebody else makes it who touched it lately, or where there is no room
     */
    Optional<Draft> draft(EntryKey key, Instant lately) throws IOException;

    /** How long what others made or took away may stay unseen. */
    Duration lookAgain();

    /** How fast it is. */
    StoreSpeed speed() throws IOException;

    /** Gives back what this process has of it. */
    @Override
    void close();
}
