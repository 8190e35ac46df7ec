package io.praline.worker.cache;

import io.praline.worker.storage.ObjectFolder;
import io.praline.worker.storage.ObjectFolder.Fetched;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StoreFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Entries of a bucket for whoever looks at each once: one at a time lies on disk. */
record LookedFar(ObjectFolder far, Path folder) implements StoreCheck.Looked, AutoCloseable {

    /** @throws PlaceFailed if it is no store, or cannot be reached */
    static LookedFar open(String url, S3Settings settings, Path below) throws IOException {
        Files.createDirectories(below);
        LookedFar looked = new LookedFar(new ObjectFolder(settings, url), Files.createTempDirectory(below, "verify-"));
        boolean good = false;
        try {
            if (looked.far
                    .read(EntryNames.STORE)
                    .filter(bytes -> !EntryNames.id(new String(bytes, StandardCharsets.UTF_8))
                            .isEmpty())
                    .isEmpty()) {
                throw new PlaceFailed("there is no cache in " + url, null);
            }
            good = true;
            return looked;
        } catch (StoreFailed failed) {
            throw new PlaceFailed(failed.getMessage(), failed);
        } finally {
            if (!good) {
                looked.close();
            }
        }
    }

    @Override
    public Map<EntryGroup, List<EntryPlace.Stored>> entries() throws IOException {
        Map<EntryGroup, List<EntryPlace.Stored>> groups = new TreeMap<>();
        try {
            far.list(EntryNames.ENTRIES).forEach(each -> EntryNames.key(each.name())
                    .ifPresent(key -> groups.computeIfAbsent(key.group(), none -> new ArrayList<>())
                            .add(new EntryPlace.Stored(key, each.bytes()))));
            return groups;
        } catch (StoreFailed failed) {
            throw new PlaceFailed(failed.getMessage(), failed);
        }
    }

    @Override
    public boolean verify(EntryKey key) throws IOException {
        String name = EntryNames.name(key);
        Path file = folder.resolve(key.split());
        try {
            boolean there = fetched(name, file);
            if (there) {
                EntryFile.verified(file, far.address(name));
            }
            return there;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** False where somebody took it away meanwhile. */
    private boolean fetched(String name, Path file) throws IOException {
        try {
            return far.fetch(name, file, bytes -> true) == Fetched.THERE;
        } catch (StoreFailed failed) {
            throw new PlaceFailed(failed.getMessage(), failed);
        } catch (IOException disk) {
            throw new PlaceFailed(
                    folder + " cannot be written (" + CacheStore.reason(disk) + "); see --stage-dir", disk);
        }
    }

    @Override
    public void close() throws IOException {
        far.close();
        Files.deleteIfExists(folder);
    }
}
