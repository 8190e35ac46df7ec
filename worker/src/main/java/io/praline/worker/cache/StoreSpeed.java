package io.praline.worker.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.roaringbitmap.RoaringBitmap;

/**
 * How fast a store's folder takes and gives bytes.
 *
 * @param nanosToWriteByte with their checksums
 * @param nanosToReadByte with their checksums; as a rule from the page cache
 */
public record StoreSpeed(double nanosToWriteByte, double nanosToReadByte) {
    private static final int RECORDS = 64;
    private static final int BYTES = 256 << 10;

    /** What becomes of the file between being written and being read. */
    interface Trip {
        /** It goes where entries lie. */
        void away() throws IOException;

        /** It comes from there: the file that is read. */
        Path back() throws IOException;

        /** It stays where it is. */
        static Trip none(Path file) {
            return new Trip() {
                @Override
                public void away() {}

                @Override
                public Path back() {
                    return file;
                }
            };
        }
    }

    /** Reads an entry of a store that cannot be written: what writing takes is of no use, and as much. */
    static StoreSpeed ofReading(Path entry) throws IOException {
        long began = System.nanoTime();
        EntryFile.verified(entry);
        double nanos = (double) (System.nanoTime() - began) / Math.max(1, Files.size(entry));
        return new StoreSpeed(nanos, nanos);
    }

    /** Writes and reads 16 MiB. */
    static StoreSpeed measured(Path file, Trip trip) throws IOException {
        ByteBuffer some = ByteBuffer.allocateDirect(BYTES);
        EntryRecord record = new EntryRecord() {
            @Override
            public int bytes() {
                return BYTES;
            }

            @Override
            public void put(ByteBuffer into) {
                into.put(some.duplicate());
            }
        };
        try {
            long began = System.nanoTime();
            try (EntryWriter writer = new EntryWriter(file)) {
                for (int i = 0; i < RECORDS; i++) {
                    writer.add(record);
                }
                writer.end(new RoaringBitmap());
            }
            trip.away();
            long written = System.nanoTime();
            EntryFile.verified(trip.back());
            long read = System.nanoTime();
            double bytes = (double) RECORDS * BYTES;
            return new StoreSpeed((written - began) / bytes, (read - written) / bytes);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
