package io.praline.dispatcher.ledger.row;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.roaringbitmap.RoaringBitmap;

/** Writes a row's fields one after another: numbers as varints, texts and bitmaps behind their length. */
public final class RowWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(64);

    /** A number that is never negative, in as few bytes as it needs. */
    public RowWriter number(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a row's number must not be negative, is " + value);
        }
        return bits(value);
    }

    /** Any number; small ones of either sign are short. */
    public RowWriter signed(long value) {
        return bits((value << 1) ^ (value >> 63));
    }

    public RowWriter real(double value) {
        long bits = Double.doubleToLongBits(value);
        for (int shift = 56; shift >= 0; shift -= 8) {
            out.write((int) (bits >>> shift));
        }
        return this;
    }

    public RowWriter flag(boolean value) {
        out.write(value ? 1 : 0);
        return this;
    }

    public RowWriter text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    public RowWriter texts(Collection<String> values) {
        number(values.size());
        values.forEach(this::text);
        return this;
    }

    /** An empty bitmap takes one byte. */
    public RowWriter bitmap(RoaringBitmap value) {
        if (value.isEmpty()) {
            return number(0);
        }
        value.runOptimize();
        number(value.serializedSizeInBytes());
        try {
            value.serialize(new DataOutputStream(out));
        } catch (IOException impossible) {
            throw new UncheckedIOException("a byte array cannot fail to be written", impossible);
        }
        return this;
    }

    /** The bytes from there on, without their length. */
    public RowWriter raw(byte[] bytes, int from) {
        out.write(bytes, from, bytes.length - from);
        return this;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    private RowWriter bits(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
        return this;
    }
}
