package io.praline.worker.cache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A folder of entries; see the package's description for the names of its files. */
final class StoreFolder implements EntryPlace {
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    /** No other name is taken away: a folder may have been named that holds something else as well. */
    private static final Pattern UNFINISHED = Pattern.compile("[0-9a-f]{64}\\.(made|[0-9a-f-]{36})");

    private static final Comparator<Stored> LAST_FIRST =
            Comparator.comparing((Stored each) -> each.key().split()).reversed();
    private static final String MADE = ".made";

    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final int MOST_CLAIMS = 5;

    private final Path root;
    private final boolean shared;
    private final FolderLeases leases;
    private volatile Optional<String> unwritable = Optional.empty();

    /** How far its clock, which gives files their times, is ahead of this host's: hosts that share it may have any. */
    private volatile Optional<Duration> ahead = Optional.empty();

    /**
     * @param shared whether other processes may use it at the same time
     * @param process whose leases these are
     */
    StoreFolder(Path root, boolean shared, String process) {
        this.root = root;
        this.shared = shared;
        this.leases = new FolderLeases(root, process);
    }

    @Override
    public String name() {
        return "the cache folder " + root;
    }

    @Override
    public String written() {
        return name();
    }

    @Override
    public boolean shared() {
        return shared;
    }

    /** Which store it is; empty where that cannot be read. */
    String id() {
        try {
            return EntryNames.id(Files.readString(root.resolve(EntryNames.STORE)));
        } catch (IOException | UncheckedIOException none) {
            return "";
        }
    }

    @Override
    public String open(Instant now) throws IOException {
        Optional<String> why = Optional.empty();
        try {
            makeFolders(now);
        } catch (IOException refused) {
            if (id().isEmpty() || !Files.isDirectory(entriesFolder())) {
                throw refused;
            }
            why = Optional.of(name() + " cannot be written: " + CacheStore.reason(refused)
                    + "; what it holds is read, nothing more is kept");
        }
        if (id().isEmpty()) {
            throw new IOException("it is of another format: " + root.resolve(EntryNames.STORE));
        }
        unwritable = why;
        return id();
    }

    private void makeFolders(Instant now) throws IOException {
        Files.createDirectories(entriesFolder());
        if (ahead.isEmpty()) {
            ahead = Optional.of(Duration.between(now, itsTime()));
        }
        leases.touch(itsTime(now));
        Path store = root.resolve(EntryNames.STORE);
        if (!Files.exists(store)) {
            Path written = root.resolve("store." + CacheStore.unique());
            try {
                Files.write(written, EntryNames.identity(CacheStore.unique()));
                identify(store, written);
            } finally {
                Files.deleteIfExists(written);
            }
        }
        if (!Files.isWritable(entriesFolder())) {
            throw new IOException("it may not be written");
        }
    }

    private static void identify(Path store, Path written) throws IOException {
        try {
            try {
                Files.createLink(store, written);
            } catch (UnsupportedOperationException | FileSystemException noLinks) {
                Files.move(written, store);
            }
        } catch (FileAlreadyExistsException another) {
            // somebody else was first
        }
    }

    @Override
    public Optional<String> unwritable() {
        return unwritable;
    }

    @Override
    public void clear(Instant since) throws IOException {
        if (unwritable.isPresent()) {
            return;
        }
        Instant then = itsTime(since);
        for (Path each : FolderFiles.below(entriesFolder())) {
            if (UNFINISHED.matcher(each.getFileName().toString()).matches() && !FolderFiles.isTouched(each, then)) {
                Files.deleteIfExists(each);
            }
        }
        leases.clear(then);
    }

    /** What its clock shows. */
    private Instant itsTime() throws IOException {
        Path written = root.resolve("time." + CacheStore.unique());
        try {
            Files.createFile(written);
            return Files.getLastModifiedTime(written).toInstant();
        } finally {
            Files.deleteIfExists(written);
        }
    }

    /** What its clock showed, or will, at a time of this host's. */
    private Instant itsTime(Instant ours) {
        return ours.equals(Instant.MAX) ? ours : ours.plus(ahead.orElse(Duration.ZERO));
    }

    private Path entriesFolder() {
        return root.resolve("entries");
    }

    private Path folder(EntryGroup group) {
        return entriesFolder().resolve(EntryNames.tenant(group.tenant())).resolve(group.prefix());
    }

    Path file(EntryKey key) {
        return folder(key.group()).resolve(key.split().substring(0, 2)).resolve(key.split());
    }

    /** The file that says that somebody makes an entry. */
    private Path mark(EntryKey key) {
        return file(key).resolveSibling(key.split() + MADE);
    }

    /** Where a part of an entry is written. */
    private Path unfinished(EntryKey key) {
        return file(key).resolveSibling(key.split() + "." + CacheStore.unique());
    }

    @Override
    public Optional<Held> peek(EntryKey key) {
        return Optional.of(new Held(file(key), () -> {}));
    }

