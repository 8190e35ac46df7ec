package io.praline.dispatcher.ledger.row;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Keys of rows, as the description of {@code io.praline.dispatcher.ledger} draws them. */
public final class RowKey {
    public static final char JOB = 'j';
    public static final char SUBMISSION = 's';
    public static final char PLAN = 'p';
    public static final char PAGE = 'g';
    public static final char EPOCH = 'e';
    public static final char RETURNED = 'r';
    public static final char CLOSED = 'c';
    public static final char SPLIT = 'o';
    public static final char ATTEMPT = 'a';
    public static final char PLACE = 'b';
    public static final char CONSUMER = 'u';
    public static final char BAD = 'x';
    public static final char WORKER = 'w';
    public static final char POOL = 'q';
    public static final char KNOWN = 'k';
    public static final char SHADOW = 'h';
    public static final char TENANT = 't';
    public static final char CLOCK = 'l';
    public static final char FORMAT = 'v';
    public static final char PAST = 'd';
    public static final char SUSPECT = 'y';
    public static final char ORDER = 'z';
    public static final char PROVED = 'f';
    public static final char CACHE = 'i';
    public static final char GROUP = 'n';

    private RowKey() {}

    /** Of the one row of a kind. */
    public static byte[] alone(char kind) {
        return new byte[] {(byte) kind};
    }

    public static byte[] of(char kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + text.length).put((byte) kind).put(text).array();
    }

    /** With the zero byte behind the name: the prefix of all that belongs to it, or the head of a longer key. */
    public static byte[] under(char kind, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + text.length)
                .put((byte) kind)
                .put(text)
                .put((byte) 0)
                .array();
    }

    public static byte[] of(char kind, String name, int number) {
        byte[] head = under(kind, name);
        return ByteBuffer.allocate(head.length + Integer.BYTES)
                .put(head)
                .putInt(number)
                .array();
    }

    public static byte[] of(char kind, String name, int number, int second) {
        byte[] head = under(kind, name);
        return ByteBuffer.allocate(head.length + 2 * Integer.BYTES)
                .put(head)
                .putInt(number)
                .putInt(second)
                .array();
    }

    public static byte[] of(char kind, String name, String second) {
        byte[] head = under(kind, name);
        byte[] text = second.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(head.length + text.length)
                .put(head)
                .put(text)
                .array();
    }

    /** The text behind the kind. */
    public static String name(byte[] key) {
        return new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
    }

    /** The text behind the kind up to the zero byte, if there is one. */
    public static String owner(byte[] key) {
        int end = 1;
        while (end < key.length && key[end] != 0) {
            end++;
        }
        return new String(key, 1, end - 1, StandardCharsets.UTF_8);
    }

    /** The last number of the key. */
    public static int lastNumber(byte[] key) {
        return ByteBuffer.wrap(key).getInt(key.length - Integer.BYTES);
    }

    /** The text between the kind and the zero byte, and the text behind that. */
    public static String[] names(byte[] key) {
        String both = name(key);
        int zero = both.indexOf('\0');
        return new String[] {both.substring(0, zero), both.substring(zero + 1)};
    }
}
