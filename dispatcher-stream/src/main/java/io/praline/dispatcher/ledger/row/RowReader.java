package io.praline.dispatcher.ledger.row;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.roaringbitmap.RoaringBitmap;

/** Reads what {@link RowWriter} wrote. A row that cannot be read is a state that cannot be: it throws. */
public final class RowReader {
    private final ByteBuffer in;

    public RowReader(byte[] row) {
        this.in = ByteBuffer.wrap(row);
    }

    public long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = in.get();
            value |= ((long) (next & 0x7F)) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("a number in a row has more than 64 bits");
    }

    public int small() {
        return Math.toIntExact(number());
    }

    /** How many bytes, or things of at least a byte each, follow: what is not there is not made room for. */
    public int length() {
        int length = small();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalStateException("a row tells of " + length + " bytes behind it and has " + in.remaining());
        }
        return length;
    }

    public long signed() {
        long zigzag = number();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    public double real() {
        return in.getDouble();
    }

    public boolean flag() {
        return in.get() != 0;
    }

    public String text() {
        byte[] bytes = new byte[length()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public List<String> texts() {
        int size = length();
        List<String> texts = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            texts.add(text());
        }
        return texts;
    }

    public RoaringBitmap bitmap() {
        RoaringBitmap bitmap = new RoaringBitmap();
        int length = length();
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

    public boolean hasMore() {
        return in.hasRemaining();
    }

    /** How many bytes were read. */
    public int at() {
        return in.position();
    }

    /** Goes on there. */
    public void go(int at) {
        in.position(at);
    }

    /** As many bytes as told, into the array from there on. */
    public void raw(byte[] into, int from, int length) {
        in.get(into, from, length);
    }
}
