package io.praline.worker;

import io.praline.schema.CacheGroup;
import io.praline.schema.CacheReport;
import io.praline.schema.CacheTarget;
import io.praline.schema.CacheTargets;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.StoreRoom;
import io.praline.worker.storage.S3Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's store of entries between the store and the dispatcher: what beats tell of it, how it is divided. Looks at it again
 * now and then on a thread of its own, since others may share the folder.
 */
final class StoreWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);

    private static final Duration AGAIN = Duration.ofSeconds(10);
    private static final Duration AT_MOST = Duration.ofSeconds(2);

    /** As many as a command that divides them has room for. */
    private static final int MOST_GROUPS = 5_000;

    private final CacheStore store;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "store");
        thread.setDaemon(true);
        return thread;
    });
    private Optional<CacheReport> told = Optional.empty();
    private long toldAt;

    private StoreWatch(CacheStore store, LongSupplier nanoTime) {
        this.store = store;
        this.nanoTime = nanoTime;
    }

    /**
     * Opens the store that the settings name.
     *
     * @param s3 how objects are reached, where it consists of some
     */
    static StoreWatch open(CacheSettings settings, S3Settings s3, String incarnation) {
        InstantSource clock = InstantSource.system();
        StoreWatch watch = new StoreWatch(
                settings.place()
                        .match(
                                folder -> CacheStore.open(
                                        folder.path(), folder.shared(), incarnation, settings.bytes(), clock),
                                objects -> CacheStore.open(objects.url(), s3, objects.near(), settings.bytes(), clock)),
                System::nanoTime);
        watch.lookLater();
        return watch;
    }

    private void lookLater() {
        var unused = looking.schedule(this::look, store.lookAgain().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            store.look();
        } finally {
            if (!looking.isShutdown()) {
                lookLater();
            }
        }
    }

    CacheStore store() {
        return store;
    }

    /** What the next beat should tell; empty where it told it lately. */
    synchronized Optional<CacheReport> news() {
        CacheReport now = report();
        long since = nanoTime.getAsLong() - toldAt;
        boolean changed = told.filter(now::equals).isEmpty();
        if (told.isPresent() && since < (changed ? AT_MOST : AGAIN).toNanos()) {
            return Optional.empty();
        }
        told = Optional.of(now);
        toldAt = nanoTime.getAsLong();
        return told;
    }

    private CacheReport report() {
        List<CacheGroup> groups = new ArrayList<>();
        store.usage()
                .forEach((group, usage) ->
                        groups.add(new CacheGroup(group.tenant(), group.prefix(), usage.entries(), usage.bytes())));
        return new CacheReport(
                store.id(),
                store.shared(),
                store.budget(),
                groups.stream().mapToLong(CacheGroup::getBytes).sum(),
                store.failure().orElse(""),
                told(groups));
    }

    /** The largest of them: with more than the dispatcher takes it would take nothing of the beat. */
    private static List<CacheGroup> told(List<CacheGroup> groups) {
        return groups.size() <= MOST_GROUPS
                ? groups
                : groups.stream()
                        .sorted(Comparator.comparingLong(CacheGroup::getBytes).reversed())
                        .limit(MOST_GROUPS)
                        .toList();
    }

    /** How the store is divided from now on; nothing where another store is meant. Does not block. */
    void divide(CacheTargets targets) {
        if (!targets.getStore().equals(store.id())) {
            return;
        }
        Map<EntryGroup, StoreRoom.Target> among = new TreeMap<>();
        for (CacheTarget each : targets.getTargets()) {
            try {
                among.put(
                        new EntryGroup(each.getTenant(), each.getPrefix()),
                        new StoreRoom.Target(each.getBytes(), each.getPinned()));
            } catch (IllegalArgumentException newer) {
                LOG.warn("a group of entries is passed over: {}", newer.getMessage());
            }
        }
        looking.execute(() -> store.divide(among));
    }

    @Override
    public void close() {
        looking.shutdownNow();
        store.close();
    }
}
