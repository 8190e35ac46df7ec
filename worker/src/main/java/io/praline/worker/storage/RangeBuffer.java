package io.praline.worker.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Brings a range of what a store gives to its place in a file, some bytes at a time. For one thread at a time. */
public final class RangeBuffer {
    /** Asked for at a time. */
    public static final long RANGE_BYTES = 8L << 20;

    private static final int BYTES = 64 << 10;

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BYTES);

    public RangeBuffer(FileChannel file) {
        this.file = file;
    }

    /** The file is to blame, and asking the store again would not help. */
    public static final class DiskFailed extends RuntimeException {
        private final IOException disk;

        private DiskFailed(IOException disk) {
            super(disk);
            this.disk = disk;
        }

        public IOException disk() {
            return disk;
        }
    }

    /**
     * Lays down what comes next; gives how many bytes that were.
     *
     * @param at where they belong
     * @param until where the range ends, above {@code at}
     * @throws IOException if the store broke off
     * @throws DiskFailed if they cannot be written
     */
    public int bring(InputStream from, long at, long until) throws IOException {
        int got = from.read(buffer.array(), 0, (int) Math.min(BYTES, until - at));
        if (got < 0) {
            throw new IOException("it ended " + (until - at) + " bytes early");
        }
        buffer.position(0).limit(got);
        long place = at;
        try {
            while (buffer.hasRemaining()) {
                place += file.write(buffer, place);
            }
        } catch (IOException failed) {
            throw new DiskFailed(failed);
        }
        buffer.clear();
        return got;
    }
}
