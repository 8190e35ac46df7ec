package io.praline.wire.memory;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import io.praline.wire.BatchFrame;
import io.praline.wire.MalformedFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Memory that a client and a worker of one host both see: a file in {@code /dev/shm} that each of them maps. The client makes
 * it and tells its name; the worker opens it; then the name is removed, so that the memory goes with the last of the two,
 * however that ends. A name that its client left behind, who was killed before that, goes with the next segment that one of this
 * user makes. Only files of this user with a name of ours are opened.
 *
 * <p>It is unmapped when nobody has a reference to it any more; what was read from it before must not be touched after that.
 */
public final class SharedSegment extends AbstractReferenceCounted {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final String PREFIX = "praline-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f-]{36}");
    private static final int POPULATED_AT_ONCE = 1 << 20;

    /** By far longer than a worker may take from HELLO to WELCOME, behind which no name is needed. */
    private static final Duration NAMED = Duration.ofMinutes(10);

    private final String name;
    private final FileChannel file;
    private final Mapping mapped;
    private final ByteBuf memory;
    private volatile boolean discarded;

    /** @param file stays open as long as it is mapped; taken over */
    private SharedSegment(String name, FileChannel file, MappedByteBuffer mapped) {
        this.name = name;
        this.file = file;
        this.mapped = new Mapping(mapped);
        this.memory = Unpooled.wrappedBuffer(mapped.duplicate());
    }

    /**
     * Makes a segment, all zeroes; its pages take memory when they are first written to.
     *
     * @return empty where the host has no such memory, or not twice as much as is asked for
     */
    public static Optional<SharedSegment> create(long bytes) {
        if (!Files.isDirectory(FOLDER) || bytes < 1 || bytes > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        removeLeftBehind(System.currentTimeMillis());
        String name = PREFIX + UUID.randomUUID();
        try {
            if (Files.getFileStore(FOLDER).getUsableSpace() / 2 < bytes) {
                return Optional.empty();
            }
            FileChannel file = FileChannel.open(
                    FOLDER.resolve(name),
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return Optional.of(mapped(name, file, bytes));
        } catch (IOException | UnsupportedOperationException refused) {
            remove(name);
            return Optional.empty();
        }
    }

    /**
     * Opens what a client made.
     *
     * @return empty where there is no such segment, as in another container, or it is not this user's
     */
    public static Optional<SharedSegment> open(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        Path path = FOLDER.resolve(name);
        try {
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || !isOurs(path)) {
                return Optional.empty();
            }
            FileChannel file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            long bytes = file.size();
            if (bytes < 1 || bytes > Integer.MAX_VALUE) {
                file.close();
                return Optional.empty();
            }
            return Optional.of(mapped(name, file, bytes));
        } catch (IOException notForUs) {
            return Optional.empty();
        }
    }

    /**
     * Removes names of clients of this user that were killed before a worker had opened what they made, which nobody else does:
     * that memory would be taken until the host starts again.
     */
    private static void removeLeftBehind(long nowMillis) {
        try (DirectoryStream<Path> names = Files.newDirectoryStream(FOLDER, PREFIX + "*")) {
            for (Path path : names) {
                String name = path.getFileName().toString();
                if (NAME.matcher(name).matches() && isLeftBehind(path, nowMillis)) {
                    remove(name);
                }
            }
        } catch (IOException | DirectoryIteratorException notNow) {
            // another client may do so as well
        }
    }

    private static boolean isLeftBehind(Path path, long nowMillis) {
        try {
            return isOurs(path)
                    && nowMillis
                                    - Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS)
                                            .toMillis()
                            > NAMED.toMillis();
        } catch (IOException goneMeanwhile) {
            return false;
        }
    }

    private static SharedSegment mapped(String name, FileChannel file, long bytes) throws IOException {
        try {
            return new SharedSegment(name, file, file.map(FileChannel.MapMode.READ_WRITE, 0, bytes));
        } catch (IOException | RuntimeException | Error refused) {
            file.close();
            throw refused;
        }
    }

    private static boolean isOurs(Path path) throws IOException {
        return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS)
                .equals(Files.getOwner(Path.of("/proc/self"), LinkOption.NOFOLLOW_LINKS));
    }

    /** What a worker on this host opens it by. */
    public String name() {
        return name;
    }

    public int bytes() {
        return mapped.bytes().capacity();
    }

    /**
     * What a third process of this user, on this host, opens it by, also when its name is gone: this process's descriptor as
     * {@code /proc/PID/fd/N}, good as long as somebody here has a reference to it.
     *
     * @return empty where the system does not show descriptors
     */
    public Optional<Path> descriptor() {
        Path here = Path.of("/proc", Long.toString(ProcessHandle.current().pid()), "fd");
        String file = FOLDER.resolve(name).toString();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(here)) {
            for (Path each : descriptors) {
                // a file whose name is gone is shown as "NAME (deleted)"
                if (isLinkTo(each, file)) {
                    return Optional.of(each);
                }
            }
            return Optional.empty();
        } catch (IOException notShown) {
            return Optional.empty();
        }
    }

    private static boolean isLinkTo(Path descriptor, String file) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(file);
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    /** Nobody opens it any more; those that have it keep it. */
    public void unname() {
        remove(name);
    }

    /** Whoever made it is done with it; batches that lie in it keep it until they are freed. */
    public void discard() {
        discarded = true;
        unname();
        release();
    }

    /** Whether nothing more comes to lie in it. */
    public boolean isDiscarded() {
        return discarded;
    }

    private static void remove(String name) {
        try {
            Files.deleteIfExists(FOLDER.resolve(name));
        } catch (IOException leftBehind) {
            FOLDER.resolve(name).toFile().deleteOnExit();
        }
    }

    /**
     * A part of it, to be written to from its beginning; not counted as a reference.
     *
     * @throws IndexOutOfBoundsException if it has no such part
     */
    public ByteBuf part(long offset, int length) {
        return memory.slice(checked(offset, length), length).writerIndex(0);
    }

    /** Where it lies in this process's memory; empty where Netty does not know that. */
    public OptionalLong address() {
        return memory.hasMemoryAddress() ? OptionalLong.of(memory.memoryAddress()) : OptionalLong.empty();
    }

    /**
     * Has pages take memory before they are written to: zeroes in all that lies between.
     *
     * @throws IOException if the host has none left; who wrote there without this would die of it
     */
    public void populate(long from, long until) throws IOException {
        ByteBuffer zeroes = ByteBuffer.allocateDirect(POPULATED_AT_ONCE);
        long at = from;
        while (at < until) {
            at += file.write(zeroes.clear().limit((int) Math.min(POPULATED_AT_ONCE, until - at)), at);
        }
    }

    /**
     * A batch that the worker has put here, with a reference of its own.
     *
     * @param freed run once the memory may be written to again
     * @throws MalformedFrame if that is no part of it, or no batch
     */
    public LandedBatch batch(long offset, int length, Runnable freed) {
        int start;
        try {
            start = checked(offset, length);
        } catch (IndexOutOfBoundsException outside) {
            throw new MalformedFrame(length + " bytes at " + offset + " are not in a segment of " + bytes());
        }
        BatchFrame frame = BatchFrame.read(memory.slice(start, length));
        retain();
        return new LandedBatch(frame, new Region(start, length, freed));
    }

    private int checked(long offset, int length) {
        if (offset < 0 || length < 0 || offset > bytes() - length) {
            throw new IndexOutOfBoundsException(length + " bytes at " + offset + " of " + bytes());
        }
        return (int) offset;
    }

    /** Where a batch lies. */
    private final class Region implements BatchMemory {
        private final int start;
        private final int length;
        private final Runnable freed;

        Region(int start, int length, Runnable freed) {
            this.start = start;
            this.length = length;
            this.freed = freed;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public ByteBuffer slice(long from, long bytes) {
            return memory.nioBuffer(Math.toIntExact(start + from), Math.toIntExact(bytes))
                    .order(ByteOrder.LITTLE_ENDIAN);
        }

        @Override
        public Optional<SharedPlace> shared(long from) {
            return Optional.of(new SharedPlace(SharedSegment.this, start + from));
        }

        @Override
        public void free() {
            freed.run();
            release();
        }
    }

    @Override
    protected void deallocate() {
        memory.release();
        try (file;
                mapped) {
            // both are nobody's any more
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        return this;
    }
}
