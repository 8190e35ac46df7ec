package io.praline.worker.storage.stage;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.StoreFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of one reader's splits, under a root of its own, where its graph finds each by its name. Splits of files need
 * nothing of it. Safe for several threads.
 */
public final class StagedSplits implements AutoCloseable {
    /** A store that asks to be asked again for less long is not worth a word. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(StagedSplits.class);

    private final Staging staging;
    private final Optional<Path> root;
    private final Map<Long, Held> held = new HashMap<>();
    private final Map<Path, Integer> links = new HashMap<>();
    private int holders = 1;
    private long past;
    private boolean stopped;
    private volatile Optional<Awaited> awaited = Optional.empty();

    private record Awaited(List<Staged> contents, long sinceNanos) {}

    /** @param from the first byte that is read of each */
    private record Held(List<Staged> contents, long from, CompletableFuture<Void> there) {}

    StagedSplits(Staging staging, Optional<Path> root) {
        this.staging = staging;
        this.root = root;
    }

    /** Where objects lie for its graph; empty where it can read none. */
    public Optional<String> root() {
        return root.map(Path::toString);
    }

    /** Where a file or object of a split that is there can be opened. */
    public Path path(Split split, String name) {
        return path(name, from(split));
    }

    private Path path(String name, long from) {
        return FileStores.isRemote(name) && root.isPresent()
                ? Path.of(StagedName.under(root.get().toString(), name, from))
                : Path.of(name);
    }

    private static long from(Split split) {
        return split.getKind() == SplitKind.RECORD_RANGE ? split.getFrom() : 0;
    }

    /** Where objects may be cut that were read before. */
    public ObjectIndexes indexes() {
        return staging.indexes();
    }

    /** A text that names objects as the plan does, and not where they lie. */
    public String told(String text) {
        return root.map(each -> StagedName.told(each.toString(), text)).orElse(text);
    }

    /**
     * Has a split's objects fetched, when it is their turn.
     *
     * @return completed once they are there, at once for files; or with a {@link StoreFailed}, or a
     *     {@link CancellationException} where nobody reads any more
     */
    public CompletableFuture<Void> ahead(AssignedSplit split) {
        try {
            return isRemote(split.getSplit()) ? held(split).there() : CompletableFuture.completedFuture(null);
        } catch (StoreFailed | CancellationException | IllegalArgumentException none) {
            return CompletableFuture.failedFuture(none);
        }
    }

    /**
     * Waits until a split's objects are there, for which there will be room now.
     *
     * @throws StoreFailed where they do not come
     * @throws CancellationException once nobody reads any more
     */
    public void await(AssignedSplit split) throws InterruptedException {
        if (!isRemote(split.getSplit())) {
            return;
        }
        Held wanted = held(split);
        staging.demand(wanted.contents());
        awaited = Optional.of(new Awaited(wanted.contents(), staging.nanoTime()));
        try {
            wanted.there().get();
        } catch (ExecutionException failed) {
            throw thrown(failed.getCause());
        } finally {
            awaited = Optional.empty();
        }
    }

    /** Why what is awaited does not come, in a line; empty where nothing is, or where it was asked for just now. */
    public Optional<String> waitsFor() {
        return awaited.filter(one -> staging.nanoTime() - one.sinceNanos() >= PATIENCE.toNanos())
                .flatMap(one -> one.contents().stream()
                        .flatMap(staged -> staged.refused().stream())
                        .findFirst())
                .map(StoreFailed::getMessage);
    }

    private static RuntimeException thrown(Throwable why) {
        Throwable cause = why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
        return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
    }

    private static boolean isRemote(Split split) {
        return split.getPaths().stream().anyMatch(FileStores::isRemote);
    }

    private synchronized Held held(AssignedSplit split) {
        if (stopped) {
            throw new CancellationException("split " + split.getOrdinal() + " is read by nobody any more");
        }
        Held known = held.get(split.getOrdinal());
        if (known != null && !known.there().isCompletedExceptionally()) {
            return known;
        }
        if (known != null) {
            known.contents().forEach(staging::release);
        }
        Held fresh = fetched(split);
        held.put(split.getOrdinal(), fresh);
        return fresh;
    }

