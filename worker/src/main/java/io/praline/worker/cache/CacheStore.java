package io.praline.worker.cache;

import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries in a folder or a bucket. What is wrong with it costs entries and never a job: what cannot be read is computed, what cannot be
 * written is not kept, and {@link #failure} says why. Safe for several threads, and for several processes on one folder.
 */
public final class CacheStore implements AutoCloseable {
    static final Logger LOG = LoggerFactory.getLogger(CacheStore.class);

    /** Who makes an entry touches its mark more often than that. */
    static final Duration MAKING = Duration.ofSeconds(30);

    private final EntryPlace place;
    private final StoreClearing clearing;
    private final StoreRoom room;
    private final InstantSource clock;
    private final VerifiedEntries verified = new VerifiedEntries();
    private final StoreTrouble trouble;

    /** What is there can be read nevertheless. */
    private final StoreTrouble unwritable;

    // all guarded by this
    private Optional<StoreSpeed> speed = Optional.empty();
    private String id = "";

    private CacheStore(EntryPlace place, long budget, InstantSource clock) {
        this.place = place;
        this.clearing = new StoreClearing(place);
        this.room = new StoreRoom(budget);
        this.clock = clock;
        this.trouble = new StoreTrouble(clock);
        this.unwritable = new StoreTrouble(clock);
    }

    /**
     * Opens a folder, which is made where it is not there. Where it cannot be used the store is empty and stays so until it
     * can, and says why.
     *
     * @param shared whether other workers may use the same folder
     * @param process that no other process has, a name for a file
     * @param budget the most bytes that entries may take
     */
    public static CacheStore open(Path root, boolean shared, String process, long budget, InstantSource clock) {
        return open(new StoreFolder(root, shared, process), budget, clock);
    }

    /**
     * Opens what lies below a prefix of a bucket, which other workers may use too.
     *
     * @param url as {@code s3://bucket/prefix}
     * @param near where copies of it lie on this worker's disk
     */
    public static CacheStore open(
            String url, S3Settings settings, StageSettings near, long budget, InstantSource clock) {
        return open(new ObjectPlace(url, settings, near), budget, clock);
    }

    private static CacheStore open(EntryPlace place, long budget, InstantSource clock) {
        CacheStore store = new CacheStore(place, budget, clock);
        store.look();
        return store;
    }

    /** The name of the folder's content, the same for all who share it; empty where it cannot be used. */
    public synchronized String id() {
        return id;
    }

    public boolean shared() {
        return place.shared();
    }

    /** How long from one look at it to the next. */
    public Duration lookAgain() {
        return place.lookAgain();
    }

    /** The most bytes that entries may take. */
    public long budget() {
        return room.budget();
    }

    /** Why nothing is kept, in a line; empty where it works. */
    public Optional<String> failure() {
        return trouble.why().or(unwritable::recent);
    }

    /** Looks at the folder as it is now: what others made or took away. */
    public void look() {
        try {
            String found = place.open(clock.instant());
            clearing.look(clock.instant());
            SortedMap<EntryGroup, StoreRoom.Usage> now = new TreeMap<>();
            place.entries()
                    .forEach((group, files) -> now.put(
                            group,
                            new StoreRoom.Usage(
                                    files.size(),
                                    files.stream()
                                            .mapToLong(EntryPlace.Stored::bytes)
                                            .sum())));
            room.found(now);
            synchronized (this) {
                id = found;
            }
            place.unwritable().ifPresent(unwritable::fails);
            trouble.over();
        } catch (IOException | UncheckedIOException | SecurityException broken) {
            trouble.fails(place.name() + " cannot be used: " + reason(broken));
        }
        evict();
    }

    /** By group; of others that share the folder, as it was looked at last. */
    public SortedMap<EntryGroup, StoreRoom.Usage> usage() {
        return room.usage();
    }

    /** How the folder is divided: a group that is not listed keeps what it has, and gets nothing more. */
    public void divide(Map<EntryGroup, StoreRoom.Target> among) {
        room.divide(among);
        evict();
    }

    private void evict() {
        room.targets().forEach((group, target) -> {
            if (!target.pinned()) {
                evict(group, target.bytes());
            }
        });
    }

    private void evict(EntryGroup group, long most) {
        try {
            long bytes = room.bytes(group);
            if (bytes <= most) {
                return;
            }
            for (EntryPlace.Stored each : place.entries(group)) {
                if (bytes <= most) {
                    return;
                }
                if (place.delete(each.key()).isPresent()) {
                    bytes -= each.bytes();
                    room.changed(group, -1, -each.bytes());
                }
            }
        } catch (IOException | UncheckedIOException broken) {
            LOG.warn("entries of {} cannot be taken away: {}", group.prefix(), reason(broken));
        }
    }

    /** How fast the folder is, measured when it is asked for first; empty where it cannot be used. */
    public Optional<StoreSpeed> speed() {
        synchronized (this) {
            if (speed.isPresent()) {
                return speed;
            }
        }
        if (!usable()) {
            return Optional.empty();
        }
        try {
            StoreSpeed measured = place.speed();
            synchronized (this) {
                speed = Optional.of(measured);
                return speed;
            }
        } catch (IOException broken) {
            failsToWrite(broken);
            return Optional.empty();
        }
    }

    /** What is known of an entry; empty where there is none that is whole. */
    public Optional<EntryInfo> info(EntryKey key) {
        if (!usable()) {
            return Optional.empty();
        }
        try {
            Optional<EntryPlace.Held> held = place.peek(key);
            Optional<EntryInfo> info = held.flatMap(each -> info(key, each.file()));
            held.ifPresent(each -> each.release().run());
            return info;
        } catch (IOException broken) {
            unread(broken);
            return Optional.empty();
        }
    }

    private void unread(IOException broken) {
        if (broken instanceof PlaceFailed) {
            trouble.fails(place.name() + " cannot be read: " + reason(broken));
        } else {
            LOG.warn("an entry cannot be read: {}", reason(broken));
        }
    }

    private Optional<EntryInfo> info(EntryKey key, Path file) {
        try {
            return Optional.of(verified.of(file));
        } catch (NoSuchFileException none) {
            place.vanished(key);
            return Optional.empty();
        } catch (BrokenEntry broken) {
            if (place.forget(key)) {
                LOG.info("a copy of an entry is taken away: {}", broken.getMessage());
            } else {
                LOG.warn("an entry is taken away and computed again: {}", broken.getMessage());
                drop(key);
            }
            return Optional.empty();
        } catch (IOException broken) {
            LOG.warn("an entry cannot be read: {}", reason(broken));
            return Optional.empty();
        }
    }

    /**
     * An entry to be read, which lasts until the lease is given back, whatever becomes of the entry.
     *
     * @return empty where there is none that is whole
     */
    public Optional<Lease> lease(EntryKey key) {
        if (!usable()) {
            return Optional.empty();
        }
        try {
            Optional<EntryPlace.Held> held = place.hold(key);
            if (held.isEmpty()) {
                return Optional.empty();
            }
            Optional<EntryInfo> info = info(key, held.get().file());
            if (info.isEmpty()) {
                held.get().release().run();
            }
            return info.map(
                    each -> new Lease(key, held.get().file(), each, held.get().release()));
        } catch (IOException broken) {
            unread(broken);
            return Optional.empty();
        }
    }

    /**
     * An entry that is read.
     *
     * @param file where
     * @param release gives it back
     */
    public record Lease(EntryKey key, Path file, EntryInfo info, Runnable release) implements AutoCloseable {
        @Override
        public void close() {
            release.run();
        }
    }

    /**
     * Whether an entry that was verified before is still what it was: to be asked where reading it failed. One that is not is
     * taken away.
     */
    public boolean stillWhole(Lease lease) {
        try {
            EntryFile.verified(lease.file());
            return true;
        } catch (NoSuchFileException gone) { // the name by which it was read; the entry may be whole
            doubt();
            place.vanished(lease.key());
            return false;
        } catch (IOException broken) {
            doubt();
            drop(lease.key());
            return false;
        }
    }

    /** Something that came from an entry was not what it should be: each is looked through again before it is read. */
    public void doubt() {
        verified.doubt();
    }

    /** Takes an entry away. */
    public void drop(EntryKey key) {
        try {
            place.delete(key).ifPresent(bytes -> room.changed(key.group(), -1, -bytes));
        } catch (IOException stays) {
            LOG.warn("an entry cannot be taken away: {}", reason(stays));
        }
    }

    /** Whether somebody else makes this entry just now, so that it will be there a little later. */
    public boolean beingMade(EntryKey key) {
        return usable() && place.beingMade(key, clock.instant().minus(MAKING));
    }

    /**
     * Begins an entry.
     *
     * @return empty where it is there, where somebody else makes it, where its group may have no more, or where there is no
     *     memory to write it with
     */
    public Optional<EntryMaking> make(EntryKey key) {
        if (!usable() || unwritable.recent().isPresent() || !room.mayGrow(key.group(), 0)) {
            return Optional.empty();
        }
        try {
            Optional<EntryPlace.Draft> draft = place.draft(key, clock.instant().minus(MAKING));
            return draft.isPresent() ? making(key, draft.get()) : Optional.empty();
        } catch (IOException broken) {
            failsToWrite(broken);
            return Optional.empty();
        }
    }

    private Optional<EntryMaking> making(EntryKey key, EntryPlace.Draft draft) throws IOException {
        boolean begun = false;
        try {
            EntryMaking making = new EntryMaking(this, key, draft, new EntryWriter(draft.file()));
            begun = true;
            return Optional.of(making);
        } catch (OutOfMemoryError full) { // of buffers outside the heap: the split is computed without
            LOG.warn("there is no memory to write an entry with; it is not made");
            return Optional.empty();
        } finally {
            if (!begun) {
                draft.close();
            }
        }
    }

    StoreRoom room() {
        return room;
    }

    /** By the clock of whoever opened it. */
    public Instant now() {
        return clock.instant();
    }

    private synchronized boolean usable() {
        return trouble.recent().isEmpty() && !id.isEmpty();
    }

    /** For some time nothing is made; what is there is read, unless nobody answers from where it lies. */
    void failsToWrite(Exception broken) {
        if (broken instanceof PlaceFailed) {
            trouble.fails(place.name() + " cannot be written: " + reason(broken));
        } else {
            unwritable.fails(place.written() + " cannot be written: " + reason(broken));
        }
    }

    /** An entry that was made is not kept after all: for some time none is made, and those that are there are read. */
    void lost(EntryKey key, long bytes, String why) {
        room.changed(key.group(), -1, -bytes);
        unwritable.fails(why);
    }

    static String reason(Exception broken) {
        if (broken instanceof PlaceFailed) {
            return broken.getMessage();
        }
        String message = String.valueOf(broken.getMessage());
        return broken.getClass().getSimpleName().replaceAll("Exception$", "") + ": "
                + message.lines().findFirst().orElse("");
    }

    /** Gives back what this process has of the place. */
    @Override
    public void close() {
        place.close();
    }

    static String unique() {
        return UUID.randomUUID().toString();
    }
}
