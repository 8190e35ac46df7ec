package io.praline.worker.storage.stage;

import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.Retries;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.stage.Staged.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contents of objects on this worker's disk, for all of its attempts: fetched in the order in which they are asked for, as far
 * as there is room, and at once where an attempt waits for one. A content that nobody reads stays until there is no room
 * for another one, the oldest going first; since it is called by its version, it serves whoever has the same in his plan. One
 * that a store may tell like another ({@link FileVersion#lasts}) goes with its last reader.
 * Safe for several threads.
 */
public final class Staging implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Staging.class);

    /** Ranges on their way at a time. */
    private static final int THREADS = 16;

    private static final Duration TELL_EVERY = Duration.ofSeconds(30);

    private static final Duration LAST_WAIT = Duration.ofSeconds(2);

    private final FileStores stores;
    private final long mostBytes;
    private final Optional<StageFolder> folder;
    private final ObjectIndexes indexes;
    private final String whyNone;
    private final Retries retries;
    private final AtomicLong told = new AtomicLong();
    private final AtomicLong fetched = new AtomicLong();
    private final AtomicLong readings = new AtomicLong();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
        Thread thread = new Thread(work, "staging");
        thread.setDaemon(true);
        return thread;
    });

    // all below guarded by this; asked for and not yet let go, the rest only on disk
    private final Map<String, Staged> wanted = new HashMap<>();
    // contents that nobody reads, the one that was let go first in front
    private final Map<String, Long> idle = new LinkedHashMap<>();
    private final Deque<Staged> waiting = new ArrayDeque<>();
    private long used;
    private boolean overTold;

    private Staging(
            FileStores stores, long mostBytes, Optional<StageFolder> folder, String whyNone, Retries.Times times) {
        this.stores = stores;
        this.mostBytes = mostBytes;
        this.folder = folder;
        this.indexes = folder.map(each -> ObjectIndexes.in(each.indexes())).orElseGet(ObjectIndexes::none);
        this.whyNone = whyNone;
        this.retries = Retries.reading(times, this::askedAgain);
    }

    /** In a place of its own in the folder; without one, where that cannot be had, so that objects cannot be read. */
    public static Staging open(FileStores stores, StageSettings settings) {
        return open(stores, settings, Retries.Times.SYSTEM);
    }

    static Staging open(FileStores stores, StageSettings settings, Retries.Times times) {
        try {
            StageFolder folder = StageFolder.take(settings.folder());
            Staging staging = new Staging(stores, settings.bound(folder.free()), Optional.of(folder), "", times);
            for (StageFolder.Kept kept : folder.kept()) {
                staging.idle.put(kept.key(), kept.bytes());
                staging.used += kept.bytes();
            }
            return staging;
        } catch (IOException | RuntimeException unusable) {
            String why = "the folder " + settings.folder() + " cannot be used (" + unusable
                    + "); name one that can be written with --stage-dir";
            LOG.warn("objects of stores cannot be read: {}", why);
            return new Staging(stores, settings.bound(0), Optional.empty(), why, times);
        }
    }

    /** Of files alone: objects are refused. */
    public static Staging none() {
        return new Staging(
                new FileStores(S3Settings.USUAL),
                1,
                Optional.empty(),
                "only files are read here",
                Retries.Times.SYSTEM);
    }

    /** What a graph and whoever counts for it read from here on. */
    public StagedSplits reading() {
        return new StagedSplits(this, folder.map(each -> each.reads(readings.incrementAndGet())));
    }

    /** Where objects may be cut that were read before. */
    public ObjectIndexes indexes() {
        return indexes;
    }

    StageFolder folder() {
        return folder.orElseThrow(
                () -> new StoreFailed(StoreFailed.Kind.BUSY, "objects of stores cannot be read: " + whyNone));
    }

    /** Somebody will read these bytes of a content, or more of it; what is given is let go by {@link #release}. */
    synchronized Staged want(String address, FileVersion version, Extent extent) {
        folder();
        StagedName.require(address);
        Staged whole = new Staged(address, version, Extent.whole(version));
        boolean there = idle.containsKey(whole.key())
                || Optional.ofNullable(wanted.get(whole.key()))
                        .filter(known -> known.stage() == Stage.ON_DISK)
                        .isPresent();
        Staged staged = there || extent.isWhole() ? whole : new Staged(address, version, extent);
        Staged known = wanted.get(staged.key());
        if (known != null && (known.stage() != Stage.ON_DISK || lies(known))) {
            known.readers(known.readers() + 1);
            return known;
        }
        if (known != null) {
            known.stage(Stage.GONE); // whoever reads it has another name of it
            used -= known.bytes();
        }
        wanted.put(staged.key(), staged);
        staged.readers(1);
        Long kept = idle.remove(staged.key());
        if (kept != null && lies(staged)) {
            staged.stage(Stage.ON_DISK);
            staged.there().complete(null);
        } else {
            if (kept != null) {
                used -= kept;
                delete(staged.key());
            }
            waiting.add(staged);
            startWhatFits();
        }
        return staged;
    }

    /**
     * Whether what should lie there does: folders for temporary files are cleaned up by others, and where a host loses power
     * files may be left that are not whole.
     */
    private boolean lies(Staged staged) {
        try {
            return Files.size(folder().object(staged.key())) == staged.version().bytes();
        } catch (IOException gone) {
            return false;
        }
    }

    /** Somebody waits for it, room or not. */
    synchronized void demand(Collection<Staged> contents) {
        for (Staged staged : contents) {
            if (waiting.remove(staged)) {
                makeRoom(staged.bytes());
                if (used + staged.bytes() > mostBytes && !overTold) {
                    overTold = true;
                    LOG.warn(
                            "what attempts read just now takes more than the {} bytes of --stage-bytes, at first {}",
                            mostBytes,
                            staged.address());
                }
                start(staged);
            }
        }
        startWhatFits();
    }

    /** One of its readers is done with it. */
    synchronized void release(Staged staged) {
        staged.readers(staged.readers() - 1);
        if (staged.readers() > 0) {
            return;
        }
        wanted.remove(staged.key(), staged);
        switch (staged.stage()) {
            case WAITING -> waiting.remove(staged);
            case COMING -> staged.unwanted(true);
            case ON_DISK -> keep(staged);
            case GONE -> {}
        }
        startWhatFits();
    }

    /** It lies there, and nobody reads it. */
    private void keep(Staged staged) {
        if (!staged.version().lasts()) {
            used -= staged.bytes();
            delete(staged.key());
        } else if (idle.put(staged.key(), staged.bytes()) != null) {
            used -= staged.bytes(); // it is there once
        }
    }

    private void delete(String key) {
        try {
            Files.deleteIfExists(folder().object(key));
        } catch (IOException e) {
            LOG.warn("a content that nobody reads cannot be deleted: {}", e.getMessage());
        }
    }

    private void startWhatFits() {
        while (!waiting.isEmpty()) {
            long bytes = waiting.peek().bytes();
            makeRoom(bytes);
            if (used > 0 && used + bytes > mostBytes) {
                return;
            }
            start(waiting.remove());
        }
    }

    private void makeRoom(long bytes) {
        Iterator<Map.Entry<String, Long>> oldest = idle.entrySet().iterator();
        while (used + bytes > mostBytes && oldest.hasNext()) {
            Map.Entry<String, Long> next = oldest.next();
            oldest.remove();
            used -= next.getValue();
            delete(next.getKey());
        }
    }

    private void start(Staged staged) {
        staged.stage(Stage.COMING);
        used += staged.bytes();
        new Fetching(staged, stores, folder(), retries, threads, fetched, failed -> over(staged, failed)).start();
    }

    private synchronized void over(Staged staged, boolean failed) {
        if (failed) {
            used -= staged.bytes();
            wanted.remove(staged.key(), staged); // who asks next has it fetched anew
        } else {
            staged.stage(Stage.ON_DISK);
            Staged now = wanted.get(staged.key());
            if (now == null) {
                keep(staged);
            } else if (now != staged) {
                used -= staged.bytes(); // it is there once, for who wanted it again meanwhile
            }
        }
        startWhatFits();
    }

    private void askedAgain(StoreFailed why) {
        long now = retries.times().nanoTime();
        long before = told.get();
        if ((before == 0 || now - before > TELL_EVERY.toNanos()) && told.compareAndSet(before, now)) {
            LOG.warn("asked again, {} times so far: {}", retries(), why.getMessage());
        }
    }

    /** By the clock of whoever asks stores. */
    long nanoTime() {
        return retries.times().nanoTime();
    }

    /** Bytes that came from stores. */
    public long fetchedBytes() {
        return fetched.get();
    }

    /** Questions that a store had to be asked again. */
    public long retries() {
        return retries.retried().get();
    }

    /** Bytes on disk or on their way there. */
    public synchronized long usedBytes() {
        return used;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(LAST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("an object is still on its way while this worker stops");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        folder.ifPresent(StageFolder::close);
        stores.close();
    }
}
