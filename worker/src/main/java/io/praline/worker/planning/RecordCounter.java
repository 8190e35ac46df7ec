package io.praline.worker.planning;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** How many records TensorFlow will read from a file, found out without it; all of the file may have to be read for that. */
public final class RecordCounter {
    private static final int BUFFER_BYTES = 64 * 1024;

    private RecordCounter() {}

    /**
     * Records in a file.
     *
     * @param wanted whether somebody still waits for it; asked again and again
     * @throws CorruptFile where a record is cut off or damaged; its index is the number of records before it
     * @throws NoSuchFileException where the file is not there
     * @throws CancellationException once it is not wanted
     */
    public static long count(DataFile file, RecordFormat format, BooleanSupplier wanted) throws IOException {
        if (Files.size(file.path()) == 0) {
            return 0;
        }
        return format.match(new RecordFormat.Cases<Counted>() {
                    @Override
                    public Counted tfRecords(RecordFormat.TfRecords tfRecords) {
                        return () -> countTfRecords(file, tfRecords, TfRecordScanner.Check.LENGTHS, wanted);
                    }

                    @Override
                    public Counted textLines(RecordFormat.TextLines textLines) {
                        return () -> countLines(file, textLines, wanted);
                    }

                    @Override
                    public Counted fixedLength(RecordFormat.FixedLength fixedLength) {
                        return () -> countFixedLength(file, fixedLength, wanted);
                    }
                })
                .get();
    }

    /**
     * Reads all of a TFRecord file and compares every checksum.
     *
     * @param wanted whether somebody still waits for it; asked again and again
     * @throws CorruptFile at the first record that cannot be read
     * @throws CancellationException once it is not wanted
     */
    public static void check(DataFile file, RecordFormat.TfRecords format, BooleanSupplier wanted) throws IOException {
        if (Files.size(file.path()) > 0) {
            countTfRecords(file, format, TfRecordScanner.Check.CONTENT, wanted);
        }
    }

    /** Records in a file that lies where its name says. */
    public static long count(String path, RecordFormat format, BooleanSupplier wanted) throws IOException {
        return count(DataFile.of(path), format, wanted);
    }

    private interface Counted {
        long get() throws IOException;
    }

    private static long countTfRecords(
            DataFile file, RecordFormat.TfRecords format, TfRecordScanner.Check check, BooleanSupplier wanted)
            throws IOException {
        if (format.compression() == Compression.NONE) {
            AtomicLong records = new AtomicLong();
            TfRecordScanner.scan(file, 0, Long.MAX_VALUE, check, (index, offset, end) -> {
                requireWanted(file, wanted);
                records.set(index + 1);
                return true;
            });
            return records.get();
        }
        try (InputStream in = open(file, format.compression(), wanted)) {
            return TfRecordScanner.count(file.name(), in, check);
        }
    }

    private static long countLines(DataFile file, RecordFormat.TextLines format, BooleanSupplier wanted)
            throws IOException {
        try (InputStream in = open(file, format.compression(), wanted)) {
            byte[] buffer = new byte[BUFFER_BYTES];
            long lines = 0;
            boolean within = false;
            for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
                for (int i = 0; i < got; i++) {
                    if (buffer[i] == '\n') {
                        lines++;
                        within = false;
                    } else if (buffer[i] != '\r') {
                        // TensorFlow takes these out, and yields no last line that has nothing else
                        within = true;
                    }
                }
            }
            return within ? lines + 1 : lines;
        }
    }

    private static long countFixedLength(DataFile file, RecordFormat.FixedLength format, BooleanSupplier wanted)
            throws IOException {
        long bytes = format.compression() == Compression.NONE
                ? Files.size(file.path())
                : contentBytes(file, format.compression(), wanted);
        long body = bytes - format.headerBytes() - format.footerBytes();
        long records = body / format.recordBytes();
        if (body < 0 || body % format.recordBytes() != 0) {
            throw new CorruptFile(
                    file.name(),
                    Math.max(0, records),
                    format.headerBytes() + Math.max(0, records) * format.recordBytes(),
                    "is cut off: " + body + " bytes between header and footer are no multiple of "
                            + format.recordBytes());
        }
        return records;
    }

    private static long contentBytes(DataFile file, Compression compression, BooleanSupplier wanted)
            throws IOException {
        try (InputStream in = open(file, compression, wanted)) {
            return in.skip(Long.MAX_VALUE) + in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private static InputStream open(DataFile file, Compression compression, BooleanSupplier wanted) throws IOException {
        InputStream raw = new FilterInputStream(Files.newInputStream(file.path())) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                requireWanted(file, wanted);
                return super.read(into, offset, length);
            }
        };
        return compression.open(new BufferedInputStream(raw, BUFFER_BYTES));
    }

    static void requireWanted(DataFile file, BooleanSupplier wanted) {
        if (!wanted.getAsBoolean()) {
            throw new CancellationException("nobody waits for the records of " + file.name() + " to be counted");
        }
    }
}
