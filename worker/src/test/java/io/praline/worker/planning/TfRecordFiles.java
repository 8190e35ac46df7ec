package io.praline.worker.planning;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Writes TFRecord files, whole and damaged, for tests. */
public final class TfRecordFiles {
    private TfRecordFiles() {}

    /** A file with these records. */
    public static Path write(Path file, byte[]... records) {
        try {
            return Files.write(file, bytes(records));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** So many records of so many bytes each; the first eight hold the record's index where there is room. */
    public static byte[][] records(int count, int bytes) {
        byte[][] records = new byte[count][bytes];
        for (int i = 0; i < count; i++) {
            if (bytes >= Long.BYTES) {
                ByteBuffer.wrap(records[i]).order(ByteOrder.LITTLE_ENDIAN).putLong(i);
            }
        }
        return records;
    }

    static byte[] bytes(byte[]... records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] record : records) {
            ByteBuffer framed = ByteBuffer.allocate(record.length + 16).order(ByteOrder.LITTLE_ENDIAN);
            framed.putLong(record.length);
            framed.putInt(masked(framed.array(), 0, Long.BYTES));
            framed.put(record);
            framed.putInt(masked(record, 0, record.length));
            out.writeBytes(framed.array());
        }
        return out.toByteArray();
    }

    static byte[] compressed(Compression compression, byte[] content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream deflating =
                switch (compression) {
                    case NONE -> out;
                    case GZIP -> new GZIPOutputStream(out);
                    case ZLIB -> new DeflaterOutputStream(out);
                }) {
            deflating.write(content);
        }
        return out.toByteArray();
    }

    private static int masked(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        int value = (int) crc.getValue();
        return ((value >>> 15) | (value << 17)) + 0xa282ead8;
    }
}
