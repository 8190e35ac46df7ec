package io.praline.worker.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.roaringbitmap.RoaringBitmap;

/** Writes an entry's file, see {@link EntryFile}. One thread. */
final class EntryWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FileChannel channel;
    private final CRC32C checksum = new CRC32C();
    private ByteBuffer buffer = allocated(BUFFER_BYTES);
    private long elements;
    private long written;

    /** Makes the file, which must not be there. */
    EntryWriter(Path file) throws IOException {
        this.channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        int at = buffer.position();
        buffer.putLong(EntryFile.HEAD_BYTES).putInt(EntryFile.masked(buffer, at, Long.BYTES));
        buffer.putLong(EntryFile.MAGIC).putInt(EntryFile.FORMAT);
        zeroes(EntryFile.FRAME_HEAD_BYTES + EntryFile.HEAD_BYTES);
        end(at, EntryFile.HEAD_BYTES);
    }

    private static ByteBuffer allocated(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Bytes so far. */
    long bytes() {
        return written + buffer.position();
    }

    /** Elements so far. */
    long elements() {
        return elements;
    }

    /** An element. */
    void add(EntryRecord record) throws IOException {
        int bytes = record.bytes();
        int padded = EntryFile.padded(bytes);
        int at = begin(padded);
        int end = buffer.position() + bytes;
        record.put(buffer);
        if (buffer.position() != end) {
            throw new IllegalStateException(
                    "an element was to take " + bytes + " bytes, and took " + (bytes + buffer.position() - end));
        }
        zeroes(end + padded - bytes);
        end(at, padded);
        elements++;
    }

    private void zeroes(int until) {
        while (buffer.position() < until) {
            buffer.put((byte) 0);
        }
    }

    private int begin(int bytes) throws IOException {
        int needed = Math.addExact(bytes, EntryFile.FRAME_BYTES);
        if (buffer.remaining() < needed) {
            flush();
        }
        if (buffer.remaining() < needed) {
            buffer = allocated(needed);
        }
        int at = buffer.position();
        buffer.putLong(bytes).putInt(EntryFile.masked(buffer, at, Long.BYTES));
        return at;
    }

    private void end(int at, int bytes) {
        buffer.putInt(EntryFile.masked(buffer, at + EntryFile.FRAME_HEAD_BYTES, bytes));
    }

    private void flush() throws IOException {
        buffer.flip();
        checksum.update(buffer.duplicate());
        written += buffer.remaining();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /**
     * Ends it, with all that a reader must know.
     *
     * @param dropped numbers of records that filters dropped
     */
    void end(RoaringBitmap dropped) throws IOException {
        flush();
        long at = written;
        dropped.runOptimize();
        int length = dropped.serializedSizeInBytes();
        ByteBuffer bitmap = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        dropped.serialize(bitmap);
        int crc = (int) checksum.getValue();
        int bytes = 3 * Long.BYTES + 3 * Integer.BYTES + length;
        int begin = begin(bytes);
        buffer.putLong(EntryFile.MAGIC)
                .putInt(EntryFile.FORMAT)
                .putLong(elements)
                .putLong(elements + dropped.getLongCardinality())
                .putInt(crc)
                .putInt(length)
                .put(bitmap.flip());
        end(begin, bytes);
        if (buffer.remaining() < EntryFile.END_BYTES) {
            flush();
        }
        buffer.putLong(at).putLong(EntryFile.MAGIC);
        flush();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
