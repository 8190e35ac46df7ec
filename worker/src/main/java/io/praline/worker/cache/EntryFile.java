package io.praline.worker.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.roaringbitmap.RoaringBitmap;

/**
 * An entry's file, little-endian: a TFRecord file, whose records are the elements, with a record before and one behind them,
 * and an end:
 *
 * <pre>
 *   TFRecord             int64 magic, int32 format, zeroes: {@link #HEAD_BYTES}
 *   TFRecord ...         the elements, in the order in which they came out, each with zeroes behind it, 0 to 63
 *   TFRecord             int64 magic, int32 format, int64 elements, int64 records, int32 CRC32C of all before it,
 *                        int32 length and bytes of a RoaringBitmap: which records were dropped
 *   int64, int64         where that last record begins; magic
 * </pre>
 *
 * Zeroes are so many that the bytes of each element begin at a multiple of 64 of the file: whoever reads them to a multiple of
 * 64 in memory has them copied twice as fast. Each record has its own checksum, its zeroes included, which TensorFlow looks at
 * when it reads.
 */
final class EntryFile {
    /** 1 was the same without the record before the elements, and without zeroes. */
    static final int FORMAT = 2;

    static final long MAGIC = 0x31_45_4e_49_4c_41_52_50L; // PRALINE1
    static final int END_BYTES = 2 * Long.BYTES;
    /** Length, its checksum, and the checksum of the bytes. */
    static final int FRAME_BYTES = Long.BYTES + 2 * Integer.BYTES;

    /** What of a frame lies before the bytes. */
    static final int FRAME_HEAD_BYTES = Long.BYTES + Integer.BYTES;

    /** Where the bytes of an element begin is a multiple of it. */
    static final int ALIGNED = 64;

    /** Of the first record, behind whose frame the bytes of the first element begin at a multiple. */
    static final int HEAD_BYTES = ALIGNED - FRAME_BYTES - FRAME_HEAD_BYTES;

    private static final int MOST_TRAILER_BYTES = 256 << 20;
    private static final int CHUNK_BYTES = 1 << 20;

    private EntryFile() {}

    /** Bytes of an element's record, with the zeroes behind it. */
    static int padded(int bytes) {
        int framed = Math.addExact(bytes, FRAME_BYTES);
        return Math.addExact(framed, -framed & (ALIGNED - 1)) - FRAME_BYTES;
    }

    /**
     * What the first record and the last one begin with.
     *
     * @throws BrokenEntry if that is another magic or format
     */
    static void expectFormat(ByteBuffer from, Object file) throws BrokenEntry {
        if (from.getLong() != MAGIC) {
            throw new BrokenEntry(file + " is no entry");
        }
        int format = from.getInt();
        if (format != FORMAT) {
            throw new BrokenEntry(file + " is of format " + format + ", known here is " + FORMAT);
        }
    }

    /** TFRecord's checksum of a stretch of a buffer. */
    static int masked(ByteBuffer bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().position(from).limit(from + length));
        return masked(crc);
    }

    /** A checksum as TFRecord writes it. */
    static int masked(CRC32C crc) {
        int value = (int) crc.getValue();
        return ((value >>> 15) | (value << 17)) + 0xa282ead8;
    }

    /**
     * Reads all of an entry and gives what it holds.
     *
     * @throws BrokenEntry if a byte of it is not what was written, or it is of another format
     * @throws IOException if it cannot be read
     */
    static EntryInfo verified(Path path) throws IOException {
        return verified(path, path);
    }

    /**
     * The same of an entry that lies elsewhere.
     *
     * @param file where, for messages
     */
    static EntryInfo verified(Path path, Object file) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < END_BYTES) {
                throw new BrokenEntry(file + " is truncated: it has " + size + " bytes");
            }
            ByteBuffer end = read(channel, file, size - END_BYTES, END_BYTES);
            long at = end.getLong();
            if (end.getLong() != MAGIC || at < 0 || at > size - END_BYTES - FRAME_BYTES) {
                throw new BrokenEntry(file + " does not end as an entry does");
            }
            long length = size - END_BYTES - at;
            if (length > MOST_TRAILER_BYTES) {
                throw new BrokenEntry(file + " does not end as an entry does");
            }
            ByteBuffer frame = read(channel, file, at, (int) length);
            long payload = frame.getLong(0);
            if (payload != length - FRAME_BYTES
                    || frame.getInt(Long.BYTES) != masked(frame, 0, Long.BYTES)
                    || frame.getInt((int) length - Integer.BYTES) != masked(frame, FRAME_HEAD_BYTES, (int) payload)) {
                throw new BrokenEntry(file + " is corrupt in its last record");
            }
            Trailer trailer = trailer(file, frame.position(FRAME_HEAD_BYTES));
            if (checksum(channel, file, at) != trailer.checksum()) {
                throw new BrokenEntry(file + " is corrupt");
            }
            return trailer.info();
        }
    }

    private record Trailer(EntryInfo info, int checksum) {}

    private static Trailer trailer(Object file, ByteBuffer from) throws IOException {
        expectFormat(from, file);
        long elements = from.getLong();
        long records = from.getLong();
        int checksum = from.getInt();
        int bytes = from.getInt();
        if (bytes < 0 || bytes > from.remaining()) {
            throw new BrokenEntry(file + " is corrupt in its last record");
        }
        RoaringBitmap dropped = new RoaringBitmap();
        dropped.deserialize(from.slice(from.position(), bytes).order(ByteOrder.LITTLE_ENDIAN));
        try {
            return new Trailer(new EntryInfo(elements, records, dropped), checksum);
        } catch (IllegalArgumentException wrong) {
            throw new BrokenEntry(file + ": " + wrong.getMessage());
        }
    }

    private static int checksum(FileChannel channel, Object file, long until) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
        long at = 0;
        while (at < until) {
            chunk.clear().limit((int) Math.min(CHUNK_BYTES, until - at));
            int read = channel.read(chunk, at);
            if (read <= 0) {
                throw new BrokenEntry(file + " is truncated");
            }
            crc.update(chunk.flip());
            at += read;
        }
        return (int) crc.getValue();
    }

    private static ByteBuffer read(FileChannel channel, Object file, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, at + bytes.position()) < 0) {
                throw new BrokenEntry(file + " is truncated");
            }
        }
        return bytes.flip();
    }
}
