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
 * #end}, which looks at their checksum, since a file may break behind the look that was taken at it as a whole. Of an element
 * longer than a buffer no more is read at once than up to where the next one begins, whose bytes then come from the file to
 * where they go, and from a multiple of 64 to one, if that is where they go. One thread.
 */
public final class EntryReader implements AutoCloseable {
    /** What is read at a time of small parts, which are taken from there to where they go. */
    private static final int BUFFER_BYTES = 64 << 10;

    /** From how many bytes on a part is read to where it goes: a call costs less than to copy it once more. */
    private static final int DIRECT_BYTES = 16 << 10;

    /** What is read at a time of large ones, to where they go: it is in the processor's cache when it is looked at. */
    private static final int PART_BYTES = 256 << 10;

    /** From behind an element's bytes to where those of the next one begin. */
    private static final int TO_NEXT_BYTES = EntryFile.FRAME_BYTES;

    private final Path file;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .limit(0);
    private final CRC32C checksum = new CRC32C();
    private long at;
    private boolean ahead;
    private long left;

    /**
     * Begins before the first element.
     *
     * @throws BrokenEntry if it does not begin as an entry does, or is of another format
     */
    public EntryReader(Path file) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
        boolean begun = false;
        try {
            begin();
            begun = true;
        } finally {
            if (!begun) {
                channel.close();
            }
        }
    }

    private void begin() throws IOException {
        begin(EntryFile.HEAD_BYTES);
        fetch(EntryFile.HEAD_BYTES, left + TO_NEXT_BYTES);
        EntryFile.expectFormat(some(Long.BYTES + Integer.BYTES), file);
        end();
    }

    /**
     * Begins an element.
     *
     * @param bytes how many it has
     * @throws BrokenEntry if it has others
     */
    public void next(int bytes) throws IOException {
        int padded = EntryFile.padded(bytes);
        ahead = padded < DIRECT_BYTES;
        begin(padded);
    }

    private void begin(long bytes) throws IOException {
        fetch(EntryFile.FRAME_HEAD_BYTES, EntryFile.FRAME_HEAD_BYTES);
        int from = buffer.position();
        long length = buffer.getLong();
        if (buffer.getInt() != EntryFile.masked(buffer, from, Long.BYTES)) {
            throw broken();
        }
        if (length != bytes) {
            throw new BrokenEntry(file + " holds elements of another size");
        }
        left = length;
        checksum.reset();
    }

    /** Takes bytes of the element, as many as there is room for. */
    public void take(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (buffer.hasRemaining() || into.remaining() < DIRECT_BYTES) {
                into.put(some(into.remaining()));
            } else {
                read(into);
            }
        }
    }

    /** Takes what is not at hand. */
    private void read(ByteBuffer into) throws IOException {
        int from = into.position();
        // no small part is left, which would be read to the buffer first
        int bytes = into.remaining() < PART_BYTES + DIRECT_BYTES ? into.remaining() : PART_BYTES;
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
        fetch(Long.BYTES, left + TO_NEXT_BYTES);
        return some(Long.BYTES).getLong();
    }

    /** Bytes of the element that are at hand, so many at most and one at least. */
    private ByteBuffer some(int most) throws IOException {
        if (!buffer.hasRemaining()) {
            fetch(1, left + TO_NEXT_BYTES);
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
        if (left >= EntryFile.ALIGNED) {
            throw broken();
        }
        while (left > 0) {
            ByteBuffer zeroes = some((int) left);
            while (zeroes.hasRemaining()) {
                if (zeroes.get() != 0) {
                    throw broken();
                }
            }
        }
        fetch(Integer.BYTES, TO_NEXT_BYTES);
        if (buffer.getInt() != EntryFile.masked(checksum)) {
            throw broken();
        }
    }

    /**
     * Has so many bytes at hand, which is few.
     *
     * @param toNext up to where the bytes of the next element begin: more is read ahead of small ones only
     */
    private void fetch(int bytes, long toNext) throws IOException {
        if (buffer.remaining() >= bytes) {
            return;
        }
        buffer.compact();
        buffer.limit(ahead ? BUFFER_BYTES : (int) Math.min(BUFFER_BYTES, toNext));
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
