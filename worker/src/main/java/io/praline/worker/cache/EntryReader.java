package io.praline.worker.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Reads the elements of an entry one after the other, see {@link EntryFile}: {@link #next}, then all of its bytes, then {@link
 * #end}, which looks at their checksum, since a file may break behind the look that was taken at it as a whole. One thread.
 */
public final class EntryReader implements AutoCloseable {
    /** What is read at a time of small parts, which are taken from there to where they go. */
    private static final int BUFFER_BYTES = 64 << 10;

    /** What is read at a time of large ones, to where they go: it is in the processor's cache when it is looked at. */
    private static final int PART_BYTES = 256 << 10;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(0);
    private final CRC32C checksum = new CRC32C();
    private long at;
    private long left;

    /** Begins with the first element. */
    public EntryReader(Path file) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    /** Begins an element, and gives how many bytes it has. */
    public long next() throws IOException {
        fetch(Long.BYTES + Integer.BYTES);
        int begin = buffer.position();
        left = buffer.getLong();
        if (buffer.getInt() != EntryFile.masked(buffer, begin, Long.BYTES) || left < 0) {
            throw broken();
        }
        checksum.reset();
        return left;
    }

    /** Takes bytes of the element, as many as there is room for. */
    public void take(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (buffer.hasRemaining() || into.remaining() < BUFFER_BYTES) {
                into.put(some(into.remaining()));
            } else {
                read(into);
            }
        }
    }

    /** Takes what is not at hand. */
    private void read(ByteBuffer into) throws IOException {
        int from = into.position();
        int bytes = Math.min(PART_BYTES, into.remaining());
        if (bytes > left) {
            throw broken();
        }
        int read = read(into.duplicate().limit(from + bytes), at);
        checksum.update(into.duplicate().limit(from + read));
        into.position(from + read);
        at += read;
        left -= read;
    }

    /** Reads something. */
    private int read(ByteBuffer into, long from) throws IOException {
        int read = channel.read(into, from);
        if (read <= 0) {
            throw new BrokenEntry(file + " is truncated");
        }
        return read;
    }

    /** Passes bytes of the element over. */
    public void pass(int bytes) throws IOException {
        int passed = 0;
        while (passed < bytes) {
            passed += some(bytes - passed).remaining();
        }
    }

    /** Takes eight bytes of the element as a number. */
    public long takeLong() throws IOException {
        fetch(Long.BYTES);
        return some(Long.BYTES).getLong();
    }

    /** Bytes of the element that are at hand, so many at most and one at least. */
    private ByteBuffer some(int most) throws IOException {
        if (!buffer.hasRemaining()) {
            fetch(1);
        }
        int bytes = Math.min(most, buffer.remaining());
        if (bytes > left) {
            throw broken();
        }
        ByteBuffer some = buffer.slice(buffer.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
        checksum.update(some.duplicate());
        buffer.position(buffer.position() + bytes);
        left -= bytes;
        return some;
    }

    /**
     * All bytes of the element were taken or passed over.
     *
     * @throws BrokenEntry if they are not those that were written
     */
    public void end() throws IOException {
        fetch(Integer.BYTES);
        if (left != 0 || buffer.getInt() != EntryFile.masked(checksum)) {
            throw broken();
        }
    }

    /** Has so many bytes at hand, which is few. */
    private void fetch(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return;
        }
        buffer.compact();
        while (buffer.position() < bytes) {
            at += read(buffer, at);
        }
        buffer.flip();
    }

    private BrokenEntry broken() {
        return new BrokenEntry(file + " is corrupt");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
