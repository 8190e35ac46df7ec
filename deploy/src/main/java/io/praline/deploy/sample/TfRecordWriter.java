package io.praline.deploy.sample;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Writes records as TensorFlow's {@code TFRecordDataset} reads them:
 *
 * <pre>
 *   length int64 LE | masked CRC32C of those 8 bytes int32 LE | record | masked CRC32C of the record int32 LE
 *   masked(crc) = (crc rotated right by 15) + 0xa282ead8
 * </pre>
 */
public final class TfRecordWriter implements AutoCloseable {

    private static final int MASK_DELTA = 0xa282ead8;

    private final OutputStream out;

    public TfRecordWriter(Path file) throws IOException {
        this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
    }

    public void write(byte[] data) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(data.length);
        head.putInt(maskedCrc(head.array(), 8));
        out.write(head.array());
        out.write(data);
        out.write(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(maskedCrc(data, data.length))
                .array());
    }

    private static int maskedCrc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return Integer.rotateRight((int) crc.getValue(), 15) + MASK_DELTA;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
