package io.praline.worker.planning;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The records of a TFRecord file, found by hopping from one length to the next:
 *
 * <pre>
 *   record = int64 length, int32 masked crc32c of the length, length bytes, int32 masked crc32c of the bytes
 * </pre>
 *
 * all little-endian. What lies between the lengths is read only where {@link Check#CONTENT} asks for it.
 */
public final class TfRecordScanner {
    /** How closely to look. */
    public enum Check {
        /** Lengths and their checksums: as many reads as records, few bytes. */
        LENGTHS,
        /** All of it, with the checksums of the contents. */
        CONTENT
    }

    /** Told of each record in turn. */
    public interface Visitor {
        /**
         * A record was found.
         *
         * @param index counted from 0 at the first record scanned
         * @param offset where the record begins in bytes
         * @param end where the next one begins
         * @return whether to go on
         */
        boolean record(long index, long offset, long end);
    }

    private static final int HEADER_BYTES = 12;
    private static final int FOOTER_BYTES = 4;
    private static final int CRC_MASK_DELTA = 0xa282ead8;

    // small records: one read covers many headers; large ones: reading on would fetch what is hopped over
    private static final int WIDE_BYTES = 64 * 1024;

    private TfRecordScanner() {}

    /**
     * Visits the records that begin at {@code from} and lie before {@code until}; the visitor is told of all records
     * before a corrupt one.
     *
     * @param until in bytes, or at least the file's size for all of it
     * @throws CorruptFile at the first record that cannot be read, its index counted from {@code from}
     */
    public static void scan(DataFile data, long from, long until, Check check, Visitor visitor) throws IOException {
        String path = data.name();
        try (FileChannel file = FileChannel.open(data.path(), StandardOpenOption.READ)) {
            long size = file.size();
            long bound = Math.min(until, size);
            ByteBuffer window = ByteBuffer.allocateDirect(WIDE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            window.limit(0);
            long windowAt = from;
            ByteBuffer content = ByteBuffer.allocate(1 << 16);
            boolean wide = true;
            long at = from;
            long index = 0;
            while (at < bound) {
                if (size - at < HEADER_BYTES) {
                    throw new CorruptFile(path, index, at, "is cut off: the file ends within its length");
                }
                if (at < windowAt || at + HEADER_BYTES > windowAt + window.limit()) {
                    window.clear().limit(wide ? WIDE_BYTES : HEADER_BYTES);
                    windowAt = at;
                    readFully(file, window, at);
                    window.flip();
                }
                int place = (int) (at - windowAt);
                long length = window.getLong(place);
                if (window.getInt(place + Long.BYTES) != maskedLengthChecksum(length)) {
                    throw new CorruptFile(path, index, at, "has a wrong checksum of its length");
                }
                long end = at + HEADER_BYTES + length + FOOTER_BYTES;
                if (length < 0 || end > size || end < at) {
                    throw new CorruptFile(
                            path, index, at, "is cut off: it has " + length + " bytes, the file ends at " + size);
                }
                if (check == Check.CONTENT) {
                    content = contentOf(file, at + HEADER_BYTES, (int) length + FOOTER_BYTES, content);
                    if (content.getInt((int) length) != masked(content.limit((int) length))) {
                        throw new CorruptFile(path, index, at, "has a wrong checksum of its " + length + " bytes");
                    }
                }
                if (!visitor.record(index, at, end)) {
                    return;
                }
                wide = length < WIDE_BYTES / 4;
                index++;
                at = end;
            }
        }
    }

    /** How many records a stream holds; lengths are checked, contents where {@code check} says so. */
    static long count(String path, InputStream stream, Check check) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        byte[] header = new byte[HEADER_BYTES];
        byte[] content = new byte[1 << 16];
        long at = 0;
        long index = 0;
        while (true) {
            try {
                int got = in.readNBytes(header, 0, HEADER_BYTES);
                if (got == 0) {
                    return index;
                }
                if (got < HEADER_BYTES) {
                    throw new CorruptFile(path, index, at, "is cut off: the file ends within its length");
                }
                ByteBuffer read = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
                long length = read.getLong();
                if (read.getInt() != maskedLengthChecksum(length) || length < 0) {
                    throw new CorruptFile(path, index, at, "has a wrong checksum of its length");
                }
                if (check == Check.CONTENT && length < Integer.MAX_VALUE - FOOTER_BYTES) {
                    int bytes = (int) length + FOOTER_BYTES;
                    content = content.length < bytes ? new byte[bytes] : content;
                    in.readFully(content, 0, bytes);
                    ByteBuffer whole = ByteBuffer.wrap(content, 0, bytes).order(ByteOrder.LITTLE_ENDIAN);
                    if (whole.getInt((int) length) != masked(whole.limit((int) length))) {
                        throw new CorruptFile(path, index, at, "has a wrong checksum of its " + length + " bytes");
                    }
                } else {
                    in.skipNBytes(length + FOOTER_BYTES);
                }
                at += HEADER_BYTES + length + FOOTER_BYTES;
                index++;
            } catch (EOFException e) {
                throw new CorruptFile(path, index, at, "is cut off");
            } catch (java.util.zip.ZipException e) {
                throw new CorruptFile(path, index, at, "cannot be decompressed: " + e.getMessage());
            }
        }
    }

    private static ByteBuffer contentOf(FileChannel file, long at, int bytes, ByteBuffer reuse) throws IOException {
        ByteBuffer content = reuse.capacity() >= bytes ? reuse : ByteBuffer.allocate(bytes);
        content.order(ByteOrder.LITTLE_ENDIAN).clear().limit(bytes);
        readFully(file, content, at);
        return content.flip();
    }

    private static void readFully(FileChannel file, ByteBuffer into, long at) throws IOException {
        long from = at;
        while (into.hasRemaining()) {
            int got = file.read(into, from);
            if (got < 0) {
                return;
            }
            from += got;
        }
    }

    private static int maskedLengthChecksum(long length) {
        return masked(
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, length));
    }

    private static int masked(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        int value = (int) crc.getValue();
        return ((value >>> 15) | (value << 17)) + CRC_MASK_DELTA;
    }
}
