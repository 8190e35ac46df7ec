package io.praline.tests.simulation;

import io.praline.schema.CacheGroup;
import io.praline.schema.CacheReport;
import io.praline.schema.CacheTargets;
import io.praline.worker.cache.CacheStore;
import io.praline.worker.cache.EntryGroup;
import io.praline.worker.cache.StoreRoom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A worker's store of entries, a real one in a folder, and what beats tell of it. Its folder's clock is the system's: what is
 * being made is never taken for what a process left that is gone.
 */
final class Entries {
    private static final Duration AGAIN = Duration.ofSeconds(10);
    private static final Duration AT_MOST = Duration.ofSeconds(2);

    private final World world;
    private final CacheStore store;
    private Optional<CacheReport> told = Optional.empty();
    private long toldAt;

    private Entries(World world, CacheStore store) {
        this.world = world;
        this.store = store;
    }

    /**
     * Opens one.
     *
     * @param folder of all stores
     * @param name of the store, which follows from the schedule as all that is told does
     * @param process that no other has
     */
    static Entries open(World world, Path folder, String name, boolean shared, String process, long budget) {
        Path root = folder.resolve(name);
        try {
            Files.createDirectories(root);
            Files.writeString(root.resolve("store"), "praline cache 1 " + name + "\n");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return new Entries(world, CacheStore.open(root, shared, process, budget, InstantSource.system()));
    }

    CacheStore store() {
        return store;
    }

    /** What the next beat should tell; empty where it told it lately. */
    Optional<CacheReport> news() {
        List<CacheGroup> groups = new ArrayList<>();
        store.usage()
                .forEach((group, usage) ->
                        groups.add(new CacheGroup(group.tenant(), group.prefix(), usage.entries(), usage.bytes())));
        long used = groups.stream().mapToLong(CacheGroup::getBytes).sum();
        CacheReport now = new CacheReport(
                store.id(),
                store.shared(),
                store.budget(),
                used,
                store.failure().orElse(""),
                groups);
        boolean changed = told.filter(now::equals).isEmpty();
        if (told.isPresent() && world.nanos() - toldAt < (changed ? AT_MOST : AGAIN).toNanos()) {
            return Optional.empty();
        }
        told = Optional.of(now);
        toldAt = world.nanos();
        return told;
    }

    void divide(CacheTargets targets) {
        if (!targets.getStore().equals(store.id())) {
            return;
        }
        Map<EntryGroup, StoreRoom.Target> among = new TreeMap<>();
        targets.getTargets()
                .forEach(each -> among.put(
                        new EntryGroup(each.getTenant(), each.getPrefix()),
                        new StoreRoom.Target(each.getBytes(), each.getPinned())));
        store.divide(among);
    }

    /** One of the entries loses its end, for good; nothing where there is none. */
    static void spoil(Path folder, int which) {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> entries = all.filter(
                            file -> file.getFileName().toString().matches("[0-9a-f]{64}"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
            if (!entries.isEmpty()) {
                Path spoiled = entries.get(Math.floorMod(which, entries.size()));
                byte[] bytes = Files.readAllBytes(spoiled);
                Files.write(spoiled, Arrays.copyOf(bytes, bytes.length * 2 / 3));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
