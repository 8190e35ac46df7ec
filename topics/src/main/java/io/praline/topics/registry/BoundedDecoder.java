package io.praline.topics.registry;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Avro's binary encoding from bytes that nobody vouches for. Avro's own decoder allocates what a length says before it
 * looks whether the bytes are there: five bytes of rubbish then cost two gigabytes. Here no length may exceed what is
 * left, and no array or map may have more items than there are bytes left (each of ours takes at least one).
 */
final class BoundedDecoder extends Decoder {
    private final byte[] bytes;
    private int at;

    BoundedDecoder(byte[] bytes, int from) {
        this.bytes = bytes;
        this.at = from;
    }

    /** Bytes not yet read. */
    int remaining() {
        return bytes.length - at;
    }

    @Override
    public void readNull() {}

    @Override
    public boolean readBoolean() throws IOException {
        byte value = next();
        if (value != 0 && value != 1) {
            throw new IOException("a boolean is " + value + " at byte " + (at - 1));
        }
        return value == 1;
    }

    @Override
    public int readInt() throws IOException {
        long value = readLong();
        if (value != (int) value) {
            throw new IOException("an int is " + value + " before byte " + at);
        }
        return (int) value;
    }

    @Override
    public long readLong() throws IOException {
        long zigzag = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte part = next();
            zigzag |= (part & 0x7fL) << shift;
            if (part >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw new IOException("a number does not end before byte " + at);
    }

    @Override
    public float readFloat() throws IOException {
        return Float.intBitsToFloat((int) littleEndian(Float.BYTES));
    }

    @Override
    public double readDouble() throws IOException {
        return Double.longBitsToDouble(littleEndian(Double.BYTES));
    }

    @Override
    public Utf8 readString(Utf8 old) throws IOException {
        byte[] utf8 = new byte[length()];
        readFixed(utf8, 0, utf8.length);
        return new Utf8(utf8);
    }

    @Override
    public String readString() throws IOException {
        int length = length();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    @Override
    public void skipString() throws IOException {
        skipFixed(length());
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) throws IOException {
        byte[] copy = new byte[length()];
        readFixed(copy, 0, copy.length);
        return ByteBuffer.wrap(copy);
    }

    @Override
    public void skipBytes() throws IOException {
        skipFixed(length());
    }

    @Override
    public void readFixed(byte[] into, int start, int length) throws IOException {
        require(length);
        System.arraycopy(bytes, at, into, start, length);
        at += length;
    }

    @Override
    public void skipFixed(int length) throws IOException {
        require(length);
        at += length;
    }

    @Override
    public int readEnum() throws IOException {
        return readInt();
    }

    @Override
    public long readArrayStart() throws IOException {
        return items();
    }

    @Override
    public long arrayNext() throws IOException {
        return items();
    }

    @Override
    public long skipArray() throws IOException {
        return skipBlocks();
    }

    @Override
    public long readMapStart() throws IOException {
        return items();
    }

    @Override
    public long mapNext() throws IOException {
        return items();
    }

    @Override
    public long skipMap() throws IOException {
        return skipBlocks();
    }

    @Override
    public int readIndex() throws IOException {
        return readInt();
    }

    /** Items of the next block; a negative count is followed by the block's size in bytes. */
    private long items() throws IOException {
        long count = readLong();
        if (count < 0) {
            count = -count;
            length();
        }
        if (count < 0 || count > remaining()) {
            throw new IOException("a block of " + count + " items with " + remaining() + " bytes left at byte " + at);
        }
        return count;
    }

    /** Skips blocks of known size; gives the count of the first that must be skipped item by item, 0 at the end. */
    private long skipBlocks() throws IOException {
        long count = readLong();
        while (count < 0) {
            skipFixed(length());
            count = readLong();
        }
        if (count > remaining()) {
            throw new IOException("a block of " + count + " items with " + remaining() + " bytes left at byte " + at);
        }
        return count;
    }

    private int length() throws IOException {
        long length = readLong();
        if (length < 0) {
            throw new IOException("a length is " + length + " before byte " + at);
        }
        if (length > remaining()) {
            throw cutOff();
        }
        return (int) length;
    }

    private void require(int length) throws IOException {
        if (length < 0 || length > remaining()) {
            throw cutOff();
        }
    }

    private long littleEndian(int size) throws IOException {
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (next() & 0xffL) << (8 * i);
        }
        return value;
    }

    private byte next() throws IOException {
        if (at == bytes.length) {
            throw cutOff();
        }
        return bytes[at++];
    }

    private EOFException cutOff() {
        return new EOFException("it is cut off: more is needed than the " + remaining() + " bytes left at byte " + at);
    }
}
