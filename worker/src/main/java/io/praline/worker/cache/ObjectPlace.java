package io.praline.worker.cache;

import io.praline.worker.storage.ObjectFolder;
import io.praline.worker.storage.ObjectMarks;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.stage.NearFiles;
import io.praline.worker.storage.stage.NearObjects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Entries as objects below a prefix of a bucket, and copies of them near: an entry is written near and goes from there to the
 * bucket, whole and unless it is there; it comes near before it is read. Any worker comes to what any other made, and who makes
 * an entry leaves a mark until it is in the bucket.
 */
final class ObjectPlace implements EntryPlace {
    private static final int UPLOADS = 4;

    /** More is not taken by S3 in one request. */
    private static final long MOST_BYTES = 5L << 30;

    private static final Duration LOOK = Duration.ofSeconds(30);

    /** How long a worker that ends waits for what is on its way to the bucket. */
    private static final long LEAVING_SECONDS = 5;

    private final String url;
    private final ObjectFolder far;
    private final ObjectMarks marks;
    private final StageSettings nearSettings;
    private volatile Optional<Near> opened = Optional.empty();
    private final Set<EntryKey> making = ConcurrentHashMap.newKeySet();
    private final Map<EntryKey, Stored> uploading = new ConcurrentHashMap<>();
    private final ExecutorService uploads = Executors.newFixedThreadPool(UPLOADS, work -> {
        Thread thread = new Thread(work, "entries to the bucket");
        thread.setDaemon(true);
        return thread;
    });

    /** What the last look at the bucket found, by a number of each key's; sorted. */
    private volatile long[] listed = {};

    /** @param near where copies lie, and how much of them */
    ObjectPlace(String url, S3Settings settings, StageSettings near) {
        this.url = url;
        this.far = new ObjectFolder(settings, url);
        this.marks = new ObjectMarks(far, CacheStore.unique());
        this.nearSettings = near;
    }

    /** What {@link #open} found: without it the place is not used. */
    private record Near(NearFiles files, NearObjects objects) {}

    private NearFiles near() {
        return opened.orElseThrow().files();
    }

    private NearObjects copies() {
        return opened.orElseThrow().objects();
    }

    private synchronized void openNear() throws IOException {
        if (opened.isPresent()) {
            return;
        }
        try {
            NearFiles files = NearFiles.open(nearSettings);
            opened = Optional.of(new Near(files, new NearObjects(far, files)));
        } catch (IOException unusable) {
            throw nearFails(unusable);
        }
    }

    @Override
    public String name() {
        return "the cache " + url;
    }

    @Override
    public String written() {
        return "the folder " + nearSettings.folder() + " for copies of " + name();
    }

    @Override
    public boolean shared() {
        return true;
    }

    private interface Asked<T> {
        T ask() throws IOException;
    }

    private static <T> T asked(Asked<T> question) throws IOException {
        try {
            return question.ask();
        } catch (StoreFailed failed) {
            throw new PlaceFailed(failed.getMessage(), failed);
        }
    }

    private PlaceFailed nearFails(IOException broken) {
        return new PlaceFailed(
                "copies of it cannot be written to " + nearSettings.folder() + " (" + CacheStore.reason(broken)
                        + "); see --cache-near and --cache-near-bytes",
                broken);
    }

    @Override
    public String open(Instant now) throws IOException {
        openNear();
        return asked(() -> {
            Optional<byte[]> found = far.read(EntryNames.STORE);
            if (found.isEmpty()) {
                far.put(EntryNames.STORE, EntryNames.identity(CacheStore.unique()));
                found = far.read(EntryNames.STORE);
            }
            String id = found.map(bytes -> EntryNames.id(new String(bytes, StandardCharsets.UTF_8)))
                    .orElse("");
            if (id.isEmpty()) {
                throw new PlaceFailed("it is of another format: " + far.address(EntryNames.STORE), null);
            }
            return id;
        });
    }

    /** No entry is begun in a bucket: an object is there whole, or not at all. */
    @Override
    public void clear(Instant since) throws IOException {
        asked(() -> {
            marks.clear(EntryNames.MAKING);
            return true;
        });
    }

    @Override
    public SortedMap<EntryGroup, List<Stored>> entries() throws IOException {
        long newest = near().newest();
        Map<EntryKey, Stored> all = new TreeMap<>(EntryNames.ORDER);
        // before the list: what arrives meanwhile is in one of both
        all.putAll(uploading);
        asked(() -> far.list(EntryNames.ENTRIES)).forEach(each -> EntryNames.key(each.name())
                .ifPresent(key -> all.put(key, new Stored(key, each.bytes()))));
        listed = all.keySet().stream().mapToLong(EntryNames::number).sorted().toArray();
        near().retain(newest, all.keySet().stream().map(EntryNames::name).toList());
        SortedMap<EntryGroup, List<Stored>> groups = new TreeMap<>();
        all.values().forEach(each -> groups.computeIfAbsent(each.key().group(), none -> new ArrayList<>())
                .add(each));
        return groups;
    }

    @Override
    public List<Stored> entries(EntryGroup group) throws IOException {
        Map<EntryKey, Stored> all = new TreeMap<>(EntryNames.ORDER);
        uploading.values().stream()
                .filter(each -> each.key().group().equals(group))
                .forEach(each -> all.put(each.key(), each));
        asked(() -> far.list(EntryNames.folder(group))).forEach(each -> EntryNames.key(each.name())
                .ifPresent(key -> all.put(key, new Stored(key, each.bytes()))));
        return List.copyOf(all.values());
    }