    private Held fetched(AssignedSplit split) {
        Split read = split.getSplit();
        List<String> paths = read.getPaths();
        List<String> versions = read.getVersions();
        if (versions.size() != paths.size()) {
            throw new StoreFailed(
                    StoreFailed.Kind.REFUSED,
                    "split " + split.getOrdinal() + " names " + paths.get(0)
                            + " without its version: a worker of an older version planned it; submit the job again");
        }
        List<Staged> contents = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            if (FileStores.isRemote(paths.get(i))) {
                FileVersion version = FileVersion.parse(versions.get(i));
                contents.add(staging.want(paths.get(i), version, extent(read, version)));
            }
        }
        long from = from(read);
        CompletableFuture<Void> there = CompletableFuture.allOf(
                        contents.stream().map(Staged::there).toArray(CompletableFuture<?>[]::new))
                .thenRun(() -> link(contents, from));
        return new Held(contents, from, there);
    }

    private static Extent extent(Split split, FileVersion version) {
        return split.getKind() == SplitKind.RECORD_RANGE
                ? new Extent(split.getFrom(), split.getUntil(), version.bytes())
                : Extent.whole(version);
    }

    private synchronized void link(List<Staged> contents, long from) {
        if (stopped) {
            throw new CancellationException("nobody reads it any more");
        }
        int linked = 0;
        try {
            for (Staged staged : contents) {
                link(staged, path(staged.address(), from));
                linked++;
            }
        } finally {
            if (linked < contents.size()) {
                contents.subList(0, linked).forEach(staged -> unlink(path(staged.address(), from)));
            }
        }
    }

    private void link(Staged staged, Path path) {
        if (!links.containsKey(path)) {
            try {
                Files.createDirectories(path.getParent());
                Files.createLink(path, staging.folder().object(staged.key()));
            } catch (FileAlreadyExistsException unexpected) {
                throw new UncheckedIOException(unexpected);
            } catch (IOException | UnsupportedOperationException e) {
                throw new StoreFailed(
                        StoreFailed.Kind.BUSY,
                        staged.address() + " cannot be laid down on disk (" + e + "); see to the worker's --stage-dir",
                        e);
            }
        }
        links.merge(path, 1, Integer::sum);
    }

    /** One of those that read it by this name is done with it. */
    private void unlink(Path path) {
        if (links.merge(path, -1, Integer::sum) == 0) {
            links.remove(path);
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Lets go what splits have that are no longer read. */
    public synchronized void keep(LongPredicate ordinals) {
        held.entrySet().removeIf(split -> {
            boolean over = split.getValue().there().isDone() && !ordinals.test(split.getKey());
            if (over) {
                letGo(split.getValue());
            }
            return over;
        });
    }

    /** Whether it has objects of any split. */
    public synchronized boolean isEmpty() {
        return held.isEmpty();
    }

    private void letGo(Held split) {
        if (!split.there().isCompletedExceptionally()) {
            split.contents().forEach(staged -> unlink(path(staged.address(), split.from())));
        }
        past += split.contents().stream()
                .mapToLong(staged -> staged.fetched().get())
                .sum();
        split.contents().forEach(staging::release);
    }

    /** Bytes that were fetched for it: grows while something comes. */
    public synchronized long progress() {
        return past
                + held.values().stream()
                        .flatMap(split -> split.contents().stream())
                        .mapToLong(staged -> staged.fetched().get())
                        .sum();
    }

    /** Somebody else reads it too: it is to be closed once more. */
    public synchronized void hold() {
        holders++;
    }

    /** Nobody waits any more; what is there stays readable until it is closed. */
    public void stop() {
        List<CompletableFuture<Void>> pending = new ArrayList<>();
        synchronized (this) {
            stopped = true;
            held.values().stream()
                    .map(Held::there)
                    .filter(there -> !there.isDone())
                    .forEach(pending::add);
        }
        pending.forEach(there -> there.completeExceptionally(new CancellationException("nobody reads it any more")));
    }

    /** Lets all go, once all who held it have closed it. */
    @Override
    public void close() {
        synchronized (this) {
            holders--;
            if (holders > 0) {
                return;
            }
        }
        stop();
        synchronized (this) {
            held.values().forEach(split -> split.contents().forEach(staging::release));
            held.clear();
            links.clear();
            try {
                if (root.isPresent()) {
                    StageFolder.delete(root.get());
                }
            } catch (IOException | UncheckedIOException e) {
                // nobody reads it, and whoever takes the stage next begins with what it deletes: no reason to fail for
                LOG.warn("{} stays until this worker is started again: {}", root.get(), e.toString());
            }
        }
    }
}
