package io.praline.worker.planning;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;

/** How a file of records is compressed, under the names that TensorFlow gives. */
public enum Compression {
    NONE(""),
    GZIP("GZIP"),
    ZLIB("ZLIB");

    private static final int BUFFER_BYTES = 64 * 1024;

    private final String tensorFlowName;

    Compression(String tensorFlowName) {
        this.tensorFlowName = tensorFlowName;
    }

    /** The compression that a dataset's {@code compression_type} names. */
    public static Compression named(String tensorFlowName) {
        for (Compression each : values()) {
            if (each.tensorFlowName.equals(tensorFlowName)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "compression must be one of '', 'GZIP', 'ZLIB', is '" + tensorFlowName + "'");
    }

    /** The content behind a stream, which is closed with what is returned. */
    InputStream open(InputStream compressed) throws IOException {
        return switch (this) {
            case NONE -> compressed;
            case GZIP -> new GZIPInputStream(compressed, BUFFER_BYTES);
            case ZLIB -> new InflaterInputStream(compressed);
        };
    }
}
