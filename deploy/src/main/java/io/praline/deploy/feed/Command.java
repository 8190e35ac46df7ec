package io.praline.deploy.feed;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What Python says.
 *
 * @param body little-endian
 */
record Command(Type type, ByteBuffer body) {

    /** By its number on the pipe, from 1. */
    enum Type {
        OPEN,
        WAITING,
        TAKEN,
        ACKNOWLEDGED,
        FREED,
        STATUS,
        RESULT,
        CANCEL,
        CLOSE,
        EXPLAIN,
        RENEW;

        private static final Type[] ALL = values();

        static Type of(int number) throws IOException {
            if (number < 1 || number > ALL.length) {
                throw new IOException("no command has the number " + number);
            }
            return ALL[number - 1];
        }
    }
}
