package io.praline.worker.attempt.entry;

import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.CanonicalForm;
import io.praline.worker.graph.caching.CachePoint;
import io.praline.worker.storage.FileVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** What a split reads up to a cache point and of which version it is: equal where its elements are. */
final class SplitKey {
    /** Two changes within it may have the same time: a kernel's clock for files goes on a hundred times a second at least. */
    private static final Duration TICK = Duration.ofMillis(50);

    /** The same where times are told in seconds, or in two. */
    private static final Duration COARSE_TICK = Duration.ofMillis(2_100);

    private final StringBuilder key = new StringBuilder();
    private Instant lasts = Instant.MIN;

    private SplitKey() {}

    /**
     * Of a split as it lies there now, and of the version of TensorFlow that reads it; empty where a file of it cannot be looked
     * at. What lies elsewhere is of the version that was planned.
     *
     * @param point up to which it is read
     * @param inodes whether a file in the place of another one is another one even where its size and times are the same; only
     *     where nobody on another host reads the key
     */
    static Optional<SplitKey> of(AssignedSplit assigned, CachePoint point, boolean inodes) {
        Split split = assigned.getSplit();
        SplitKey its = new SplitKey();
        its.add(TensorFlowOps.running());
        its.add(split.getKind());
        its.add(split.getFrom());
        its.add(split.getUntil());
        its.add(split.getStep());
        its.add(split.getRecords().map(String::valueOf).orElse("all"));
        // what was drawn for an element follows from its ticket
        its.add(point.drawn() ? assigned.getOrdinal() : "anywhere");
        return its.files(split, inodes) && its.opened(split, point, inodes) ? Optional.of(its) : Optional.empty();
    }

    /** SHA-256, in hex. */
    String digest() {
        return CanonicalForm.digest(key.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Whether a change from now on has another key: one that follows another at once may have the same time. */
    boolean lasts(Instant now) {
        return !lasts.isAfter(now);
    }

    /** With its length, so that no two lists of parts are the same text: names of files may hold any character. */
    private void add(Object part) {
        String text = String.valueOf(part);
        key.append(text.length()).append(':').append(text).append('\n');
    }

    private boolean files(Split split, boolean inodes) {
        List<String> paths = split.getPaths();
        List<String> versions = split.getVersions();
        for (int i = 0; i < paths.size(); i++) {
            // a run of names may lead here and elsewhere
            String version = i < versions.size() ? versions.get(i) : "";
            if (version.isEmpty()
                    ? !local(paths.get(i), inodes)
                    : !FileVersion.parse(version).lasts()) {
                return false;
            }
            add(paths.get(i));
            add(version);
        }
        return true;
    }

    /** Files that no split names, and a constant of which it reads a range does. */
    private boolean opened(Split split, CachePoint point, boolean inodes) {
        for (List<String> names : point.opened()) {
            if (split.getKind() != SplitKind.INDEXES || split.getUntil() > names.size()) {
                return false;
            }
            for (String name : names.subList(Math.toIntExact(split.getFrom()), Math.toIntExact(split.getUntil()))) {
                if (!local(name, inodes)) {
                    return false;
                }
                add(name);
            }
        }
        return true;
    }

    private boolean local(String name, boolean inode) {
        try {
            Path path = Path.of(name);
            BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
            add(file.size());
            add(file.lastModifiedTime().toInstant());
            Optional<FileTime> changed = changed(path);
            add(changed.map(String::valueOf).orElse(""));
            settles(changed.orElse(file.lastModifiedTime()).toInstant());
            add(inode ? file.fileKey() : "any");
            return true;
        } catch (IOException | InvalidPathException unknown) {
            return false;
        }
    }

    /**
     * When anything about a file was last changed, which nobody can set: what is written over and given its former time of
     * change has another one. Nothing where a file system has none.
     */
    private static Optional<FileTime> changed(Path path) throws IOException {
        try {
            return Optional.of((FileTime) Files.getAttribute(path, "unix:ctime"));
        } catch (UnsupportedOperationException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    private void settles(Instant changed) {
        boolean coarse = changed.truncatedTo(ChronoUnit.SECONDS).equals(changed);
        Instant over = changed.plus(coarse ? COARSE_TICK : TICK);
        lasts = over.isAfter(lasts) ? over : lasts;
    }
}