    @Override
    public Optional<Held> hold(EntryKey key) throws IOException {
        try {
            Optional<Path> lease = leases.lease(file(key), unwritable.isEmpty());
            return Optional.of(lease.map(its -> new Held(its, () -> FolderLeases.giveBack(its)))
                    .orElseGet(() -> new Held(file(key), () -> {})));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    @Override
    public OptionalLong delete(EntryKey key) throws IOException {
        if (unwritable.isPresent()) {
            return OptionalLong.empty();
        }
        Path file = file(key);
        try {
            long bytes = Files.size(file);
            boolean deleted = Files.deleteIfExists(file);
            FolderFiles.deleteIfEmpty(file.getParent());
            FolderFiles.deleteIfEmpty(folder(key.group()));
            return deleted ? OptionalLong.of(bytes) : OptionalLong.empty();
        } catch (NoSuchFileException gone) {
            return OptionalLong.empty(); // somebody else did
        }
    }

    @Override
    public boolean forget(EntryKey key) {
        return false;
    }

    @Override
    public boolean beingMade(EntryKey key, Instant lately) {
        return FolderFiles.isTouched(mark(key), itsTime(lately)) && !Files.exists(file(key));
    }

    @Override
    public Optional<Draft> draft(EntryKey key, Instant lately) throws IOException {
        return Files.exists(file(key)) || !claim(key, itsTime(lately))
                ? Optional.empty()
                : Optional.of(new Unfinished(key, unfinished(key)));
    }

    private final class Unfinished implements Draft {
        private final EntryKey key;
        private final Path file;

        Unfinished(EntryKey key, Path file) {
            this.key = key;
            this.file = file;
        }

        @Override
        public Path file() {
            return file;
        }

        @Override
        public boolean grow(long bytes) {
            return true; // a disk that is full says so when it is written
        }

        @Override
        public void touch(Instant now) throws IOException {
            try {
                Files.setLastModifiedTime(mark(key), FileTime.from(itsTime(now)));
            } catch (NoSuchFileException gone) {
                // somebody took it away: another may make the same entry, and the later one stays
            }
        }

        @Override
        public void publish(Lost lost) throws IOException {
            Files.move(file, StoreFolder.this.file(key), StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(file);
            Files.deleteIfExists(mark(key));
        }
    }

    @Override
    public Duration lookAgain() {
        return LOOK;
    }

    @Override
    public StoreSpeed speed() throws IOException {
        if (unwritable.isPresent()) {
            Optional<Stored> some =
                    entries().values().stream().flatMap(List::stream).max(Comparator.comparingLong(Stored::bytes));
            return StoreSpeed.ofReading(file(
                    some.orElseThrow(() -> new IOException("it holds nothing")).key()));
        }
        Path file = root.resolve("speed." + CacheStore.unique());
        return StoreSpeed.measured(file, StoreSpeed.Trip.none(file));
    }

    /** Marks an entry as being made; false where somebody else makes it, who touched its mark lately. */
    private boolean claim(EntryKey key, Instant lately) throws IOException {
        Path mark = mark(key);
        if (Files.exists(mark) && !FolderFiles.isTouched(mark, lately)) {
            Files.deleteIfExists(mark);
        }
        for (int again = 1; ; again++) {
            try {
                Files.createDirectories(mark.getParent());
                return created(mark);
            } catch (NoSuchFileException folderGone) { // somebody took its last entry away
                if (again == MOST_CLAIMS) {
                    throw folderGone;
                }
            }
        }
    }

    private static boolean created(Path mark) throws IOException {
        try {
            Files.createFile(mark);
            return true;
        } catch (FileAlreadyExistsException another) {
            return false;
        }
    }

    @Override
    public SortedMap<EntryGroup, List<Stored>> entries() throws IOException {
        SortedMap<EntryGroup, List<Stored>> all = new TreeMap<>();
        try (Stream<Path> tenants = Files.list(entriesFolder())) {
            for (Path tenant : tenants.filter(Files::isDirectory).toList()) {
                addEntries(tenant.getFileName().toString(), all);
            }
        }
        return all;
    }

    /** Those of a tenant, and of others whose names go on with folders in its own. */
    private void addEntries(String tenant, SortedMap<EntryGroup, List<Stored>> all) throws IOException {
        Optional<String> name = EntryNames.tenantOf(tenant);
        try (Stream<Path> below = Files.list(entriesFolder().resolve(tenant))) {
            for (Path each : below.filter(Files::isDirectory).toList()) {
                String folder = each.getFileName().toString();
                if (EntryNames.goesOn(folder)) {
                    addEntries(tenant + "/" + folder, all);
                } else if (name.isPresent() && HEX.matcher(folder).matches()) {
                    EntryGroup group = new EntryGroup(name.get(), folder);
                    List<Stored> files = entries(group);
                    if (!files.isEmpty()) {
                        all.put(group, files);
                    }
                }
            }
        }
    }

    @Override
    public List<Stored> entries(EntryGroup group) throws IOException {
        Path folder = folder(group);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Stored> files = new ArrayList<>();
        for (Path each : FolderFiles.below(folder)) {
            String split = each.getFileName().toString();
            if (HEX.matcher(split).matches()) {
                files.add(new Stored(new EntryKey(group, split), FolderFiles.size(each)));
            }
        }
        files.sort(LAST_FIRST);
        return files;
    }

    /** Takes away the leases of this process. */
    @Override
    public void close() {
        leases.close();
    }
}
