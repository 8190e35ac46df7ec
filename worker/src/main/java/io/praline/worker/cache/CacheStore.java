package io.praline.worker.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of entries. What is wrong with it costs entries and never a job: what cannot be read is computed, what cannot be
 * written is not kept, and {@link #failure} says why. Safe for several threads, and for several processes on one folder.
 */
public final class CacheStore implements AutoCloseable {
    static final Logger LOG = LoggerFactory.getLogger(CacheStore.class);

    /** Who makes an entry touches its mark more often than that. */
    static final Duration MAKING = Duration.ofSeconds(30);

    /** What others left behind in a folder that is shared. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    /** A folder that is full or gone is tried again. */
    private static final Duration TRY_AGAIN = Duration.ofSeconds(30);

    private static final int VERIFIED_REMEMBERED = 100_000;

    private final StoreFolder folder;
    private final StoreRoom room;
    private final InstantSource clock;

    // all guarded by this
    private final Map<Object, EntryInfo> verified = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, EntryInfo> eldest) {
            return size() > VERIFIED_REMEMBERED;
        }
    };
    private Optional<StoreSpeed> speed = Optional.empty();
    private long leases;
    private String id = "";
    private Optional<Failure> failure = Optional.empty();

    private record Failure(String why, Instant at) {}

    private CacheStore(StoreFolder folder, long budget, InstantSource clock) {
        this.folder = folder;
        this.room = new StoreRoom(budget);
        this.clock = clock;
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
        CacheStore store = new CacheStore(new StoreFolder(root, shared, process), budget, clock);
        store.look();
        store.clear(shared ? clock.instant().minus(ABANDONED) : Instant.MAX);
        return store;
    }

    /** The name of the folder's content, the same for all who share it; empty where it cannot be used. */
    public synchronized String id() {
        return id;
    }

    public boolean shared() {
        return folder.shared();
    }

    /** The most bytes that entries may take. */
    public long budget() {
        return room.budget();
    }

    /** Why nothing is kept, in a line; empty where it works. */
    public synchronized Optional<String> failure() {
        return failure.map(Failure::why);
    }

    /** Clears away what processes that ended left behind. */
    private void clear(Instant before) {
        try {
            folder.clear(before);
        } catch (IOException | UncheckedIOException stays) {
            LOG.warn("what is left in the cache folder {} stays: {}", folder.root(), reason(stays));
        }
    }

    /** Looks at the folder as it is now: what others made or took away. */
    public void look() {
        try {
            String found = folder.open();
            SortedMap<EntryGroup, StoreRoom.Usage> now = new TreeMap<>();
            folder.entries()
                    .forEach((group, files) -> now.put(
                            group,
                            new StoreRoom.Usage(
                                    files.size(),
                                    files.stream()
                                            .mapToLong(StoreFolder.Stored::bytes)
                                            .sum())));
            room.found(now);
            synchronized (this) {
                id = found;
                failure = Optional.empty();
            }
        } catch (IOException | UncheckedIOException | SecurityException broken) {
            fails("the cache folder " + folder.root() + " cannot be used: " + reason(broken));
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
            for (StoreFolder.Stored each : folder.entries(group)) {
                if (bytes <= most) {
                    return;
                }
                if (Files.deleteIfExists(each.file())) {
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
            StoreSpeed measured = StoreSpeed.measured(folder.root().resolve("speed." + unique()));
            synchronized (this) {
                speed = Optional.of(measured);
                return speed;
            }
        } catch (IOException broken) {
            fails("the cache folder " + folder.root() + " cannot be written: " + reason(broken));
            return Optional.empty();
        }
    }

    /** What is known of an entry; empty where there is none that is whole. */
    public Optional<EntryInfo> info(EntryKey key) {
        return usable() ? info(key, folder.file(key)) : Optional.empty();
    }

    private Optional<EntryInfo> info(EntryKey key, Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            Object version =
                    List.of(String.valueOf(attributes.fileKey()), attributes.lastModifiedTime(), attributes.size());
            synchronized (this) {
                EntryInfo known = verified.get(version);
                if (known != null) {
                    return Optional.of(known);
                }
            }
            EntryInfo info = EntryFile.verified(file);
            synchronized (this) {
                verified.put(version, info);
            }
            return Optional.of(info);
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (BrokenEntry broken) {
            LOG.warn("an entry is taken away and computed again: {}", broken.getMessage());
            drop(key);
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
        Path leased;
        synchronized (this) {
            leased = folder.lease(++leases);
        }
        try {
            Path file = folder.file(key);
            boolean own = folder.link(file, leased);
            Optional<EntryInfo> info = info(key, own ? leased : file);
            if (info.isEmpty()) {
                Files.deleteIfExists(leased);
            }
            return info.map(each -> new Lease(key, own ? leased : file, each, own));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException broken) {
            LOG.warn("an entry cannot be read: {}", reason(broken));
            return Optional.empty();
        }
    }

    /**
     * An entry that is read.
     *
     * @param own whether the name is this lease's own
     */
    public record Lease(EntryKey key, Path file, EntryInfo info, boolean own) implements AutoCloseable {
        @Override
        public void close() {
            try {
                if (own) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException stays) {
                LOG.debug("a lease stays until this process ends: {}", stays.getMessage());
            }
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
        } catch (IOException broken) {
            doubt();
            drop(lease.key());
            return false;
        }
    }

    /** Something that came from an entry was not what it should be: each is looked through again before it is read. */
    public synchronized void doubt() {
        verified.clear();
    }

    /** Takes an entry away. */
    public void drop(EntryKey key) {
        Path file = folder.file(key);
        try {
            long bytes = Files.size(file);
            if (Files.deleteIfExists(file)) {
                room.changed(key.group(), -1, -bytes);
            }
        } catch (NoSuchFileException gone) {
            // somebody else did
        } catch (IOException stays) {
            LOG.warn("an entry cannot be taken away: {}", reason(stays));
        }
    }

    /** Whether somebody else makes this entry just now. */
    public boolean beingMade(EntryKey key) {
        return usable() && folder.isTouched(folder.mark(key), clock.instant().minus(MAKING));
    }

    /**
     * Begins an entry.
     *
     * @return empty where it is there, where somebody else makes it, where its group may have no more, or where there is no
     *     memory to write it with
     */
    public Optional<EntryMaking> make(EntryKey key) {
        if (!usable() || !room.mayGrow(key.group(), 0)) {
            return Optional.empty();
        }
        try {
            if (Files.exists(folder.file(key))
                    || !folder.claim(key, clock.instant().minus(MAKING))) {
                return Optional.empty();
            }
            Path file = folder.unfinished(key);
            return Optional.of(new EntryMaking(this, key, file, new EntryWriter(file)));
        } catch (IOException broken) {
            fails("the cache folder " + folder.root() + " cannot be written: " + reason(broken));
            return Optional.empty();
        } catch (OutOfMemoryError full) { // of buffers outside the heap: the split is computed without
            LOG.warn("there is no memory to write an entry with; it is not made");
            return Optional.empty();
        }
    }

    StoreRoom room() {
        return room;
    }

    StoreFolder folder() {
        return folder;
    }

    Instant now() {
        return clock.instant();
    }

    private synchronized boolean usable() {
        boolean again = failure.filter(
                        since -> Duration.between(since.at(), clock.instant()).compareTo(TRY_AGAIN) < 0)
                .isEmpty();
        return again && !id.isEmpty();
    }

    synchronized void fails(String why) {
        if (failure.filter(known -> known.why().equals(why)).isEmpty()) {
            LOG.warn("{}; elements are computed", why);
        }
        failure = Optional.of(new Failure(why, clock.instant()));
    }

    static String reason(Exception broken) {
        String message = String.valueOf(broken.getMessage());
        return broken.getClass().getSimpleName().replaceAll("Exception$", "") + ": "
                + message.lines().findFirst().orElse("");
    }

    /** Gives back what this process has of the folder. */
    @Override
    public void close() {
        folder.leave();
    }

    static String unique() {
        return UUID.randomUUID().toString();
    }
}
