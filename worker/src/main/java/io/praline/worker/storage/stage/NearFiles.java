package io.praline.worker.storage.stage;

import io.praline.worker.storage.StageSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies on this worker's disk of what lies elsewhere: so many bytes at most, those go first that were used last the longest
 * time ago, and none while it is held. Whoever starts again on the same folder finds them. Safe for several threads.
 */
public final class NearFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NearFiles.class);

    private final StageFolder folder;
    private final long most;

    // all guarded by this
    private final Map<String, Copy> copies = new LinkedHashMap<>(16, 0.75f, true);
    private long used;
    private long number;

    private static final class Copy {
        private final Path file;
        private final long bytes;
        private final boolean old;
        private int holders;
        private boolean awaited;
        private boolean removed;

        /** @param old whether an earlier process left it */
        Copy(Path file, long bytes, boolean old) {
            this.file = file;
            this.bytes = bytes;
            this.old = old;
        }
    }

    /** A copy that stays until it is let go. */
    public record Held(Path file, Runnable release) {}

    private NearFiles(StageFolder folder, long most) {
        this.folder = folder;
        this.most = most;
    }

    /**
     * Takes a place in a folder that several workers may share.
     *
     * @throws IOException if there is none
     */
    public static NearFiles open(StageSettings settings) throws IOException {
        StageFolder folder = StageFolder.take(settings.folder());
        long there = folder.kept().stream().mapToLong(StageFolder.Kept::bytes).sum();
        NearFiles near = new NearFiles(folder, settings.bound(folder.free() + there));
        near.findAgain();
        return near;
    }

    private synchronized void findAgain() throws IOException {
        for (StageFolder.Kept each : folder.kept()) {
            Path file = folder.object(each.key());
            int dot = each.key().indexOf('.');
            if (dot < 0 || copies.containsKey(each.key().substring(0, dot))) {
                Files.deleteIfExists(file);
            } else {
                number = Math.max(number, numberOf(each.key().substring(dot + 1)));
                copies.put(each.key().substring(0, dot), new Copy(file, each.bytes(), true));
                used += each.bytes();
            }
        }
        room(0, copy -> true);
    }

    private static long numberOf(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException other) {
            return 0;
        }
    }

    /** The most bytes that lie there. */
    public long most() {
        return most;
    }

    /** A name of any length and any letters as that of a file. */
    private static String digest(String name) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Where something is put together that has room. */
    public Path part(String name) {
        return folder.part(digest(name));
    }

    /**
     * Takes room for bytes that are about to be written, in place of copies that nobody holds.
     *
     * @return false where there is none, and none is taken
     */
    public boolean reserve(long bytes) {
        return room(bytes, copy -> true);
    }

    /** The same, in place of copies alone that nobody is known to read soon. */
    public boolean reserveAhead(long bytes) {
        return room(bytes, copy -> !copy.awaited);
    }

    private synchronized boolean room(long bytes, Predicate<Copy> mayGo) {
        List<String> going = new ArrayList<>();
        long left = used;
        Iterator<Map.Entry<String, Copy>> oldest = copies.entrySet().iterator();
        while (left + bytes > most && oldest.hasNext()) {
            Map.Entry<String, Copy> each = oldest.next();
            if (each.getValue().holders == 0 && mayGo.test(each.getValue())) {
                going.add(each.getKey());
                left -= each.getValue().bytes;
            }
        }
        if (left + bytes > most && bytes > 0) {
            return false;
        }
        going.forEach(digest -> delete(copies.remove(digest)));
        used += bytes;
        return true;
    }

    /** Gives room back that was taken, and for which there is no copy. */
    public synchronized void free(long bytes) {
        used -= bytes;
    }

    /**
     * What was put together is a copy from now on, and held.
     *
     * @param bytes that have room already
     * @param ahead whether somebody is known to read it soon
     */
    public synchronized Held add(String name, Path part, long bytes, boolean ahead) throws IOException {
        String digest = digest(name);
        Path file = folder.object(digest + "." + ++number);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        remove(name);
        Copy copy = new Copy(file, bytes, false);
        copy.awaited = ahead;
        copies.put(digest, copy);
        return held(copy);
    }

    /** A copy, where there is one; nobody else is known to read it soon. */
    public synchronized Optional<Held> hold(String name) {
        Optional<Copy> copy = Optional.ofNullable(copies.get(digest(name)));
        copy.ifPresent(each -> each.awaited = false);
        return copy.map(this::held);
    }

    /** A copy for a look, where there is one. */
    public synchronized Optional<Held> peek(String name) {
        return Optional.ofNullable(copies.get(digest(name))).map(this::held);
    }

    private Held held(Copy copy) {
        copy.holders++;
        return new Held(copy.file, () -> release(copy));
    }

    private synchronized void release(Copy copy) {
        copy.holders--;
        if (copy.removed && copy.holders == 0) {
            delete(copy);
        }
    }

    /** Whether an earlier process left this copy. */
    public synchronized boolean isOld(String name) {
        return Optional.ofNullable(copies.get(digest(name)))
                .filter(copy -> copy.old)
                .isPresent();
    }

    /** A copy is found no more, and goes when nobody holds it; its bytes, where there was one. */
    public synchronized OptionalLong remove(String name) {
        Optional<Copy> copy = Optional.ofNullable(copies.remove(digest(name)));
        copy.ifPresent(this::goes);
        return copy.map(each -> OptionalLong.of(each.bytes)).orElse(OptionalLong.empty());
    }

    private void goes(Copy copy) {
        copy.removed = true;
        if (copy.holders == 0) {
            delete(copy);
        }
    }

    /** Grows with each copy that is added. */
    public synchronized long newest() {
        return number;
    }

    /** Removes copies of other names than these, but for those that were added since {@link #newest} was so. */
    public void retain(long newest, Collection<String> names) {
        Set<String> digests = names.stream().map(NearFiles::digest).collect(Collectors.toSet());
        synchronized (this) {
            Iterator<Map.Entry<String, Copy>> all = copies.entrySet().iterator();
            while (all.hasNext()) {
                Map.Entry<String, Copy> each = all.next();
                String file = each.getValue().file.getFileName().toString();
                if (numberOf(file.substring(file.indexOf('.') + 1)) <= newest && !digests.contains(each.getKey())) {
                    all.remove();
                    goes(each.getValue());
                }
            }
        }
    }

    private void delete(Copy copy) {
        used -= copy.bytes;
        try {
            Files.deleteIfExists(copy.file);
        } catch (IOException stays) {
            LOG.warn("the copy {} stays: {}", copy.file, stays.getMessage());
        }
    }

    /** Bytes there and on their way. */
    public synchronized long used() {
        return used;
    }

    @Override
    public void close() {
        folder.close();
    }
}
