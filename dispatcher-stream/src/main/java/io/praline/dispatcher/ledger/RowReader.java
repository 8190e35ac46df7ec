package io.praline.dispatcher.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** Reads what {@link RowWriter} wrote. A row that cannot be read is a state that cannot be: it throws. */
final class RowReader {
    private final ByteBuffer in;

    RowReader(byte[] row) {
        this.in = ByteBuffer.wrap(row);
    }

    long number() {
        long value = 0;
        int shift = 0;
        byte next;
        do {
            next = in.get();
            value |= ((long) (next & 0x7F)) << shift;
            shift += 7;
        } while (next < 0);
        return value;
    }

    int small() {
        return Math.toIntExact(number());
    }

    long signed() {
        long zigzag = number();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    double real() {
        return in.getDouble();
    }

    boolean flag() {
        return in.get() != 0;
    }

    String text() {
        byte[] bytes = new byte[small()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    List<String> texts() {
        int size = small();
        List<String> texts = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            texts.add(text());
        }
        return texts;
    }

    RoaringBitmap bitmap() {
        RoaringBitmap bitmap = new RoaringBitmap();
        int length = small();
        if (length > 0) {
            int from = in.position();
            try {
                bitmap.deserialize(in.slice(from, length));
            } catch (IOException unreadable) {
                throw new UncheckedIOException("a row's bitmap cannot be read", unreadable);
            }
            in.position(from + length);
        }
        return bitmap;
    }

    boolean hasMore() {
        return in.hasRemaining();
    }

    /** As many bytes as told, into the array from there on. */
    void raw(byte[] into, int from, int length) {
        in.get(into, from, length);
    }
}