    @Override
    public OptionalLong delete(EntryKey key) throws IOException {
        Optional<Stored> onItsWay = Optional.ofNullable(uploading.remove(key));
        OptionalLong copy = near().remove(EntryNames.name(key));
        asked(() -> {
            far.delete(EntryNames.name(key));
            return true;
        });
        return onItsWay.map(each -> OptionalLong.of(each.bytes())).orElse(copy.isPresent() ? copy : OptionalLong.of(0));
    }

    @Override
    public boolean forget(EntryKey key) {
        String name = EntryNames.name(key);
        boolean old = near().isOld(name);
        if (old) {
            near().remove(name);
        }
        return old;
    }

    @Override
    public void vanished(EntryKey key) {
        near().remove(EntryNames.name(key));
    }

    @Override
    public Optional<Held> hold(EntryKey key) throws IOException {
        return brought(() -> copies().hold(EntryNames.name(key)));
    }

    @Override
    public Optional<Held> peek(EntryKey key) throws IOException {
        return brought(() -> copies().peek(EntryNames.name(key)));
    }

    private Optional<Held> brought(Asked<Optional<NearFiles.Held>> copy) throws IOException {
        try {
            return asked(copy).map(held -> new Held(held.file(), held.release()));
        } catch (PlaceFailed failed) {
            throw failed;
        } catch (IOException disk) {
            throw nearFails(disk);
        }
    }

    private boolean there(EntryKey key) {
        return uploading.containsKey(key) || Arrays.binarySearch(listed, EntryNames.number(key)) >= 0;
    }

    @Override
    public boolean beingMade(EntryKey key, Instant lately) {
        return making.contains(key) || (!there(key) && marks.othersHave(EntryNames.mark(key)));
    }

    @Override
    public Optional<Draft> draft(EntryKey key, Instant lately) {
        if (there(key) || !making.add(key)) {
            return Optional.empty();
        }
        if (!marks.claim(EntryNames.mark(key))) {
            making.remove(key);
            return Optional.empty();
        }
        return Optional.of(new Unfinished(key));
    }

    private final class Unfinished implements Draft {
        private final EntryKey key;
        private final String name;
        private final Path part;
        private long reserved;
        private boolean leaves;

        Unfinished(EntryKey key) {
            this.key = key;
            this.name = EntryNames.name(key);
            this.part = near().part(name);
        }

        @Override
        public Path file() {
            return part;
        }

        @Override
        public boolean grow(long bytes) {
            boolean room = reserved + bytes <= MOST_BYTES && near().reserve(bytes);
            reserved += room ? bytes : 0;
            return room;
        }

        @Override
        public void touch(Instant now) {
            // marks in the bucket are written again while this process lives
        }

        @Override
        public void publish(Lost lost) throws IOException {
            long bytes = Files.size(part);
            near().free(reserved - bytes); // what is over; its end may have taken more than there was room for
            reserved = bytes;
            NearFiles.Held held = near().add(name, part, bytes, false);
            reserved = 0;
            uploading.put(key, new Stored(key, bytes));
            try {
                uploads.execute(() -> upload(key, held, lost));
                leaves = true;
            } catch (RejectedExecutionException leaving) {
                uploading.remove(key);
                held.release().run();
                throw new NoSuchFileException(part.toString(), null, "the worker ends");
            }
        }

        @Override
        public void close() throws IOException {
            near().free(reserved);
            reserved = 0;
            making.remove(key);
            if (!leaves) {
                marks.release(EntryNames.mark(key));
            }
            Files.deleteIfExists(part);
        }
    }

    private void upload(EntryKey key, NearFiles.Held held, Lost lost) {
        String name = EntryNames.name(key);
        try {
            far.put(name, held.file());
            if (uploading.remove(key) == null) {
                far.delete(name); // it was taken away meanwhile
            }
        } catch (RuntimeException failed) {
            if (uploading.remove(key) != null) {
                near().remove(name);
                lost.told(name() + " cannot be written: " + failed.getMessage());
            }
        } finally {
            marks.release(EntryNames.mark(key));
            held.release().run();
        }
    }

    /** A list of a thousand names costs a request: those of large stores are made more rarely. */
    @Override
    public Duration lookAgain() {
        return LOOK.plusSeconds(listed.length / 1_000);
    }

    @Override
    public StoreSpeed speed() throws IOException {
        String name = "speed." + CacheStore.unique();
        Path there = near().part(name);
        Path back = near().part(name);
        try {
            return StoreSpeed.measured(there, new StoreSpeed.Trip() {
                @Override
                public void away() throws IOException {
                    asked(() -> far.put(name, there));
                }

                @Override
                public Path back() throws IOException {
                    return asked(() -> {
                        far.fetch(name, back, bytes -> true);
                        return back;
                    });
                }
            });
        } finally {
            Files.deleteIfExists(back);
            asked(() -> {
                far.delete(name);
                return true;
            });
        }
    }

    @Override
    public void close() {
        uploads.shutdown();
        try {
            if (!uploads.awaitTermination(LEAVING_SECONDS, TimeUnit.SECONDS)) {
                CacheStore.LOG.warn("entries that did not come to {} any more: {}", url, uploading.size());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        uploads.shutdownNow();
        marks.close();
        far.close();
        opened.ifPresent(near -> near.files().close());
    }
}
