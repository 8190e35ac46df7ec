package io.praline.worker.planning;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** How many records TensorFlow will read from a file, found out without it. */
public final class RecordCounter {
    private static final int BUFFER_BYTES = 64 * 1024;

    private RecordCounter() {}

    /**
     * Records in a file.
     *
     * @throws CorruptFile where a record is cut off or damaged; its index is the number of records before it
     * @throws NoSuchFileException where the file is not there
     */
    public static long count(String path, RecordFormat format) throws IOException {
        if (Files.size(Path.of(path)) == 0) {
            return 0;
        }
        return format.match(new RecordFormat.Cases<Counted>() {
                    @Override
                    public Counted tfRecords(RecordFormat.TfRecords tfRecords) {
                        return () -> countTfRecords(path, tfRecords, TfRecordScanner.Check.LENGTHS);
                    }

                    @Override
                    public Counted textLines(RecordFormat.TextLines textLines) {
                        return () -> countLines(path, textLines);
                    }

                    @Override
                    public Counted fixedLength(RecordFormat.FixedLength fixedLength) {
                        return () -> countFixedLength(path, fixedLength);
                    }
                })
                .get();
    }

    /**
     * Reads all of a TFRecord file and compares every checksum.
     *
     * @throws CorruptFile at the first record that cannot be read
     */
    public static void check(String path, RecordFormat.TfRecords format) throws IOException {
        if (Files.size(Path.of(path)) > 0) {
            countTfRecords(path, format, TfRecordScanner.Check.CONTENT);
        }
    }

    private interface Counted {
        long get() throws IOException;
    }

    private static long countTfRecords(String path, RecordFormat.TfRecords format, TfRecordScanner.Check check)
            throws IOException {
        if (format.compression() == Compression.NONE) {
            AtomicLong records = new AtomicLong();
            TfRecordScanner.scan(path, 0, Long.MAX_VALUE, check, (index, offset, end) -> {
                records.set(index + 1);
                return true;
            });
            return records.get();
        }
        try (InputStream in = open(path, format.compression())) {
            return TfRecordScanner.count(path, in, check);
        }
    }

    private static long countLines(String path, RecordFormat.TextLines format) throws IOException {
        try (InputStream in = open(path, format.compression())) {
            byte[] buffer = new byte[BUFFER_BYTES];
            long lines = 0;
            boolean within = false;
            for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
                for (int i = 0; i < got; i++) {
                    if (buffer[i] == '\n') {
                        lines++;
                    }
                }
                within = got > 0 ? buffer[got - 1] != '\n' : within;
            }
            return within ? lines + 1 : lines;
        }
    }

    private static long countFixedLength(String path, RecordFormat.FixedLength format) throws IOException {
        long bytes = format.compression() == Compression.NONE
                ? Files.size(Path.of(path))
                : contentBytes(path, format.compression());
        long body = bytes - format.headerBytes() - format.footerBytes();
        long records = body / format.recordBytes();
        if (body < 0 || body % format.recordBytes() != 0) {
            throw new CorruptFile(
                    path,
                    Math.max(0, records),
                    format.headerBytes() + Math.max(0, records) * format.recordBytes(),
                    "is cut off: " + body + " bytes between header and footer are no multiple of "
                            + format.recordBytes());
        }
        return records;
    }

    private static long contentBytes(String path, Compression compression) throws IOException {
        try (InputStream in = open(path, compression)) {
            return in.skip(Long.MAX_VALUE) + in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private static InputStream open(String path, Compression compression) throws IOException {
        return compression.open(new BufferedInputStream(Files.newInputStream(Path.of(path)), BUFFER_BYTES));
    }
}
